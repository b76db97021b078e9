import { z } from 'zod';
import { ExportedFile } from './exported-file.ts';
import { operation } from './operation.ts';
import { GrantSchema, RowIdSchema } from './scalars.ts';

const ItemIdText = z.string().min(1).max(200);

/** What tells an item from others of its name, beside the id. Addresses are the service's own words: nobody asks them. */
const ItemFacts = z.strictObject({
  suggestedBidCents: z.int().nullable(),
  pageUrl: z.string().nullable(),
  imageUrl: z.string().nullable(),
});
export type ItemFacts = z.infer<typeof ItemFacts>;

const Candidate = z.strictObject({
  itemId: z.string(),
  name: z.string().nullable(),
  /** What speaks for it; see `shared/item-ids/suggest-item-ids.ts`. */
  source: z.enum(['service', 'search', 'account', 'name']),
  /** Absent where no search has told of it. */
  facts: ItemFacts.optional(),
});

/** One item id that cannot be sent as it stands, wherever it occurs. */
export const DamagedItemId = z.strictObject({
  itemId: ItemIdText,
  damage: z.enum([
    'legacy',
    'too-new',
    'scientific',
    'decimal-ending',
    'grouped',
    'marked',
    'lost-zeros',
    'too-long',
    'unreadable',
  ]),
  /** Rows or lines that have it; the first few of them by name. `id` is null for lines of a sheet. */
  rows: z.int(),
  first: z.array(z.strictObject({ id: RowIdSchema.nullable(), line: z.int().nullable(), campaign: z.string() })),
  candidates: z.array(Candidate),
  /** The id that is meant, where only one can be. */
  proposed: z.string().nullable(),
});
export type DamagedItemId = z.infer<typeof DamagedItemId>;

export const IdScan = z.strictObject({
  /** Names the scan in `report` and `mend`; the last one of an account is kept. */
  scanId: z.string(),
  /** Null for a look at the drafts. */
  fileName: z.string().nullable(),
  /** Ids that were looked at. */
  ids: z.int(),
  damaged: z.array(DamagedItemId),
  /** Why the item search could not be asked; what the account knows itself was used all the same. */
  notSearched: z.string().nullable(),
});
export type IdScan = z.infer<typeof IdScan>;

/** Which id takes the place of which. */
const accepted = z
  .array(z.strictObject({ from: ItemIdText, to: z.string().regex(/^(?:\d{10}|prod\d{1,30})$/) }))
  .max(100_000);
export type AcceptedIds = z.infer<typeof accepted>;

export const idsContract = {
  /** Looks for damaged item ids among the rows still to be sent, or in a sheet before it is imported. */
  scan: operation({
    runs: 'main',
    input: { grant: GrantSchema.nullable().default(null) },
    output: IdScan,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /** Puts the accepted ids into the drafts, as one step that can be undone. */
  apply: operation({
    runs: 'main',
    access: 'write',
    input: { accepted: accepted.min(1) },
    output: z.strictObject({ revision: z.int(), rows: z.int() }),
    errors: ['NOTHING_TO_DO'],
  }),
  /** The whole scan as a sheet: every damaged id, what it became, and by what evidence. */
  report: operation({
    runs: 'main',
    input: { scanId: z.string().max(64), accepted },
    output: ExportedFile,
    errors: ['NO_GRANT'],
  }),
  /** The scanned sheet with the accepted ids in it, to be imported instead. */
  mend: operation({
    runs: 'main',
    input: { scanId: z.string().max(64), accepted },
    output: ExportedFile,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
};
