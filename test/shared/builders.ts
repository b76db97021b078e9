import { createWorkspaceLookup } from '../../main/files/spreadsheet/worker/collect-changes.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { toStored } from '../../main/store/rows/codec.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { allTables, type Column, sqlList, tableOf } from '../../main/store/schema/tables.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { type AnyValues, FIELDS, type Values } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { MediaFacts, VideoFacts } from '../../shared/model/media.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import { type AnyRow, differingBits, NEW, type Row } from '../../shared/model/row.ts';
import {
  asRowId,
  type Cents,
  type Hundredths,
  type PlainDate,
  remoteId,
  type UnknownWord,
} from '../../shared/model/scalars.ts';
import { textKey } from '../../shared/model/text.ts';
import { DOCUMENTED_ONLY, type PlanInput } from '../../shared/plan/plan-types.ts';
import type { Issue, RuleEnv } from '../../shared/rules/rule.ts';
import { COLUMNS } from '../../shared/spreadsheet/columns.ts';
import { sheetRowsOf } from '../../shared/spreadsheet/format-sheet.ts';
import type { SheetLookup } from '../../shared/spreadsheet/sheet-changes.ts';

/** Smallest valid things, with only the field under test named by the caller. */
export const cents = (minorUnits: number): Cents => minorUnits as Cents;
export const hundredths = (value: number): Hundredths => value as Hundredths;
export const id = asRowId;
export const profile = defaultDeploymentSettings('www.retailer.example');

export function day(text: string): PlainDate {
  const date = plainDate(text);
  if (date === null) throw new Error(`not a date: ${text}`);
  return date;
}

const today = day('2026-05-01');
export const env: RuleEnv = { profile, today, migrated: true };

function blank<K extends Kind>(kind: K): Values<K> {
  const names = Object.keys(FIELDS[kind]);
  return Object.fromEntries(names.map((name) => [name, null])) as Values<K>;
}

interface Marks<K extends Kind> {
  readonly id?: number;
  readonly campaignId?: number;
  readonly adGroupId?: number;
  /** Given: the row is on the service, with `was` on top of its values as the base. */
  readonly remote?: string;
  readonly was?: Partial<Values<K>>;
  readonly marks?: number;
}

export function aRow<K extends Kind>(kind: K, values: Partial<Values<K>>, at: Marks<K> = {}): Row<K> {
  const full: Values<K> = { ...blank(kind), ...values };
  const onService = at.remote !== undefined;
  const base = onService && at.was !== undefined ? { ...full, ...at.was } : null;
  const bits = base === null ? 0 : differingBits(kind, full, base);
  const rowId = id(at.id ?? 1);
  const isTop = kind === 'campaign' || kind === 'media';
  const inGroup = !isTop && kind !== 'adGroup' && kind !== 'placementMultiplier' && kind !== 'platformMultiplier';
  return {
    kind,
    id: rowId,
    campaignId: kind === 'media' ? null : isTop ? rowId : id(at.campaignId ?? 1),
    adGroupId: inGroup ? id(at.adGroupId ?? 2) : null,
    remoteId: onService ? remoteId(at.remote) : null,
    values: full,
    base,
    dirty: (onService ? bits : NEW) | (at.marks ?? 0),
  };
}

export const aCampaign = (values: Partial<Values<'campaign'>> = {}, at: Marks<'campaign'> = {}) =>
  aRow(
    'campaign',
    {
      name: 'Spring video A',
      campaignType: 'video',
      targetingType: 'manual',
      totalBudget: cents(150_000),
      dailyBudget: cents(7_500),
      startDate: day('2026-05-10'),
      endDate: day('2026-05-30'),
      status: 'enabled',
      ...shownAs(values.serviceStatus ?? null),
      ...values,
    },
    at,
  );

const SHOWN_AS: Readonly<Record<string, Values<'campaign'>['campaignState']>> = {
  completed: 'ended',
  rescheduled: 'scheduled',
  scheduled: 'scheduled',
  live: 'live',
  paused: 'paused',
};

/** A word of the service that this version does not know. */
export const unknown = (word: string): UnknownWord => word as UnknownWord;

