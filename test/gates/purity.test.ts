import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What `shared/` must not be able to name. Each is compiled with the options of `shared/` and has to fail. */
const root = join(import.meta.dirname, '..', '..');
const IMPURE = [
  'process.exit()',
  'window.close()',
  "fetch('/')",
  'setTimeout(() => 1, 1)',
  'document.title',
  'Buffer.from([])',
];

test.each(IMPURE)('shared/ cannot name %s', (expression) => {
  const scratch = mkdtempSync(join(tmpdir(), 'adslate-pure-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
    writeFileSync(join(scratch, 'planted.ts'), `export const impure = (): unknown => ${expression};\n`);
    writeFileSync(
      join(scratch, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'shared', 'tsconfig.json'),
        compilerOptions: { rootDir: '.', outDir: './out', tsBuildInfoFile: './out/info' },
        include: ['./planted.ts'],
      }),
    );
    const compiled = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', scratch], { encoding: 'utf8' });
    expect(compiled.status).not.toBe(0);
    expect(compiled.stdout).toMatch(/error TS(2304|2584|2580|2591|2552)/);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
