import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lang, parse } from '@ast-grep/napi';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readSource } from './code-rule.ts';
import { root, runTool } from './tool.ts';

/** How much of the program the compiler really knows: a value of type `any` is one that it does not. */
const UNSAFE = ['assignment', 'call', 'member-access', 'return', 'argument'].map(
  (what) => `typescript/no-unsafe-${what}`,
);
const LAYERS = ['shared', 'main', 'preload', 'renderer', 'sandbox'];
/** Percent of all names in the code. What is missing are answers of JSON.parse on their way into a schema. */
const LEAST_PERCENT = 99.97;

const Found = z.object({ diagnostics: z.array(z.object({ code: z.string() })) });

function unsafeUses(folder: string, paths: readonly string[]): number {
  const rules = UNSAFE.flatMap((rule) => ['-D', rule]);
  const run = runTool('oxlint', ['--type-aware', '-A', 'all', ...rules, '-f', 'json', ...paths], folder);
  const { diagnostics } = Found.parse(JSON.parse(run.stdout));
  return diagnostics.filter(({ code }) => code.includes('no-unsafe-')).length;
}

test('next to every name in the program has a type', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...LAYERS], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => /\.tsx?$/.test(file));
  const names = files.reduce((sum, file) => sum + countNames(file), 0);
  expect(names).toBeGreaterThan(50_000);
  const known = 100 * (1 - unsafeUses(root, LAYERS) / names);
  expect(known).toBeGreaterThanOrEqual(LEAST_PERCENT);
});

test('planted, a value without a type is noticed', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'adslate-types-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
    writeFileSync(join(scratch, 'tsconfig.json'), '{"compilerOptions":{"strict":true},"include":["planted.ts"]}');
    writeFileSync(
      join(scratch, 'planted.ts'),
      "const found = JSON.parse('{}');\nexport const name: string = found.name;\n",
    );
    expect(unsafeUses(scratch, ['planted.ts'])).toBeGreaterThanOrEqual(2);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

function countNames(file: string): number {
  const tree = parse(file.endsWith('x') ? Lang.Tsx : Lang.TypeScript, readSource(root, file)).root();
  const kinds = [
    'identifier',
    'property_identifier',
    'shorthand_property_identifier',
    'shorthand_property_identifier_pattern',
  ];
  return tree.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).length;
}
