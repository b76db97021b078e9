import { type Hundredths, toText } from '../decimal.ts';
import { limits } from '../limits.ts';
import { findCampaign, findOpenReview } from '../lookups.ts';
import { messages, ownMessages } from '../messages.ts';
import type { CampaignRow, KeywordRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';

/**
 * Adding and changing keywords. A keyword has two sides: `state` is the partner's switch, `status` the outcome of the
 * review (the moves of both are in `states.ts`); re-enabling makes it pending again. Text and match type never change:
 * they are what the keyword is.
 */
export const keywordStates = ['enabled', 'paused', 'archived'] as const;

export interface NewKeyword {
  readonly text: string;
  readonly matchType: string;
  readonly bid: Hundredths;
  readonly state: string;
}

export function findKeyword(service: Service, keywordId: number): KeywordRow | undefined {
  return service.store.one<KeywordRow>('SELECT * FROM keyword WHERE keyword_id = ?', keywordId);
}

export function addKeyword(service: Service, campaign: CampaignRow, adGroupId: number, keyword: NewKeyword): Result {
  const { text, matchType, bid, state } = keyword;
  const sameText = normaliseKeyword(text);
  const problem =
    (campaign.targeting_type === 'auto' ? ownMessages.keywordsNotForAuto : null) ??
    (sameText === '' ? ownMessages.keywordTextInvalid : null) ??
    judgeBid(campaign, bid.negative ? 0 : bid.hundredths) ??
    (findOpenReview(service, adGroupId) === undefined ? null : messages.underReviewAdd) ??
    judgePlace(service, adGroupId, sameText, matchType, state);
  if (problem !== null) return failure('keywordId', problem, { keywordText: text });
  const keywordId = service.store.run(
    `INSERT INTO keyword (campaign_id, ad_group_id, keyword_text, same_text, match_type, bid, state, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')`,
    campaign.campaign_id,
    adGroupId,
    text,
    sameText,
    matchType,
    bid.hundredths,
    state,
  );
  return success('keywordId', keywordId, { keywordText: text });
}

export function changeKeyword(
  service: Service,
  keywordId: number,
  bid: Hundredths | null,
  state: string | null,
): Result {
  const row = findKeyword(service, keywordId);
  const campaign = row === undefined ? undefined : findCampaign(service, row.campaign_id);
  if (row === undefined || campaign === undefined || row.state === 'archived') {
    return failure('keywordId', ownMessages.keywordNotFound);
  }
  const reenabled = state === 'enabled' && row.state !== 'enabled';
  const problem =
    (bid === null ? null : judgeBid(campaign, bid.negative ? 0 : bid.hundredths)) ??
    (reenabled && findOpenReview(service, row.ad_group_id) !== undefined ? messages.underReviewAdd : null) ??
    (reenabled ? judgeCount(service, row.ad_group_id, row.same_text) : null);
  if (problem !== null) return failure('keywordId', problem, { keywordText: row.keyword_text });
  service.store.run(
    'UPDATE keyword SET bid = ?, state = ?, status = ?, review_reason = ? WHERE keyword_id = ?',
    bid?.hundredths ?? row.bid,
    state ?? row.state,
    reenabled ? 'pending' : row.status,
    reenabled ? null : row.review_reason,
    keywordId,
  );
  return success('keywordId', keywordId, { keywordText: row.keyword_text });
}

/** Two keywords are the same when their texts differ only in case and blanks. */
export function normaliseKeyword(text: string): string {
  return text.trim().replace(/\s+/gu, ' ').toLowerCase();
}

function judgeBid(campaign: CampaignRow, bidCents: number): string | null {
  const floor = campaign.campaign_type === 'video' ? limits.videoKeywordBidFloorCents : limits.keywordBidFloorCents;
  return bidCents < floor ? messages.bidBelowFloor(toText(floor)) : null;
}

/** For a bid that was set in the console. */
export function judgeKeywordBid(service: Service, campaignId: number, bidCents: number): string | null {
  const campaign = findCampaign(service, campaignId);
  return campaign === undefined ? null : judgeBid(campaign, bidCents);
}

function judgePlace(
  service: Service,
  adGroupId: number,
  sameText: string,
  matchType: string,
  state: string,
): string | null {
  const twin = service.store.one(
    "SELECT 1 FROM keyword WHERE ad_group_id = ? AND same_text = ? AND match_type = ? AND state <> 'archived'",
    adGroupId,
    sameText,
    matchType,
  );
  if (twin !== undefined) return ownMessages.duplicateKeyword;
  return state === 'enabled' ? judgeCount(service, adGroupId, sameText) : null;
}

/** At most 200 distinct texts enabled per ad group; a further match type of an enabled text is no new one. */
function judgeCount(service: Service, adGroupId: number, sameText: string): string | null {
  const known = service.store.one(
    "SELECT 1 FROM keyword WHERE ad_group_id = ? AND same_text = ? AND state = 'enabled'",
    adGroupId,
    sameText,
  );
  const max = limits.keywordsMaxDistinctEnabled;
  return known === undefined && countEnabled(service, adGroupId) >= max ? ownMessages.tooManyKeywords(max) : null;
}

/** For a change that was made without being asked about first: are there more enabled texts now than may be? */
export function judgeEnabled(service: Service, adGroupId: number): string | null {
  const max = limits.keywordsMaxDistinctEnabled;
  return countEnabled(service, adGroupId) > max ? ownMessages.tooManyKeywords(max) : null;
}

/** Walks the index of enabled keywords, which has the texts of a group in order: no sorting, no reading of rows. */
function countEnabled(service: Service, adGroupId: number): number {
  const row = service.store.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT DISTINCT same_text FROM keyword INDEXED BY keyword_enabled
     WHERE ad_group_id = ? AND state = 'enabled')`,
    adGroupId,
  );
  return row?.n ?? 0;
}
