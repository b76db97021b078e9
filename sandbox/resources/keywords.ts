import { requireWrite } from '../access.ts';
import { findOpenReview } from '../campaign-states.ts';
import {
  type Fields,
  fieldOf,
  type Hundredths,
  parseId,
  queryId,
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
import type { CampaignRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';
import { listOfCampaign } from './ad-groups.ts';
import { approveProductsLater } from './item-search.ts';

/**
 * POST /api/v1/keywords in both dialects: one list of texts per match type and bid, or one element per text. Listing
 * and updating are extensions.
 */
export const keywordRoutes: readonly Route[] = [
  create('/api/v1/keywords', createKeywords),
  asExtension(read('/api/v1/keywords', listKeywords)),
  asExtension(update('/api/v1/keywords', updateKeywords)),
];

interface KeywordElement {
  readonly campaign: CampaignRow;
  readonly adGroupId: number;
  /** Whether the element has a list of texts: the list dialect. */
  readonly isList: boolean;
  readonly texts: readonly string[];
  readonly matchType: (typeof limits.keywordMatchTypes)[number];
  readonly bid: NonNullable<ReturnType<typeof readDecimal>>;
  readonly state: 'enabled' | 'paused';
}

function createKeywords(service: Service, call: Call): unknown {
  const elements = readElements(call.body, messages.emptyInputSba).map(readKeywordElement);
  const resolved: readonly KeywordElement[] = elements.map((element) => {
    const group = service.store.find('ad_group', element.adGroupId);
    const campaign = service.store.find('campaign', group?.campaign_id ?? null);
    if (campaign === undefined || (element.campaignId !== null && element.campaignId !== campaign.campaign_id)) {
      throw new Refusal(404, messages.adGroupNotFound);
    }
    return { ...element, campaign };
  });
  for (const { campaign } of resolved) requireWrite(call.principal, campaign.advertiser_id, 'other');
  const answers = resolved.map((element) => {
    const results = element.texts.map((text) =>
      addKeyword(service, element.campaign, element.adGroupId, {
        text,
        matchType: element.matchType,
        bid: element.bid,
        state: element.state,
      }),
    );
    return element.isList ? { keywordIds: results.map((result) => result['keywordId']), results } : results[0];
  });
  approveProductsLater(service, resolved);
  // A single object in the list dialect is answered by an object; anything else by an array.
  return Array.isArray(call.body) || resolved[0]?.isList === false ? answers : answers[0];
}

/** A new keyword can't be archived. */
const newKeywordStates = ['enabled', 'paused'] as const;

function readKeywordElement(fields: Fields) {
  const list = fieldOf(fields, 'keywords');
  const texts = list === undefined || list === null ? null : readTexts(list);
  const single = readText(fields, 'keywordText');
  return {
    campaignId: readId(fields, 'campaignId'),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId'),
    isList: texts !== null,
    texts: texts ?? [required(single, 'keywords')],
    matchType: required(readWord(fields, 'matchType', limits.keywordMatchTypes), 'matchType'),
    bid: required(readDecimal(fields, 'bid'), 'bid'),
    state: readWord(fields, 'state', newKeywordStates) ?? 'enabled',
  };
}

function readTexts(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.length === 0) throw new Refusal(400, messages.fieldMissing('keywords'));
  return texts.map((text) => {
    if (typeof text !== 'string') throw new Refusal(400, messages.invalidParameters);
    return text;
  });
}

function updateKeywords(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    keywordId: required(readId(fields, 'keywordId'), 'keywordId'),
    bid: readDecimal(fields, 'bid'),
    state: readWord(fields, 'state', keywordStates),
  }));
  const owners = elements.map(({ keywordId }) => {
    const keyword = service.store.find('keyword', keywordId);
    return keyword === undefined ? undefined : service.store.find('campaign', keyword.campaign_id);
  });
  // A missing keyword fails only its element; another advertiser's refuses the call.
  for (const owner of owners) if (owner !== undefined) requireWrite(call.principal, owner.advertiser_id, 'other');
  const results = elements.map(({ keywordId, bid, state }) => changeKeyword(service, keywordId, bid, state));
  approveProductsLater(
    service,
    owners.flatMap((campaign) => (campaign === undefined ? [] : [{ campaign }])),
  );
  return results;
}

function listKeywords(service: Service, call: Call): readonly unknown[] {
  const adGroupId = queryId(call.query, 'adGroupId');
  const campaignId = parseId(call.query.get('campaignId'));
  required(campaignId ?? adGroupId, 'adGroupId', messages.adGroupIdMissing);
  return listOfCampaign(service, call, 'keyword', campaignId, adGroupId);
}

