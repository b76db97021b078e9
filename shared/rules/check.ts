import { isTerminal, isUnderReview, needsReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { isLongerThan, isUnseen, textKey } from '../model/text.ts';
import { type AccountCampaign, checkAccountNames, checkLibrary } from './account.ts';
import { checkAdGroups, checkKeywordShape, type KeywordShape } from './ad-group.ts';
import { checkAdItems } from './ad-item.ts';
import { checkClickUrls, checkSbaContent, checkSbaStates } from './brand-profile.ts';
import { checkCampaignBasics, checkCampaignBudget, checkCampaignState, checkReadiness } from './campaign.ts';
import { keywordRules } from './keyword.ts';
import { checkMediaRow, checkVideoProfiles } from './media.ts';
import { checkMultipliers } from './multiplier.ts';
import { checkRepeatedRejection } from './repeated-rejection.ts';
import type { Finding } from './rule.ts';
import { isMissing, newReport, type Report, type Rule, type RuleEnv, reportUnseen } from './rule.ts';
import { checkUnknownWords } from './unknown-words.ts';

/** Everything that can be said about one campaign and what hangs from it. */
export function checkCampaign(whole: CampaignTree, env: RuleEnv): readonly Finding[] {
  const report = newReport();
  const tree = checkUnknownWords(whole, report);
  checkCampaignBasics(tree, env, report);
  checkCampaignBudget(tree, env, report);
  checkCampaignState(tree, env, report);
  checkReadiness(tree, env, report);
  checkAdGroups(tree, env, report);
  checkAdItems(tree, env, report);
  checkKeywords(tree, env, report);
  checkSbaContent(tree, env, report);
  checkClickUrls(tree, env, report);
  checkSbaStates(tree, env, report);
  checkVideoProfiles(tree, env.profile.media.processingMinutes, report);
  checkRepeatedRejection(tree, env, report);
  checkMultipliers(tree, env, report);
  return report.findings;
}

/** What only the whole account shows: names of campaigns, and the media library compared with itself. */
export function checkAccount(
  campaigns: readonly AccountCampaign[],
  media: readonly Row<'media'>[],
  env: RuleEnv,
): readonly Finding[] {
  const report = newReport();
  checkLibrary(media, report);
  return [...checkAccountNames(campaigns, env), ...report.findings];
}

/** One file of the library by itself. */
export function checkMedia(row: Row<'media'>, env: RuleEnv): readonly Finding[] {
  const report = newReport();
  checkMediaRow(row, env, report);
  return report.findings;
}

/**
 * Keywords are the many rows of an account, so this pass makes no findings, lists or texts while nothing is wrong:
 * rules are tested by hand-written comparisons, and one map per ad group answers for duplicates and distinct texts.
 */
function checkKeywords(tree: CampaignTree, env: RuleEnv, report: Report): void {
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

type KeywordLimits = ReturnType<typeof keywordLimits>;

function keywordLimits({ campaign, adGroups }: CampaignTree, { profile }: RuleEnv) {
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
    /** Whether what is switched on again costs a review. */
    isReviewed: needsReview(campaign),
    /** In seed words a new keyword has no state of its own (wire shapes, section 4). */
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
  const seen = tally.seen(textKey(text));
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
    if (waiting?.delete(textKey(text)) === true) report.add(keywordRules['broad-above-exact'], row, { bid: bid ?? 0 });
  }
}

const EXACT = 1;
const PHRASE = 2;
const BROAD = 4;
const ON = 8;

/** What is known so far of the keywords of an ad group that have one text. */
interface TextSeen {
  readonly key: string;
  /** The match types seen, and whether one of the keywords is enabled. */
  marks: number;
  /** 0 while no such keyword was seen, or its bid is missing. */
  exactBid: number;
  broadBid: number;
}

/** How many match types a text has so far. */
const matchTypesOf = ({ marks }: TextSeen): number => (marks & 1) + ((marks >> 1) & 1) + ((marks >> 2) & 1);

/**
 * What an ad group's keywords are, counted row by row: one entry per distinct text, which is looked up once per row,
 * so that a million rows stay cheap.
 */
class KeywordTally {
  /** Distinct texts with at least one enabled keyword: what the service counts against its limit. */
  distinctOn = 0;
  /** Texts whose broad bid turned out to be above the exact bid when the exact keyword came after the broad one. */
  readonly belowBroad = new Set<string>();
  private count = 0;
  private matchTypes = 0;
  private bid: number | null | undefined;
  private readonly byText = new Map<string, TextSeen>();

  /** What is known of the text with this key, to be handed to `add`. */
  seen(key: string): TextSeen {
    const known = this.byText.get(key);
    if (known !== undefined) return known;
    const fresh = { key, marks: 0, exactBid: 0, broadBid: 0 };
    this.byText.set(key, fresh);
    return fresh;
  }

  /** `another` says that the row raised the number of distinct enabled texts. */
  add(
    seen: TextSeen,
    matchType: 'exact' | 'phrase' | 'broad',
    bid: number | null,
    isOn: boolean,
  ): 'known' | 'another' | 'duplicate' {
    const bit = matchType === 'exact' ? EXACT : matchType === 'phrase' ? PHRASE : BROAD;
    this.count++;
    this.matchTypes |= bit;
    if (this.bid === undefined) this.bid = bid;
    else if (this.bid !== bid) this.bid = null;
    const before = seen.marks;
    if ((before & bit) !== 0) return 'duplicate';
    seen.marks = before | bit | (isOn ? ON : 0);
    if (bit === BROAD) seen.broadBid = bid ?? 0;
    else if (bit === EXACT) {
      seen.exactBid = bid ?? 0;
      if (isBroadAboveExact(seen)) this.belowBroad.add(seen.key);
    }
    if (!isOn || (before & ON) !== 0) return 'known';
    this.distinctOn++;
    return 'another';
  }

  shape(): KeywordShape {
    const only = this.matchTypes === EXACT ? 'exact' : this.matchTypes === PHRASE ? 'phrase' : 'broad';
    const isOnly = this.matchTypes === EXACT || this.matchTypes === PHRASE || this.matchTypes === BROAD;
    return {
      count: this.count,
      distinct: this.distinctOn,
      onlyMatchType: isOnly ? only : null,
      onlyBid: this.bid ?? null,
    };
  }
}

/** Whether both bids are known so far and the broad one is higher. */
const isBroadAboveExact = ({ exactBid, broadBid }: TextSeen): boolean => exactBid > 0 && broadBid > exactBid;

const MANY_WORDS = 10;

/**
 * What the text of a keyword is reported for by itself. Nearly all texts are plain, and one short pass says so; only
 * the others are looked at closely. That takes a tenth off what the rules cost a large account.
 *
 * @param max how many characters are usual; more are reported
 */
function checkKeywordText(row: Row<'keyword'>, text: string, max: number, report: Report): void {
  const words = wordsOfPlain(text) ?? checkCharacters(row, text, report);
  if (words > MANY_WORDS) report.add(keywordRules['many-words'], row, { words, max: MANY_WORDS });
  if (isLongerThan(text, max)) report.add(keywordRules['text-length'], row, { max });
}

/**
 * The number of words of a text of small letters, digits, the signs from # to : but for the star, and single blanks
 * between them, none of which is reported for anything; null of every other text.
 */
function wordsOfPlain(text: string): number | null {
  let words = 1;
  let previous = 0x20;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20) {
      if (previous === 0x20) return null;
      words++;
    } else if ((unit < 0x61 || unit > 0x7a) && (unit < 0x23 || unit > 0x3a || unit === 0x2a)) return null;
    previous = unit;
  }
  return previous === 0x20 ? null : words;
}

