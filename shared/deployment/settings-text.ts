import type { z } from 'zod';
import { jsonOrNull } from '../json-or-null.ts';
import { formatDecimal, parseDecimal } from '../model/decimal.ts';
import { lineText } from '../model/text.ts';
import { err, ok, type Result, unreachable } from '../result.ts';
import { DeploymentSettings } from './deployment-settings.ts';

/**
 * A deployment profile as text, one `key=value` a line:
 *
 *   version=1
 *   wire.dialect=seed
 *   logo.pixels=100x100
 *   multiplier.platforms=[Desktop, Mobile, App]
 *
 * Lines that are blank or begin with `#` are notes. A key that is not there has its default.
 */
export interface ProfileProblem {
  /** Line of the text from 1; null when no single line is at fault. */
  readonly line: number | null;
  readonly key: string;
  /** A sentence that names the key, the rule and the next step. */
  readonly problem: string;
}

export function formatProfile(profile: DeploymentSettings): string {
  return PROFILE_KEYS.map((one) => `${one.key}=${valueText(profile, one)}\n`).join('');
}

export function parseProfile(text: string): Result<DeploymentSettings, readonly ProfileProblem[]> {
  const problems: ProfileProblem[] = [];
  const lineOf = new Map<string, number>();
  const object: Tree = {};
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (RETIRED_KEYS.includes(keyAndValue(content)[0])) continue;
    const read = readLine(content, lineOf);
    if (read.ok) {
      lineOf.set(read.value.one.key, line);
      read.value.one.paths.forEach((path, at) => {
        put(object, path, read.value.parts[at] ?? null);
      });
    } else problems.push({ line, ...read.error });
  }
  if (problems.length > 0) return err(problems);
  const checked = DeploymentSettings.safeParse(object);
  if (checked.success) return ok(checked.data);
  return err(checked.error.issues.map((issue) => refusal(issue, object, lineOf)));
}

type LineProblem = Omit<ProfileProblem, 'line'>;

function readLine(
  content: string,
  seen: ReadonlyMap<string, number>,
): Result<{ readonly one: ProfileKey; readonly parts: readonly Part[] }, LineProblem> {
  const cut = content.indexOf('=');
  const key = (cut < 0 ? content : content.slice(0, cut)).trim();
  const value = content.slice(cut + 1).trim();
  const one = PROFILE_KEYS.find((known) => known.key === key);
  if (cut < 0) return err({ key, problem: `"${key}" has no value. Enter the setting, "=" and the value.` });
  if (one === undefined) return err({ key, problem: `"${key}" is not a setting. ${nearest(key)}` });
  const before = seen.get(key);
  if (before !== undefined) {
    return err({ key, problem: `"${key}" is already set in ${lineText(before)}. Remove one of the lines.` });
  }
  const parts = readValue(one.form, value);
  if (parts.ok) return ok({ one, parts: parts.value });
  return err({ key, problem: `"${key}" is "${value}". It must be ${parts.error}. Correct the value.` });
}

/** Keys of the same group, which most likely include the intended one. */
function nearest(key: string): string {
  const group = key.split('.')[0] ?? '';
  const same = PROFILE_KEYS.filter((one) => one.key.startsWith(`${group}.`)).map((one) => one.key);
  return same.length === 0 ? 'Remove the line.' : `Use one of ${same.join(', ')}, or remove the line.`;
}

type ZodIssue = z.core.$ZodIssue;

/** A schema error in terms of the key in the text. */
function refusal(issue: ZodIssue, object: Tree, lineOf: ReadonlyMap<string, number>): ProfileProblem {
  const dotted = issue.path.join('.');
  const one = PROFILE_KEYS.find(({ paths }) =>
    paths.map((parts) => parts.join('.')).some((known) => `${known}.`.startsWith(`${dotted}.`)),
  );
  const owner = one ?? PROFILE_KEYS.find(({ paths }) => paths.some((parts) => dotted.startsWith(parts.join('.'))));
  const key = owner?.key ?? dotted;
  const value = owner === undefined ? '' : valueText(object, owner);
  return {
    line: lineOf.get(key) ?? null,
    key,
    problem: `"${key}" is "${value}". ${ruleText(issue)} Correct the value.`,
  };
}

