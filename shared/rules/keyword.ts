import { isTerminal, isUnderReview, needsReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { isLongerThan, isUnseen, textKey } from '../model/text.ts';
import { checkKeywordShape, type KeywordShape } from './ad-group.ts';
import { isMissing, type Report, type Rule, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';

export const keywordRules = rulesOf('keyword', 'keyword', 'Keyword', {
  'text-required': {
    bit: 0,
    severity: 'error',
    fields: ['text'],
    name: 'Keyword without text',
    text: 'A keyword has no text. Enter the words that shoppers search for.',
  },
  'text-characters': {
    bit: 1,
    severity: 'error',
    fields: ['text'],
    name: 'Damaged keyword',
    text: 'Keyword "{label}" contains an invisible or incomplete character. Enter the keyword again.',
  },
  'text-length': {
    bit: 2,
    severity: 'warning',
    fields: ['text'],
    section: 'practice',
    name: 'Keyword too long',
    text: 'Keyword "{label}" has more than {max} characters. Shorten it.',
  },
  'text-blanks': {
    bit: 3,
    severity: 'advice',
    fields: ['text'],
    section: 'practice',
    name: 'Extra spaces in keywords',
    text: 'Keyword "{label}" contains extra spaces. Use single spaces between words.',
  },
  'text-signs': {
    bit: 4,
    severity: 'advice',
    fields: ['text'],
    section: 'practice',
    name: 'Symbols in keywords',
    text: 'Keyword "{label}" contains symbols that shoppers do not type. Use letters, digits and spaces.',
  },
  'many-words': {
    bit: 5,
    severity: 'advice',
    fields: ['text'],
    section: 'practice',
    name: 'Long keywords',
    text: 'Keyword "{label}" has {words} words, but searches rarely have more than {max}. Shorten it.',
  },
  'match-type-required': {
    bit: 6,
    severity: 'error',
    fields: ['matchType'],
    name: 'No match type',
    text: 'Keyword "{label}" has no match type. Choose exact, phrase or broad.',
  },
  'bid-required': {
    bit: 7,
    severity: 'error',
    fields: ['bid'],
    name: 'Keyword without a bid',
    text: 'Keyword "{label}" has no bid. Enter a bid.',
  },
  'bid-positive': {
    bit: 8,
    severity: 'error',
    fields: ['bid'],
    name: 'Keyword bid is zero',
    text: 'The bid of keyword "{label}" is {bid:money}, but it must be above 0. Enter an amount.',
  },
  'bid-floor-video': {
    bit: 9,
    severity: 'error',
    fields: ['bid'],
    section: 'Limits',
    scope: 'campaign',
    name: 'Keyword bid too low',
    text: 'The bid of keyword "{label}" is {bid:money}, below the video minimum of {floor:money}. Raise the bid.',
  },
  'bid-high': {
    bit: 10,
    severity: 'warning',
    fields: ['bid'],
    section: 'practice',
    name: 'Keyword bid very high',
    text: 'The bid of keyword "{label}" is {bid:money}, above {max:money}. Check the decimal point.',
  },
  'bid-over-daily': {
    bit: 11,
    severity: 'warning',
    fields: ['bid'],
    scope: 'campaign',
    section: 'practice',
    name: 'Keyword bid above the budget',
    text: 'The bid of keyword "{label}" ({bid:money}) is above the daily budget of its campaign ({daily:money}). Lower the bid or raise the budget.',
  },
  duplicate: {
    bit: 12,
    severity: 'error',
    fields: ['text', 'matchType'],
    scope: 'ad group',
    name: 'Keyword added twice',
    text: 'Keyword "{label}" is in the ad group twice with match type {matchType}. Delete one of them. Capitalization and spaces do not count.',
  },
  'too-many': {
    bit: 13,
    severity: 'error',
    fields: ['state'],
    scope: 'ad group',
    section: 'Limits',
    name: 'Too many keywords',
    text: 'The ad group has more than {max} distinct enabled keywords. Pause or delete keyword "{label}" or another one.',
  },
  'auto-targeting': {
    bit: 14,
    severity: 'error',
    scope: 'campaign',
    name: 'Keywords with automatic targeting',
    text: `Keyword "{label}" is in a campaign with automatic targeting, which can't contain keywords. Move it to a campaign with manual targeting.`,
  },
  rejected: {
    bit: 15,
    severity: 'warning',
    fields: ['reviewStatus'],
    section: 'Review',
    needs: 'service state',
    name: 'Keyword rejected',
    text: 'The review rejected keyword "{label}": {reason}. Add another keyword instead.',
  },
  'under-review': {
    bit: 16,
    severity: 'warning',
    scope: 'campaign',
    section: 'Review status',
    needs: 'service state',
    name: 'Keyword held by a review',
    text: `Keyword "{label}" can't be added while its ad group is in review. Adslate sends it after the review. To send it sooner, cancel the review.`,
  },
  'enable-costs-review': {
    bit: 17,
    severity: 'advice',
    fields: ['state'],
    needs: 'service state',
    name: 'Keyword needs a new review',
    text: `Enabling keyword "{label}" needs a new review. If you can't wait for a review, leave the keyword paused.`,
  },
  'born-enabled': {
    bit: 18,
    severity: 'advice',
    fields: ['state'],
    name: 'Keyword enabled when created',
    text: 'The service creates every keyword as enabled. After it is created, Adslate pauses keyword "{label}", if the connection supports that.',
  },
  'broad-above-exact': {
    bit: 19,
    severity: 'advice',
    fields: ['bid'],
    scope: 'ad group',
    section: 'practice',
    name: 'Broad bid above exact bid',
    text: 'The broad bid of keyword "{label}" ({bid:money}) is above the exact bid of the same keyword. Broad matches are less precise. Lower the broad bid or raise the exact bid.',
  },
  'archived-for-good': {
    bit: 20,
    severity: 'error',
    fields: ['state'],
    needs: 'service state',
    name: 'Keyword permanently archived',
    text: 'Keyword "{label}" was permanently archived on the service. Revert the change. To use the keyword again, add it as a new row.',
  },
  'too-many-match-types': {
    bit: 23,
    severity: 'error',
    fields: ['matchType'],
    scope: 'ad group',
    section: 'Limits',
    name: 'Too many match types',
    text: 'Keyword "{label}" has more than {max} match types in its ad group. Delete or archive one of them.',
  },
  'text-unseen': {
    bit: 21,
    severity: 'warning',
    fields: ['text'],
    section: 'practice',
    name: 'Invisible characters in keywords',
    text: 'Keyword "{shown}" contains invisible characters, so it can look like another keyword. Enter the keyword again.',
  },
});

/**
 * Most rows of an account are keywords, so this pass creates no issues, lists or texts while nothing is wrong: rules
 * are tested by direct comparisons, and one map per ad group finds duplicates and distinct texts.
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
    /** Whether re-enabled rows need a review. */
    isReviewed: needsReview(campaign),
    /** In seed words a new keyword has no state (wire shapes, section 4). */
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

/** Broad keywords that were checked before their exact one; this second pass runs only if there are any. */
function checkBroadBefore(tree: CampaignTree, tallies: ReadonlyMap<number | null, KeywordTally>, report: Report): void {
  for (const row of tree.keywords) {
    const { text, matchType, bid, state } = row.values;
    if (matchType !== 'broad' || text === null || isDeleted(row) || state === 'archived') continue;
    const waiting = tallies.get(row.adGroupId)?.belowBroad;
    // Removed from the set, so that of two equal broad keywords only the first is reported.
    if (waiting?.delete(textKey(text)) === true) report.add(keywordRules['broad-above-exact'], row, { bid: bid ?? 0 });
  }
}

const EXACT = 1;
const PHRASE = 2;
const BROAD = 4;
const ON = 8;

/** Keywords of an ad group with the same text, as far as seen. */
interface TextSeen {
  readonly key: string;
  /** The match types seen, and whether one of the keywords is enabled, as bits. */
  marks: number;
  /** 0 while no such keyword was seen, or without a bid. */
  exactBid: number;
  broadBid: number;
}

/** Number of match types of a text so far. */
const matchTypesOf = ({ marks }: TextSeen): number => (marks & 1) + ((marks >> 1) & 1) + ((marks >> 2) & 1);

/**
 * Totals over the keywords of an ad group, row by row: one entry per distinct text and one lookup per row, so that a
 * million rows stay cheap.
 */
class KeywordTally {
  /** Distinct texts with at least one enabled keyword, which the service limits. */
  distinctOn = 0;
  /** Texts whose broad bid is above the exact bid, if the exact keyword came after the broad one. */
  readonly belowBroad = new Set<string>();
  private count = 0;
  private matchTypes = 0;
  private bid: number | null | undefined;
  private readonly byText = new Map<string, TextSeen>();

  /** The entry of the text with this key, for `add`. */
  seen(key: string): TextSeen {
    const known = this.byText.get(key);
    if (known !== undefined) return known;
    const fresh = { key, marks: 0, exactBid: 0, broadBid: 0 };
    this.byText.set(key, fresh);
    return fresh;
  }

  /** `another` is true when the row raised the number of distinct enabled texts. */
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
 * Checks the text of a keyword alone. Nearly all texts are plain, which one short pass detects; only the others are
 * examined closely. That saves a tenth of the time that rules need in a large account.
 *
 * @param max usual number of characters; longer texts are reported
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
 * Finds all problems of the characters in one pass.
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
