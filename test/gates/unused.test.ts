import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, runTool, type ToolRun } from './tool.ts';

/** Nothing lies about that nobody uses: files, exports, packages. And nothing is used that is not declared. */
const KINDS = 'files,dependencies,unlisted,unresolved,exports';
const knip = (folder: string): ToolRun =>
  runTool('knip', ['--no-progress', '--include', KINDS, '--reporter', 'compact'], folder);
/** Without the tests: what is exported for them alone shows nothing of what runs. */
const knipOfProgram = (folder: string): ToolRun =>
  runTool('knip', ['--no-progress', '--production', '--include', 'exports', '--reporter', 'compact'], folder);

test('no file, no export and no package is there for nobody', () => {
  const run = knip(root);
  expect(run.output).toBe('');
  expect(run.status).toBe(0);
});

test('no function or value of the program is there for tests alone', () => {
  const run = knipOfProgram(root);
  expect(run.output).toBe('');
  expect(run.status).toBe(0);
});

const scratch = mkdtempSync(join(tmpdir(), 'adslate-unused-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let planted: ToolRun;
let plantedForTests: ToolRun;

beforeAll(() => {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('package.json', JSON.stringify({ name: 'planted', type: 'module', dependencies, devDependencies }));
  copyFileSync(join(root, 'knip.json'), join(scratch, 'knip.json'));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  write('main/host/web/main.ts', "import { used } from '../../used.ts';\nimport 'never-declared';\nused();\n");
  write(
    'main/used.ts',
    'export const used = (): number => 1;\nexport const nobodysExport = 2;\nexport const forTests = 3;\n',
  );
  write('test/one.test.ts', "import { forTests } from '../main/used.ts';\nforTests;\n");
  write('main/nobodys-file.ts', 'export const alone = 1;\n');
  planted = knip(scratch);
  plantedForTests = knipOfProgram(scratch);
});

test.each(['nobodys-file.ts', 'nobodysExport', 'never-declared', 'papaparse'])('planted, %s is noticed', (what) => {
  expect(planted.status).not.toBe(0);
  expect(planted.output).toContain(what);
});

test('planted, an export that only a test uses is noticed', () => {
  expect(planted.output).not.toContain('forTests');
  expect(plantedForTests.status).not.toBe(0);
  expect(plantedForTests.output).toContain('forTests');
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}