/** The rule of the schema as a sentence. */
function ruleText(issue: ZodIssue): string {
  if (issue.code === 'too_small') {
    return issue.origin === 'array' || issue.origin === 'string'
      ? "It can't be empty."
      : `It must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}.`;
  }
  if (issue.code === 'too_big') return `It must be at most ${issue.maximum}.`;
  if (issue.code === 'invalid_type' && issue.expected === 'int') return 'It must be a whole number.';
  if (issue.code === 'invalid_value') return `It must be one of ${issue.values.map(String).join(', ')}.`;
  return issue.code === 'custom' ? issue.message : 'It has characters or a form that is not allowed.';
}

/** A sentence for each line that no longer has a meaning; the text can still be used. */
export const profileNotes = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => keyAndValue(line)[0])
    .filter((key) => RETIRED_KEYS.includes(key))
    .map((key) => `"${key}" is no longer used, and its line is ignored. Remove the line.`);

/**
 * Sets some keys of a settings text: existing lines are replaced; comments and order stay. A value equal to the
 * default removes its line.
 *
 * @param values by key, each as written after the `=`
 */
export function withProfileValues(text: string, values: Readonly<Record<string, string>>): string {
  const usual = new Map(formatProfile(DeploymentSettings.parse({})).split('\n').map(keyAndValue));
  const others = text.split(/\r?\n/).filter((line) => !Object.hasOwn(values, keyAndValue(line)[0]));
  const set = Object.entries(values).filter(([key, value]) => usual.get(key) !== value);
  const notes = others.join('\n').trimEnd();
  return [notes, ...set.map(([key, value]) => `${key}=${value}`)].filter((part) => part !== '').join('\n');
}

function keyAndValue(line: string): readonly [string, string] {
  const cut = line.indexOf('=');
  return cut < 0 ? [line.trim(), ''] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
}

export interface ProfileChange {
  readonly key: string;
  readonly value: string;
  readonly usual: string;
}

/** The keys whose values differ from another profile, usually the default, in the order of the text. */
export function profileDifference(profile: DeploymentSettings, usual: DeploymentSettings): readonly ProfileChange[] {
  return PROFILE_KEYS.map((one) => ({
    key: one.key,
    value: valueText(profile, one),
    usual: valueText(usual, one),
  })).filter((one) => one.value !== one.usual);
}

/** The difference as text: `adItems.max is 12 (default 10)`, one per line. */
export const differenceText = (changes: readonly ProfileChange[]): string =>
  changes.map(({ key, value, usual }) => `${key} is ${value || 'empty'} (default ${usual || 'empty'})\n`).join('');

type Tree = { [name: string]: Part | Tree };

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueText = (profile: unknown, { form, paths }: ProfileKey): string =>
  writeValue(
    form,
    paths.map((path) => pick(profile, path)),
  );

function pick(profile: unknown, path: readonly string[]): Part {
  let value = profile;
  for (const name of path) value = isTree(value) ? value[name] : null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(String) : null;
}

function put(tree: Tree, path: readonly string[], value: Part): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const below = tree[name];
  const next: Tree = isTree(below) ? (below as Tree) : {};
  tree[name] = next;
  put(next, rest, value);
}

/** One value of the settings object; a list is one value. */
type Part = string | number | boolean | null | readonly string[];

