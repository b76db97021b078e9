import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testFolder } from '../folder.ts';
import { root, runTool } from './tool.ts';

/** The gates of `scripts/test-gates.mjs` refuse a violation that is planted in a scratch folder; code rules plant their own. */
const scratch = testFolder('planted');

/** Makes a folder with these files and the installed packages. */
function plant(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test('Biome refuses a focused test, any and a format of its own', () => {
  const folder = plant('biome', {
    'test/planted.test.ts':
      "import { test } from 'vitest';\ntest.only('one', () => {});\nexport const found: any = 1\n",
  });
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  const { status, output } = runTool('biome', ['check', '--vcs-enabled=false', 'test'], folder);
  expect(status).not.toBe(0);
  for (const rule of ['noFocusedTests', 'noExplicitAny', 'Formatter would have printed']) {
    expect(output).toContain(rule);
  }
});

test('oxlint refuses unsafe values, code made of text, empty catches and turned off checks', () => {
  const folder = plant('oxlint', {
    'tsconfig.json': '{"compilerOptions":{"strict":true},"include":["main"]}',
    'main/planted.ts': [
      "const found = JSON.parse('{}');",
      'export const name: string = found.name;',
      "export const made = new Function('a', 'return a');",
      "setInterval('tick()', 5);",
      'try { made(); } catch {}',
      '// @ts-ignore',
      'export const other: string = 1;\n',
    ].join('\n'),
  });
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const { status, output } = runTool('oxlint', ['--type-aware', '--max-warnings', '0', 'main'], folder);
  expect(status).not.toBe(0);
  for (const rule of ['no-unsafe-assignment', 'no-new-func', 'no-implied-eval', 'no-empty', 'ban-ts-comment']) {
    expect(output).toContain(rule);
  }
});

/** Imports that dependency-cruiser refuses, by the name of its rule. */
const IMPORTS: readonly (readonly [rule: string, from: string, to: string])[] = [
  ...(
    [
      ['shared', ['main', 'preload', 'renderer', 'sandbox', 'test']],
      ['main', ['preload', 'renderer', 'sandbox', 'test']],
      ['preload', ['main', 'renderer', 'sandbox', 'test']],
      ['renderer', ['main', 'preload', 'sandbox', 'test']],
      ['sandbox', ['shared', 'main', 'preload', 'renderer', 'test']],
    ] as const
  ).flatMap(([from, targets]) => targets.map((to) => [from, `${from}/planted.ts`, `${to}/target.ts`] as const)),
  ['model-stands-alone', 'shared/model/planted.ts', 'shared/plan/target.ts'],
  ['contract-is-on-top', 'shared/plan/planted.ts', 'shared/api/target.ts'],
  ['hosts-are-on-top', 'main/sync/planted.ts', 'main/hosts/target.ts'],
  ['router-is-below-hosts', 'main/sync/planted.ts', 'main/service/target.ts'],
  ['store-stands-alone', 'main/store/planted.ts', 'main/sync/target.ts'],
  ['app-is-lowest', 'main/app/planted.ts', 'main/store/target.ts'],
  ['api-stands-alone', 'main/api/planted.ts', 'main/sync/target.ts'],
  ['screens-are-on-top', 'renderer/grid/planted.ts', 'renderer/features/tools/target.ts'],
  ['screens-are-apart', 'renderer/features/tools/planted.ts', 'renderer/features/sync/target.ts'],
  ['ui-stands-alone', 'renderer/components/planted.ts', 'renderer/app/store/target.ts'],
  ['transport-stands-alone', 'renderer/app/transport/planted.ts', 'renderer/app/store/target.ts'],
  ['shared-packages', 'shared/planted.ts', 'papaparse'],
  ['shared-packages', 'shared/planted.ts', 'node:fs'],
  ['no-node-in-a-page', 'renderer/planted.ts', 'node:fs'],
  ['no-react-outside', 'main/planted.ts', 'react'],
  ['electron-only-in-its-host', 'main/planted.ts', 'electron-store'],
  ['requests-in-named-folders', 'main/planted.ts', 'node:https'],
  ['requests-in-named-folders', 'main/planted.ts', 'ky'],
  ['processes-in-one-place', 'main/planted.ts', 'node:child_process'],
  ['no-second-engine', 'main/planted.ts', 'node:vm'],
  ['no-loader', 'main/planted.ts', 'node:module'],
  ['process-in-hosts-only', 'main/planted.ts', 'node:process'],
  ['nothing-unresolved', 'main/planted.ts', 'main/none.ts'],
  ['no-circles', 'main/circle-one.ts', 'main/circle-two.ts'],
];

describe('dependency-cruiser refuses', () => {
  const Graph = z.object({
    summary: z.object({ violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })) }),
  });
  let refused: ReadonlySet<string>;

  beforeAll(() => {
    const files: Record<string, string> = {};
    for (const [, from, to] of IMPORTS) {
      const up = '../'.repeat(from.split('/').length - 1);
      files[from] = `${files[from] ?? ''}import '${to.endsWith('.ts') ? `${up}${to}` : to}';\n`;
      if (to.endsWith('target.ts')) files[to] = 'export const target = 1;\n';
    }
    files['main/circle-two.ts'] = "import './circle-one.ts';\n";
    files['main/type-circle.ts'] = "import type { Two } from './type-circle-two.ts';\nexport type One = Two;\n";
    files['main/type-circle-two.ts'] = "import type { One } from './type-circle.ts';\nexport type Two = One;\n";
    const folder = plant('imports', files);
    const areas = ['shared', 'main', 'preload', 'renderer', 'sandbox'];
    const config = join(root, '.dependency-cruiser.cjs');
    const run = runTool('depcruise', ['--config', config, '-T', 'json', ...areas], folder);
    const { violations } = Graph.parse(JSON.parse(run.stdout)).summary;
    refused = new Set(violations.map(({ from, rule }) => `${rule.name}: ${from}`));
  });

  test.each(IMPORTS)('%s: %s -> %s', (rule, from) => {
    expect(refused).toContain(`${rule}: ${from}`);
  });

  test('a circle of type imports', () => {
    // The circle is reported once, from one of its files.
    const files = ['main/type-circle.ts', 'main/type-circle-two.ts'];
    expect(files.some((file) => refused.has(`no-circles: ${file}`))).toBe(true);
  });
});

