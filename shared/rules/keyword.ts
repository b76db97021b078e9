import { isUnderReview, needsReview } from '../lifecycle/service-state.ts';
import { isTerminal } from '../lifecycle/switch-states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { keywordKey } from '../model/keyword-key.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { checkKeywordShape } from './ad-group.ts';
import { keywordRules } from './keyword-rules.ts';
import { isBroadAboveExact, KeywordTally, matchTypesOf } from './keyword-tally.ts';
import { checkKeywordText } from './keyword-text.ts';
import { isMissing, type Report, type Rule, type RuleEnv } from './rule.ts';

/**
 * Keywords are the many rows of an account, so this pass makes no findings, lists or texts while nothing is wrong:
 * rules are tested by hand-written comparisons, and one map per ad group answers for duplicates and distinct texts.
 */
export function checkKeywords(tree: CampaignTree, env: RuleEnv, report: Report): void {
  if (tree.keywords.length === 0) return;
  const limits = keywordLimits(tree, env);
  const tallies = new Map<number | null, KeywordTally>();
  let tally = new KeywordTally();
  let groupId: number | null | undefined;
  for (const row of tree.keywords) {
    if (isDeleted(row)) continue;
    if (row.base !== null && isTerminal(row)) report.add(keywordRules['archived-for-good'], row);
    if (row.values.state === 'archived') continue;
    if (row.adGroupId !== groupId) {
      groupId = row.adGroupId;
      tally = tallies.get(groupId) ?? new KeywordTally();
      tallies.set(groupId, tally);
    }
    checkKeyword(row, limits, report);
    countKeyword(row, tally, limits, report);
  }
  if ([...tallies.values()].some((one) => one.belowBroad.size > 0)) checkBroadBefore(tree, tallies, report);
  for (const group of tree.adGroups) {
    const shape = tallies.get(group.id)?.shape();
    if (shape !== undefined) checkKeywordShape(group.id, shape, tree, env, report);
  }
}

interface KeywordLimits {
  readonly floor: number;
  readonly isVideo: boolean;
  readonly isAuto: boolean;
  readonly max: number;
  readonly daily: number;
  readonly textMax: number;
  readonly distinctMax: number;
  readonly matchTypesMax: number;
  readonly underReview: boolean;
  /** Whether what is switched on again costs a review. */
  readonly isReviewed: boolean;
  /** In seed words a new keyword has no state of its own (wire shapes, section 4). */
  readonly isBornEnabled: boolean;
}

function keywordLimits({ campaign, adGroups }: CampaignTree, { profile }: RuleEnv): KeywordLimits {
  const { campaignType, targetingType, dailyBudget } = campaign.values;
  const isVideo = campaignType === 'video';
  return {
    isVideo,
    floor: isVideo ? profile.bid.floorVideoKeywordCents : 1,
    isAuto: targetingType === 'auto',
    max: profile.bid.maxCents,
    daily: dailyBudget !== null && dailyBudget > 0 ? dailyBudget : Number.MAX_SAFE_INTEGER,
    textMax: profile.keywords.textMax,
    distinctMax: profile.keywords.maxDistinctEnabled,
    matchTypesMax: profile.keywords.maxMatchTypes,
    underReview: adGroups.some(isUnderReview),
    isReviewed: needsReview(campaign),
    isBornEnabled: profile.wire.dialect === 'seed',
  };
}

function checkKeyword(row: Row<'keyword'>, limits: KeywordLimits, report: Report): void {
  const { text, matchType, bid, reviewStatus } = row.values;
  if (text === null) reportMissing(row, 'text', keywordRules['text-required'], report);
  else checkKeywordText(row, text, limits.textMax, report);
  if (matchType === null) reportMissing(row, 'matchType', keywordRules['match-type-required'], report);
  if (bid === null) reportMissing(row, 'bid', keywordRules['bid-required'], report);
  else if (bid < limits.floor) {
    const { floor } = limits;
    if (bid <= 0) report.add(keywordRules['bid-positive'], row, { bid });
    else report.add(keywordRules['bid-floor-video'], row, { bid, floor }, { field: 'bid', value: floor });
  } else if (bid > limits.max) report.add(keywordRules['bid-high'], row, { bid, max: limits.max });
  else if (bid > limits.daily) report.add(keywordRules['bid-over-daily'], row, { bid, daily: limits.daily });
  if (limits.isAuto) report.add(keywordRules['auto-targeting'], row);
  if (reviewStatus === 'rejected') {
    report.add(keywordRules.rejected, row, { reason: row.values.reviewReason ?? 'no reason given' });
  }
  if (row.dirty !== 0) checkChange(row, limits, report);
}

function reportMissing(row: Row<'keyword'>, field: string, rule: Rule, report: Report): void {
  if (isMissing(row, field)) report.add(rule, row);
}

function checkChange(row: Row<'keyword'>, limits: KeywordLimits, report: Report): void {
  if (!isNew(row)) {
    const isReenabled = row.base?.state === 'paused' && row.values.state === 'enabled';
    if (isReenabled && limits.isReviewed) report.add(keywordRules['enable-costs-review'], row);
    return;
  }
  if (limits.underReview) report.add(keywordRules['under-review'], row);
  if (row.values.state === 'paused' && limits.isBornEnabled) report.add(keywordRules['born-enabled'], row);
}

const isMatchType = (word: string | null): word is 'exact' | 'phrase' | 'broad' =>
  word === 'exact' || word === 'phrase' || word === 'broad';

function countKeyword(row: Row<'keyword'>, tally: KeywordTally, limits: KeywordLimits, report: Report): void {
  const { text, matchType, bid, state } = row.values;
  if (text === null || !isMatchType(matchType)) return;
  const seen = tally.seen(keywordKey(text));
  const outcome = tally.add(seen, matchType, bid, state !== 'paused');
  if (outcome === 'duplicate') {
    report.add(keywordRules.duplicate, row, { matchType });
    return;
  }
  if (matchTypesOf(seen) > limits.matchTypesMax) {
    report.add(keywordRules['too-many-match-types'], row, { max: limits.matchTypesMax });
  }
  if (outcome === 'another' && tally.distinctOn > limits.distinctMax) {
    report.add(keywordRules['too-many'], row, { max: limits.distinctMax });
  }
  if (matchType === 'broad' && isBroadAboveExact(seen)) {
    report.add(keywordRules['broad-above-exact'], row, { bid: bid ?? 0 });
  }
}

/** The broad keywords that were passed before their exact one was seen; a second look only where there are any. */
function checkBroadBefore(tree: CampaignTree, tallies: ReadonlyMap<number | null, KeywordTally>, report: Report): void {
  for (const row of tree.keywords) {
    const { text, matchType, bid, state } = row.values;
    if (matchType !== 'broad' || text === null || isDeleted(row) || state === 'archived') continue;
    const waiting = tallies.get(row.adGroupId)?.belowBroad;
    // Taken out of the set, so that of two equal broad keywords only the first is named.
    if (waiting?.delete(keywordKey(text)) === true)
      report.add(keywordRules['broad-above-exact'], row, { bid: bid ?? 0 });
  }
}