/** Writes the parts of one key (two for a range or a size) as the text after its `=`. */
function writeValue(form: Form, parts: readonly Part[]): string {
  const [first = null] = parts;
  switch (form) {
    case 'money':
    case 'money-or-none':
      return typeof first === 'number' ? formatDecimal(first, 2) : '';
    case 'number-or-none':
      return typeof first === 'number' ? String(first) : '';
    case 'list':
      return Array.isArray(first) ? `[${first.map((word) => writeText(word, LIST_WORD)).join(', ')}]` : '[]';
    case 'range':
      return parts.join('..');
    case 'size':
      return parts.join('x');
    case 'text':
      return writeText(String(first), LINE);
    default:
      return String(first);
  }
}

/** Parses the output of `writeValue`. The failure ends the sentence "It must be ...". */
function readValue(form: Form, text: string): Result<readonly Part[], string> {
  switch (form) {
    case 'text':
      return readWord(text);
    case 'number':
      return numbers([text], 'a number, such as 50');
    case 'number-or-none':
      return text === '' ? ok([null]) : numbers([text], 'a number, such as 10, or nothing');
    case 'switch':
      return text === 'true' || text === 'false' ? ok([text === 'true']) : err('true or false');
    case 'range':
      return numbers(text.split('..'), 'two numbers, such as 5..45', 2);
    case 'size':
      return numbers(text.split('x'), 'width and height with an x between them, such as 100x100', 2);
    case 'list':
      return readList(text);
    case 'money-or-none':
      return text === '' ? ok([null]) : readMoney(text, 'an amount, such as 1.50, or nothing');
    case 'money':
      return readMoney(text, 'an amount, such as 1.50');
    default:
      return unreachable(form);
  }
}

/** Texts that need no quotes: no outer spaces, and no character with a meaning here. */
const LINE = /^(?!["[])\S(?:.*\S)?$/u;
const LIST_WORD = /^[^\s"[\],](?:[^"[\],\p{C}]*[^\s"[\],])?$/u;
const CONTROL = /\p{C}|[\u2028\u2029]/u;

const writeText = (text: string, plain: RegExp): string =>
  text === '' && plain === LINE ? '' : plain.test(text) && !CONTROL.test(text) ? text : JSON.stringify(text);

function readWord(text: string): Result<readonly [string], string> {
  if (!text.startsWith('"')) return ok([text]);
  const word = fromQuotes(text);
  return word === null ? err('a text, with a closing quotation mark if it has an opening one') : ok([word]);
}

/** Parses JSON quoting, because a text may contain line breaks and quotes. */
function fromQuotes(text: string): string | null {
  const value = jsonOrNull(text);
  return typeof value === 'string' ? value : null;
}

const LIST_PART = /\s*("(?:[^"\\]|\\.)*"|[^",[\]]+)\s*(?:,|$)/uy;