test('the compiler refuses what shared/ must not name', () => {
  const impure = ['process.exit()', 'window.close()', "fetch('/')", 'setTimeout(() => 1, 1)', 'Buffer.from([])'];
  const folder = plant('pure', {
    'planted.ts': impure.map((expression, at) => `export const impure${at} = (): unknown => ${expression};\n`).join(''),
    'tsconfig.json': JSON.stringify({
      extends: join(root, 'shared', 'tsconfig.json'),
      compilerOptions: { rootDir: '.', outDir: './out', tsBuildInfoFile: './out/info' },
      include: ['./planted.ts'],
    }),
  });
  const { output } = runTool('tsc', ['-p', folder]);
  const lines = [...output.matchAll(/planted\.ts\((\d+),\d+\): error TS(?:2304|2584|2580|2591|2552)/g)];
  expect(lines.map(([, line]) => Number(line))).toEqual(impure.map((_, at) => at + 1));
});

test('knip refuses files, exports and packages that nothing uses, and exports that only a test uses', () => {
  const Packages = z.object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  });
  const packages = Packages.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const folder = plant('unused', {
    'package.json': JSON.stringify({ name: 'planted', type: 'module', ...packages }),
    'main/hosts/web/main.ts': "import { used } from '../../used.ts';\nimport 'never-declared';\nused();\n",
    'main/used.ts':
      'export const used = (): number => 1;\nexport const unusedExport = 2;\nexport const forTests = 3;\n',
    'main/unused-file.ts': 'export const alone = 1;\n',
    'test/one.test.ts': "import { forTests } from '../main/used.ts';\nforTests;\n",
  });
  copyFileSync(join(root, 'knip.json'), join(folder, 'knip.json'));
  const include = ['--include', 'files,dependencies,unlisted,unresolved,exports'];
  const all = runTool('knip', ['--no-progress', ...include], folder);
  expect(all.status).not.toBe(0);
  for (const what of ['unused-file.ts', 'unusedExport', 'never-declared', 'papaparse'])
    expect(all.output).toContain(what);
  expect(all.output).not.toContain('forTests');
  const program = runTool('knip', ['--no-progress', '--production', '--include', 'exports'], folder);
  expect(program.status).not.toBe(0);
  expect(program.output).toContain('forTests');
});

test('jscpd refuses copies', () => {
  const text = readFileSync(join(root, 'main', 'hosts', 'web', 'server.ts'), 'utf8');
  const folder = plant('copies', { 'shared/one.ts': text, 'main/two.ts': text });
  copyFileSync(join(root, '.jscpd.json'), join(folder, '.jscpd.json'));
  const { status, output } = runTool('jscpd', ['--config', '.jscpd.json', 'shared', 'main'], folder);
  expect(output).toContain('Clone found');
  expect(status).not.toBe(0);
});
