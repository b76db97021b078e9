import { requireRead, requireWrite } from '../access.ts';
import { toNumber } from '../decimal.ts';
import {
  type Fields,
  fieldOf,
  parseId,
  queryId,
  readDecimal,
  readElements,
  readId,
  readText,
  readWord,
  required,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { findAdGroup, findCampaign } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { CampaignRow, KeywordRow } from '../rows.ts';
import type { Service } from '../service.ts';
import type { Result } from '../wire/results.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';
import { addKeyword, changeKeyword, findKeyword, keywordStates } from './keyword-changes.ts';
import { approveProductsLater } from './product-approval.ts';

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
  /** More than one text, or a list of one: the caller speaks the dialect of lists. */
  readonly isList: boolean;
  readonly texts: readonly string[];
  readonly matchType: (typeof limits.keywordMatchTypes)[number];
  readonly bid: NonNullable<ReturnType<typeof readDecimal>>;
  readonly state: 'enabled' | 'paused';
}

function createKeywords(service: Service, call: Call): unknown {
  const elements = readElements(call.body, messages.emptyInputSba).map(readKeywordElement);
  const resolved: readonly KeywordElement[] = elements.map((element) => {
    const group = findAdGroup(service, element.adGroupId);
    const campaign = findCampaign(service, group?.campaign_id ?? null);
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
  // A bare object in the dialect of lists is answered by an object; anything else by an array.
  return Array.isArray(call.body) || resolved[0]?.isList === false ? answers : answers[0];
}

/** A keyword is not born archived. */
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
    const keyword = findKeyword(service, keywordId);
    return keyword === undefined ? undefined : findCampaign(service, keyword.campaign_id);
  });
  // One that is missing fails alone; one that is somebody else's refuses the call.
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
  const group = adGroupId === null ? undefined : findAdGroup(service, adGroupId);
  if (adGroupId !== null && group === undefined) throw new Refusal(404, messages.adGroupNotFound);
  const wanted = required(campaignId ?? group?.campaign_id ?? null, 'adGroupId', messages.adGroupIdMissing);
  const campaign = findCampaign(service, wanted);
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  requireRead(call.principal, campaign.advertiser_id, 'other');
  const rows = service.store.all<KeywordRow>(
    'SELECT * FROM keyword WHERE campaign_id = ? ORDER BY keyword_id',
    campaign.campaign_id,
  );
  return rows.filter((row) => adGroupId === null || row.ad_group_id === adGroupId).map(showKeyword);
}

function showKeyword(row: KeywordRow): Readonly<Record<string, unknown>> {
  return {
    keywordId: row.keyword_id,
    campaignId: row.campaign_id,
    adGroupId: row.ad_group_id,
    keywordText: row.keyword_text,
    matchType: row.match_type,
    bid: toNumber(row.bid),
    state: row.state,
    status: row.status,
    reviewReason: row.review_reason,
  };
}
