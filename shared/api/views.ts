import { z } from 'zod';
import { CAMPAIGN_STATES } from '../lifecycle/states.ts';
import { REPORTED_KINDS } from '../reports/metric.ts';
import { QUICK_FILTERS } from './choices.ts';
import { TEXT_MAX } from './limits.ts';
import { MetricsLook, ViewRanges } from './metrics.ts';
import { operation } from './operation.ts';
import { CellSchema, KindSchema, PeriodSchema, RowIdSchema, seenName, WindowSchema } from './scalars.ts';
import { ViewSpec } from './workspace.ts';

/** Kinds that can have duplicates: keywords by text and match type, items by their ID. */
export const DUPLICATE_KINDS = ['keyword', 'adItem'] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

export const DuplicateRow = z.strictObject({
  id: RowIdSchema,
  campaignId: RowIdSchema,
  campaignName: z.string(),
  adGroupId: RowIdSchema,
  adGroupName: z.string(),
  remoteId: z.string().nullable(),
  /** As entered: the text of a keyword, the ID of an item. */
  text: z.string(),
  /** Name of an item, if known. */
  name: z.string().nullable(),
  /** Cents. */
  bid: z.int().nullable(),
  /** A keyword's state, an item's status. */
  state: z.string(),
});
export type DuplicateRow = z.infer<typeof DuplicateRow>;

export const DuplicateGroup = z.strictObject({
  matchType: z.enum(['exact', 'phrase', 'broad']).nullable(),
  /** Sorted by ID, so the oldest comes first; at most the first 100. */
  rows: z.array(DuplicateRow),
  count: z.int(),
});
export type DuplicateGroup = z.infer<typeof DuplicateGroup>;

export const Duplicates = z.strictObject({
  /** Groups of duplicates, the largest first, and the number of rows in them. */
  total: z.int(),
  rows: z.int(),
  groups: z.array(DuplicateGroup),
  /** Distinct enabled keywords of the ad groups in `groups`, as the service counts them, and its limit. */
  fullness: z.array(z.strictObject({ adGroupId: RowIdSchema, distinct: z.int() })),
  distinctMax: z.int(),
});
export type Duplicates = z.infer<typeof Duplicates>;

/** Campaigns that bid on the same keywords: same words in the same match type, enabled in both. */
export const KeywordOverlap = z.strictObject({
  /** Keywords that more than one campaign has, and campaigns that have one of them. */
  keywords: z.int(),
  campaigns: z.int(),
  /** Those that share most, and how many distinct keywords their fullest ad group has. */
  shown: z.array(z.strictObject({ id: RowIdSchema, name: z.string(), shared: z.int(), distinct: z.int() })),
  /** Indexes in `shown`, the lower first, and the number of common keywords: three numbers for each pair. */
  pairs: z.array(z.int()),
  /** Distinct keywords that an ad group may have. */
  distinctMax: z.int(),
});
export type KeywordOverlap = z.infer<typeof KeywordOverlap>;

/** A keyword that two campaigns share, with its row and bid (cents) in each. */
export const SharedKeyword = z.strictObject({
  text: z.string(),
  matchType: z.string(),
  rows: z.tuple([
    z.strictObject({ id: RowIdSchema, bid: z.int().nullable() }),
    z.strictObject({ id: RowIdSchema, bid: z.int().nullable() }),
  ]),
});
export type SharedKeyword = z.infer<typeof SharedKeyword>;

/**
 * Finds rows that are equal except for case, spaces and symbols: within each ad group, or anywhere in the searched
 * rows. Rows marked as deleted do not count.
 */
export const findDuplicates = operation({
  runs: 'reader',
  input: {
    kind: z.enum(DUPLICATE_KINDS),
    within: z.enum(['adGroup', 'account']),
    campaignId: RowIdSchema.nullable().default(null),
  },
  output: Duplicates,
});

/** Layout of a saved view, stored for the window (columns, widths, frozen ones); opaque to main. */
const Layout = z.record(z.string().max(100), z.union([z.number(), z.boolean(), z.string().max(2000)]));

/** A named view: filter, columns and order for one kind of row. It contains no rows. */
export const SavedView = z.strictObject({
  id: z.int(),
  name: z.string(),
  view: ViewSpec,
  layout: Layout,
});
export type SavedView = z.infer<typeof SavedView>;

/** Header of a group of rows in a grouped view. Its totals are declared below. */
const GroupHead = z.strictObject({
  /** The common value of its rows: the ID of a campaign or a label, or the index of a choice. */
  key: z.int(),
  /** The name of the campaign or the label, or words of the service; empty for rows without any. */
  name: z.string(),
  campaignId: RowIdSchema.nullable(),
  state: z.enum(CAMPAIGN_STATES).nullable(),
  /** Item for its picture. */
  picture: z.string().nullable(),
  /** Position of its first row in the view, and how many rows follow each other. */
  from: z.int(),
  count: z.int(),
});

/** Days and kind of rows whose metrics are added up as well. */
export const MetricsQuery = z.strictObject({
  kind: z.enum(REPORTED_KINDS),
  period: PeriodSchema,
  look: MetricsLook.optional(),
});
export type MetricsQuery = z.infer<typeof MetricsQuery>;

