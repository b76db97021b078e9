import { PROFILE_KEYS } from '../../../shared/deployment/settings-text.ts';
import { readAmount } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import type { Locale } from '../../app/locale/locale.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import type { Client } from '../../app/transport/connection.ts';

import type { settingsTexts } from './text.ts';

const texts = {
  names: {
    'rate.opsPerHour': 'Changes per hour',
    'rate.defaultWaitSeconds': 'Default wait when the service is busy (seconds)',
    'batch.max': 'Changes per request',
    'batch.keywords': 'Keywords per request',
    'review.pollMinutes': 'Time between review checks (minutes)',
    'review.days': 'Review time (days)',
    'media.processingMinutes': 'Video processing time (minutes)',
    'media.urlMinutes': 'Upload link lifetime (minutes)',
    'snapshot.ttlHours': 'Report availability (hours)',
    'report.attributionWindow': 'Attribution window of reports (days3, days14 or days30; empty: the service decides)',
    'report.format': 'Report format (json, csv, gzip or zip; empty: the service decides)',
    'report.types': 'Additional report types',
    'campaign.uniqueName': 'Campaign names must be unique (true or false)',
    'campaign.adGroupsMax': 'Maximum ad groups per campaign',
    'adItems.max': 'Maximum items per ad group',
    'adItems.max.sponsoredProducts': 'Maximum items in sponsored products campaigns (empty: as above)',
    'adItems.max.sba': 'Maximum items in SBA campaigns (empty: as above)',
    'adItems.max.video': 'Maximum items in video campaigns (empty: as above)',
    'adItems.min': 'Minimum items per ad group',
    'adItems.recommended': 'Recommended items per ad group',
    'keywords.maxDistinctEnabled': 'Maximum enabled keywords per ad group',
    'keywords.maxMatchTypes': 'Maximum match types per keyword',
    'keywords.textMax': 'Maximum keyword length (characters)',
    'sba.maxProfiles': 'Maximum SBA profiles per campaign',
    'sba.brandMax': 'Maximum brand name length (characters)',
    'sba.headlineMax': 'Maximum headline length (characters)',
    'sba.singleEnabled': 'Only one SBA profile can be enabled (true or false)',
    'sba.clickUrlEncoding': 'Encoding of click URLs (document or as-typed)',
    'logo.pixels': 'Logo size (pixels)',
    'logo.contentMaxKb': 'Maximum logo size for review (KB)',
    'logo.uploadMaxKb': 'Maximum logo size for upload (KB)',
    'media.seconds': 'Video length (seconds)',
    'media.maxMb': 'Maximum video size (MB)',
    'media.nameMax': 'Maximum media name length (characters)',
    'bid.floor.videoKeyword': 'Minimum bid for video keywords (USD)',
    'bid.floor.item': 'Minimum bid for items (USD, leave empty if unknown)',
    'bid.max': 'Warn about bids above (USD)',
    'multiplier.min': 'Minimum multiplier (%)',
    'multiplier.max': 'Maximum multiplier (%)',
    'multiplier.placements.auto': 'Placements for automatic campaigns',
    'multiplier.placements.manual': 'Placements for manual campaigns',
    'multiplier.platforms': 'Platforms',
    'multiplier.platformMember': 'Field of the platform in updates (platformType or placementType)',
    'wire.dialect': 'Spelling of fields and URLs',
    'signature.timestampUnit': 'Signature time unit (ms or s)',
    'signature.algorithm': 'Signature algorithm (RS256, RS512 or PS256)',
    'business.zone': 'Business time zone',
    'migration.cutover': 'Item ID migration date',
    'upload.hosts': 'Additional upload hosts',
    'picture.hosts': 'Additional image hosts',
  } as Readonly<Record<string, string>>,
} as const;

export type ProfileGroup = keyof typeof settingsTexts.groups;

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
        name: texts.names[key] ?? key,
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