/** The state of a campaign of which nothing but the status is known. */
function shownAs(status: Values<'campaign'>['serviceStatus']): Partial<Values<'campaign'>> {
  if (status === null) return {};
  if (status === 'enabled' || status === 'proposal') return { campaignState: 'draft', stateSource: 'estimated' };
  const state = SHOWN_AS[status];
  return state === undefined ? {} : { campaignState: state, stateSource: 'service' };
}
export const anAdGroup = (values: Partial<Values<'adGroup'>> = {}, at: Marks<'adGroup'> = {}) =>
  aRow('adGroup', { name: 'Video group', status: 'enabled', ...values }, { id: 2, ...at });
export const anAdItem = (values: Partial<Values<'adItem'>> = {}, at: Marks<'adItem'> = {}) =>
  aRow(
    'adItem',
    { itemId: '0012345678', bid: cents(160), status: 'enabled', itemIdSource: 'search', ...values },
    { id: 3, ...at },
  );
export const aKeyword = (values: Partial<Values<'keyword'>> = {}, at: Marks<'keyword'> = {}) =>
  aRow(
    'keyword',
    { text: 'paper towel', matchType: 'exact', bid: cents(165), state: 'enabled', ...values },
    { id: 4, ...at },
  );
export const anSbaProfile = (values: Partial<Values<'sbaProfile'>> = {}, at: Marks<'sbaProfile'> = {}) =>
  aRow(
    'sbaProfile',
    {
      brand: 'Softly',
      headline: 'Kitchen rolls that last',
      clickUrl: 'https://www.retailer.example/browse/softly',
      status: 'enabled',
      ...values,
    },
    { id: 5, ...at },
  );
export const aVideoProfile = (values: Partial<Values<'videoProfile'>> = {}, at: Marks<'videoProfile'> = {}) =>
  aRow('videoProfile', { video: id(9), status: 'enabled', ...values }, { id: 6, ...at });
export const aPlacement = (
  values: Partial<Values<'placementMultiplier'>> = {},
  at: Marks<'placementMultiplier'> = {},
) => aRow('placementMultiplier', { placement: 'Search Ingrid', ...values }, { id: 7, ...at });
export const aPlatform = (values: Partial<Values<'platformMultiplier'>> = {}, at: Marks<'platformMultiplier'> = {}) =>
  aRow('platformMultiplier', { platform: 'Mobile', ...values }, { id: 8, ...at });

/** What a probe finds in a video that lacks nothing. */
export const videoFacts = (changes: Partial<VideoFacts> = {}): VideoFacts => ({
  is: 'video',
  container: 'mp4',
  durationMs: 20_000,
  width: 1920,
  height: 1080,
  videoCodec: 'avc1',
  audioCodec: 'mp4a',
  ...changes,
});
export const aVideo = (
  values: Partial<Values<'media'>> = {},
  at: Marks<'media'> = {},
  facts: MediaFacts = videoFacts(),
) =>
  aRow(
    'media',
    {
      mediaType: 'video',
      mediaName: 'Spring cut 20s',
      fileName: 'spring.mp4',
      bytes: 4_000_000,
      sha256: 'aa',
      facts: JSON.stringify(facts),
      mediaState: 'local',
      ...values,
    },
    { id: 9, ...at },
  );
export const aLogo = (values: Partial<Values<'media'>> = {}, at: Marks<'media'> = {}, pixels = 100) =>
  aRow(
    'media',
    {
      mediaType: 'logo',
      fileName: 'logo.png',
      bytes: 20_000,
      sha256: 'bb',
      facts: JSON.stringify({ is: 'logo', width: pixels, height: pixels }),
      mediaState: 'local',
      ...values,
    },
    { id: 11, ...at },
  );

export function aTree(parts: Partial<CampaignTree> = {}): CampaignTree {
  return {
    campaign: aCampaign(),
    adGroups: [anAdGroup()],
    adItems: [],
    keywords: [],
    sbaProfiles: [],
    videoProfiles: [],
    placementMultipliers: [],
    platformMultipliers: [],
    media: [],
    ...parts,
  };
}

