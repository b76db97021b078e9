import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from './code-rule.ts';
import { falseImportWords } from './import-words.ts';
import { root } from './tool.ts';

/** What a folder's page says its files may import is what they import. */
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\0').filter((file) => file !== '');
const textsOf = (chosen: readonly string[]): readonly [string, string][] =>
  chosen.map((file) => [file, readSource(root, file)]);

test('every page that says what its folder may import says what is imported there', () => {
  const pages = textsOf(files.filter((file) => file.endsWith('/README.md')));
  expect(pages.filter(([, text]) => text.includes('May import')).length).toBeGreaterThan(50);
  const pagesByFolder = new Map(pages.map(([file, text]) => [posix.dirname(file), text]));
  const sources = new Map(textsOf(files.filter((file) => /\.(?:tsx?|mjs)$/.test(file))));
  expect(falseImportWords(pagesByFolder, sources)).toEqual([]);
});

const PAGE = 'What lies here. May import `zod`, `model/` and `clock.ts`; nothing of `plan/`. More.';
const SOURCES = {
  'shared/result.ts': '',
  'shared/plan/plan.ts': '',
  'shared/model/kinds.ts': '',
  'shared/clock.ts': '',
  'shared/rules/check.ts': "import type { Kind } from '../model/kinds.ts';\nimport { tick } from '../clock.ts';\n",
};

test.each([
  ['an import that the page does not allow', "export { plan } from '../../plan/plan.ts';", ['shared/plan/plan.ts']],
  ['one that is made later', "const plan = await import('../../plan/plan.ts');", ['shared/plan/plan.ts']],
  ['one over several lines', "import {\n  plan,\n} from '../../plan/plan.ts';", ['shared/plan/plan.ts']],
  ['a package, a neighbour and what all may use', "import { z } from 'zod';\nimport './rule.ts';", []],
])('planted, %s is told of as it should be', (_, source, targets) => {
  const sources = new Map(Object.entries({ ...SOURCES, 'shared/rules/deep/planted.ts': source }));
  expect(falseImportWords(new Map([['shared/rules', PAGE]]), sources)).toEqual(
    targets.map(
      (target) => `shared/rules/README.md does not say that shared/rules/deep/planted.ts may import ${target}.`,
    ),
  );
});

test('planted, a place that nothing imports is noticed', () => {
  const sources = new Map(
    Object.entries({ ...SOURCES, 'shared/rules/check.ts': "import { tick } from '../clock.ts';" }),
  );
  expect(falseImportWords(new Map([['shared/rules', PAGE]]), sources)).toEqual([
    'shared/rules/README.md allows shared/model, which nothing there imports.',
  ]);
});