function readList(text: string): Result<readonly Part[], string> {
  const wanted = 'words in brackets with commas between them, such as [Desktop, Mobile]';
  if (!text.startsWith('[') || !text.endsWith(']')) return err(wanted);
  const inner = text.slice(1, -1);
  const words: string[] = [];
  for (let at = 0; at < inner.length; ) {
    LIST_PART.lastIndex = at;
    const [whole, part] = LIST_PART.exec(inner) ?? [];
    if (whole === undefined || part === undefined) return err(wanted);
    const word = readWord(part.trim());
    if (!word.ok || word.value[0] === '') return err(wanted);
    words.push(word.value[0]);
    at += whole.length;
  }
  return inner.trimEnd().endsWith(',') ? err(wanted) : ok([words]);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

function numbers(texts: readonly string[], wanted: string, count = 1): Result<readonly Part[], string> {
  const isRead = texts.length === count && texts.every((text) => NUMBER.test(text.trim()));
  return isRead ? ok(texts.map(Number)) : err(wanted);
}

function readMoney(text: string, wanted: string): Result<readonly Part[], string> {
  const amount = parseDecimal(text, 2);
  return amount.ok && !amount.value.wasCut ? ok([amount.value.units]) : err(wanted);
}

/**
 * The keys of deployment settings in text form (wire shapes, section 8), the form of their values, and their paths in
 * the object. The order is that of the text.
 */
interface ProfileKey {
  readonly key: string;
  readonly form: Form;
  /** Paths in the object: two for a range and a size, one for any other. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * The form of a value:
 *   text `Los Angeles`   number `300`   switch `true`   list `[Desktop, Mobile]`
 *   range `5..45`        size `100x100` money `1.50`    money-or-none `1.50` or nothing
 *   number-or-none `300` or nothing
 */
type Form = 'text' | 'number' | 'switch' | 'list' | 'range' | 'size' | 'money' | 'money-or-none' | 'number-or-none';

const at = (key: string, form: Form, ...paths: readonly string[]): ProfileKey => ({
  key,
  form,
  paths: (paths.length === 0 ? [key] : paths).map((path) => path.split('.')),
});

export const PROFILE_KEYS: readonly ProfileKey[] = [
  at('version', 'number'),
  at('wire.dialect', 'text'),
  at('signature.timestampUnit', 'text'),
  at('signature.algorithm', 'text'),
  at('batch.max', 'number'),
  at('batch.keywords', 'number'),
  at('rate.opsPerHour', 'number'),
  at('rate.defaultWaitSeconds', 'number'),
  at('sba.maxProfiles', 'number'),
  at('sba.brandMax', 'number'),
  at('sba.headlineMax', 'number'),
  at('sba.singleEnabled', 'switch'),
  at('sba.clickUrlEncoding', 'text'),
  at('logo.pixels', 'size', 'logo.width', 'logo.height'),
  at('logo.contentMaxKb', 'number'),
  at('logo.uploadMaxKb', 'number'),
  at('multiplier.min', 'number'),
  at('multiplier.max', 'number'),
  at('multiplier.placements.auto', 'list'),
  at('multiplier.placements.manual', 'list'),
  at('multiplier.platforms', 'list'),
  at('multiplier.platformMember', 'text'),
  at('adItems.max', 'number'),
  at('adItems.max.sponsoredProducts', 'number-or-none', 'adItems.maxOf.sponsoredProducts'),
  at('adItems.max.sba', 'number-or-none', 'adItems.maxOf.sba'),
  at('adItems.max.video', 'number-or-none', 'adItems.maxOf.video'),
  at('adItems.min', 'number'),
  at('adItems.recommended', 'number'),
  at('keywords.maxDistinctEnabled', 'number'),
  at('keywords.maxMatchTypes', 'number'),
  at('keywords.textMax', 'number'),
  at('bid.floor.videoKeyword', 'money', 'bid.floorVideoKeywordCents'),
  at('bid.floor.item', 'money-or-none', 'bid.floorItemCents'),
  at('bid.max', 'money', 'bid.maxCents'),
  at('media.seconds', 'range', 'media.seconds.min', 'media.seconds.max'),
  at('media.maxMb', 'number'),
  at('media.urlMinutes', 'number'),
  at('media.processingMinutes', 'number'),
  at('media.nameMax', 'number'),
  at('review.pollMinutes', 'number'),
  at('review.days', 'range', 'review.days.min', 'review.days.max'),
  at('snapshot.ttlHours', 'number'),
  at('report.attributionWindow', 'text'),
  at('report.format', 'text'),
  at('report.types', 'list'),
  at('report.daysMax', 'number'),
  at('report.historyDays', 'number'),
  at('report.readyHour', 'number'),
  at('business.zone', 'text'),
  at('migration.cutover', 'text'),
  at('campaign.uniqueName', 'switch'),
  at('campaign.adGroupsMax', 'number'),
  at('retail.host', 'text'),
  at('upload.hosts', 'list'),
  at('picture.hosts', 'list'),
];

/** Keys that are no longer used. A text with one of them is still valid; the line has no effect. */
export const RETIRED_KEYS: readonly string[] = ['headers.prefix', 'signature.windowSeconds'];
