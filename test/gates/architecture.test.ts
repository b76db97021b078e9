import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * A check can pass by looking at nothing. So every forbidden arrow is planted once in a scratch copy of the
 * folders, and both the linter and the graph have to refuse it there.
 */
const root = join(import.meta.dirname, '..', '..');

const ARROWS = [
  { from: 'shared/planted.ts', to: '../main/target.ts' },
  { from: 'shared/planted.ts', to: '../renderer/target.ts' },
  { from: 'shared/planted.ts', to: '../preload/target.ts' },
  { from: 'shared/planted.ts', to: '../sandbox/target.ts' },
  { from: 'main/planted.ts', to: '../renderer/target.ts' },
  { from: 'main/planted.ts', to: '../preload/target.ts' },
  { from: 'main/planted.ts', to: '../sandbox/target.ts' },
  { from: 'main/planted.ts', to: '../test/target.ts' },
  { from: 'renderer/planted.ts', to: '../main/target.ts' },
  { from: 'renderer/planted.ts', to: '../sandbox/target.ts' },
  { from: 'renderer/planted.ts', to: '../preload/target.ts' },
  { from: 'renderer/planted.ts', to: '../test/target.ts' },
  { from: 'preload/planted.ts', to: '../main/target.ts' },
  { from: 'preload/planted.ts', to: '../sandbox/target.ts' },
  { from: 'preload/planted.ts', to: '../renderer/target.ts' },
  { from: 'sandbox/planted.ts', to: '../shared/target.ts' },
  { from: 'sandbox/planted.ts', to: '../main/target.ts' },
  { from: 'sandbox/planted.ts', to: '../renderer/target.ts' },
  { from: 'shared/planted.ts', to: 'node:fs' },
  { from: 'renderer/planted.ts', to: 'node:fs' },
  { from: 'main/planted.ts', to: 'electron' },
] as const;

/** What the graph refuses beside arrows, by the name of its rule. */
const TANGLES = [
  { rule: 'no-cycles', files: { 'main/one.ts': planted('./two.ts'), 'main/two.ts': planted('./one.ts') } },
  { rule: 'nothing-unresolved', files: { 'main/one.ts': planted('./none.ts') } },
  { rule: 'shared-packages', files: { 'shared/one.ts': planted('papaparse') } },
  { rule: 'electron-only-in-its-host', files: { 'main/one.ts': planted('electron-store') } },
];

const LAYERS = ['shared', 'main', 'preload', 'renderer', 'sandbox'];
let scratch = '';

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'adslate-arrows-'));
  copyFileSync(join(root, '.oxlintrc.json'), join(scratch, '.oxlintrc.json'));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  for (const layer of [...LAYERS, 'test']) write(`${layer}/target.ts`, 'export const target = 1;\n');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a planted import against an arrow', () => {
  test.each(ARROWS)('$from -> $to is refused by the linter', ({ from, to }) => {
    write(from, planted(to));
    const lint = run('oxlint', LAYERS);
    rmSync(join(scratch, from));
    expect(lint.output).toContain('no-restricted-imports');
    expect(lint.status).not.toBe(0);
  });

  test('every arrow between folders is refused by the graph, which has seen the files', () => {
    const between = ARROWS.filter((arrow) => arrow.to.startsWith('..'));
    const sources = [...new Set(between.map((arrow) => arrow.from))];
    for (const from of sources) {
      write(
        from,
        between
          .filter((arrow) => arrow.from === from)
          .map((arrow, at) => planted(arrow.to, at))
          .join(''),
      );
    }
    const summary = cruise();
    for (const from of sources) rmSync(join(scratch, from));
    expect(summary.totalCruised).toBeGreaterThanOrEqual(LAYERS.length + sources.length);
    const refused = new Set(
      summary.violations.filter((found) => LAYERS.includes(found.rule.name)).map(({ from, to }) => `${from} -> ${to}`),
    );
    expect(refused).toEqual(new Set(between.map((arrow) => `${arrow.from} -> ${arrow.to.slice('../'.length)}`)));
  });

  test.each(TANGLES)('$rule is refused by the graph', ({ rule, files }) => {
    for (const [path, text] of Object.entries(files)) write(path, text);
    const { violations } = cruise();
    for (const path of Object.keys(files)) rmSync(join(scratch, path));
    expect(violations.map((found) => found.rule.name)).toContain(rule);
  });

  test('the layers as they are hold hundreds of modules and break no arrow', () => {
    const graph = spawnSync(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', '-T', 'json', ...LAYERS], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    const { summary } = JSON.parse(graph.stdout) as { summary: { totalCruised: number; error: number } };
    expect(summary.totalCruised).toBeGreaterThan(300);
    expect(summary.error).toBe(0);
  });
});

function planted(to: string, at = 0): string {
  return to.startsWith('.')
    ? `export { target as target${at} } from '${to}';\n`
    : `export * as planted from '${to}';\n`;
}

interface Cruised {
  readonly totalCruised: number;
  readonly violations: readonly {
    readonly from: string;
    readonly to: string;
    readonly rule: { readonly name: string };
  }[];
}

/** The graph of the scratch copy. */
function cruise(): Cruised {
  const graph = run('depcruise', ['--config', join(root, '.dependency-cruiser.cjs'), '-T', 'json', ...LAYERS]);
  const { summary } = JSON.parse(graph.stdout) as { summary: Cruised };
  return summary;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}

const bin = (tool: string): string => join(root, 'node_modules', '.bin', tool);

function run(tool: string, args: readonly string[]): { status: number | null; stdout: string; output: string } {
  const done = spawnSync(bin(tool), args, { cwd: scratch, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { status: done.status, stdout: done.stdout, output: done.stdout + done.stderr };
}