/**
 * One pass over the characters finds everything they can be reported for.
 *
 * @returns the number of words
 */
function checkCharacters(row: Row<'keyword'>, text: string, report: Report): number {
  let words = 1;
  let control = false;
  let odd = false;
  let wide = false;
  let blanks = text.charCodeAt(0) === 0x20 || text.charCodeAt(text.length - 1) === 0x20;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20) {
      words++;
      if (i > 0 && text.charCodeAt(i - 1) === 0x20) blanks = true;
    } else if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) control = true;
    else if (unit >= 0x80) wide = true;
    else if (isOdd(unit)) odd = true;
  }
  if (isUnseen(text)) report.add(keywordRules['text-required'], row);
  else if (wide) reportUnseen(keywordRules['text-unseen'], row, 'text', text, report);
  if (control || !text.isWellFormed()) report.add(keywordRules['text-characters'], row);
  if (odd) report.add(keywordRules['text-signs'], row);
  if (blanks) {
    const value = text.replace(/\s+/gu, ' ').trim();
    const isFree = isNew(row) && value !== '';
    report.add(keywordRules['text-blanks'], row, {}, isFree ? { field: 'text', value } : undefined);
  }
  return words;
}

/** ASCII signs that shoppers do not type into a search: brackets, quotes, exclamation and question marks, stars. */
function isOdd(unit: number): boolean {
  return (
    unit === 0x21 ||
    unit === 0x22 ||
    unit === 0x2a ||
    unit === 0x3b ||
    (unit >= 0x3c && unit <= 0x3f) ||
    unit === 0x40 ||
    (unit >= 0x5b && unit <= 0x60) ||
    (unit >= 0x7b && unit <= 0x7e)
  );
}
