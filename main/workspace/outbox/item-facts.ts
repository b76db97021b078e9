import { ITEM_CHECK_STATUSES, type ItemCheckResult } from '../../../shared/model/item-fact.ts';
import { NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { rowIdOf } from '../db/db.ts';
import { unconfirmedItems } from '../rows/item-facts.ts';
import type { WriterStore } from '../writer/store.ts';

/** Ids of new items that no search has confirmed so far. */
export const itemsToConfirm = ({ db }: WriterStore): readonly string[] => unconfirmedItems(db);

/**
 * Writes down what an item search said, and has the campaigns checked again for which it is news.
 *
 * @returns new rows that could have the catalogue's name and have none yet
 */
export function noteItems(
  store: WriterStore,
  facts: readonly ItemCheckResult[],
): readonly { readonly id: RowId; readonly name: string }[] {
  const { db } = store;
  const nameless: { id: RowId; name: string }[] = [];
  for (const { itemId, verdict, name } of facts) {
    const position = ITEM_CHECK_STATUSES.indexOf(verdict);
    const before = db.get('SELECT verdict FROM item_fact WHERE item_id = ?', itemId)?.[0];
    db.run('INSERT OR REPLACE INTO item_fact(item_id, verdict, at) VALUES (?, ?, ?)', itemId, position, store.nowMs());
    if (before !== position) {
      const users = db.all('SELECT DISTINCT campaign_id FROM ad_item WHERE itemId = ?', itemId);
      store.recheck(users.map(([id]) => rowIdOf(id)));
    }
    if (name === null || name === '') continue;
    const rows = `SELECT id FROM ad_item WHERE itemId = ? AND itemName IS NULL AND dirty & ${NEW}`;
    for (const [id] of db.all(rows, itemId)) nameless.push({ id: rowIdOf(id), name });
  }
  return nameless;
}
