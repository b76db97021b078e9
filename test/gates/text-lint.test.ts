import { describe, expect, test } from 'vitest';
import {
  badExcuses,
  excusesIn,
  lintTexts,
  longSentences,
  pageTexts,
  type ReadText,
  SENTENCE_MAX,
  sourceTexts,
  TEXT_RULES,
  type TextSet,
  textsOf,
} from './text-lint.ts';
import { root } from './tool.ts';

/** Texts that people read follow the rules of words; an exception is a comment with its reason beside the text. */
const SETS: readonly TextSet[] = ['ui', 'text', 'cli', 'docs'];
const FILE = { ui: 'renderer/a.tsx', text: 'main/a.ts', cli: 'main/hosts/cli/a.ts', docs: 'docs/a.md' } as const;

const read = (set: TextSet, source: string): readonly ReadText[] =>
  set === 'docs' ? pageTexts(FILE.docs, source) : sourceTexts(set, FILE[set], source);

/** A text where people of the set read it, below a first line. */
const placed = (set: TextSet, text: string): string =>
  set === 'docs' ? `# A page\n\n${text}\n` : `import a from 'a';\nconst label = ${JSON.stringify(text)};\n`;

const rulesHit = (texts: readonly ReadText[]): readonly string[] => lintTexts(texts).map(({ rule }) => rule);

describe.each(SETS)('the texts of %s', (set) => {
  const { texts, excuses, files } = textsOf(root, set);

  test('are read', () => {
    expect(texts.length).toBeGreaterThan(set === 'docs' ? 1000 : 500);
    expect(files).toBeGreaterThan(10);
  });

  test('break no rule outside the allow list', () => {
    expect(lintTexts(texts).map(({ file, line, rule, found }) => `${file}:${line}: ${rule}: ${found}`)).toEqual([]);
  });

  test('have an allow list whose entries excuse a text and give a reason', () => {
    expect(badExcuses(texts, excuses)).toEqual([]);
  });
});

const PLANTED = TEXT_RULES.flatMap((rule) => rule.sets.map((set) => [rule.name, set, rule] as const));

test.each(PLANTED)('planted, "%s" is noticed in %s', (name, set, { planted, write }) => {
  expect(rulesHit(read(set, placed(set, planted)))).toContain(name);
  expect(write).not.toBe('');
});

test('every rule has a name of its own and a set', () => {
  expect(new Set(TEXT_RULES.map(({ name }) => name)).size).toBe(TEXT_RULES.length);
  expect(TEXT_RULES.filter(({ sets }) => sets.length === 0)).toEqual([]);
});

test('planted, a long sentence of the window is noticed, and one of the highest length is not', () => {
  const sentence = (words: number): string => `Select ${Array.from({ length: words - 1 }, () => 'rows').join(' ')}.`;
  expect(rulesHit(read('ui', placed('ui', sentence(SENTENCE_MAX + 1))))).toEqual(['long sentence']);
  expect(rulesHit(read('ui', placed('ui', sentence(SENTENCE_MAX))))).toEqual([]);
  expect(longSentences(`${sentence(SENTENCE_MAX)} ${sentence(SENTENCE_MAX)}`)).toEqual([]);
});

test('planted, texts are found in strings, templates and JSX', () => {
  const sources = [
    "const a = 'Type a bid.';",
    'const b = `Type a bid.`;',
    'const c = <p>Type a bid.</p>;',
    'const d = <input title="Type a bid." />;',
    "const e = { hint: 'Type a bid.' };",
  ];
  for (const source of sources) expect(rulesHit(read('ui', `${source}\n`)), source).toEqual(['type a value']);
});

test('what nobody reads is left out', () => {
  const sources = [
    '// Type a bid.\n',
    "import { a } from 'take it back';\n",
    "const a = { says: ['Type a bid.'] };\n",
    'const b = <p className="under way" />;\n',
  ];
  for (const source of sources) expect(rulesHit(read('ui', source)), source).toEqual([]);
  const page = '# A page\n\n```\nmend it\n```\n\nRun `mend it`. <!-- mend it -->\n';
  expect(rulesHit(read('docs', page))).toEqual([]);
});

test('an excuse beside a text, or on the line before it, excuses that text only', () => {
  const behind = "const a = 'Type a bid.'; // lint-text: ok, words of the service\nconst b = 'Type a bid.';\n";
  expect(lintTexts(read('ui', behind)).map(({ line }) => line)).toEqual([2]);
  const before = "// lint-text: ok, words of the service\nconst a = 'Type a bid.';\nconst b = 'Type a bid.';\n";
  expect(lintTexts(read('ui', before)).map(({ line }) => line)).toEqual([3]);
  const onPage = 'It is under way. <!-- lint-text: ok, words of the service -->\n\nIt is under way.\n';
  expect(lintTexts(read('docs', onPage)).map(({ line }) => line)).toEqual([3]);
});

test('planted, an entry of the allow list without a hit or without a reason is noticed', () => {
  const bad = (source: string) => badExcuses(read('ui', source), excusesIn(FILE.ui, source));
  expect(bad("const a = 'Enter a bid.'; // lint-text: ok, words of the service\n")).toEqual([
    'renderer/a.tsx:1 excuses nothing',
  ]);
  expect(bad("const a = 'Type a bid.'; // lint-text: ok\n")).toEqual(['renderer/a.tsx:1 has no reason']);
  expect(bad("const a = 'Type a bid.'; // lint-text: ok, words of the service\n")).toEqual([]);
});
