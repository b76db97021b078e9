import { requireRead } from '../access.ts';
import { HOUR_MS } from '../clock.ts';
import { schedule } from '../due.ts';
import { fieldOf, readId, readObject, readText, required, toNumber } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import type { CampaignRow, ItemRow } from '../tables.ts';
import { ask, type Call, type Route } from '../wire/route.ts';

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
  const migrated = service.store.find('advertiser', advertiserId)?.migrated === 1;
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

/**
 * Every word must occur in the name, or in that of one variant; only items that the advertiser can advertise are found.
 */
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
  const variants = service.store.list('item', { base_item_key: item.item_key });
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

/**
 * "Item identifier migration": an unmigrated account sees `prod` and digits, a migrated one ten digits. Rows refer to
 * the item itself, so they show the new ID as soon as the account is migrated.
 */
function isFormatOf(migrated: boolean, itemId: string): boolean {
  return migrated ? /^\d{10}$/.test(itemId) : /^prod\d+$/.test(itemId);
}

export function itemIdFor(migrated: boolean, item: Pick<ItemRow, 'legacy_id' | 'us_id'>): string {
  return migrated ? item.us_id : item.legacy_id;
}

type FoundItem = { readonly ok: true; readonly item: ItemRow } | { readonly ok: false; readonly details: string };

/** Finds an item by the caller's ID. The failures are those of "Per-element failures", in the table's order. */
export function findItem(service: Service, migrated: boolean, itemId: string): FoundItem {
  if (!isFormatOf(migrated, itemId)) return { ok: false, details: messages.itemIdWrongFormat(itemId) };
  const [item] = service.store.list('item', migrated ? { us_id: itemId } : { legacy_id: itemId });
  return item === undefined ? { ok: false, details: messages.itemIdNotFound } : { ok: true, item };
}

/** Why an advertiser can't advertise an existing item, or null. */
export function judgeItem(service: Service, advertiserId: number, item: ItemRow, itemId: string): string | null {
  if (item.readable === 0) return messages.itemUnreadable(itemId);
  const base = item.base_item_key === null ? item : service.store.find('item', item.base_item_key);
  if (item.advertiser_id !== advertiserId || base?.advertiser_id !== advertiserId) return messages.itemNotOwned(itemId);
  return item.published === 0 ? messages.itemUnpublished(itemId) : null;
}

/**
 * New items and keywords of sponsoredProducts campaigns are pending like all new ones, but such campaigns are not
 * submitted for review: the system approves them within the hour.
 */
export function approveProductsLater(service: Service, elements: readonly { readonly campaign: CampaignRow }[]): void {
  const campaigns = elements.map(({ campaign }) => campaign);
  const products = campaigns.filter((campaign) => campaign.campaign_type === 'sponsoredProducts');
  for (const campaignId of new Set(products.map((campaign) => campaign.campaign_id))) {
    schedule(service, 'product.approve', campaignId, service.clock.now() + HOUR_MS);
  }
}

export function approveDueProducts(service: Service, subject: string): void {
  const { store } = service;
  const campaignId = Number(subject);
  store.run(
    "UPDATE ad_item SET review_status = 'approved' WHERE campaign_id = ? AND review_status = 'pending'",
    campaignId,
  );
  store.run("UPDATE keyword SET status = 'approved' WHERE campaign_id = ? AND status = 'pending'", campaignId);
}
