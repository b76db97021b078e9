import { err, ok, type Result } from '../result.ts';
import { DeploymentSettings } from './profile.ts';
import { PROFILE_KEYS, type ProfileKey, RETIRED_KEYS } from './profile-keys.ts';
import { type Part, readValue, writeValue } from './profile-values.ts';

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
  /** Line of the text from 1; null where no single line is meant. */
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
  return err(checked.error.issues.map((issue) => refusal(issue.path.map(String), issue.message, object, lineOf)));
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
  if (cut < 0) return err({ key, problem: `"${key}" has no value. Write the key, "=" and the value.` });
  if (one === undefined) return err({ key, problem: `"${key}" is not a key of a profile. ${nearest(key)}` });
  const before = seen.get(key);
  if (before !== undefined) {
    return err({ key, problem: `"${key}" is set in line ${before} already. Remove one of the two lines.` });
  }
  const parts = readValue(one.form, value);
  if (parts.ok) return ok({ one, parts: parts.value });
  return err({ key, problem: `"${key}" is "${value}". It must be ${parts.error}. Correct the value.` });
}

/** Keys of the same group, which is where a mistyped name usually belongs. */
function nearest(key: string): string {
  const group = key.split('.')[0] ?? '';
  const same = PROFILE_KEYS.filter((one) => one.key.startsWith(`${group}.`)).map((one) => one.key);
  return same.length === 0 ? 'Remove the line.' : `Use one of ${same.join(', ')}, or remove the line.`;
}

/** What the schema refuses, in terms of the key that the user wrote. */
function refusal(
  path: readonly string[],
  message: string,
  object: Tree,
  lineOf: ReadonlyMap<string, number>,
): ProfileProblem {
  const dotted = path.join('.');
  const one = PROFILE_KEYS.find(({ paths }) =>
    paths.map((parts) => parts.join('.')).some((known) => `${known}.`.startsWith(`${dotted}.`)),
  );
  const owner = one ?? PROFILE_KEYS.find(({ paths }) => paths.some((parts) => dotted.startsWith(parts.join('.'))));
  const key = owner?.key ?? dotted;
  const value = owner === undefined ? '' : valueText(object, owner);
  const rule = message.replace(/^Invalid (input|option): /, '').replace(/^Too small: /, '');
  return { line: lineOf.get(key) ?? null, key, problem: `"${key}" is "${value}": ${rule}. Correct the value.` };
}

/** A sentence for each line of a profile text that means nothing any more; such a text can be used all the same. */
export const profileNotes = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => keyAndValue(line)[0])
    .filter((key) => RETIRED_KEYS.includes(key))
    .map((key) => `"${key}" is no longer used, and its line is ignored. Remove the line.`);

/**
 * A profile text with some keys set: a line that is there is replaced, notes and order stay. A value that is the
 * default leaves no line.
 *
 * @param values by key, each as it stands behind the `=`
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

/** The keys in which a profile differs from another, usually the default, in the order of the text. */
export function profileDifference(profile: DeploymentSettings, usual: DeploymentSettings): readonly ProfileChange[] {
  return PROFILE_KEYS.map((one) => ({
    key: one.key,
    value: valueText(profile, one),
    usual: valueText(usual, one),
  })).filter((one) => one.value !== one.usual);
}

/** The difference to read: `adItems.max is 12 (usually 10)`, one a line. */
export const differenceText = (changes: readonly ProfileChange[]): string =>
  changes.map(({ key, value, usual }) => `${key} is ${value || 'empty'} (usually ${usual || 'empty'})\n`).join('');

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
