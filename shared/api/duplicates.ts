import { z } from 'zod';
import { operation } from './operation.ts';
import { RowIdSchema } from './scalars.ts';

/** Kinds of which the same can be there twice: keywords by text and match type, items by their id. */
export const DUPLICATE_KINDS = ['keyword', 'adItem'] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

export const DuplicateRow = z.strictObject({
  id: RowIdSchema,
  campaignId: RowIdSchema,
  campaignName: z.string(),
  adGroupId: RowIdSchema,
  adGroupName: z.string(),
  remoteId: z.string().nullable(),
  /** As written: the text of a keyword, the id of an item. */
  text: z.string(),
  /** Cents. */
  bid: z.int().nullable(),
  /** A keyword's state, an item's status. */
  state: z.string(),
});
export type DuplicateRow = z.infer<typeof DuplicateRow>;

export const DuplicateGroup = z.strictObject({
  matchType: z.enum(['exact', 'phrase', 'broad']).nullable(),
  /** In the order of their ids, so the oldest comes first; of very many the first 100. */
  rows: z.array(DuplicateRow),
  count: z.int(),
});
export type DuplicateGroup = z.infer<typeof DuplicateGroup>;

export const Duplicates = z.strictObject({
  /** Groups of the same, the largest first, and how many rows are in them. */
  total: z.int(),
  rows: z.int(),
  groups: z.array(DuplicateGroup),
  /** Distinct enabled keywords of the ad groups in `groups`, as the service counts them, and how many it takes. */
  fullness: z.array(z.strictObject({ adGroupId: RowIdSchema, distinct: z.int() })),
  distinctMax: z.int(),
});
export type Duplicates = z.infer<typeof Duplicates>;

/**
 * Rows that are the same but for case, blanks and signs: within each ad group, or anywhere in what is searched. Rows
 * that are marked as deleted do not count.
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
