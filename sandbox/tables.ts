import type { Role } from './access.ts';
import type { CampaignStatus } from './states.ts';

/**
 * Every table of the service, column by column: how a value is stored, what it is called in the records of the API, and
 * what a person may set in the retailer's console. SQL, row types, records and the console derive from here.
 *
 * Amounts are integers in hundredths, instants are milliseconds since 1970 (sandbox clock), booleans are 0 and 1.
 */
export interface Column<T = unknown> {
  readonly sql: string;
  /** Its name in the records of the API; null for what they do not have, or have in another form. */
  readonly member: string | null;
  /** Other names under which a request may carry it. */
  readonly also: readonly string[];
  /** Hundredths here, a decimal number in the API. */
  readonly isAmount: boolean;
  /** What the console may write there, a list being the words to choose from; null for nothing. */
  readonly console: 'text' | 'optional text' | 'amount' | readonly string[] | null;
  /** Where the ids of the table begin. */
  readonly first: number | null;
  /** Only the type of the value. */
  readonly holds?: T;
  /** Whether a new row may leave it out. */
  readonly isOptional?: true;
}

/** A column that a new row may leave out. */
interface Optional<T> extends Column<T> {
  readonly isOptional: true;
}

/** A text that a person wrote and that a review reads. */
interface Content extends Column<string> {
  readonly isContent: true;
}

interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** Conditions on the whole row, as they stand behind the columns. */
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

/** AUTOINCREMENT keeps an id from ever being given twice. */
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

/** Parents stand before what refers to them. */
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
      /** By which two texts are the same: see `normaliseKeyword`. */
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
      /** What is wrong with the uploaded file; empty when it is in order. */
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
      /** What processing will find, judged from the uploaded files; empty when they are in order. */
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
      // `complete` is both outcomes; the reason tells rejection from approval.
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
  /** What rows were like before they changed: see `demand/history.ts`. */
  past: {
    columns: {
      row_table: text(),
      row_id: integer(),
      /** The last business date that began with this state. */
      through_date: text(),
      campaign_id: integer(),
      /** Columns as JSON; null while there was no such row. */
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

/** Goes up with every change to a table; data of another version are refused at the start. A new table is just added. */
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

/** A row to be inserted: ids, and what may be empty or has a default, can be left out. */
export type NewRow<N extends TableName> = Omit<RowOf<N>, OptionalIn<N>> & Partial<Pick<RowOf<N>, OptionalIn<N>>>;

export type AdvertiserRow = RowOf<'advertiser'>;
export type CampaignRow = RowOf<'campaign'>;
export type AdGroupRow = RowOf<'ad_group'>;
export type ItemRow = RowOf<'item'>;
export type AdItemRow = RowOf<'ad_item'>;
export type MediaRow = RowOf<'media'>;
export type AdGroupMediaRow = RowOf<'ad_group_media'>;
/** The picture is read where it is sent. */
export type SbaProfileRow = Omit<RowOf<'sba_profile'>, 'logo'>;
export type ReviewRow = RowOf<'review'>;
export type ReviewComponentRow = RowOf<'review_component'>;

export const columnsOf = (table: TableName): readonly (readonly [name: string, column: Column])[] =>
  Object.entries<Column>(tables[table].columns);

/** The columns of a table that hold content, in their order. */
export type ContentColumn<N extends TableName> = {
  [C in keyof ColumnsOf<N>]: ColumnsOf<N>[C] extends { readonly isContent: true } ? C : never;
}[keyof ColumnsOf<N>];

export const contentColumns = <N extends TableName>(table: N) =>
  columnsOf(table).flatMap(([field, column]) =>
    'isContent' in column ? [[field as ContentColumn<N>, column] as const] : [],
  );

/** A row as a record of the API, as far as its members are columns. */
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

/** Everything a reset empties, children first. Credentials stay, and the catalogue is looked after by its own file. */
export const stateTables: readonly TableName[] = (Object.keys(tables) as TableName[])
  .filter((table) => table !== 'principal' && table !== 'item')
  .toReversed();

/** Where ids begin, table by table. */
export const firstIds: ReadonlyMap<string, number> = new Map(
  (Object.keys(tables) as TableName[]).flatMap((table) =>
    columnsOf(table).flatMap(([, { first }]) => (first === null ? [] : [[table, first] as const])),
  ),
);
