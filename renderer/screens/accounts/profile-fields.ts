import type { ShownProfile } from '../../data/account-questions.ts';
import { enSettings } from '../../messages/en-settings.ts';

export type ProfileGroup = keyof typeof enSettings.groups;

/** One setting of a deployment as it is now, and as it usually is. Values are as the profile's text writes them. */
export interface ProfileField {
  readonly key: string;
  readonly name: string;
  readonly group: ProfileGroup;
  readonly value: string;
  readonly usual: string;
}

/** Keys by their first words; a key that no line names belongs to the connection. */
const GROUPS: readonly (readonly [RegExp, ProfileGroup])[] = [
  [/^(rate|batch|review|snapshot)\.|^media\.(processing|url)Minutes$/, 'pace'],
  [/^(campaign|adItems|keywords)\./, 'ads'],
  [/^(sba|logo|media)\./, 'creative'],
  [/^(bid|multiplier)\./, 'money'],
];

/** Proven when the account was connected, or no setting at all. */
const FIXED: ReadonlySet<string> = new Set(['version', 'headers.prefix', 'retail.host']);

const lineOf = (line: string): readonly [string, string] => {
  const cut = line.indexOf('=');
  return cut < 0 ? ['', ''] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
};

/** The settings of a profile in the order of its text. */
export function profileFields({ text, differences }: ShownProfile): readonly ProfileField[] {
  const usual = new Map(differences.map((one) => [one.key, one.usual]));
  return text
    .split('\n')
    .map(lineOf)
    .filter(([key]) => key !== '' && !FIXED.has(key))
    .map(([key, value]) => ({
      key,
      name: enSettings.names[key] ?? key,
      group: GROUPS.find(([pattern]) => pattern.test(key))?.[1] ?? 'wire',
      value,
      usual: usual.get(key) ?? value,
    }));
}

/** The text to store: only what is otherwise than usual, so that a later change of what is usual is followed. */
export function profileText(fields: readonly ProfileField[], typed: Readonly<Record<string, string>>): string {
  return fields
    .map((field) => ({ ...field, value: (typed[field.key] ?? field.value).trim() }))
    .filter(({ value, usual }) => value !== usual)
    .map(({ key, value }) => `${key}=${value}\n`)
    .join('');
}
