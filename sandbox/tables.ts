import type { Role } from './access.ts';
import type { CampaignStatus } from './states.ts';

/**
 * Every table of the service by column: how a value is stored, its name in API records, and whether a person may set it
 * in the retailer's console. SQL, row types, records and the console are derived from here.
 *
 * Amounts are integers in hundredths, instants are milliseconds since 1970 (sandbox clock), booleans are 0 and 1.
 */
export interface Column<T = unknown> {
  readonly sql: string;
  /** Its name in API records; null if they lack it or have it in another form. */
  readonly member: string | null;
  /** Other names for it in requests. */
  readonly also: readonly string[];
  /** Stored in hundredths, a decimal number in the API. */
  readonly isAmount: boolean;
  /** What the console may write: a kind of value, or one of the listed words; null for nothing. */
  readonly console: 'text' | 'optional text' | 'amount' | readonly string[] | null;
  /** The first ID of the table. */
  readonly first: number | null;
  /** Only for the type of the value. */
  readonly holds?: T;
  /** Whether a new row may omit it. */
  readonly isOptional?: true;
}

/** A column that a new row may omit. */
interface Optional<T> extends Column<T> {
  readonly isOptional: true;
}

/** A text written by a person and checked by a review. */
interface Content extends Column<string> {
  readonly isContent: true;
}

interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** SQL constraints of the table, placed after its columns. */
  readonly constraints?: string;
  /** Indexes by name: the columns, and a condition. */
  readonly indexes?: Readonly<Record<string, string>>;
}

type Details = Partial<Pick<Column, 'also' | 'console' | 'isAmount' | 'first'>>;

function column<T>(sql: string, member: string | null, details: Details = {}): Column<T> {
  return { sql, member, also: [], isAmount: false, console: null, first: null, ...details };
}

function optional<T>(sql: string, member: string | null, details: Details = {}): Optional<T> {
  return { ...column<T>(sql, member, details), isOptional: true };
}

/** AUTOINCREMENT prevents an ID from being reused. */
const id = (member: string | null = null, first: number | null = null): Optional<number> =>
  optional('INTEGER PRIMARY KEY AUTOINCREMENT', member, { first });
const integer = (member: string | null = null): Column<number> => column('INTEGER NOT NULL', member);
const integerOrNull = (): Optional<number | null> => optional('INTEGER', null);
const flag = (): Optional<number> => optional('INTEGER NOT NULL DEFAULT 0', null);
const refersTo = (table: string, member: string | null = null): Column<number> =>
  column(`INTEGER NOT NULL REFERENCES ${table}`, member);
const amount = (member: string): Column<number> =>
  column('INTEGER NOT NULL', member, { isAmount: true, console: 'amount' });
const amountOrNull = (member: string): Optional<number | null> => optional('INTEGER', member, { isAmount: true });
const text = <T extends string = string>(member: string | null = null, details?: Details): Column<T> =>
  column('TEXT NOT NULL', member, details);
const textKey = (): Column<string> => column('TEXT PRIMARY KEY', null);
const uniqueText = (): Column<string> => column('TEXT NOT NULL UNIQUE', null);
const content = (member: string, ...also: readonly string[]): Content => ({
  ...text(member, { also, console: 'text' }),
  isContent: true,
});
const name = (): Column<string> => text('name', { console: 'text' });
const reason = (): Optional<string | null> => optional('TEXT', 'reviewReason', { console: 'optional text' });

const switchable: Details = { console: ['enabled', 'disabled'] };
const approvals: Details = { console: ['pending', 'approved', 'rejected'] };

export type CampaignType = 'sponsoredProducts' | 'sba' | 'video';
type ReviewStatus = 'pending' | 'in-progress' | 'cancelled' | 'approved' | 'rejected';

