import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { breaches, CODE_RULES, readSource } from './code-rules.ts';

/** Rules of this program that no linter knows. Each is planted once to see that it would be noticed. */
const root = join(import.meta.dirname, '..', '..');
const LAYERS = ['shared', 'main', 'preload', 'renderer', 'sandbox'];

/** A file that no rule makes an exception for, in a folder that the rule looks at. */
const somewhere = (only: readonly string[] | undefined, source: string): string =>
  `${only?.[0] ?? 'main/'}planted.${/<\w+ .*\/>/.test(source) ? 'tsx' : 'ts'}`;

describe('planted, it is noticed', () => {
  test.each(CODE_RULES.flatMap((rule) => rule.planted.map((source) => ({ name: rule.name, source, rule }))))(
    '$name: $source',
    ({ rule, source }) => {
      const planted = [{ file: somewhere(rule.only, source), source }];
      expect(breaches([rule], planted).map((breach) => breach.rule)).toContain(rule.name);
    },
  );

  test('and only there: a line that breaks nothing is left alone', () => {
    const harmless = "import { app } from 'electron';\nconst at = clock.nowMs();\nJSON.stringify({ at });\n";
    expect(breaches(CODE_RULES, [{ file: 'main/hosts/electron/planted.ts', source: harmless }])).toEqual([]);
  });
});

test('the exceptions are there: a place that is gone may not stay excused', () => {
  const files = sources();
  for (const place of CODE_RULES.flatMap((rule) => rule.but ?? [])) {
    expect(
      files.some((file) => file === place || (place.endsWith('/') && file.startsWith(place))),
      place,
    ).toBe(true);
  }
});

/** Some seconds of work, and a minute or two on a machine that has much else to do. */
const PATIENCE_MS = 240_000;

test('no source file breaks a rule', { timeout: PATIENCE_MS }, () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(400);
  expect(
    breaches(
      CODE_RULES,
      files.map((file) => ({ file, source: readSource(root, file) })),
    ),
  ).toEqual([]);
});

test('a file that a comment names is there', () => {
  const all = tracked('.');
  const isThere = (name: string) => all.some((file) => file === name || file.endsWith(`/${name}`));
  const missing = (source: string) =>
    [...source.matchAll(/`([\w./-]+\.(?:tsx?|mjs|css))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isThere(name));
  expect(missing('/** See `main/app/gone.ts` and `clock.ts`. */')).toEqual(['main/app/gone.ts']);
  expect(sources().flatMap((file) => missing(readSource(root, file)).map((name) => `${file}: ${name}`))).toEqual([]);
});

/** What git knows, so that a file of somebody's own does not count. */
function tracked(...places: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', '-z', '--', ...places], { cwd: root, encoding: 'utf8' }).split('\0');
}

const sources = (): readonly string[] => tracked(...LAYERS).filter((file) => /\.tsx?$/.test(file));
