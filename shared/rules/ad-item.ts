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
    name: 'No item ID',
    text: 'This ad item has no item ID. Find the item with item search and use its ID.',
  },
  'id-scientific': {
    bit: 1,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    name: 'Item ID lost its digits',
    text: `Item ID "{itemId}" was changed by a spreadsheet program and can't be recovered. Find the item with item search.`,
  },
  'id-lost-zeros': {
    bit: 2,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    name: 'Item ID too short',
    text: 'Item ID "{itemId}" has {length} digits instead of 10. A spreadsheet program may have removed leading zeros. Find the item with item search.',
  },
  'id-too-long': {
    bit: 3,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    name: 'Item ID too long',
    text: 'Item ID "{itemId}" has {length} digits instead of 10. Find the item with item search.',
  },
  'id-format': {
    bit: 4,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    name: 'Invalid item ID',
    text: 'Item ID "{itemId}" is not valid: item IDs have 10 digits, or "prod" and digits. Find the item with item search.',
  },
  'id-legacy-after-migration': {
    bit: 5,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    needs: 'migration status',
    name: 'Item ID in the old format',
    text: 'Item ID "{itemId}" has the old format, but this account uses the new one. The service would not accept it. Find the new ID with item search.',
  },
  'id-new-before-migration': {
    bit: 6,
    severity: 'error',
    fields: ['itemId'],
    section: 'Versioning',
    needs: 'migration status',
    name: 'Item ID in the new format',
    text: 'Item ID "{itemId}" has the new format, but this account is not migrated yet. The service would not accept it. Find the old ID with item search.',
  },
  'id-legacy-soon': {
    bit: 7,
    severity: 'advice',
    fields: ['itemId'],
    section: 'Versioning',
    needs: 'migration status',
    name: 'Item ID expires soon',
    text: 'Item ID "{itemId}" has the old format, which the service accepts until {cutover}. Sync it before then, or find the new ID with item search.',
  },
  duplicate: {
    bit: 9,
    severity: 'error',
    fields: ['itemId'],
    scope: 'ad group',
    name: 'Item added twice',
    text: 'Item "{label}" is in the ad group twice. Delete one of them.',
  },
  'too-many': {
    bit: 10,
    severity: 'error',
    scope: 'ad group',
    section: 'Limits',
    name: 'Too many items',
    text: 'The ad group has more than {max} items. Delete item "{label}" or another one.',
  },
  'bid-required': {
    bit: 11,
    severity: 'error',
    fields: ['bid'],
    name: 'Item without a bid',
    text: 'Item "{label}" has no bid. Enter a bid.',
  },
  'bid-positive': {
    bit: 12,
    severity: 'error',
    fields: ['bid'],
    name: 'Item bid is zero',
    text: 'The bid of item "{label}" is {bid:money}, but it must be above 0. Enter an amount.',
  },
  'bid-floor': {
    bit: 13,
    severity: 'error',
    fields: ['bid'],
    section: 'Errors',
    name: 'Item bid too low',
    text: 'The bid of item "{label}" is {bid:money}, below the minimum of {floor:money}. Raise the bid.',
  },
  'bid-high': {
    bit: 14,
    severity: 'warning',
    fields: ['bid'],
    section: 'practice',
    name: 'Item bid very high',
    text: 'The bid of item "{label}" is {bid:money}, above {max:money}. Check the decimal point.',
  },
  'bid-over-daily': {
    bit: 15,
    severity: 'warning',
    fields: ['bid'],
    scope: 'campaign',
    section: 'practice',
    name: 'Item bid above the budget',
    text: 'The bid of item "{label}" ({bid:money}) is above the daily budget of its campaign ({daily:money}). Lower the bid or raise the budget.',
  },
  rejected: {
    bit: 16,
    severity: 'warning',
    fields: ['reviewStatus'],
    section: 'Review',
    needs: 'service state',
    name: 'Item rejected',
    text: 'The review rejected item "{label}": {reason}. Replace the item, or fix the cause and resubmit.',
  },
  'under-review': {
    bit: 17,
    severity: 'warning',
    section: 'Review status',
    needs: 'service state',
    name: 'Item held by a review',
    text: `Item "{label}" can't be added while its ad group is in review. Adslate sends it after the review. To send it sooner, cancel the review.`,
  },
  'enable-costs-review': {
    bit: 18,
    severity: 'advice',
    fields: ['status'],
    needs: 'service state',
    name: 'Item needs a new review',
    text: `Enabling item "{label}" needs a new review. If you can't wait for a review, leave the item disabled.`,
  },
  'deleted-for-good': {
    bit: 23,
    severity: 'error',
    fields: ['status'],
    section: 'Errors',
    needs: 'service state',
    name: 'Item permanently deleted',
    text: 'Item "{label}" was permanently deleted on the service. Revert the change. To use the item again, add it as a new row.',
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
      if (isNew(item)) checkItemInCatalog(item, itemId, env, report);
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

/** Rules for new ad items by the results of the item search (document, "Per-element failures"). */
export const itemCatalogRules = rulesOf(
  'adItem',
  'item',
  { section: 'Errors', fields: ['itemId'], needs: 'catalog' },
  {
    'id-unconfirmed': {
      bit: 8,
      severity: 'warning',
      name: 'Items not verified',
      text: 'Item ID "{itemId}" has not been checked yet. It might be unknown, unpublished or not yours. The next sync checks it before sending.',
    },
    'not-in-catalogue': {
      bit: 19,
      severity: 'error',
      name: 'Item not in the catalog',
      text: 'Item ID "{itemId}" was not found in the catalog. Find the item with item search.',
    },
    unreadable: {
      bit: 20,
      severity: 'warning',
      name: 'Item could not be read',
      text: `Item "{label}" is in the catalog, but it couldn't be read in the last check. The next sync checks it again. If it still can't be read, use another item.`,
    },
    unpublished: {
      bit: 21,
      severity: 'error',
      name: 'Item not published',
      text: 'Item "{label}" is not published. Publish it, or use another item.',
    },
    'not-owned': {
      bit: 22,
      severity: 'error',
      name: 'Item of another seller',
      text: 'Item "{label}" or its base item belongs to another seller. Use one of your items.',
    },
  },
);

const RULE_OF = {
  'not-found': 'not-in-catalogue',
  unreadable: 'unreadable',
  unpublished: 'unpublished',
  'not-owned': 'not-owned',
} as const;

/** An ID in one of the two formats; for any other, the format is the problem. */
const USABLE = /^(?:\d{10}|prod\d+)$/;
/** Trusted sources of an ID: the search, and the service itself. */
const TRUSTED: ReadonlySet<string | null> = new Set(['search', 'service']);

/** @param item a row that is not on the service yet; existing ones need no check */
function checkItemInCatalog(item: Row<'adItem'>, itemId: string, { catalog }: RuleEnv, report: Report): void {
  if (!USABLE.test(itemId)) return;
  const verdict = catalog?.verdict(itemId) ?? null;
  if (verdict === null) {
    if (!TRUSTED.has(item.values.itemIdSource)) report.add(itemCatalogRules['id-unconfirmed'], item, { itemId });
  } else if (verdict !== 'found') report.add(itemCatalogRules[RULE_OF[verdict]], item, { itemId });
}
