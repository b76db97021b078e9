import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lang, parse, type SgNode } from '@ast-grep/napi';

/** Where a text is read: in the window, in messages of rules and main, on the command line, in the documents. */
export type TextSet = 'ui' | 'text' | 'cli' | 'docs';

interface TextRule {
  readonly name: string;
  /** What to write instead. */
  readonly write: string;
  readonly find: RegExp;
  readonly sets: readonly TextSet[];
  /** A text that breaks the rule; planted to see that it is noticed. */
  readonly planted: string;
}

/** One text that a person reads, as it stands in the source; `{}` stands for each value. */
export interface ReadText {
  readonly set: TextSet;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The comment `lint-text: ok, REASON` that excuses it; null for most. */
  readonly excuse: Excuse | null;
}

/** An entry of the allow list, which is kept beside the text that it excuses. */
interface Excuse {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

interface TextHit extends ReadText {
  readonly rule: string;
  readonly found: string;
}

const EVERYWHERE: readonly TextSet[] = ['ui', 'text', 'cli', 'docs'];
const ON_SCREEN: readonly TextSet[] = ['ui', 'text'];

/** Patterns of an idiom that hides what happens, each with the plain words. */
export const TEXT_RULES: readonly TextRule[] = [
  {
    name: 'old words',
    write: 'again, fix, damaged, must, someone, no one',
    find: /\b(anew|mend(s|ed|ing)?|spoil(s|ed|t)|shall|somebody|nobody|anybody)\b/i,
    sets: EVERYWHERE,
    planted: 'Type the name anew.',
  },
  {
    name: 'take back',
    write: 'undo, revert, restore or roll back',
    find: /\b(take|takes|took|taken|taking|put|puts|putting|bring|brings|brought)\b[^.;:!?|]{0,28}\bback\b/i,
    sets: EVERYWHERE,
    planted: 'Take this sync back',
  },
  {
    name: 'come in, stay out',
    write: 'is imported, is skipped, is also included',
    find: /\b(come|comes|coming|came|take|takes|took|taken|bring|brings|brought) (it |them |these |this )?in\b(?! (an? |this )?(hour|row|line|folder))|\b(stay|stays|stayed) out\b|\bgoes along\b/i,
    sets: EVERYWHERE,
    planted: 'Two rows stay out.',
  },
  {
    name: 'stand, lie, hang',
    write: 'is',
    find: /\b(stand|stands|stood|lie|lies|lay|hang|hangs) (here|there|in|on|at|from|beside|above|below|where|how|already|under)\b/i,
    sets: EVERYWHERE,
    planted: 'Nothing stands here.',
  },
  {
    name: 'label that begins with What',
    write: 'a noun',
    find: /^What\b(?!.*\?$)/,
    sets: ON_SCREEN,
    planted: 'What happened',
  },
  {
    name: 'what, and what for',
    write: 'a noun',
    find: /\bwhat\b[^.;:!?|]{0,40},? and (what for|why|when|how)\b/i,
    sets: EVERYWHERE,
    planted: 'See what waits, and what for.',
  },
  {
    name: 'machine with a wish',
    write: 'requests, accepts, returns, responds, supports',
    find: /\b(service|disk|program|computer|machine|window|file|host|grid|box) (takes|wants|knows|says|said|misses|forgets|speaks|tells|likes|believes|agrees?|gives)\b/,
    sets: EVERYWHERE,
    planted: 'The disk takes no more.',
  },
  {
    name: 'ask for a review',
    write: 'submit for review, check review status',
    find: /\b(ask|asks|asked|asking)\b[^.;:!?|]{0,16}\breviews?\b|\breviews? (is|are|was|were) asked\b/i,
    sets: EVERYWHERE,
    planted: 'Ask for reviews now',
  },
  {
    name: 'by itself',
    write: 'automatically',
    find: /\bby (itself|themselves)\b/i,
    sets: EVERYWHERE,
    planted: 'It goes on by itself.',
  },
  { name: 'for good', write: 'permanently', find: /\bfor good\b/i, sets: EVERYWHERE, planted: 'It is gone for good.' },
  {
    name: 'under way',
    write: 'in progress',
    find: /\bunder way\b|\bon (its|their) way\b/i,
    sets: EVERYWHERE,
    planted: 'An import is under way.',
  },
  {
    name: 'meanwhile',
    write: 'leave it out, or name the moment',
    find: /\bmeanwhile\b|\ball the same\b|\bby then\b/i,
    sets: EVERYWHERE,
    planted: 'It was changed meanwhile.',
  },
  {
    name: 'is no',
    write: 'is not a',
    find: /(?<!\b[Tt]here )\b(is|are) (no (?!longer\b|more\b|different\b)[a-z]|none\b)/,
    sets: EVERYWHERE,
    planted: '"X" is no conflict.',
  },
  { name: 'tick', write: 'select, clear', find: /\b(un)?tick(s|ed)?\b/i, sets: EVERYWHERE, planted: 'Tick the rows.' },
  {
    name: 'blanks, signs',
    write: 'spaces, symbols',
    find: /\bblanks\b|\b(has|of|by|the|and|or) signs\b/i,
    sets: EVERYWHERE,
    planted: 'Use single blanks.',
  },
  {
    name: 'id in small letters',
    write: 'ID',
    find: /(?<![-./=_$\w{<])\bids?\b(?![-./=_\w}(:>])/,
    sets: ON_SCREEN,
    planted: 'An item id is missing.',
  },
  {
    name: 'does not answer',
    write: 'does not respond, no response',
    find: /\b(does|do|did|has|have) not answer(ed)?\b|\bno answer\b/i,
    sets: EVERYWHERE,
    planted: 'The service did not answer.',
  },
  {
    name: 'as usual',
    write: 'default',
    find: /\bas usual\b|\botherwise than\b|\bthan usual\b/i,
    sets: EVERYWHERE,
    planted: 'As usual',
  },
  {
    name: 'of your own',
    write: 'your, custom',
    find: /\bof (your|one's|their|our) own\b/i,
    sets: EVERYWHERE,
    planted: 'Rules of your own',
  },
  {
    name: 'pick up, put down',
    write: 'cut, paste, cancel',
    find: /\b(pick|picks|picked) (it |them |the rows |rows )?up\b|\bputs? (it |them |the rows )?down\b|\blets? (it |them )?go\b/i,
    sets: EVERYWHERE,
    planted: 'Put them down here.',
  },
  { name: 'in doubt', write: 'unconfirmed', find: /\bin doubt\b/i, sets: EVERYWHERE, planted: '2 changes in doubt' },
  {
    name: 'any more',
    write: 'anymore, no longer',
    find: /\bany more\b/i,
    sets: EVERYWHERE,
    planted: 'It cannot be undone any more.',
  },
  {
    name: 'look through, look again',
    write: 'check',
    find: /\blook(s|ed|ing)? (through|again|whether)\b|\b(next|a) look\b/i,
    sets: EVERYWHERE,
    planted: 'The next look is at 9.',
  },
  { name: 'figure', write: 'metric, number', find: /\bfigures?\b/i, sets: ['ui'], planted: 'Pick a figure.' },
  { name: 'finding', write: 'issue', find: /\bfindings?\b/i, sets: ['ui'], planted: '3 findings' },
  {
    name: 'cannot be told',
    write: "can't be recovered, is unknown",
    find: /\b(cannot|can't|could not) be (told|had|made out|opened to its end)\b/i,
    sets: EVERYWHERE,
    planted: 'The ID cannot be told.',
  },
  {
    name: 'British spelling',
    write: 'American spelling',
    find: /\b(colours?|licen[c]es?|behaviour|recognis\w+|organis\w+|catalogue|cancelled|cancelling)\b/i,
    sets: EVERYWHERE,
    planted: 'The review was cancelled.',
  },
  {
    name: 'space before percent',
    write: '25%',
    find: /[\d}] %(?![\w])/,
    sets: EVERYWHERE,
    planted: 'Raise by 10 %',
  },
  {
    name: 'unit after a comma',
    write: 'the unit in parentheses',
    find: /^[A-Z][^.!?]*, (USD|KB|MB|seconds|percent|at most|at least)\b/,
    sets: ['ui'],
    planted: 'Total budget, USD',
  },
  {
    name: 'word with another name in the glossary',
    write:
      'SBA profile, SBA campaign, click URL, service value, details, lower panel, spreadsheet, roll back, recover, credentials, system keychain, responses, mute, modified, computer',
    find: /\b(brand profiles?|brand campaigns?|search brand(?! amplifier)|click address(es)?|inspector|drawer|salvag\w+|ledger|element budget|service took|key store|secrets|silenc(e|ed|es|ing)|altered|this machine|known ids?|held back|practice service|file of changes|kept reports?|take theirs|keep mine)\b/i,
    sets: EVERYWHERE,
    planted: 'The click address is missing.',
  },
  {
    name: 'word of the engine',
    write: 'account, service value, edit, request, row',
    find: /\b(workspaces?(?!\/)|intents?|outbox|epochs?|tombstones?)\b/i,
    sets: ['ui'],
    planted: 'The workspace is open.',
  },
  {
    name: 'workspace',
    write: 'account',
    find: /^[A-Z].*\bworkspaces?\b(?!\/)/,
    sets: ['text', 'cli'],
    planted: 'The workspace is damaged.',
  },
  {
    name: 'type a value',
    write: 'enter',
    find: /\bType (a|an|the|it|one|your|digits)\b|\btype (it|one|the \w+) (again|here)\b/,
    sets: EVERYWHERE,
    planted: 'Type a bid.',
  },
  {
    name: 'under review, review is over',
    write: 'in review, the review has ended',
    find: /\bunder review\b|\breview is over\b/i,
    sets: EVERYWHERE,
    planted: 'The campaign is under review.',
  },
  {
    name: 'one too many',
    write: 'more than 5',
    find: /\bone too many\b/i,
    sets: EVERYWHERE,
    planted: 'It is one too many.',
  },
  { name: 'advice', write: 'suggestion', find: /\badvice\b/i, sets: ['ui'], planted: '2 pieces of advice' },
];

/** Words in a sentence of the window at most; one idea fits. */
export const SENTENCE_MAX = 20;

/** @returns the sentences of a text that are too long, without those that name values of the service */
export function longSentences(text: string): readonly string[] {
  return sentencesOf(text).filter((sentence) => wordsOf(sentence).length > SENTENCE_MAX);
}

const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/\be\.g\.|\bi\.e\./g, 'for')
    .split(/(?<=[.!?:;])\s+|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const wordsOf = (sentence: string): readonly string[] => sentence.match(/[\p{L}\p{N}{][^\s]*/gu) ?? [];

/** Every hit of the rules, and of the length of sentences in the window, in texts without an excuse. */
export function lintTexts(texts: readonly ReadText[]): readonly TextHit[] {
  return hitsOf(texts.filter(({ excuse }) => excuse === null));
}

/** Entries of the allow list that excuse nothing, or give no reason of at least two words. */
export function badExcuses(texts: readonly ReadText[], excuses: readonly Excuse[]): readonly string[] {
  const used = new Set(hitsOf(texts).map(({ excuse }) => placeOf(excuse)));
  return excuses.flatMap((excuse) => [
    ...(used.has(placeOf(excuse)) ? [] : [`${placeOf(excuse)} excuses nothing`]),
    ...(/\w+ \w+/.test(excuse.reason) ? [] : [`${placeOf(excuse)} has no reason`]),
  ]);
}

const placeOf = (excuse: Excuse | null): string => (excuse === null ? '' : `${excuse.file}:${excuse.line}`);

function hitsOf(texts: readonly ReadText[]): readonly TextHit[] {
  return texts.flatMap((read) => [
    ...TEXT_RULES.filter(({ sets }) => sets.includes(read.set)).flatMap((rule) => {
      const found = rule.find.exec(read.text);
      return found === null ? [] : [{ ...read, rule: rule.name, found: found[0] }];
    }),
    ...(read.set === 'ui' ? longSentences(read.text).map((found) => ({ ...read, rule: 'long sentence', found })) : []),
  ]);
}

const SETS: Readonly<Record<TextSet, { readonly within: readonly string[]; readonly not: RegExp }>> = {
  ui: { within: ['renderer'], not: /\.css$/ },
  text: { within: ['shared', 'main'], not: /^main\/hosts\/cli\// },
  cli: { within: ['main/hosts/cli'], not: /^$/ },
  docs: {
    within: ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs'],
    not: /^docs\/((rules|conformance|faults)\.md|figures\/|pictures\/)/,
  },
};

/** A comment of source or of a page, behind the text or on the line before it. */
const EXCUSE = /(?:\/\/|\/\*|<!--).*lint-text: ok(?:, (.*?))?(?: \*\/| -->)?\}?$/;

/** The comments of a file that excuse texts. */
export const excusesIn = (file: string, source: string): readonly Excuse[] =>
  source.split('\n').flatMap((text, at) => {
    const found = EXCUSE.exec(text);
    return found === null ? [] : [{ file, line: at + 1, reason: found[1] ?? '' }];
  });

/** Every text of a set below a repository, from the files that git knows, and the excuses in these files. */
export function textsOf(
  root: string,
  set: TextSet,
): { readonly texts: readonly ReadText[]; readonly excuses: readonly Excuse[]; readonly files: number } {
  const { within, not } = SETS[set];
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...within],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const files = [...new Set(listed.split('\0'))].filter((file) =>
    set === 'docs' ? file.endsWith('.md') && !not.test(file) : /\.tsx?$/.test(file) && !not.test(file),
  );
  const sources = files.map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));
  return {
    texts: sources.flatMap(({ file, source }) =>
      set === 'docs' ? pageTexts(file, source) : sourceTexts(set, file, source),
    ),
    excuses: sources.flatMap(({ file, source }) => excusesIn(file, source)),
    files: files.length,
  };
}

/** The string literals and the text of JSX in a source file, without imports and without words of the service. */
export function sourceTexts(set: TextSet, file: string, source: string): readonly ReadText[] {
  const lines = source.split('\n');
  const excuses = new Map(excusesIn(file, source).map((excuse) => [excuse.line, excuse]));
  // A comment on a line of its own excuses the next line.
  const excuseOf = (line: number): Excuse | null =>
    excuses.get(line) ?? (/^\s*[:?]?\s*\/[/*]/.test(lines[line - 2] ?? '') ? (excuses.get(line - 1) ?? null) : null);
  const root = parse(file.endsWith('x') ? Lang.Tsx : Lang.TypeScript, source).root();
  return (
    root
      .findAll({ rule: { any: [{ kind: 'string' }, { kind: 'template_string' }, { kind: 'jsx_text' }] } })
      .map((node) => ({ node, text: readable(node) }))
      .filter(({ text }) => text !== '' && !isInternal(set, file, text))
      // Last, for a look at what stands around a string costs more than all the rest.
      .filter(({ node }) => !isCode(node))
      .map(({ node, text }) => {
        const line = node.range().start.line + 1;
        return { set, file, line, text, excuse: excuseOf(line) };
      })
  );
}

const SQL =
  /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WHERE|FROM|JOIN|VALUES|UNION|ORDER BY|GROUP BY|LIMIT)\b|[=<>] (\?|\{\})|\?\d|^\(?\w+(, \w+)+(\)? IN |$)|concat_ws/;
/** Headings of the spreadsheets we write and read: part of a stored format. */
const HEADINGS = new Set(['Campaign id', 'Ad group id', 'Row id', 'Item id']);
const KEY = /^[\w{}]+([.:-][\w{}]+)+$/;
const WORD = /^[a-z]\w*$/;
const CACHE_KEY = /^[a-z ]+( \{\})+$/;
const TEXT_FILE = /(^|\/)texts?(\/|\.ts$)|-texts?\.ts$/;

/** Whether a string is read by programs only: statements of SQL, headings of files, keys and single words of the code. */
function isInternal(set: TextSet, file: string, text: string): boolean {
  if (set !== 'ui') return !text.includes(' ') || SQL.test(text) || HEADINGS.has(text);
  return KEY.test(text) || (!TEXT_FILE.test(file) && (WORD.test(text) || CACHE_KEY.test(text)));
}

/** `says: […]` holds words of the service; nobody reads keys, imports, class names and types. */
function isCode(node: SgNode): boolean {
  for (let at = node.parent(); at !== null; at = at.parent()) {
    const kind = at.kind();
    if (kind === 'import_statement' || kind === 'literal_type' || kind === 'export_statement') {
      return kind !== 'export_statement' || at.field('source')?.id() === node.id();
    }
    if (kind === 'pair' && (at.field('key')?.text() === 'says' || at.field('key')?.id() === node.id())) return true;
    if (kind === 'jsx_attribute') return /^(className|id|data-\w+|role|type|htmlFor|name)\b/.test(at.text());
  }
  return false;
}

function readable(node: SgNode): string {
  const text = node.text();
  if (node.kind() === 'jsx_text') return text.replace(/\s+/g, ' ').trim();
  const inner = text.slice(1, -1);
  const plain = node.kind() === 'template_string' ? withoutValues(node, inner) : inner;
  return plain
    .replace(/\\(['"`\\])/g, '$1')
    .replaceAll('\\n', '\n')
    .trim();
}

function withoutValues(node: SgNode, inner: string): string {
  const from = node.range().start.index + 1;
  let text = inner;
  const values = node.children().filter((child) => child.kind() === 'template_substitution');
  for (const value of values.toReversed()) {
    const { start, end } = value.range();
    text = `${text.slice(0, start.index - from)}{}${text.slice(end.index - from)}`;
  }
  return text;
}

/** The sentences of a page, a line each, without code, comments, addresses and quoted titles of tests. */
export function pageTexts(file: string, source: string): readonly ReadText[] {
  const plain = source
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, (block) => block.replace(/[^\n]/g, ''))
    .replace(/(`test\/[^`\n]+`) "(?:\\.|[^"\\\n])*"/g, '$1')
    .replace(/`[^`\n]*`/g, '{}')
    .replace(/\]\([^)]*\)/g, ']');
  const excuses = new Map(excusesIn(file, source).map((excuse) => [excuse.line, excuse]));
  return plain
    .split('\n')
    .map((text, at) => ({
      set: 'docs' as const,
      file,
      line: at + 1,
      text: text.trim(),
      excuse: excuses.get(at + 1) ?? null,
    }))
    .filter(({ text }) => text !== '');
}
