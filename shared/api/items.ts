import { z } from 'zod';
import { ID_DAMAGES } from '../item-ids/damaged-ids.ts';
import { ExportedFile } from './files.ts';
import { operation } from './operation.ts';
import { GrantSchema, RowIdSchema } from './scalars.ts';

const ItemIdText = z.string().min(1).max(200);

/** Details that tell items of the same name apart. URLs are text from the service and are never fetched. */
const ItemFacts = z.strictObject({
  suggestedBidCents: z.int().nullable(),
  pageUrl: z.string().nullable(),
  imageUrl: z.string().nullable(),
});
export type ItemFacts = z.infer<typeof ItemFacts>;

const Candidate = z.strictObject({
  itemId: z.string(),
  name: z.string().nullable(),
  /** The evidence for it; see `shared/item-ids/damaged-ids.ts`. */
  source: z.enum(['service', 'search', 'account', 'name']),
  /** Absent if no search has returned it. */
  facts: ItemFacts.optional(),
});

/** One item ID that can't be sent as it is, with all its occurrences. */
export const DamagedItemId = z.strictObject({
  itemId: ItemIdText,
  damage: z.enum(ID_DAMAGES),
  /** Rows or lines that have it; the first few of them by name. `id` is null for lines of a sheet. */
  rows: z.int(),
  first: z.array(z.strictObject({ id: RowIdSchema.nullable(), line: z.int().nullable(), campaign: z.string() })),
  candidates: z.array(Candidate),
  /** The intended ID, if only one is possible. */
  proposed: z.string().nullable(),
});
export type DamagedItemId = z.infer<typeof DamagedItemId>;

export const IdScan = z.strictObject({
  /** Identifies the scan in `report` and `repair`; the last one of an account is stored. */
  scanId: z.string(),
  /** Null for a scan of the drafts. */
  fileName: z.string().nullable(),
  /** Number of IDs checked. */
  ids: z.int(),
  damaged: z.array(DamagedItemId),
  /** Why the item search failed; the data of the account was still used. */
  notSearched: z.string().nullable(),
});
export type IdScan = z.infer<typeof IdScan>;

/** Replacements of IDs. */
const accepted = z
  .array(z.strictObject({ from: ItemIdText, to: z.string().regex(/^(?:\d{10}|prod\d{1,30})$/) }))
  .max(100_000);
export type AcceptedIds = z.infer<typeof accepted>;

export const itemIdsContract = {
  /** Scans for damaged item IDs among the rows still to be sent, or in a spreadsheet before it is imported. */
  scan: operation({
    input: { grant: GrantSchema.nullable().default(null) },
    output: IdScan,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /** Applies the accepted IDs to the drafts, as one step that can be undone. */
  repair: operation({
    access: 'write',
    input: { accepted: accepted.min(1) },
    output: z.strictObject({ revision: z.int(), rows: z.int() }),
    errors: ['NO_ROW', 'BAD_VALUE', 'NOTHING_TO_DO'],
  }),
  /** The scan as a spreadsheet: every damaged ID, its replacement, and the evidence. */
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
  /** Sizes, colors and similar; each is a separate item that can be added. */
  variants: z.array(z.strictObject({ itemId: z.string(), name: z.string(), imageUrl: z.string().nullable() })),
});
export type FoundItem = z.infer<typeof FoundItem>;

/** Keywords that a campaign does not have yet. */
export const KeywordIdeas = z.strictObject({
  /** Ad group to add them to; null when the campaign has no keywords. */
  adGroupId: RowIdSchema.nullable(),
  /** The mean bid of its keywords, else of its items, in cents; null without any. */
  bid: z.int().nullable(),
  /** Number of its items with a known name. */
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
  /** Ideas from search terms of the newest report that has them, and from the names of its items; no request is sent. */
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
   * Finds items while the user types a name or an ID. Without a response of the service, searches the known items:
   * from earlier searches and the rows of the account.
   */
  find: operation({
    input: { text: z.string().trim().min(1).max(200) },
    output: z.strictObject({ isOffline: z.boolean(), items: z.array(FoundItem) }),
  }),
  /**
   * Catalog details of one item: from the last search that returned it, else requested now. Null if the catalog has
   * none, or can't be reached.
   */
  get: operation({
    input: { itemId: z.string().min(1).max(40) },
    output: z.strictObject({ itemId: z.string(), name: z.string(), pageUrl: z.string().nullable() }).nullable(),
  }),
  /**
   * Looks up new items that no search has confirmed: from spreadsheets, typed, or refused before. Problems appear
   * among the issues; `refused` are the IDs that can't be added. A sync does the same before it sends.
   */
  confirm: operation({
    access: 'ask',
    output: z.strictObject({ asked: z.int(), found: z.int(), refused: z.array(z.string()) }),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
};

/** Subject of a picture. Never a URL: main knows the URLs. */
export const PictureOf = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('item'), itemId: z.string().min(1).max(40) }),
  /** A frame of a video of the library, as far as a window has drawn one. */
  z.strictObject({ is: z.literal('poster'), id: RowIdSchema }),
  z.strictObject({ is: z.literal('row'), kind: z.enum(['sbaProfile', 'videoProfile', 'media']), id: RowIdSchema }),
]);
export type PictureOf = z.infer<typeof PictureOf>;

export const ShownPicture = z.strictObject({
  /** URL below the host's own origin; null when there is no picture. */
  url: z.string().nullable(),
  /** `none`: the service has no picture. `host`: the user has not allowed pictures from `host`. `unfit`: it can't be displayed. */
  why: z.enum(['none', 'host', 'unfit', 'unreachable']).nullable(),
  host: z.string(),
});
export type ShownPicture = z.infer<typeof ShownPicture>;

export const picturesContract = {
  /** A picture from the service, cached or fetched now. It may take some seconds. */
  show: operation({ input: { of: PictureOf }, output: ShownPicture }),
  /** For each campaign the URL of a picture of its first item; absent without one. */
  ofCampaigns: operation({
    input: { campaignIds: z.array(RowIdSchema).max(100) },
    output: z.array(z.strictObject({ campaignId: RowIdSchema, url: z.string() })),
  }),
  /** Stores a small frame of a library video that a window has drawn: main does not decode videos. */
  keepPoster: operation({
    access: 'write',
    input: { id: RowIdSchema, jpeg: z.base64().max(200_000) },
    output: ShownPicture,
  }),
};
