import { PROFILE_KEYS } from '../../../shared/deployment/settings-text.ts';
import { readAmount } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import type { Locale } from '../../app/locale/locale.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import type { Client } from '../../app/transport/connection.ts';
import { enSettings } from '../../texts/en-settings.ts';

export type ProfileGroup = keyof typeof enSettings.groups;

/** One setting of a deployment as it is now, and as it usually is, with amounts as the user types them. */
export interface ProfileField {
  readonly key: string;
  readonly name: string;
  readonly group: ProfileGroup;
  readonly value: string;
  readonly usual: string;
  /** One amount or number, which is typed with the decimal mark of the locale; all else is as the profile's text has it. */
  readonly isAmount: boolean;
}

/** Keys by their first words; a key that no line names belongs to the connection. */
const GROUPS: readonly (readonly [RegExp, ProfileGroup])[] = [
  [/^(rate|batch|review|snapshot|report)\.|^media\.(processing|url)Minutes$/, 'pace'],
  [/^(campaign|adItems|keywords)\./, 'ads'],
  [/^(sba|logo|media)\./, 'creative'],
  [/^(bid|multiplier)\./, 'money'],
];

/** Proven when the account was connected, or no setting at all. */
const FIXED: ReadonlySet<string> = new Set(['version', 'retail.host']);

const AMOUNTS: ReadonlySet<string> = new Set(
  PROFILE_KEYS.filter(({ form }) => form.startsWith('number') || form.startsWith('money')).map(({ key }) => key),
);

const lineOf = (line: string): readonly [string, string] => {
  const cut = line.indexOf('=');
  return cut < 0 ? ['', ''] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
};

export type ShownProfile = Awaited<ReturnType<Client['accounts']['profile']>>;

/** The settings of a profile in the order of its text. */
export function profileFields(
  { text, differences }: ShownProfile,
  { style }: Locale = locale(),
): readonly ProfileField[] {
  const usual = new Map(differences.map((one) => [one.key, one.usual]));
  return text
    .split('\n')
    .map(lineOf)
    .filter(([key]) => key !== '' && !FIXED.has(key))
    .map(([key, value]) => {
      const isAmount = AMOUNTS.has(key);
      const shown = (plain: string): string => (isAmount ? typedAmount(plain, style) : plain);
      return {
        key,
        name: enSettings.names[key] ?? key,
        group: GROUPS.find(([pattern]) => pattern.test(key))?.[1] ?? 'wire',
        value: shown(value),
        usual: shown(usual.get(key) ?? value),
        isAmount,
      };
    });
}

type Typed = Readonly<Record<string, string>>;

/** Why typed amounts cannot be read, a sentence each. */
export function amountProblems(
  fields: readonly ProfileField[],
  typed: Typed,
  by: Locale = locale(),
): readonly string[] {
  return fields.flatMap(({ key, name, isAmount }) => {
    const read = isAmount ? readAmount(typed[key] ?? '', by) : null;
    return read?.ok === false ? [`${name}: ${read.error}`] : [];
  });
}

/**
 * The text to store: only what is otherwise than usual, so that a later change of what is usual is followed. An amount
 * that cannot be read stays as typed.
 */
export function profileText(fields: readonly ProfileField[], typed: Typed, by: Locale = locale()): string {
  const plain = ({ isAmount, value }: ProfileField): string => {
    const read = isAmount ? readAmount(value, by) : null;
    return read?.ok === true ? read.value : value;
  };
  return fields
    .map((field) => ({ ...field, value: (typed[field.key] ?? field.value).trim() }))
    .filter(({ value, usual }) => value !== usual)
    .map((field) => `${field.key}=${plain(field)}\n`)
    .join('');
}
