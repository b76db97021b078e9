import { isTerminal, isUnderReview, needsReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { isMissing, type Report, type RuleEnv, rulesOf } from './rule.ts';

/** Ad items: ids against the account's migration, bids, and the number of items in a group. */
export const adItemRules = rulesOf('adItem', 'item', 'Ad item', {
  'id-required': {
    bit: 0,
    severity: 'error',
    fields: ['itemId'],
    text: 'An ad item has no item id. Find the item with the item search and take its id.',
  },
  'id-scientific': {
    bit: 1,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    text: 'Item id "{itemId}" was changed by a spreadsheet program and cannot be told any more. Find the item with the item search.',
  },
  'id-lost-zeros': {
    bit: 2,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    text: 'Item id "{itemId}" has {length} digits; an id has 10, with leading zeros. A spreadsheet program may have dropped them. Find the item with the item search.',
  },
  'id-too-long': {
    bit: 3,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    text: 'Item id "{itemId}" has {length} digits; an id has 10. Find the item with the item search.',
  },
  'id-format': {
    bit: 4,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    text: 'Item id "{itemId}" is neither 10 digits nor "prod" with digits. Find the item with the item search.',
  },
  'id-legacy-after-migration': {
    bit: 5,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    needs: 'migration status',
    text: 'Item id "{itemId}" is of the old form, and the account has been migrated: the service answers ITEMID_NOT_FOUND. Find the item with the item search.',
  },
  'id-new-before-migration': {
    bit: 6,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    needs: 'migration status',
    text: 'Item id "{itemId}" is of the new form, and the account has not been migrated: the service answers ITEMID_NOT_FOUND. Find the item with the item search.',
  },
  'id-legacy-soon': {
    bit: 7,
    severity: 'advice',
    fields: ['itemId'],
    section: 'Versioning',
    needs: 'migration status',
    text: 'Item id "{itemId}" is of the old form, which is accepted until {cutover}. Send it before, or find the new id with the item search.',
  },
  duplicate: {
    bit: 9,
    severity: 'error',
    fields: ['itemId'],
    scope: 'ad group',
    text: 'Item "{label}" is in the ad group twice. Delete one of the two.',
  },
  'too-many': {
    bit: 10,
    severity: 'error',
    scope: 'ad group',
    section: 'Limits',
    text: 'Item "{label}" is one too many: an ad group has at most {max} items. Delete an item.',
  },
  'bid-required': {
    bit: 11,
    severity: 'error',
    fields: ['bid'],
    text: 'Item "{label}" has no bid; the service answers "Item is missing bid value". Type a bid.',
  },
  'bid-positive': {
    bit: 12,
    severity: 'error',
    fields: ['bid'],
    text: 'The bid of item "{label}" is {bid:money}; it must be above 0. Type an amount.',
  },
  'bid-floor': {
    bit: 13,
    severity: 'error',
    fields: ['bid'],
    section: 'Errors',
    text: 'The bid of item "{label}" is {bid:money}, below the lowest bid of {floor:money}. Raise it.',
  },
  'bid-high': {
    bit: 14,
    severity: 'warning',
    fields: ['bid'],
    section: 'practice',
    text: 'The bid of item "{label}" is {bid:money}, above {max:money}. Check the decimal point.',
  },
  'bid-over-daily': {
    bit: 15,
    severity: 'warning',
    fields: ['bid'],
    scope: 'campaign',
    section: 'practice',
    text: 'The bid of item "{label}" ({bid:money}) is above the daily budget of its campaign ({daily:money}). Lower the bid or raise the budget.',
  },
  rejected: {
    bit: 16,
    severity: 'warning',
    fields: ['reviewStatus'],
    section: 'Review',
    needs: 'service state',
    text: 'The review rejected item "{label}": {reason}. Replace it, or correct the cause and submit again.',
  },
  'under-review': {
    bit: 17,
    severity: 'warning',
    section: 'Review status',
    needs: 'service state',
    text: 'Item "{label}" cannot be added while the ad group is under review. It waits until the review ends; or cancel the review.',
  },
  'enable-costs-review': {
    bit: 18,
    severity: 'advice',
    fields: ['status'],
    needs: 'service state',
    text: 'Item "{label}" is enabled again, which needs a new review. Leave it disabled if the review cannot wait.',
  },
  'deleted-for-good': {
    bit: 23,
    severity: 'error',
    fields: ['status'],
    section: 'Errors',
    needs: 'service state',
    text: 'Item "{label}" is deleted on the service, which is for good; it answers "AdGroupItem not found". Revert the change, and add the item anew if it is wanted.',
  },
});

const LEGACY = /^prod\d+$/;
const SCIENTIFIC = /^\d(?:[.,]\d+)?[eE]\+?\d+$/;

/** Items that an ad group of a campaign of this type may have. */
function itemLimit({ adItems: { max, maxOf } }: RuleEnv['profile'], type: string | null): number {
  const own = type === 'sponsoredProducts' || type === 'sba' || type === 'video' ? maxOf[type] : null;
  return own ?? max;
}

export function checkAdItems(tree: CampaignTree, env: RuleEnv, report: Report): void {
  if (tree.adItems.length === 0) return;
  const seen = new Set<string>();
  const countByGroup = new Map<number | null, number>();
  const underReview = tree.adGroups.some(isUnderReview);
  const max = itemLimit(env.profile, tree.campaign.values.campaignType);
  for (const item of tree.adItems) {
    if (isDeleted(item)) continue;
    if (item.base !== null && isTerminal(item)) report.add(adItemRules['deleted-for-good'], item);
    if (item.values.status === 'deleted') continue;
    const { itemId } = item.values;
    if (isMissing(item, 'itemId')) report.add(adItemRules['id-required'], item);
    if (itemId !== null) {
      checkItemId(item, itemId, env, report);
      if (isNew(item)) checkItemInCatalogue(item, itemId, env, report);
      const key = `${item.adGroupId} ${itemId}`;
      if (seen.has(key)) report.add(adItemRules.duplicate, item);
      seen.add(key);
    }
    const count = (countByGroup.get(item.adGroupId) ?? 0) + 1;
    countByGroup.set(item.adGroupId, count);
    if (count > max) report.add(adItemRules['too-many'], item, { max });
    checkItemBid(item, tree.campaign.values.dailyBudget, env, report);
    checkItemState(item, tree.campaign, underReview, report);
  }
}

function checkItemId(item: Row<'adItem'>, itemId: string, env: RuleEnv, report: Report): void {
  const length = itemId.length;
  if (/^\d+$/.test(itemId)) {
    if (length < 10) report.add(adItemRules['id-lost-zeros'], item, { itemId, length });
    else if (length > 10) report.add(adItemRules['id-too-long'], item, { itemId, length });
    else if (env.migrated === false) report.add(adItemRules['id-new-before-migration'], item, { itemId });
  } else if (LEGACY.test(itemId)) {
    const { cutover } = env.profile.migration;
    const isOver = env.migrated === true || env.today >= cutover;
    const rule = adItemRules[isOver ? 'id-legacy-after-migration' : 'id-legacy-soon'];
    if (isNew(item) || !isOver) report.add(rule, item, { itemId, cutover });
  } else report.add(adItemRules[SCIENTIFIC.test(itemId) ? 'id-scientific' : 'id-format'], item, { itemId });
}

function checkItemBid(item: Row<'adItem'>, daily: number | null, { profile }: RuleEnv, report: Report): void {
  const { bid } = item.values;
  const { floorItemCents: floor, maxCents: max } = profile.bid;
  if (isMissing(item, 'bid')) report.add(adItemRules['bid-required'], item);
  if (bid === null) return;
  if (bid <= 0) report.add(adItemRules['bid-positive'], item, { bid });
  else if (floor !== null && bid < floor) {
    report.add(adItemRules['bid-floor'], item, { bid, floor }, { field: 'bid', value: floor });
  } else if (bid > max) report.add(adItemRules['bid-high'], item, { bid, max });
  else if (daily !== null && daily > 0 && bid > daily) report.add(adItemRules['bid-over-daily'], item, { bid, daily });
}

function checkItemState(item: Row<'adItem'>, campaign: Row<'campaign'>, underReview: boolean, report: Report): void {
  const { reviewStatus, reviewReason, status } = item.values;
  if (reviewStatus === 'rejected')
    report.add(adItemRules.rejected, item, { reason: reviewReason ?? 'no reason given' });
  if (underReview && isNew(item)) report.add(adItemRules['under-review'], item);
  const isReenabled = item.base !== null && item.base.status === 'disabled' && status === 'enabled';
  if (isReenabled && needsReview(campaign)) report.add(adItemRules['enable-costs-review'], item);
}

/** New ad items against what the item search has said of their ids (document, "Per-element failures"). */
export const itemCatalogueRules = rulesOf('adItem', 'item', 'Errors', {
  'id-unconfirmed': {
    bit: 8,
    severity: 'warning',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item id "{itemId}" has not been seen in the item search: it may be unknown, unpublished or not yours. Look it up; a sync does so before it sends.',
  },
  'not-in-catalogue': {
    bit: 19,
    severity: 'error',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'The item search does not know item id "{itemId}"; the service answers "Item Id not found". Find the item with the item search.',
  },
  unreadable: {
    bit: 20,
    severity: 'warning',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item "{label}" is in the catalogue, but could not be read when it was last looked up. A sync looks again before it sends; take another item if this stays.',
  },
  unpublished: {
    bit: 21,
    severity: 'error',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item "{label}" is not published; the service answers "Cannot upload unpublished item". Publish it, or take another item.',
  },
  'not-owned': {
    bit: 22,
    severity: 'error',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item "{label}" or its base item belongs to somebody else, and the service refuses it. Take an item of your own.',
  },
});

const RULE_OF = {
  'not-found': 'not-in-catalogue',
  unreadable: 'unreadable',
  unpublished: 'unpublished',
  'not-owned': 'not-owned',
} as const;

/** An id in one of the two formats; of any other the format is what is wrong. */
const USABLE = /^(?:\d{10}|prod\d+)$/;
/** Sources that vouch for an id: the search it was picked from, and the service itself. */
const TRUSTED: ReadonlySet<string | null> = new Set(['search', 'service']);

/** @param item a row that the service has not got yet; what is there already needs no proof */
function checkItemInCatalogue(item: Row<'adItem'>, itemId: string, { catalogue }: RuleEnv, report: Report): void {
  if (!USABLE.test(itemId)) return;
  const verdict = catalogue?.verdict(itemId) ?? null;
  if (verdict === null) {
    if (!TRUSTED.has(item.values.itemIdSource)) report.add(itemCatalogueRules['id-unconfirmed'], item, { itemId });
  } else if (verdict !== 'found') report.add(itemCatalogueRules[RULE_OF[verdict]], item, { itemId });
}