/** Parents come before the tables that refer to them. */
export const tables = {
  setting: { columns: { key: textKey(), value: text() } },
  advertiser: {
    columns: { advertiser_id: column<number>('INTEGER PRIMARY KEY', null), name: text(), migrated: integer() },
  },
  principal: {
    columns: {
      consumer_id: textKey(),
      advertiser_id: integer(),
      role: text<Role>(),
      token: text(),
      key_version: text(),
      public_key: text(),
      private_key: text(),
      standard: integer(),
    },
  },
  item: {
    columns: {
      item_key: id(),
      legacy_id: uniqueText(),
      us_id: uniqueText(),
      advertiser_id: integer(),
      base_item_key: integerOrNull(),
      name: text(),
      suggested_bid: integer(),
      published: integer(),
      readable: integer(),
    },
    indexes: { by_base: '(base_item_key) WHERE base_item_key IS NOT NULL', by_advertiser: '(advertiser_id)' },
  },
  campaign: {
    columns: {
      campaign_id: id('campaignId', 904_100_200_301),
      advertiser_id: integer('advertiserId'),
      name: text('name'),
      campaign_type: text<CampaignType>('campaignType'),
      targeting_type: text<'auto' | 'manual'>('targetingType'),
      budget: amountOrNull('budget'),
      daily_budget: amountOrNull('dailyBudget'),
      start_date: text('startDate'),
      end_date: text('endDate'),
      status: text<CampaignStatus>('status'),
      was_live: flag(),
    },
    constraints: 'UNIQUE (advertiser_id, name)',
  },
  campaign_move: {
    columns: {
      move_id: id(),
      campaign_id: integer(),
      at_ms: integer(),
      from_status: text(),
      to_status: text(),
      moved_by: text(),
    },
    indexes: { by_campaign: '(campaign_id)' },
  },
  ad_group: {
    columns: {
      ad_group_id: id('adGroupId', 7_700_001),
      campaign_id: refersTo('campaign', 'campaignId'),
      name: name(),
      status: text('status', switchable),
    },
    indexes: { by_campaign: '(campaign_id)' },
  },
  ad_item: {
    columns: {
      ad_item_id: id('adItemId', 4_400_001),
      campaign_id: integer('campaignId'),
      ad_group_id: integer('adGroupId'),
      item_key: refersTo('item'),
      bid: amount('bid'),
      status: text('status', { console: ['enabled', 'disabled', 'deleted'] }),
      review_status: text('reviewStatus', approvals),
      review_reason: reason(),
    },
    indexes: { by_group: '(ad_group_id, item_key)', by_campaign: '(campaign_id)' },
  },
  keyword: {
    columns: {
      keyword_id: id('keywordId', 8_100_001),
      campaign_id: integer('campaignId'),
      ad_group_id: integer('adGroupId'),
      keyword_text: text('keywordText'),
      /** The text for comparing keywords: see `normaliseKeyword`. */
      same_text: text(),
      match_type: text('matchType'),
      bid: amount('bid'),
      state: text('state', { console: ['enabled', 'paused', 'archived'] }),
      status: text('status', approvals),
      review_reason: optional<string | null>('TEXT', 'reviewReason'),
    },
    indexes: {
      by_group: '(ad_group_id, same_text, match_type)',
      enabled: "(ad_group_id, same_text) WHERE state = 'enabled'",
      by_campaign: '(campaign_id)',
    },
  },
  media_upload: {
    columns: {
      upload_id: id(null, 5_500_001),
      advertiser_id: integer(),
      media_type: text(),
      expires_ms: integer(),
      secret: text(),
      has_video: flag(),
      has_caption: flag(),
      /** The problem of the uploaded file; empty if it is valid. */
      video_verdict: optional<string>("TEXT NOT NULL DEFAULT ''", null),
      caption_verdict: optional<string>("TEXT NOT NULL DEFAULT ''", null),
      length_ms: integerOrNull(),
      completed: flag(),
    },
  },
  media: {
    columns: {
      media_id: id('mediaId', 6_600_001),
      advertiser_id: integer(),
      upload_id: integer(),
      name: name(),
      status: text('status', { console: ['available', 'failed'] }),
      details: text('details'),
      /** The result of processing, determined from the uploaded files; empty if they are valid. */
      verdict: text(),
      length_ms: integerOrNull(),
      has_caption: integer(),
    },
    indexes: { by_advertiser: '(advertiser_id)' },
  },
  ad_group_media: {
    columns: {
      ad_group_media_id: id('adGroupMediaId', 9_900_001),
      campaign_id: integer('campaignId'),
      ad_group_id: column<number>('INTEGER NOT NULL UNIQUE', 'adGroupId'),
      media_id: refersTo('media', 'mediaId'),
      status: text('status', switchable),
      review_status: text('reviewStatus', approvals),
      review_reason: reason(),
    },
  },
  sba_profile: {
    columns: {
      // Five digits, as in the document.
      sba_profile_id: id('sbaProfileId', 10_001),
      campaign_id: integer('campaignId'),
      ad_group_id: integer('adGroupId'),
      search_amp_name: content('searchAmpName', 'brandName'),
      headline_text: content('headlineText', 'headline'),
      click_url: content('clickUrl'),
      logo_url: text('logoUrl', { console: 'text' }),
      logo: optional<Uint8Array | null>('BLOB', null),
      status: text('status', switchable),
      // `complete` is both results; the reason distinguishes a rejection.
      review_status: text('reviewStatus', { console: ['pending', 'complete'] }),
      review_reason: reason(),
    },
    indexes: { by_group: '(ad_group_id)' },
  },
  multiplier: {
    columns: {
      multiplier_id: id(null, 1_200_001),
      kind: text(),
      campaign_id: integer('campaignId'),
      type: text(),
      multiplier: amount('multiplier'),
    },
    constraints: 'UNIQUE (campaign_id, kind, type)',
  },
  review: {
    columns: {
      review_id: id('reviewId', 3_300_001),
      campaign_id: integer('campaignId'),
      ad_group_id: integer('adGroupId'),
      status: text<ReviewStatus>('reviewStatus'),
      created_ms: integer(),
    },
    indexes: { by_group: '(ad_group_id)' },
  },
  review_component: {
    columns: {
      review_id: refersTo('review'),
      type: text('type'),
      component_id: integer('id'),
      status: text('status'),
      reason: optional<string | null>('TEXT', 'reason'),
    },
    constraints: 'PRIMARY KEY (review_id, type, component_id)',
  },
  snapshot: {
    columns: {
      snapshot_id: textKey(),
      advertiser_id: integer(),
      request: text(),
      job_status: text(),
      secret: text(),
      created_ms: integer(),
    },
  },
  /** Former states of rows: see `demand/history.ts`. */
  past: {
    columns: {
      row_table: text(),
      row_id: integer(),
      /** The last business date that started with this state. */
      through_date: text(),
      campaign_id: integer(),
      /** Columns as JSON; null while the row did not exist. */
      state: optional<string | null>('TEXT', null),
    },
    constraints: 'PRIMARY KEY (row_table, row_id, through_date)',
    indexes: { by_campaign: '(campaign_id)' },
  },
  due: {
    columns: { due_id: id(), at_ms: integer(), kind: text(), subject: text() },
    indexes: { by_time: '(at_ms, due_id)' },
  },
} as const satisfies Readonly<Record<string, Table>>;

