import { requireRead } from '../access.ts';
import { toNumber } from '../decimal.ts';
import { fieldOf, readId, readObject, readText, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findAdvertiser } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { ItemRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { ask, type Call, type Route } from '../wire/route.ts';
import { findItem, itemIdFor, judgeItem } from './item-format.ts';

/** POST /api/v1/itemSearch: advertiserId, and exactly one of searchText and searchItemIds. */
export const itemSearchRoutes: readonly Route[] = [ask('/api/v1/itemSearch', searchItems)];

function searchItems(service: Service, call: Call): readonly unknown[] {
  const fields = readObject(call.body);
  const text = readText(fields, 'searchText');
  const ids = readItemIds(fieldOf(fields, 'searchItemIds'));
  const advertiserId = required(readId(fields, 'advertiserId'), 'advertiserId');
  if (text === null && ids === null) throw new Refusal(400, messages.fieldMissing('searchText'));
  if (text !== null && ids !== null) throw new Refusal(400, messages.invalidParameters);
  requireRead(call.principal, advertiserId, 'other');
  const migrated = findAdvertiser(service, advertiserId)?.migrated === 1;
  if (ids !== null) return ids.slice(0, limits.itemSearchMax).map((id) => lookUp(service, advertiserId, migrated, id));
  return findByText(service, advertiserId, text ?? '').map((item) => showItem(service, migrated, item));
}

function readItemIds(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new Refusal(400, messages.invalidParameters);
  return value.map((id: unknown) => {
    if (typeof id !== 'string') throw new Refusal(400, messages.invalidParameters);
    return id;
  });
}

/** Every word must occur in the name, or in that of one variant; only items the advertiser can advertise are found. */
function findByText(service: Service, advertiserId: number, text: string): readonly ItemRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  const wordTests = (name: string) => words.map(() => `AND instr(lower(${name}), ?) > 0`).join(' ');
  return service.store.all<ItemRow>(
    `SELECT * FROM item WHERE advertiser_id = ? AND base_item_key IS NULL AND published = 1 AND readable = 1
       AND ((1 ${wordTests('name')}) OR EXISTS
         (SELECT 1 FROM item AS variant WHERE variant.base_item_key = item.item_key ${wordTests('variant.name')}))
     ORDER BY item_key LIMIT ?`,
    advertiserId,
    ...words,
    ...words,
    limits.itemSearchMax,
  );
}

function lookUp(service: Service, advertiserId: number, migrated: boolean, itemId: string): unknown {
  const found = findItem(service, migrated, itemId);
  const details = found.ok ? judgeItem(service, advertiserId, found.item, itemId) : found.details;
  if (!found.ok || details !== null) return { itemId, code: 'failure', details: details ?? messages.itemIdNotFound };
  return showItem(service, migrated, found.item);
}

function showItem(service: Service, migrated: boolean, item: ItemRow): unknown {
  const itemId = itemIdFor(migrated, item);
  const { retailHost } = service.settings;
  const variants = service.store.all<ItemRow>(
    'SELECT * FROM item WHERE base_item_key = ? ORDER BY item_key',
    item.item_key,
  );
  return {
    itemId,
    itemName: item.name,
    suggestedBid: toNumber(item.suggested_bid),
    itemImageUrl: pictureOf(service, itemId),
    itemPageUrl: `${retailHost}/ip/${itemId}`,
    variantItems: variants.map((variant) => {
      const variantItemId = itemIdFor(migrated, variant);
      return {
        variantItemId,
        variantItemName: variant.name,
        variantImageUrl: pictureOf(service, variantItemId),
      };
    }),
  };
}

function pictureOf(service: Service, itemId: string): string {
  return `${service.baseUrl()}/assets/items/${itemId}.png`;
}
