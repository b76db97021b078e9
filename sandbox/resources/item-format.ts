import { messages } from '../messages.ts';
import type { ItemRow } from '../rows.ts';
import type { Service } from '../service.ts';

/**
 * "Item identifier migration": an account that is not migrated sees `prod` and digits, a migrated one ten digits.
 * Rows point at the item itself, so the day an account flips, old rows show the new id by themselves.
 */
function isFormatOf(migrated: boolean, itemId: string): boolean {
  return migrated ? /^\d{10}$/.test(itemId) : /^prod\d+$/.test(itemId);
}

export function itemIdFor(migrated: boolean, item: Pick<ItemRow, 'legacy_id' | 'us_id'>): string {
  return migrated ? item.us_id : item.legacy_id;
}

export type FoundItem =
  | { readonly ok: true; readonly item: ItemRow }
  | { readonly ok: false; readonly details: string };

/** Finds an item by the id a caller sent. The failures are those of "Per-element failures", in the table's order. */
export function findItem(service: Service, migrated: boolean, itemId: string): FoundItem {
  if (!isFormatOf(migrated, itemId)) return { ok: false, details: messages.itemIdWrongFormat(itemId) };
  const column = migrated ? 'us_id' : 'legacy_id';
  const item = service.store.one<ItemRow>(`SELECT * FROM item WHERE ${column} = ?`, itemId);
  return item === undefined ? { ok: false, details: messages.itemIdNotFound } : { ok: true, item };
}

/** Why an advertiser cannot advertise an item that exists, or null. */
export function judgeItem(service: Service, advertiserId: number, item: ItemRow, itemId: string): string | null {
  if (item.readable === 0) return messages.itemUnreadable(itemId);
  const base =
    item.base_item_key === null
      ? item
      : service.store.one<ItemRow>('SELECT * FROM item WHERE item_key = ?', item.base_item_key);
  if (item.advertiser_id !== advertiserId || base?.advertiser_id !== advertiserId) return messages.itemNotOwned(itemId);
  return item.published === 0 ? messages.itemUnpublished(itemId) : null;
}