/** A new video campaign that lacks nothing. */
export const aVideoTree = (parts: Partial<CampaignTree> = {}): CampaignTree =>
  aTree({
    adItems: ['0012345678', '0012345679', '0012345680'].map((itemId, at) => anAdItem({ itemId }, { id: 30 + at })),
    keywords: [
      aKeyword({ text: 'paper towel' }, { id: 40 }),
      aKeyword({ text: 'kitchen roll' }, { id: 41 }),
      aKeyword({ text: 'kitchen roll', matchType: 'phrase', bid: cents(170) }, { id: 42 }),
    ],
    videoProfiles: [aVideoProfile()],
    media: [aVideo({ caption: id(10) }), aCaption()],
    ...parts,
  });

export const aCaption = (values: Partial<Values<'media'>> = {}, at: Marks<'media'> = {}) =>
  aRow(
    'media',
    {
      mediaType: 'caption',
      fileName: 'spring.srt',
      bytes: 400,
      sha256: 'cc',
      facts: JSON.stringify({ is: 'caption', format: 'srt', cues: 4, lastEndMs: 19_000, problems: [] }),
      mediaState: 'local',
      ...values,
    },
    { id: 10, ...at },
  );

export function planInput(trees: readonly CampaignTree[], changes: Partial<PlanInput> = {}): PlanInput {
  return {
    trees,
    profile,
    capabilities: DOCUMENTED_ONLY,
    advertiserId: '900001',
    blocked: new Map(),
    submit: true,
    only: null,
    chosen: null,
    hasErrors: () => false,
    today,
    ...changes,
  };
}

/** These campaigns as an export writes them, the header first. */
export const asSheet = (
  trees: readonly CampaignTree[],
  media: readonly Row<'media'>[] = [],
): readonly (readonly string[])[] => [COLUMNS, ...[...sheetRowsOf(trees, media)].map(({ cells }) => cells)];

/** Answers whether a row has an error among these issues; what the plan asks before it lets a row go. */
export function errorLookup(issues: readonly Issue[]): PlanInput['hasErrors'] {
  const keys = new Set<string>();
  for (const issue of issues) if (issue.severity === 'error') keys.add(`${issue.kind}:${issue.id}`);
  return (kind, rowId) => keys.has(`${kind}:${rowId}`);
}

let opened: OpenDb | null = null;

/** An empty workspace in memory, the same one for all tests of a file. */
function emptyDb(): OpenDb {
  if (opened === null) {
    opened = openDb(':memory:');
    migrate(opened);
  }
  for (const { name, base } of allTables()) for (const table of [name, base]) opened.exec(`DELETE FROM ${table}`);
  return opened;
}

/** The store's own lookup over these campaigns; it answers until the next one is made. */
export function lookupOf(trees: readonly CampaignTree[]): SheetLookup {
  const db = emptyDb();
  for (const { campaign, ...lists } of trees) {
    const rows: readonly AnyRow[] = [campaign, ...Object.values(lists).flat()];
    for (const row of rows) put(db, row);
  }
  return createWorkspaceLookup(db);
}

function put(db: OpenDb, { kind, id, campaignId, adGroupId, remoteId, dirty, values, base }: AnyRow): void {
  const { name, base: shadow, columns, userColumns, keyColumn } = tableOf(kind);
  const stored = (of: AnyValues, some: readonly Column[]) =>
    some.map(({ field, spec }) => toStored(spec, of[field] ?? null));
  const key = keyColumn === null ? undefined : (values as AnyValues)[keyColumn.field];
  const head = [id, campaignId, adGroupId, remoteId, dirty, ...stored(values, columns)];
  const whole = keyColumn === null ? head : [...head, typeof key === 'string' ? textKey(key) : null];
  const names = `id, campaign_id, ad_group_id, remote_id, dirty, ${sqlList(columns)}${keyColumn === null ? '' : ', sort_key'}`;
  const marks = (all: readonly unknown[]): string => all.map(() => '?').join(', ');
  db.run(`INSERT OR REPLACE INTO ${name}(${names}) VALUES (${marks(whole)})`, ...whole);
  if (base === null) return;
  const said = [id, ...stored(base, userColumns)];
  db.run(`INSERT OR REPLACE INTO ${shadow}(id, ${sqlList(userColumns)}) VALUES (${marks(said)})`, ...said);
}
