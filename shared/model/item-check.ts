/**
 * What the item search said about an item id the last time it was asked. The texts behind the verdicts are those of
 * the document, "Per-element failures": a search by ids answers with them as adding the item would (wire shapes,
 * section 5, "Ad items").
 *
 *   found        listed, so it can be added
 *   not-found    not in the catalog, or an id of the other format
 *   unreadable   in the catalog, but could not be read just then
 *   unpublished  not published
 *   not-owned    somebody else's item, or a variant of one
 */
export const ITEM_CHECK_STATUSES = ['found', 'not-found', 'unreadable', 'unpublished', 'not-owned'] as const;
export type ItemCheckStatus = (typeof ITEM_CHECK_STATUSES)[number];

export interface ItemCheckResult {
  /** As it was asked for or answered, unchanged. */
  readonly itemId: string;
  readonly verdict: ItemCheckStatus;
  /** The item's name, where the answer had it. */
  readonly name: string | null;
}

/** What is known of the catalog: the last verdict on an id, or null while the search was never asked. */
export interface Catalog {
  verdict(itemId: string): ItemCheckStatus | null;
}
