import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

/**
 * The window in a language nobody speaks: every letter of its message files carries an accent, and texts are 40 %
 * longer. What still reads as plain English on screen was not written in a message file, and what has no room for so
 * much more is cut off in German.
 */
const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'áƀçđéƒĝĥíĵķĺɱñóþǫŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀÑÓÞǪŔŠŢÚṼŴẊÝŽ';
const accents = new Map([...PLAIN].map((letter, at) => [letter, [...ACCENTED][at] ?? letter]));
/** What stands in braces is filled in by name, so it stays. */
const accented = (text: string): string =>
  text.replace(/\{[^}]*\}|[A-Za-z]/g, (part) => (part.length > 1 ? part : (accents.get(part) ?? part)));
const LONGER = 0.4;
const longer = (text: string): string => `${accented(text)}${'·'.repeat(Math.ceil(text.length * LONGER))}`;
/** A text of the window as it begins in that language. */
export const pseudo = (text: string): RegExp => new RegExp(`^${accented(text)}`);

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Files whose strings are what people read; numbers and dates are written by the locale instead. */
const TEXT_FILES = [
  /\/renderer\/app\/(texts|dialog-texts|error-text|field-names)\.ts$/,
  /\/renderer\/(grid|features\/[a-z-]+)\/text\.ts$/,
  /\/shared\/rules\/messages\.ts$/,
  /\/shared\/media\/file-refusal\.ts$/,
];
/** Files that say whole sentences beside what they work out; single words are no text there. */
const SENTENCE_FILES = /\/shared\/(model\/cell-text|plan\/(capabilities|rollback-plan)|media\/watched-files)\.ts$/;

/** A screen keeps its texts in a constant of this name, and states keep their words so; everything else is no text. */
const SCREEN_FILES = /\/renderer\/.*\.tsx?$|\/shared\/lifecycle\/states\.ts$/;
const TEXTS = /^((t|.*T)exts|STATUS_NAMES|SYNC_PHASES|PLACE_NAMES)$/;

/** Rules and explanations declare their sentences beside what they check. */
const RULE_FILES = /\/shared\/(rules|error-help)\/[a-z-]+\.ts$/;
/** The table of fields declares what each is called on screen. */
const FIELD_TABLE = /\/shared\/model\/fields\.ts$/;
const SENTENCES: readonly unknown[] = ['text', 'cause', 'next', 'label'];
type IsText = (text: string, parent: SyntaxNode | null, part: string) => boolean;
const isSentence: IsText = (_, parent, part) => {
  const key = parent?.type === 'Property' && part === 'value' ? parent['key'] : null;
  return isNode(key) && SENTENCES.includes(key['name']);
};

/** The table of commands names each in its first argument. */
const COMMAND_TABLE = /\/renderer\/app\/commands\.ts$/;
const isTitle: IsText = (text, parent) => {
  if (parent?.type !== 'CallExpression') return false;
  const { callee, arguments: given } = parent;
  const first: unknown = Array.isArray(given) ? given[0] : null;
  return isNode(callee) && /^(command|cells)$/.test(String(callee['name'])) && isNode(first) && first['value'] === text;
};

/** Two words or more. */
const isPhrase: IsText = (text) => /[A-Za-z]{2,}['’]?[a-z]* [A-Za-z]/.test(text);

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** A literal that is read by people: a sentence or a name, rather than a key that code compares. */
const isText: IsText = (text, parent, part) => {
  if (!/[A-Za-z]/.test(text)) return false;
  if (/\s/.test(text.trim()) || /[A-Z].*[a-z]/.test(text)) return true;
  if (parent?.type === 'Property') return part === 'value' && !/^[A-Z0-9]+$/.test(text);
  if (parent?.type === 'ConditionalExpression') return part !== 'test';
  const callee = parent?.type === 'CallExpression' ? parent['callee'] : null;
  return isNode(callee) && callee['name'] === 'plural';
};

function changesIn(node: SyntaxNode, parent: SyntaxNode | null, part: string, isRead: IsText): readonly Change[] {
  if (/^(Import|Export(All|Named).*From)/.test(node.type) || (parent?.type === 'Property' && part === 'key')) return [];
  if (parent?.type === 'BinaryExpression' || (parent?.type === 'MemberExpression' && part === 'property')) {
    if (node.type === 'Literal') return [];
  }
  if (node.type === 'Literal' && typeof node['value'] === 'string') {
    const { value } = node;
    return isRead(value, parent, part)
      ? [{ start: node.start, end: node.end, text: JSON.stringify(longer(value)) }]
      : [];
  }
  if (node.type === 'TemplateElement' && isRead !== isSentence) {
    const value = node['value'];
    const raw = typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : '';
    return raw === '' ? [] : [{ start: node.start, end: node.end, text: accented(raw).replaceAll('\\ñ', '\\n') }];
  }
  return Object.entries(node).flatMap(([name, child]) => {
    const children: readonly unknown[] = Array.isArray(child) ? child : [child];
    return children.filter(isNode).flatMap((each) => changesIn(each, node, name, isRead));
  });
}

/** The constants of a screen that hold its texts. */
const textsIn = (node: SyntaxNode): readonly SyntaxNode[] => {
  const id = node.type === 'VariableDeclarator' ? node['id'] : null;
  if (isNode(id) && TEXTS.test(String(id['name']))) return [node];
  const parts = Object.values(node).flatMap((child): readonly unknown[] => (Array.isArray(child) ? child : [child]));
  return parts.filter(isNode).flatMap(textsIn);
};

const pseudoTexts: Plugin = {
  name: 'pseudo-texts',
  enforce: 'post',
  transform(code, id) {
    const isWhole = TEXT_FILES.some((file) => file.test(id));
    const isRule = RULE_FILES.test(id) || FIELD_TABLE.test(id);
    const isPhrases = SENTENCE_FILES.test(id);
    const isCommands = COMMAND_TABLE.test(id);
    if (!isWhole && !isRule && !isPhrases && !SCREEN_FILES.test(id)) return null;
    const program: unknown = this.parse(code);
    if (!isNode(program)) return null;
    const isRead = isRule ? isSentence : isPhrases ? isPhrase : isCommands ? isTitle : isText;
    const parts = isWhole || isRule || isPhrases || isCommands ? [program] : textsIn(program);
    const changes = parts.flatMap((part) => changesIn(part, null, '', isRead)).toSorted((a, b) => b.start - a.start);
    let changed = code;
    for (const { start, end, text } of changes) changed = changed.slice(0, start) + text + changed.slice(end);
    return { code: changed, map: null };
  },
};

/** Builds the window in that language into a folder. */
export async function buildPseudoWindow(outDir: string): Promise<void> {
  await build({
    configFile: at('vite.config.ts'),
    logLevel: 'error',
    plugins: [pseudoTexts],
    build: { outDir, emptyOutDir: true, minify: false, sourcemap: false, reportCompressedSize: false },
  });
}