/**
 * Incremented with every change of a table; data of another version is refused at the start. A new table needs no
 * increment.
 */
export const SCHEMA_VERSION = 2;

export const schema: string = Object.entries<Table>(tables)
  .map(([table, { columns, constraints, indexes = {} }]) => {
    const parts = Object.entries(columns).map(([field, { sql }]) => `${field} ${sql}`);
    const inside = [...parts, ...(constraints === undefined ? [] : [constraints])].join(', ');
    const created = `CREATE TABLE IF NOT EXISTS ${table} (${inside}) STRICT;`;
    const indexed = Object.entries(indexes).map(
      ([index, on]) => `CREATE INDEX IF NOT EXISTS ${table}_${index} ON ${table} ${on};`,
    );
    return [created, ...indexed].join('\n');
  })
  .join('\n\n');

export type TableName = keyof typeof tables;
type ColumnsOf<N extends TableName> = (typeof tables)[N]['columns'];
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A row of a table. */
export type RowOf<N extends TableName> = Writable<{
  readonly [C in keyof ColumnsOf<N>]: ColumnsOf<N>[C] extends Column<infer T> ? T : never;
}>;

type OptionalIn<N extends TableName> = {
  [C in keyof ColumnsOf<N>]: ColumnsOf<N>[C] extends { readonly isOptional: true } ? C : never;
}[keyof ColumnsOf<N>];

/** A row to insert: IDs, and columns that may be empty or have a default, can be omitted. */
export type NewRow<N extends TableName> = Omit<RowOf<N>, OptionalIn<N>> & Partial<Pick<RowOf<N>, OptionalIn<N>>>;

export type AdvertiserRow = RowOf<'advertiser'>;
export type CampaignRow = RowOf<'campaign'>;
export type AdGroupRow = RowOf<'ad_group'>;
export type ItemRow = RowOf<'item'>;
export type AdItemRow = RowOf<'ad_item'>;
export type MediaRow = RowOf<'media'>;
export type AdGroupMediaRow = RowOf<'ad_group_media'>;
/** Without the picture, which is read where it is sent. */
export type SbaProfileRow = Omit<RowOf<'sba_profile'>, 'logo'>;
export type ReviewRow = RowOf<'review'>;
export type ReviewComponentRow = RowOf<'review_component'>;

export const columnsOf = (table: TableName): readonly (readonly [name: string, column: Column])[] =>
  Object.entries<Column>(tables[table].columns);

/** The content columns of a table, in order. */
export type ContentColumn<N extends TableName> = {
  [C in keyof ColumnsOf<N>]: ColumnsOf<N>[C] extends { readonly isContent: true } ? C : never;
}[keyof ColumnsOf<N>];

export const contentColumns = <N extends TableName>(table: N) =>
  columnsOf(table).flatMap(([field, column]) =>
    'isContent' in column ? [[field as ContentColumn<N>, column] as const] : [],
  );

/** A row as an API record, with the members that are columns. */
export function showRow<N extends TableName>(
  table: N,
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columnsOf(table).flatMap(([field, { member, isAmount }]) => {
      if (member === null) return [];
      const value = row[field];
      return [[member, isAmount && typeof value === 'number' ? value / 100 : value]];
    }),
  );
}

/** All tables that a reset empties, children first. Credentials are kept, and the catalog has its own reset. */
export const stateTables: readonly TableName[] = (Object.keys(tables) as TableName[])
  .filter((table) => table !== 'principal' && table !== 'item')
  .toReversed();

/** First IDs by table. */
export const firstIds: ReadonlyMap<string, number> = new Map(
  (Object.keys(tables) as TableName[]).flatMap((table) =>
    columnsOf(table).flatMap(([, { first }]) => (first === null ? [] : [[table, first] as const])),
  ),
);
