import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, runTool, type ToolRun } from './tool.ts';

/** Nothing lies about that nobody uses: files, exports, packages. And nothing is used that is not declared. */
const KINDS = 'files,dependencies,unlisted,unresolved,exports';
const knip = (folder: string): ToolRun =>
  runTool('knip', ['--no-progress', '--include', KINDS, '--reporter', 'compact'], folder);

test('no file, no export and no package is there for nobody', () => {
  const run = knip(root);
  expect(run.output).toBe('');
  expect(run.status).toBe(0);
});

const scratch = mkdtempSync(join(tmpdir(), 'adslate-unused-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let planted: ToolRun;

beforeAll(() => {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('package.json', JSON.stringify({ name: 'planted', type: 'module', dependencies, devDependencies }));
  copyFileSync(join(root, 'knip.json'), join(scratch, 'knip.json'));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  write('main/host/web/main.ts', "import { used } from '../../used.ts';\nimport 'never-declared';\nused();\n");
  write('main/used.ts', 'export const used = (): number => 1;\nexport const nobodysExport = 2;\n');
  write('main/nobodys-file.ts', 'export const alone = 1;\n');
  planted = knip(scratch);
});

test.each(['nobodys-file.ts', 'nobodysExport', 'never-declared', 'papaparse'])('planted, %s is noticed', (what) => {
  expect(planted.status).not.toBe(0);
  expect(planted.output).toContain(what);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}
