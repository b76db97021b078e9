import { requireRead, requireWrite } from '../access.ts';
import { findOpenReview } from '../campaign-states.ts';
import {
  type Hundredths,
  parseId,
  readDecimal,
  readElements,
  readId,
  readText,
  readWord,
  required,
  toText,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import { type AdItemRow, type CampaignRow, type ItemRow, showRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';
import { approveProductsLater, findItem, itemIdFor, judgeItem } from './item-search.ts';

/** "Item and ad item endpoints": always 200 if the call itself is valid, with a result per element. */
export const adItemRoutes: readonly Route[] = [
  read('/api/v1/adItems', listAdItems),
  create('/api/v1/adItems', createAdItems),
  update('/api/v1/adItems', updateAdItems),
];

function createAdItems(service: Service, call: Call): readonly Result[] {
  const elements = readAdItems(service, call, newItemStatuses);
  requireWriteOfEach(call, elements);
  const results = elements.map((element) => addAdItem(service, element));
  approveProductsLater(service, elements);
  return results;
}

function updateAdItems(service: Service, call: Call): readonly Result[] {
  const elements = readAdItems(service, call, itemStatuses);
  for (const { itemId, adGroupId, migrated } of elements) {
    // An ID in the wrong format fails its element; an item that is not in the group is a 404.
    const found = findItem(service, migrated, itemId);
    if (found.ok && findAdItem(service, adGroupId, found.item.item_key) === undefined) {
      throw new Refusal(404, messages.adGroupItemNotFound);
    }
  }
  requireWriteOfEach(call, elements);
  const results = elements.map((element) => changeAdItem(service, element));
  approveProductsLater(service, elements);
  return results;
}

/** A new item can't be deleted. */
const newItemStatuses = ['enabled', 'disabled'] as const;

/**
 * Checks required fields, then existence, each over the whole batch. An empty batch is malformed: these calls have no
 * other text.
 */
function readAdItems(
  service: Service,
  call: Call,
  statuses: readonly (typeof itemStatuses)[number][],
): readonly AdItemElement[] {
  const elements = readElements(call.body, messages.invalidParameters).map((fields) => ({
    campaignId: required(readId(fields, 'campaignId'), 'campaignId'),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId'),
    itemId: required(readText(fields, 'itemId'), 'itemId'),
    bid: readDecimal(fields, 'bid'),
    status: readWord(fields, 'status', statuses),
  }));
  return elements.map((element) => {
    const group = service.store.find('ad_group', element.adGroupId);
    const campaign = service.store.find('campaign', group?.campaign_id ?? null);
    if (campaign === undefined || campaign.campaign_id !== element.campaignId) {
      throw new Refusal(404, messages.itemAdGroupNotFound);
    }
    return { ...element, campaign, migrated: service.store.find('advertiser', campaign.advertiser_id)?.migrated === 1 };
  });
}

function requireWriteOfEach(call: Call, elements: readonly AdItemElement[]): void {
  for (const { campaign } of elements) requireWrite(call.principal, campaign.advertiser_id, 'items');
}

function listAdItems(service: Service, call: Call): readonly unknown[] {
  const campaignId = required(parseId(call.query.get('campaignId')), 'campaignId');
  const campaign = service.store.find('campaign', campaignId);
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  requireRead(call.principal, campaign.advertiser_id, 'items');
  const migrated = service.store.find('advertiser', campaign.advertiser_id)?.migrated === 1;
  return service.store
    .all<AdItemRow & ItemRow>(
      'SELECT * FROM ad_item JOIN item USING (item_key) WHERE campaign_id = ? ORDER BY ad_item_id',
      campaignId,
    )
    .map((row) => ({
      ...showRow('ad_item', row),
      itemId: itemIdFor(migrated, row),
      name: row.name,
    }));
}

/**
 * Adding and changing ad items ("Ad items, keywords and video profile"; the moves are in `states.ts`). New bids apply
 * at once, and items can always be disabled; a new or re-enabled item is pending; a deleted one no longer counts
 * towards the ten.
 */
const itemStatuses = ['enabled', 'disabled', 'deleted'] as const;

interface AdItemElement {
  readonly campaign: CampaignRow;
  readonly adGroupId: number;
  readonly itemId: string;
  readonly bid: Hundredths | null;
  readonly status: (typeof itemStatuses)[number] | null;
  readonly migrated: boolean;
}

/** The row of an item in a group that is not deleted; deleted rows are kept as history. */
function findAdItem(service: Service, adGroupId: number, itemKey: number): AdItemRow | undefined {
  return service.store.one<AdItemRow>(
    "SELECT * FROM ad_item WHERE ad_group_id = ? AND item_key = ? AND status <> 'deleted'",
    adGroupId,
    itemKey,
  );
}

function addAdItem(service: Service, element: AdItemElement): Result {
  const { campaign, adGroupId, itemId } = element;
  const found = findItem(service, element.migrated, itemId);
  if (!found.ok) return fail(found.details);
  const problem = judgeItem(service, campaign.advertiser_id, found.item, itemId) ?? judgeSentBid(element.bid, itemId);
  if (problem !== null || element.bid === null) return fail(problem ?? messages.itemBidMissing(itemId));
  if (findOpenReview(service, adGroupId) !== undefined) return fail(messages.underReviewAdd);
  if (findAdItem(service, adGroupId, found.item.item_key) !== undefined) return fail(ownMessages.duplicateItem(itemId));
  if (countAdItems(service, adGroupId) >= limits.adItemsMax) return fail(ownMessages.tooManyItems(limits.adItemsMax));
  const adItemId = service.store.insert('ad_item', {
    campaign_id: campaign.campaign_id,
    ad_group_id: adGroupId,
    item_key: found.item.item_key,
    bid: element.bid.hundredths,
    status: element.status ?? 'enabled',
    review_status: 'pending',
  });
  return success('adItemId', adItemId);
}

function changeAdItem(service: Service, element: AdItemElement): Result {
  const { adGroupId, itemId } = element;
  const found = findItem(service, element.migrated, itemId);
  if (!found.ok) return fail(found.details);
  const row = findAdItem(service, adGroupId, found.item.item_key);
  // An earlier element of this batch deleted it.
  if (row === undefined) return fail(messages.adGroupItemNotFound);
  const problem = judgeSentBid(element.bid, itemId);
  if (problem !== null || element.bid === null) return fail(problem ?? messages.itemBidMissing(itemId));
  const status = element.status ?? row.status;
  const reenabled = status === 'enabled' && row.status !== 'enabled';
  if (reenabled && findOpenReview(service, adGroupId) !== undefined) return fail(messages.underReviewAdd);
  const review = reenabled ? { review_status: 'pending', review_reason: null } : {};
  service.store.update('ad_item', row.ad_item_id, { bid: element.bid.hundredths, status, ...review });
  return success('adItemId', row.ad_item_id);
}

function judgeSentBid(bid: Hundredths | null, itemId: string): string | null {
  if (bid === null) return messages.itemBidMissing(itemId);
  return judgeItemBid(bid.negative ? 0 : bid.hundredths);
}

export function judgeItemBid(bidCents: number): string | null {
  const floor = limits.itemBidFloorCents;
  return bidCents < floor ? messages.bidBelowFloor(toText(floor)) : null;
}

function countAdItems(service: Service, adGroupId: number): number {
  return (
    service.store.one<{ n: number }>(
      "SELECT count(*) AS n FROM ad_item WHERE ad_group_id = ? AND status <> 'deleted'",
      adGroupId,
    )?.n ?? 0
  );
}

function fail(details: string): Result {
  return failure('adItemId', details);
}
