import { type Hundredths, toText } from '../decimal.ts';
import { limits } from '../limits.ts';
import { findOpenReview } from '../lookups.ts';
import { messages, ownMessages } from '../messages.ts';
import type { AdItemRow, CampaignRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { findItem, judgeItem } from './item-format.ts';

/**
 * Adding and changing ad items ("Ad items, keywords and video profile"; the moves are in `states.ts`). New bids act at
 * once and disabling is free; a new or re-enabled item is pending; a deleted one frees its place among the ten.
 */
export const itemStatuses = ['enabled', 'disabled', 'deleted'] as const;

export interface AdItemElement {
  readonly campaign: CampaignRow;
  readonly adGroupId: number;
  readonly itemId: string;
  readonly bid: Hundredths | null;
  readonly status: (typeof itemStatuses)[number] | null;
  readonly migrated: boolean;
}

/** The living row of an item in a group; deleted rows are history. */
export function findAdItem(service: Service, adGroupId: number, itemKey: number): AdItemRow | undefined {
  return service.store.one<AdItemRow>(
    "SELECT * FROM ad_item WHERE ad_group_id = ? AND item_key = ? AND status <> 'deleted'",
    adGroupId,
    itemKey,
  );
}

export function addAdItem(service: Service, element: AdItemElement): Result {
  const { campaign, adGroupId, itemId } = element;
  const found = findItem(service, element.migrated, itemId);
  if (!found.ok) return fail(found.details);
  const problem = judgeItem(service, campaign.advertiser_id, found.item, itemId) ?? judgeSentBid(element.bid, itemId);
  if (problem !== null || element.bid === null) return fail(problem ?? messages.itemBidMissing(itemId));
  if (findOpenReview(service, adGroupId) !== undefined) return fail(messages.underReviewAdd);
  if (findAdItem(service, adGroupId, found.item.item_key) !== undefined) return fail(ownMessages.duplicateItem(itemId));
  if (countAdItems(service, adGroupId) >= limits.adItemsMax) return fail(ownMessages.tooManyItems(limits.adItemsMax));
  const adItemId = service.store.run(
    `INSERT INTO ad_item (campaign_id, ad_group_id, item_key, bid, status, review_status) VALUES (?, ?, ?, ?, ?, 'pending')`,
    campaign.campaign_id,
    adGroupId,
    found.item.item_key,
    element.bid.hundredths,
    element.status ?? 'enabled',
  );
  return success('adItemId', adItemId);
}

export function changeAdItem(service: Service, element: AdItemElement): Result {
  const { adGroupId, itemId } = element;
  const found = findItem(service, element.migrated, itemId);
  if (!found.ok) return fail(found.details);
  const row = findAdItem(service, adGroupId, found.item.item_key);
  // Deleted by an earlier element of this batch.
  if (row === undefined) return fail(messages.adGroupItemNotFound);
  const problem = judgeSentBid(element.bid, itemId);
  if (problem !== null || element.bid === null) return fail(problem ?? messages.itemBidMissing(itemId));
  const status = element.status ?? row.status;
  const reenabled = status === 'enabled' && row.status !== 'enabled';
  if (reenabled && findOpenReview(service, adGroupId) !== undefined) return fail(messages.underReviewAdd);
  writeAdItem(service, row, element.bid.hundredths, status, reenabled ? 'pending' : null);
  return success('adItemId', row.ad_item_id);
}

/** @param reviewStatus the new review status, or null to leave the review as it is */
function writeAdItem(service: Service, row: AdItemRow, bid: number, status: string, reviewStatus: string | null): void {
  service.store.run(
    `UPDATE ad_item SET bid = ?, status = ?, review_status = ?, review_reason = ? WHERE ad_item_id = ?`,
    bid,
    status,
    reviewStatus ?? row.review_status,
    reviewStatus === null ? row.review_reason : null,
    row.ad_item_id,
  );
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
