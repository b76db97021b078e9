import { z } from 'zod';
import { ID_DAMAGES } from '../item-ids/damaged-ids.ts';
import { ExportedFile } from './files.ts';
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
  /** What speaks for it; see `shared/item-ids/damaged-ids.ts`. */
  source: z.enum(['service', 'search', 'account', 'name']),
  /** Absent where no search has told of it. */
  facts: ItemFacts.optional(),
});

/** One item id that cannot be sent as it stands, wherever it occurs. */
export const DamagedItemId = z.strictObject({
  itemId: ItemIdText,
  damage: z.enum(ID_DAMAGES),
  /** Rows or lines that have it; the first few of them by name. `id` is null for lines of a sheet. */
  rows: z.int(),
  first: z.array(z.strictObject({ id: RowIdSchema.nullable(), line: z.int().nullable(), campaign: z.string() })),
  candidates: z.array(Candidate),
  /** The id that is meant, where only one can be. */
  proposed: z.string().nullable(),
});
export type DamagedItemId = z.infer<typeof DamagedItemId>;

export const IdScan = z.strictObject({
  /** Names the scan in `report` and `repair`; the last one of an account is kept. */
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

export const itemIdsContract = {
  /** Looks for damaged item ids among the rows still to be sent, or in a sheet before it is imported. */
  scan: operation({
    input: { grant: GrantSchema.nullable().default(null) },
    output: IdScan,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /** Puts the accepted ids into the drafts, as one step that can be undone. */
  repair: operation({
    access: 'write',
    input: { accepted: accepted.min(1) },
    output: z.strictObject({ revision: z.int(), rows: z.int() }),
    errors: ['NOTHING_TO_DO'],
  }),
  /** The whole scan as a sheet: every damaged id, what it became, and by what evidence. */
  report: operation({
    input: { scanId: z.string().max(64), accepted },
    output: ExportedFile,
    errors: ['NO_GRANT'],
  }),
  /** The scanned sheet with the accepted ids in it, to be imported instead. */
  repairFile: operation({
    input: { scanId: z.string().max(64), accepted },
    output: ExportedFile,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
};

const FoundItem = z.strictObject({
  itemId: z.string(),
  name: z.string(),
  suggestedBidCents: z.int().nullable(),
  imageUrl: z.string().nullable(),
  pageUrl: z.string().nullable(),
  /** Sizes, colors and the like, each an item of its own that can be added. */
  variants: z.array(z.strictObject({ itemId: z.string(), name: z.string(), imageUrl: z.string().nullable() })),
});
export type FoundItem = z.infer<typeof FoundItem>;

/** Keywords that a campaign does not have yet. */
export const KeywordIdeas = z.strictObject({
  /** Where they are added; null when the campaign takes no keywords. */
  adGroupId: RowIdSchema.nullable(),
  /** The mean bid of its keywords, else of its items, in cents; null when there are none. */
  bid: z.int().nullable(),
  /** Items of it whose names are known. */
  items: z.int(),
  ideas: z.array(
    z.strictObject({
      text: z.string(),
      source: z.enum(['report', 'items']),
      /** Orders of a search term, or items that have these words in their names. */
      count: z.int(),
    }),
  ),
});
export type KeywordIdeas = z.infer<typeof KeywordIdeas>;

export const itemsContract = {
  /** From search terms of the newest report that has them, and from the names of its items; nothing is asked of the service. */
  ideas: operation({ input: { campaignId: RowIdSchema }, output: KeywordIdeas, errors: ['NO_ROW'] }),
  /** Item search of the service, by text or by ids (document, "POST /api/v1/itemSearch"). */
  search: operation({
    access: 'ask',
    input: {
      text: z.string().max(200).nullable(),
      ids: z.array(z.string().max(40)).max(200).nullable(),
    },
    output: z.array(FoundItem),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
  /**
   * Items for somebody who types a name or an id. Without an answer of the service, those among the items seen before: in
   * earlier searches and in the rows of the account.
   */
  find: operation({
    input: { text: z.string().trim().min(1).max(200) },
    output: z.strictObject({ isOffline: z.boolean(), items: z.array(FoundItem) }),
  }),
  /**
   * What the catalog says of one item: from the last search that showed it, else asked now. Null when it says nothing, or
   * cannot be asked.
   */
  get: operation({
    input: { itemId: z.string().min(1).max(40) },
    output: z.strictObject({ itemId: z.string(), name: z.string(), pageUrl: z.string().nullable() }).nullable(),
  }),
  /**
   * Looks up the new items that no search has confirmed: from sheets, typed, or refused before. What is said of them
   * turns up among the findings; `refused` are the ids that cannot be added. A sync does the same before it sends.
   */
  confirm: operation({
    access: 'ask',
    output: z.strictObject({ asked: z.int(), found: z.int(), refused: z.array(z.string()) }),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
};

/** What a picture is of. Never an address: which address that is, main knows. */
export const PictureOf = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('item'), itemId: z.string().min(1).max(40) }),
  /** A frame of a video of the library, as far as a window has drawn one. */
  z.strictObject({ is: z.literal('poster'), id: RowIdSchema }),
  z.strictObject({ is: z.literal('row'), kind: z.enum(['sbaProfile', 'videoProfile', 'media']), id: RowIdSchema }),
]);
export type PictureOf = z.infer<typeof PictureOf>;

export const ShownPicture = z.strictObject({
  /** Address of ours to show; null when there is no picture to show. */
  url: z.string().nullable(),
  /** `none`: the service names no picture. `host`: nobody has allowed pictures from `host`. `unfit`: it cannot be drawn. */
  why: z.enum(['none', 'host', 'unfit', 'unreachable']).nullable(),
  host: z.string(),
});
export type ShownPicture = z.infer<typeof ShownPicture>;

export const picturesContract = {
  /** A picture of the service, from the cache or fetched now. It may take some seconds. */
  show: operation({ input: { of: PictureOf }, output: ShownPicture }),
  /** For each campaign the address of a picture of its first item; absent where there is none. */
  ofCampaigns: operation({
    input: { campaignIds: z.array(RowIdSchema).max(100) },
    output: z.array(z.strictObject({ campaignId: RowIdSchema, url: z.string() })),
  }),
  /** Keeps a small frame that a window has drawn of a video of the library: main itself decodes none. */
  keepPoster: operation({
    access: 'write',
    input: { id: RowIdSchema, jpeg: z.base64().max(200_000) },
    output: ShownPicture,
  }),
};
