import type { CampaignTree } from '../model/campaign-tree.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { controlCharacterAt, textKey } from '../model/text.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';

/** Rules for ad groups, and for all rows of a group together. */
export const adGroupRules = rulesOf('adGroup', 'ad-group', 'Campaign and ad group (fields named by the workflows)', {
  'name-required': {
    bit: 0,
    severity: 'error',
    fields: ['name'],
    name: 'Ad group without a name',
    text: 'An ad group in this campaign has no name. Enter a name.',
  },
  'name-characters': {
    bit: 1,
    severity: 'error',
    fields: ['name'],
    name: 'Damaged ad group name',
    text: 'The name of ad group "{label}" contains an invisible character at position {at}. Enter the name again.',
  },
  'name-unique': {
    bit: 2,
    severity: 'warning',
    fields: ['name'],
    scope: 'campaign',
    name: 'Ad group name used twice',
    text: 'Two ad groups in this campaign are named "{label}". Give one of them another name.',
  },
  'too-many': {
    bit: 3,
    severity: 'error',
    scope: 'campaign',
    section: 'Limits',
    name: 'Too many ad groups',
    text: 'The campaign has more than {max} ad groups. Move the items and keywords of "{label}" to another ad group, then delete "{label}".',
  },
  'too-few-items': {
    bit: 4,
    severity: 'warning',
    scope: 'ad group',
    section: 'Limits',
    name: 'Too few items',
    text: 'Ad group "{label}" has {count} enabled items, but needs at least {min}. Add items.',
  },
  'few-items': {
    bit: 5,
    severity: 'advice',
    scope: 'ad group',
    section: 'Limits',
    name: 'Few items',
    text: 'Ad group "{label}" has {count} enabled items, fewer than the recommended {recommended}. Add items, so that one out-of-stock item does not stop the ad.',
  },
  disabled: {
    bit: 6,
    severity: 'advice',
    fields: ['status'],
    section: 'practice',
    name: 'Disabled ad group',
    text: 'Ad group "{label}" is disabled while its campaign is enabled, so no ads are shown. Enable the ad group or pause the campaign.',
  },
  'one-match-type': {
    bit: 7,
    severity: 'advice',
    scope: 'ad group',
    section: 'practice',
    name: 'Only one match type',
    text: 'All {count} keywords in ad group "{label}" have match type {matchType}. Add another match type to learn which works better.',
  },
  'same-bids': {
    bit: 8,
    severity: 'advice',
    scope: 'ad group',
    section: 'practice',
    name: 'Same bid everywhere',
    text: 'All {count} keywords in ad group "{label}" have the bid {bid:money}. Set each bid by what the keyword is worth.',
  },
  'review-rejected': {
    bit: 9,
    severity: 'warning',
    fields: ['reviewStatus'],
    section: 'Review status',
    needs: 'service state',
    name: 'Ad group rejected',
    text: 'Ad group "{label}" was rejected in its last review. Fix the rejected parts and resubmit.',
  },
  'name-unseen': {
    bit: 11,
    severity: 'warning',
    fields: ['name'],
    section: 'practice',
    name: 'Invisible characters in an ad group name',
    text: 'The name of ad group "{shown}" contains invisible characters, so it can look like another name. Enter the name again.',
  },
  'nearly-full': {
    bit: 10,
    severity: 'advice',
    scope: 'ad group',
    section: 'Limits',
    name: 'Ad group almost full',
    text: 'Ad group "{label}" has {count} of up to {max} distinct enabled keywords. Pause weak keywords before you add more.',
  },
});

const MANY_KEYWORDS = 10;

export function checkAdGroups(tree: CampaignTree, env: RuleEnv, report: Report): void {
  const names = new Set<string>();
  let position = 0;
  for (const group of tree.adGroups) {
    if (isDeleted(group)) continue;
    position++;
    checkGroup(group, tree, report);
    const key = textKey(group.values.name ?? '');
    if (key !== '' && names.has(key)) report.add(adGroupRules['name-unique'], group);
    names.add(key);
    const max = env.profile.campaign.adGroupsMax;
    if (position > max) report.add(adGroupRules['too-many'], group, { max });
    checkItemCount(group, tree, env, report);
  }
}

function checkGroup(group: Row<'adGroup'>, { campaign }: CampaignTree, report: Report): void {
  const { name, status, reviewStatus } = group.values;
  if (isMissing(group, 'name')) report.add(adGroupRules['name-required'], group);
  if (name !== null && controlCharacterAt(name) >= 0) {
    report.add(adGroupRules['name-characters'], group, { at: controlCharacterAt(name) + 1 });
  }
  if (name !== null) reportUnseen(adGroupRules['name-unseen'], group, 'name', name, report);
  if (status === 'disabled' && campaign.values.status === 'enabled') {
    report.add(adGroupRules.disabled, group, {}, { field: 'status', value: 'enabled' });
  }
  if (reviewStatus === 'rejected') report.add(adGroupRules['review-rejected'], group);
}

function checkItemCount(group: Row<'adGroup'>, tree: CampaignTree, { profile }: RuleEnv, report: Report): void {
  let count = 0;
  for (const item of tree.adItems) {
    const isOn = item.values.status !== 'disabled' && item.values.status !== 'deleted';
    if (item.adGroupId === group.id && isOn && !isDeleted(item)) count++;
  }
  const { min, recommended } = profile.adItems;
  if (count > 0 && count < min) report.add(adGroupRules['too-few-items'], group, { count, min });
  else if (count > 0 && count < recommended) report.add(adGroupRules['few-items'], group, { count, recommended });
}

/** Totals over the keywords of one group, collected while they are checked. */
export interface KeywordShape {
  readonly count: number;
  readonly distinct: number;
  /** The one match type and the one bid of all keywords, or null when there are several. */
  readonly onlyMatchType: string | null;
  readonly onlyBid: number | null;
}

export function checkKeywordShape(
  groupId: RowId,
  shape: KeywordShape,
  tree: CampaignTree,
  env: RuleEnv,
  report: Report,
): void {
  const group = tree.adGroups.find((row) => row.id === groupId);
  if (group === undefined || isDeleted(group)) return;
  const { count, distinct, onlyMatchType, onlyBid } = shape;
  const max = env.profile.keywords.maxDistinctEnabled;
  if (distinct > max * 0.9 && distinct <= max) report.add(adGroupRules['nearly-full'], group, { count: distinct, max });
  if (count < MANY_KEYWORDS) return;
  if (onlyMatchType !== null) report.add(adGroupRules['one-match-type'], group, { count, matchType: onlyMatchType });
  if (onlyBid !== null) report.add(adGroupRules['same-bids'], group, { count, bid: onlyBid });
}