/** Total of a column in a view; rows that the next sync deletes are excluded. */
export const ViewTotal = z.strictObject({
  field: z.string(),
  /** A ratio is that of two sums: sales by spend, in hundredths. */
  of: z.enum(['sum', 'average', 'ratio']),
  /** Number of rows with an amount in it. */
  count: z.int(),
  /** In the smallest unit of the column; null for an average without values. */
  value: z.int().nullable(),
});
export type ViewTotal = z.infer<typeof ViewTotal>;

export const ViewGroup = GroupHead.extend({ totals: z.array(ViewTotal) });
export type ViewGroup = z.infer<typeof ViewGroup>;

/** Values of a column with how many rows have each, the most frequent first. */
export const ColumnValues = z.strictObject({
  /** Different values, whether they are listed or not, and the rows that have them. */
  total: z.int(),
  rows: z.int(),
  /** For `path` the name of the campaign; null for empty cells. */
  values: z.array(z.strictObject({ value: CellSchema, count: z.int() })),
});
export type ColumnValues = z.infer<typeof ColumnValues>;

/** Most views that are counted at once. */
const SIZES_MAX = 40;

export const viewsContract = {
  /**
   * Rows of an open view as lines for the clipboard, ready to be joined by line ends. `columns` are fields, or `path` for
   * the campaign's name; an empty one stays empty, for a metric that the window fills in from the `ids` of the rows.
   * `decimal` is the mark in amounts. BAD_FILTER for a column that the rows do not have.
   */
  text: operation({
    runs: 'reader',
    input: {
      viewId: z.int(),
      from: z.int().min(0),
      count: z.int().min(1).max(TEXT_MAX),
      columns: z.array(z.string().max(60)).min(1).max(60),
      decimal: z.string().length(1).default('.'),
      withIds: z.boolean().default(false),
    },
    output: z.strictObject({
      lines: z.string(),
      rows: z.int(),
      length: z.int(),
      /** Of each line, if `withIds`; no ID on the service for a draft. */
      ids: z.array(z.strictObject({ id: RowIdSchema, remoteId: z.string().nullable() })),
    }),
    errors: ['NO_VIEW', 'BAD_FILTER'],
  }),
  duplicates: findDuplicates,
  keywordOverlap: operation({ runs: 'reader', output: KeywordOverlap }),
  sharedKeywords: operation({
    runs: 'reader',
    input: { campaignIds: z.tuple([RowIdSchema, RowIdSchema]) },
    output: z.strictObject({ keywords: z.array(SharedKeyword), more: z.int() }),
  }),
  /** Saved views in the order of their names. */
  saved: operation({ output: z.array(SavedView) }),
  /** Saves a view; with an ID, replaces the existing one. Names are unique within a kind. */
  save: operation({
    runs: 'writer',
    announced: true,
    input: {
      id: z.int().nullable().default(null),
      name: seenName(100),
      view: ViewSpec,
      layout: Layout.default({}),
    },
    output: SavedView,
    errors: ['NO_NOTE', 'NAME_TAKEN', 'BAD_FILTER'],
  }),
  remove: operation({
    runs: 'writer',
    announced: true,
    input: { id: z.int() },
    output: z.strictObject({}),
    errors: ['NO_NOTE'],
  }),
  /** Start positions and keys of all groups of a view opened with `group`, as two parallel lists. */
  outline: operation({
    runs: 'reader',
    input: { viewId: z.int() },
    output: z.strictObject({ from: z.array(z.int()), keys: z.array(z.int()) }),
    errors: ['NO_VIEW'],
  }),
  /** Some of these groups, with the totals of their columns. */
  groups: operation({
    input: { viewId: z.int(), ...WindowSchema, metrics: MetricsQuery.nullable().default(null) },
    output: z.strictObject({ total: z.int(), groups: z.array(ViewGroup) }),
    errors: ['NO_VIEW'],
  }),
  /** Position of a row in an open view, from 0; null when it is not in it. */
  place: operation({
    runs: 'reader',
    input: { viewId: z.int(), id: RowIdSchema },
    output: z.strictObject({ place: z.int().nullable() }),
    errors: ['NO_VIEW'],
  }),
  /** Totals of its columns over all rows of an open view, or over these ranges of it. */
  totals: operation({
    input: {
      viewId: z.int(),
      metrics: MetricsQuery.nullable().default(null),
      ranges: ViewRanges,
    },
    output: z.strictObject({ totals: z.array(ViewTotal) }),
    errors: ['NO_VIEW'],
  }),
  /** Number of rows that each view would show, in the order of views; null for a filter that can't be parsed. */
  sizes: operation({
    runs: 'reader',
    priority: 'counts',
    input: { views: z.array(ViewSpec).max(SIZES_MAX) },
    output: z.strictObject({ sizes: z.array(z.int().nullable()) }),
  }),
  /** The first `VALUES_MAX` values of a column in the rows of a view; with words, only those that contain each of them. */
  values: operation({
    runs: 'reader',
    input: { view: ViewSpec, field: z.string().max(60), words: z.string().max(200).default('') },
    output: ColumnValues,
    errors: ['BAD_FILTER'],
  }),
  /** Number of rows of a kind that each filter of `only` would show. */
  counts: operation({
    runs: 'reader',
    priority: 'counts',
    input: { kind: KindSchema, campaignId: RowIdSchema.nullable().default(null) },
    output: z.record(z.enum(QUICK_FILTERS), z.int()),
  }),
};
