/**
 * The last result of the item search for an item ID. The service's texts behind the results are those of the document,
 * "Per-element failures": a search by IDs returns the same ones as adding the item (wire shapes, section 5, "Ad items").
 *
 *   found        listed, so it can be added
 *   not-found    not in the catalog, or an ID of the other format
 *   unreadable   in the catalog, but could not be read at that time
 *   unpublished  not published
 *   not-owned    an item of another seller, or a variant of one
 */
export const ITEM_CHECK_STATUSES = ['found', 'not-found', 'unreadable', 'unpublished', 'not-owned'] as const;
export type ItemCheckStatus = (typeof ITEM_CHECK_STATUSES)[number];

export interface ItemCheckResult {
  /** As requested or returned, unchanged. */
  readonly itemId: string;
  readonly verdict: ItemCheckStatus;
  /** The item's name, if the response had it. */
  readonly name: string | null;
}

/** Known results of the catalog: the last one for an ID, or null if it was never searched. */
export interface Catalog {
  verdict(itemId: string): ItemCheckStatus | null;
}
