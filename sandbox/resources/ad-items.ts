import { requireRead, requireWrite } from '../access.ts';
import { toNumber } from '../decimal.ts';
import { parseId, readDecimal, readElements, readId, readText, readWord, required } from '../fields.ts';
import { findAdGroup, findAdvertiser, findCampaign } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { AdItemRow, ItemRow } from '../rows.ts';
import type { Service } from '../service.ts';
import type { Result } from '../wire/results.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';
import { type AdItemElement, addAdItem, changeAdItem, findAdItem, itemStatuses } from './ad-item-changes.ts';
import { findItem, itemIdFor } from './item-format.ts';
import { approveProductsLater } from './product-approval.ts';

/** "Item and ad item endpoints": always 200 once the call itself is in order, each element with its own outcome. */
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
    // An id in the wrong format is an element's own failure; one that is no row of the group is a 404.
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

/** An item is not born deleted. */
const newItemStatuses = ['enabled', 'disabled'] as const;

/** Required fields, then existence, each over the whole batch. An empty one is malformed: these calls have no other text. */
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
    const group = findAdGroup(service, element.adGroupId);
    const campaign = findCampaign(service, group?.campaign_id ?? null);
    if (campaign === undefined || campaign.campaign_id !== element.campaignId) {
      throw new Refusal(404, messages.itemAdGroupNotFound);
    }
    return { ...element, campaign, migrated: findAdvertiser(service, campaign.advertiser_id)?.migrated === 1 };
  });
}

function requireWriteOfEach(call: Call, elements: readonly AdItemElement[]): void {
  for (const { campaign } of elements) requireWrite(call.principal, campaign.advertiser_id, 'items');
}

function listAdItems(service: Service, call: Call): readonly unknown[] {
  const campaignId = required(parseId(call.query.get('campaignId')), 'campaignId');
  const campaign = findCampaign(service, campaignId);
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  requireRead(call.principal, campaign.advertiser_id, 'items');
  const migrated = findAdvertiser(service, campaign.advertiser_id)?.migrated === 1;
  return service.store
    .all<AdItemRow & ItemRow>(
      'SELECT * FROM ad_item JOIN item USING (item_key) WHERE campaign_id = ? ORDER BY ad_item_id',
      campaignId,
    )
    .map((row) => ({
      adItemId: row.ad_item_id,
      campaignId: row.campaign_id,
      adGroupId: row.ad_group_id,
      itemId: itemIdFor(migrated, row),
      bid: toNumber(row.bid),
      status: row.status,
      reviewStatus: row.review_status,
      reviewReason: row.review_reason,
      name: row.name,
    }));
}