/**
 * Adding and changing keywords. A keyword has two states: `state` is set by the partner, `status` is the result of the
 * review (the moves of both are in `states.ts`). Re-enabling makes it pending again. Text and match type never change,
 * because they identify the keyword.
 */
const keywordStates = ['enabled', 'paused', 'archived'] as const;

interface NewKeyword {
  readonly text: string;
  readonly matchType: string;
  readonly bid: Hundredths;
  readonly state: string;
}

function addKeyword(service: Service, campaign: CampaignRow, adGroupId: number, keyword: NewKeyword): Result {
  const { text, matchType, bid, state } = keyword;
  const sameText = normaliseKeyword(text);
  const problem =
    (campaign.targeting_type === 'auto' ? ownMessages.keywordsNotForAuto : null) ??
    (sameText === '' ? ownMessages.keywordTextInvalid : null) ??
    judgeBid(campaign, bid.negative ? 0 : bid.hundredths) ??
    (findOpenReview(service, adGroupId) === undefined ? null : messages.underReviewAdd) ??
    judgePlace(service, adGroupId, sameText, matchType, state);
  if (problem !== null) return failure('keywordId', problem, { keywordText: text });
  const keywordId = service.store.insert('keyword', {
    campaign_id: campaign.campaign_id,
    ad_group_id: adGroupId,
    keyword_text: text,
    same_text: sameText,
    match_type: matchType,
    bid: bid.hundredths,
    state,
    status: 'pending',
  });
  return success('keywordId', keywordId, { keywordText: text });
}

function changeKeyword(service: Service, keywordId: number, bid: Hundredths | null, state: string | null): Result {
  const row = service.store.find('keyword', keywordId);
  const campaign = row === undefined ? undefined : service.store.find('campaign', row.campaign_id);
  if (row === undefined || campaign === undefined || row.state === 'archived') {
    return failure('keywordId', ownMessages.keywordNotFound);
  }
  const reenabled = state === 'enabled' && row.state !== 'enabled';
  const problem =
    (bid === null ? null : judgeBid(campaign, bid.negative ? 0 : bid.hundredths)) ??
    (reenabled && findOpenReview(service, row.ad_group_id) !== undefined ? messages.underReviewAdd : null) ??
    (reenabled ? judgeCount(service, row.ad_group_id, row.same_text) : null);
  if (problem !== null) return failure('keywordId', problem, { keywordText: row.keyword_text });
  service.store.update('keyword', keywordId, {
    bid: bid?.hundredths ?? row.bid,
    state: state ?? row.state,
    ...(reenabled ? { status: 'pending', review_reason: null } : {}),
  });
  return success('keywordId', keywordId, { keywordText: row.keyword_text });
}

/** Two keywords are equal if their texts differ only in case and spaces. */
export function normaliseKeyword(text: string): string {
  return text.trim().replace(/\s+/gu, ' ').toLowerCase();
}

function judgeBid(campaign: CampaignRow, bidCents: number): string | null {
  const floor = campaign.campaign_type === 'video' ? limits.videoKeywordBidFloorCents : limits.keywordBidFloorCents;
  return bidCents < floor ? messages.bidBelowFloor(toText(floor)) : null;
}

/** Validates a bid set in the console. */
export function judgeKeywordBid(service: Service, campaignId: number, bidCents: number): string | null {
  const campaign = service.store.find('campaign', campaignId);
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

/** At most 200 distinct texts enabled per ad group; another match type of an enabled text is not counted. */
function judgeCount(service: Service, adGroupId: number, sameText: string): string | null {
  const known = service.store.one(
    "SELECT 1 FROM keyword WHERE ad_group_id = ? AND same_text = ? AND state = 'enabled'",
    adGroupId,
    sameText,
  );
  const max = limits.keywordsMaxDistinctEnabled;
  return known === undefined && countEnabled(service, adGroupId) >= max ? ownMessages.tooManyKeywords(max) : null;
}

/** Validates a change after it was made: whether more texts are enabled than allowed. */
export function judgeEnabled(service: Service, adGroupId: number): string | null {
  const max = limits.keywordsMaxDistinctEnabled;
  return countEnabled(service, adGroupId) > max ? ownMessages.tooManyKeywords(max) : null;
}

/** Uses the index of enabled keywords, which has the texts of a group in order: no sorting, no reading of rows. */
function countEnabled(service: Service, adGroupId: number): number {
  const row = service.store.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT DISTINCT same_text FROM keyword INDEXED BY keyword_enabled
     WHERE ad_group_id = ? AND state = 'enabled')`,
    adGroupId,
  );
  return row?.n ?? 0;
}
