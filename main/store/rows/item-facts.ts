import { type Catalog, ITEM_CHECK_STATUSES } from '../../../shared/model/item-check.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import { asText, type Db } from '../db/db.ts';

/**
 * Results of item searches, stored by item ID beside the rows: a verdict belongs to the item, so it also applies after
 * an undo, to a second row with the same ID, and to later imports.
 */
export const catalogOf = (db: Db): Catalog => ({
  verdict: (itemId) => {
    const [position] = db.get('SELECT verdict FROM item_fact WHERE item_id = ?', itemId) ?? [];
    return typeof position === 'number' ? (ITEM_CHECK_STATUSES[position] ?? null) : null;
  },
});

/** IDs of new items that no search has confirmed: never searched, or with another result than "found". */
export const unconfirmedItems = (db: Db): readonly string[] =>
  db
    .all(
      `SELECT DISTINCT k.itemId FROM ad_item k LEFT JOIN item_fact f ON f.item_id = k.itemId
       WHERE k.dirty <> 0 AND k.dirty & ${NEW} AND NOT k.dirty & ${DELETED} AND k.itemId IS NOT NULL
         AND f.verdict IS NOT ${ITEM_CHECK_STATUSES.indexOf('found')} ORDER BY k.itemId`,
    )
    .map(([itemId]) => asText(itemId));
