import type { RowId } from '../model/scalars.ts';
import { SILENT_DAYS, SILENT_DAYS_KNOWN } from './alerts.ts';
import {
  type BidFacts,
  type BidNumbers,
  evidenceOf,
  isFloorTooHigh,
  isWorthwhile,
  paidShare,
  suggestBid,
} from './bid.ts';
import type { CampaignFacts, RowFacts, RowsFacts, SuggestionFacts } from './facts.ts';
import type { ScopedGoal } from './goals.ts';
import { findHarvest, type HarvestMatch } from './harvest.ts';
import { dailySpendByGoal, type HeldRow, holdSpend, spendGoal, usualAmount } from './hold-spend.ts';
import { findNoSale } from './no-sale.ts';
import { type GroupRate, type Rates, type RowRate, rateInterval, rowRate, shrinkRates } from './shrinkage.ts';
import type { DropReason, Suggestion } from './suggestion.ts';
import type { WhatIfRow } from './what-if.ts';
import { compareDuplicates, findWords } from './words.ts';

/** The suggestions so far, and the number of rows without one, by reason. */
export interface Collected {
  readonly suggestions: Suggestion[];
  readonly dropped: Map<DropReason, number>;
}

export const drop = ({ dropped }: Collected, reason: DropReason): void =>
  void dropped.set(reason, (dropped.get(reason) ?? 0) + 1);

/** Members of a suggestion that changes no field. */
export const NO_CHANGE = {
  field: null,
  current: null,
  suggested: null,
  low: null,
  high: null,
  effect: 'advice',
  move: 0,
} as const;

export type RowType = 'adItem' | 'keyword';

/** Days after a sent bid until the row gets a new suggestion. */
export const COOL_DOWN_DAYS = 7;

/** Rows of one type with the rates of their campaigns. */
interface Judged {
  readonly type: RowType;
  readonly facts: SuggestionFacts;
  readonly of: RowsFacts;
  readonly rates: Rates;
  readonly paidShares: readonly number[];
}

/** A bid that may change, with the position of its row. */
export type BidRow = WhatIfRow & { readonly campaign: number };

/**
 * Suggestions for items or keywords.
 *
 * @param overPlan campaigns that are projected to spend more than their month's plan
 * @returns changed bids, for their combined effect
 */
export function suggestForRows(
  facts: SuggestionFacts,
  type: RowType,
  overPlan: ReadonlySet<number>,
  into: Collected,
): readonly BidRow[] {
  const of = type === 'keyword' ? facts.keywords : facts.adItems;
  const rates = shrinkRates(
    of.counted,
    of.rows.map(({ campaign }) => campaign),
    facts.campaigns.length,
  );
  findUnexpectedSpend(type, facts, of, into);
  if (rates === null) return [];
  const judged: Judged = { type, facts, of, rates, paidShares: paidShares(of, facts.campaigns.length) };
  const shares = costShares(judged);
  const bids = suggestBids(judged, shares, overPlan, into);
  if (type === 'keyword') {
    suggestHarvest(judged, shares, into);
    suggestWords(judged, into);
    suggestDuplicates(judged, into);
  }
  return bids;
}

/** Ratio of cost to bids of each campaign, using the account's ratio where it has few clicks. */
function paidShares(of: RowsFacts, campaigns: number): readonly number[] {
  const spend = new Float64Array(campaigns);
  const bids = new Float64Array(campaigns);
  for (const [at, { campaign }] of of.rows.entries()) {
    spend[campaign] = (spend[campaign] ?? 0) + (of.spend[at] ?? 0);
    bids[campaign] = (bids[campaign] ?? 0) + (of.clicksTimesBid[at] ?? 0);
  }
  const [all, allBids] = [spend, bids].map((column) => column.reduce((sum, value) => sum + value, 0));
  const account = paidShare(all ?? 0, allBids ?? 0, 1);
  return Array.from(spend, (own, at) => paidShare(own, bids[at] ?? 0, account));
}

const groupOf = ({ rates }: Judged, row: RowFacts): GroupRate =>
  rates.groups[row.campaign] ?? { theta: rates.theta, alpha: 1, beta: 1 / rates.theta, orderValue: rates.orderValue };

const sumsAt = ({ counted }: RowsFacts, at: number) => ({
  clicks: counted.clicks[at] ?? 0,
  orders: counted.orders[at] ?? 0,
  sales: counted.sales[at] ?? 0,
});

const rateAt = (judged: Judged, row: RowFacts, at: number): RowRate =>
  rowRate(sumsAt(judged.of, at), groupOf(judged, row), judged.rates.rowShape);

const hasEvidence = (judged: Judged, row: RowFacts, at: number): boolean =>
  evidenceOf((judged.of.counted.clicks[at] ?? 0) * groupOf(judged, row).theta) !== 'none';

/** Why a row gets no bid before any arithmetic; null for one that may. */
function reasonAgainst(judged: Judged, campaign: CampaignFacts, row: RowFacts, at: number): DropReason | null {
  if (campaign.goal === null || campaign.goal.goal.is === 'none') return 'no-goal';
  return row.barred ?? campaign.barred ?? (hasEvidence(judged, row, at) ? null : 'little-evidence');
}

const limitsOf = ({ type, facts: { limits } }: Judged, { isVideo }: CampaignFacts) => ({
  floor: type === 'adItem' ? limits.floorItem : isVideo ? limits.floorVideoKeyword : null,
  max: limits.max,
});

/** Allowed cost per dollar of sales, by campaign; null without a goal, and where spend can't be fixed yet. */
function costShares(judged: Judged): readonly (number | null)[] {
  const { facts, of } = judged;
  const held = new Map<ScopedGoal, { rows: HeldRow[]; fixed: number; perDay: number | null }>();
  for (const [at, row] of of.rows.entries()) {
    const campaign = facts.campaigns[row.campaign];
    const scoped = campaign?.goal ?? null;
    if (campaign === undefined || scoped === null || scoped.goal.is !== 'hold') continue;
    const pool = held.get(scoped) ?? { rows: [], fixed: 0, perDay: scoped.goal.perDay };
    held.set(scoped, pool);
    const spend = of.weekSpend[at] ?? 0;
    if (row.bid === null || row.bid <= 0 || reasonAgainst(judged, campaign, row, at) !== null) pool.fixed += spend;
    else {
      const { perClick } = rateAt(judged, row, at);
      const paid = paidShare(of.spend[at] ?? 0, of.clicksTimesBid[at] ?? 0, judged.paidShares[row.campaign] ?? 1);
      pool.rows.push({ bid: row.bid, perClick, paid, spend, limits: limitsOf(judged, campaign) });
    }
  }
  const shares = new Map<ScopedGoal, number | null>();
  const daily = dailySpendByGoal(facts);
  for (const [scoped, { rows, fixed, perDay }] of held) {
    const spend = rows.reduce((sum, row) => sum + row.spend, fixed);
    // The amount is for keywords and items together, and each changes by the same factor.
    const ofDays = daily.get(scoped) ?? { week: 0, month: 0 };
    const goal = spendGoal(spend, perDay ?? usualAmount(ofDays), ofDays.week) - fixed;
    shares.set(scoped, rows.length === 0 || spend === 0 ? null : holdSpend(rows, goal).costShare);
  }
  return facts.campaigns.map(({ goal }) => {
    if (goal === null || goal.goal.is === 'none') return null;
    return goal.goal.is === 'roas' ? 100 / goal.goal.target : (shares.get(goal) ?? null);
  });
}

function suggestBids(
  judged: Judged,
  shares: readonly (number | null)[],
  overPlan: ReadonlySet<number>,
  into: Collected,
): readonly BidRow[] {
  const { type, facts, of, rates } = judged;
  const found: BidRow[] = [];
  for (const [at, row] of of.rows.entries()) {
    const campaign = facts.campaigns[row.campaign];
    if (campaign === undefined || row.bid === null || row.bid <= 0) continue;
    const against = reasonAgainst(judged, campaign, row, at);
    const costShare = shares[row.campaign] ?? null;
    if (against !== null || costShare === null) {
      drop(into, against ?? 'little-evidence');
      continue;
    }
    const group = groupOf(judged, row);
    const bidFacts: BidFacts = {
      ...sumsAt(of, at),
      bid: row.bid,
      group,
      rowShape: rates.rowShape,
      spend: of.spend[at] ?? 0,
      clicksTimesBid: of.clicksTimesBid[at] ?? 0,
      groupPaidShare: judged.paidShares[row.campaign] ?? 1,
      costShare,
      isTarget: campaign.goal?.goal.is === 'roas',
      limits: limitsOf(judged, campaign),
    };
    const bid = suggestBid(bidFacts);
    const noSale = findNoSale({
      clicks: of.settled.clicks[at] ?? 0,
      orders: Math.max(bid.orders, of.settled.orders[at] ?? 0),
      spend: of.settled.spend[at] ?? 0,
      group,
      costShare,
    });
    const [weekClicks, weekSpend] = [of.weekClicks[at] ?? 0, of.weekSpend[at] ?? 0];
    const head = {
      type,
      id: row.id,
      campaignId: campaign.id,
      label: row.label,
      evidence: bid.evidence,
      low: bid.low,
      high: bid.high,
      effect: row.effect,
    };
    if (noSale?.advice === 'pause') {
      const isKeyword = type === 'keyword';
      into.suggestions.push({
        ...head,
        kind: 'no-sale',
        field: isKeyword ? 'state' : 'status',
        current: 'enabled',
        suggested: isKeyword ? 'paused' : 'disabled',
        move: -weekSpend,
        weight: noSale.clicks,
        numbers: noSale,
      });
      continue;
    }
    const dropped = reasonAgainstBid(facts, row, campaign, bid, overPlan);
    if (dropped !== null) {
      drop(into, dropped);
      continue;
    }
    const power = facts.response.clicks + facts.response.cost;
    const move = weekSpend * ((bid.suggested / row.bid) ** power - 1);
    const change = { ...head, field: 'bid', current: row.bid, suggested: bid.suggested, move };
    into.suggestions.push(
      noSale !== null && bid.suggested < row.bid
        ? { ...change, kind: 'no-sale', weight: noSale.clicks, numbers: noSale }
        : { ...change, kind: 'bid', weight: bid.expectedOrders, numbers: bid },
    );
    found.push({
      campaign: row.campaign,
      bid: row.bid,
      newBid: bid.suggested,
      clicks: weekClicks,
      spend: weekSpend,
      rate: rateAt(judged, row, at),
    });
  }
  return found;
}

/** Checks the guardrails after the calculation, in order. */
function reasonAgainstBid(
  { today }: SuggestionFacts,
  row: RowFacts,
  campaign: CampaignFacts,
  bid: BidNumbers,
  overPlan: ReadonlySet<number>,
): DropReason | null {
  if (isFloorTooHigh(bid) && bid.suggested >= bid.bid) return 'floor';
  if (!isWorthwhile(bid.bid, bid.suggested)) return 'small-step';
  if (row.sentOn !== null && today - row.sentOn < COOL_DOWN_DAYS) return 'cool-down';
  if (bid.suggested <= bid.bid) return null;
  if (campaign.dailyBudget !== null && bid.suggested > campaign.dailyBudget) return 'budget';
  return overPlan.has(row.campaign) ? 'over-plan' : null;
}

const NARROW: readonly (HarvestMatch | null)[] = ['broad', 'phrase'];

/** Texts of each ad group, with the match types they have in it. */
type GroupTexts = ReadonlyMap<RowFacts['adGroupId'], ReadonlyMap<string, readonly HarvestMatch[]>>;

function textsOf({ rows, unsent = [] }: RowsFacts): GroupTexts {
  const texts = new Map<RowFacts['adGroupId'], Map<string, HarvestMatch[]>>();
  for (const { adGroupId, text, matchType } of [...rows, ...unsent]) {
    const group = texts.get(adGroupId) ?? new Map<string, HarvestMatch[]>();
    texts.set(adGroupId, group);
    if (matchType === null) continue;
    const taken = group.get(text);
    if (taken === undefined) group.set(text, [matchType]);
    else taken.push(matchType);
  }
  return texts;
}

/** Possible target for the text of a row: an ad group, and the campaign whose goal limits the cost of a click there. */
interface HarvestPlace {
  readonly adGroupId: RowId;
  readonly campaign: number;
  readonly isOther: boolean;
}

function suggestHarvest(judged: Judged, shares: readonly (number | null)[], into: Collected): void {
  const { of } = judged;
  const texts = textsOf(of);
  const others = groupsOfSameItems(judged, texts);
  /** For several rows with a text, the one with the most evidence is added to another campaign. */
  const best = new Map<string, Suggestion>();
  for (const [at, row] of of.rows.entries()) {
    // The keyword is new: an edited bid of the one it comes from does not matter.
    const isBarred = row.barred !== null && row.barred !== 'edited';
    if (row.matchType === null || isBarred || row.adGroupId === null) continue;
    if (NARROW.includes(row.matchType)) {
      const own = { adGroupId: row.adGroupId, campaign: row.campaign, isOther: false };
      const found = harvestInto(judged, shares, texts, at, row, own, into);
      if (found !== null) into.suggestions.push(found);
    }
    for (const place of others.get(row.adGroupId) ?? []) {
      if (place.campaign === row.campaign || texts.get(place.adGroupId)?.has(row.text) === true) continue;
      const found = harvestInto(judged, shares, texts, at, row, place, into);
      const key = `${place.adGroupId} ${row.text}`;
      if (found !== null && found.weight > (best.get(key)?.weight ?? 0)) best.set(key, found);
    }
  }
  for (const suggestion of best.values()) into.suggestions.push(suggestion);
}

/** For each ad group, the ad groups with keywords in live campaigns that advertise one of its items. */
function groupsOfSameItems({ facts }: Judged, texts: GroupTexts): ReadonlyMap<RowId, readonly HarvestPlace[]> {
  const placesOfItem = new Map<string, Map<RowId, HarvestPlace>>();
  for (const { text, adGroupId, campaign, isEnabled } of facts.adItems.rows) {
    if (adGroupId === null || !isEnabled) continue;
    const places = placesOfItem.get(text) ?? new Map<RowId, HarvestPlace>();
    placesOfItem.set(text, places.set(adGroupId, { adGroupId, campaign, isOther: true }));
  }
  const others = new Map<RowId, Map<RowId, HarvestPlace>>();
  for (const places of placesOfItem.values()) {
    const targets = [...places.values()].filter(({ adGroupId, campaign }) => {
      const known = facts.campaigns[campaign];
      return texts.has(adGroupId) && known?.isLive === true && known.barred === null;
    });
    for (const adGroupId of places.size < 2 ? [] : places.keys()) {
      const own = others.get(adGroupId) ?? new Map<RowId, HarvestPlace>();
      others.set(adGroupId, own);
      for (const target of targets) own.set(target.adGroupId, target);
    }
  }
  return new Map(Array.from(others, ([adGroupId, own]) => [adGroupId, [...own.values()]]));
}

function harvestInto(
  judged: Judged,
  shares: readonly (number | null)[],
  texts: GroupTexts,
  at: number,
  row: RowFacts,
  place: HarvestPlace,
  into: Collected,
): Suggestion | null {
  const { facts, of, rates } = judged;
  const campaign = facts.campaigns[place.campaign];
  const costShare = shares[place.campaign] ?? null;
  const group = texts.get(place.adGroupId);
  if (campaign === undefined || costShare === null || group === undefined) return null;
  const { floor, max } = limitsOf(judged, campaign);
  const found = findHarvest({
    ...sumsAt(of, at),
    matchType: place.isOther ? 'none' : (row.matchType ?? 'none'),
    spend: of.spend[at] ?? 0,
    rawClicks: of.clicks[at] ?? 0,
    group: groupOf(judged, row),
    rowShape: rates.rowShape,
    paid: paidShare(of.spend[at] ?? 0, of.clicksTimesBid[at] ?? 0, judged.paidShares[row.campaign] ?? 1),
    costShare,
    floor,
    max,
    taken: group.get(row.text) ?? [],
    texts: group.size,
    textsMax: facts.limits.textsMax,
    isNewText: place.isOther,
    into: place.isOther ? { adGroupId: place.adGroupId, campaign: campaign.name } : null,
  });
  if (found === null || found === 'too-little') return null;
  if (typeof found === 'string') {
    drop(into, found);
    return null;
  }
  const expected = found.clicks * groupOf(judged, row).theta;
  return {
    ...NO_CHANGE,
    kind: 'harvest',
    type: 'keyword',
    id: row.id,
    campaignId: campaign.id,
    label: row.label,
    suggested: found.bid,
    evidence: evidenceOf(expected),
    effect: 'needs-review',
    weight: expected,
    numbers: found,
  };
}

function suggestWords({ of, rates }: Judged, into: Collected): void {
  const { theta, orderValue, rowShape } = rates;
  const parent = { theta, orderValue, alpha: rowShape, beta: rowShape / theta };
  const rows = of.rows.flatMap((row, at) =>
    (of.counted.clicks[at] ?? 0) > 0
      ? [{ ...sumsAt(of, at), key: String(row.id), text: row.text, spend: of.spend[at] ?? 0 }]
      : [],
  );
  for (const found of findWords(rows, parent, rowShape)) {
    into.suggestions.push({
      ...NO_CHANGE,
      kind: 'word',
      type: 'keyword',
      id: null,
      campaignId: null,
      label: found.words,
      evidence: evidenceOf(found.clicks * theta),
      weight: found.clicks,
      numbers: found,
    });
  }
}

/** Keywords of one text and match type in ad groups that advertise the same item. */
function suggestDuplicates(judged: Judged, into: Collected): void {
  const { facts, of } = judged;
  const groupsOfItem = new Map<string, Set<RowFacts['adGroupId']>>();
  for (const { text, adGroupId } of facts.adItems.rows) {
    groupsOfItem.set(text, (groupsOfItem.get(text) ?? new Set()).add(adGroupId));
  }
  const sharedItems = new Map<RowFacts['adGroupId'], string[]>();
  for (const [item, groups] of groupsOfItem) {
    if (groups.size < 2) continue;
    for (const group of groups) sharedItems.set(group, [...(sharedItems.get(group) ?? []), item]);
  }
  const places = new Map<string, number[]>();
  for (const [at, row] of of.rows.entries()) {
    if (!row.isEnabled) continue;
    for (const item of sharedItems.get(row.adGroupId) ?? []) {
      const key = `${row.text}\t${row.matchType ?? ''}\t${item}`;
      const same = places.get(key);
      if (same === undefined) places.set(key, [at]);
      else same.push(at);
    }
  }
  /** One suggestion for each keyword to keep: the one with most duplicates, if it shares several items. */
  const told = new Set<RowId>();
  const sets = new Map(Array.from(places.values(), (same) => [same.join(), same]));
  for (const same of [...sets.values()].toSorted((a, b) => b.length - a.length)) {
    if (same.length < 2) break;
    const found = compareDuplicates(
      same.map((at) => {
        const row = of.rows[at];
        if (row === undefined) throw new Error(`there is no row ${at}`);
        const rate = rateAt(judged, row, at);
        const low = rateInterval(rate).low * rate.orderValue;
        return { key: String(at).padStart(9, '0'), clicks: of.clicks[at] ?? 0, spend: of.spend[at] ?? 0, low };
      }),
    );
    const kept = found === null ? undefined : of.rows[Number(found.keep)];
    if (found === null || kept === undefined || told.has(kept.id)) continue;
    told.add(kept.id);
    const { rows, clicks, spend, mostClicks, keepLow } = found;
    into.suggestions.push({
      ...NO_CHANGE,
      kind: 'duplicate',
      type: 'keyword',
      id: kept.id,
      campaignId: facts.campaigns[kept.campaign]?.id ?? null,
      label: kept.label,
      evidence: evidenceOf(clicks * judged.rates.theta),
      weight: clicks,
      numbers: { rows, clicks, spend, mostClicks, keepLow },
    });
  }
}

/** Finds paused rows that still spend, and enabled ones without impressions. */
function findUnexpectedSpend(type: RowType, facts: SuggestionFacts, of: RowsFacts, into: Collected): void {
  const shown = new Float64Array(facts.campaigns.length);
  for (const [at, { campaign }] of of.rows.entries())
    shown[campaign] = (shown[campaign] ?? 0) + (of.impressions[at] ?? 0);
  for (const [at, row] of of.rows.entries()) {
    const campaign = facts.campaigns[row.campaign];
    if (campaign === undefined) continue;
    const { id, label } = row;
    const head = { ...NO_CHANGE, type, id, campaignId: campaign.id, label, evidence: 'firm' } as const;
    const [spend, days] = [of.spendAfterPause[at] ?? 0, of.daysAfterPause[at] ?? 0];
    if (!row.isEnabled && spend > 0)
      into.suggestions.push({ ...head, kind: 'paused-spend', weight: spend, numbers: { spend, days } });
    const groupImpressions = shown[row.campaign] ?? 0;
    const isQuiet = row.isEnabled && row.barred === null && campaign.isLive && (of.impressions[at] ?? 0) === 0;
    const hasHadTime =
      of.impressionDays >= SILENT_DAYS_KNOWN && (row.startedOn === null || facts.today - row.startedOn > SILENT_DAYS);
    if (isQuiet && hasHadTime && groupImpressions > 0) {
      const numbers = { days: of.impressionDays, groupImpressions };
      into.suggestions.push({ ...head, kind: 'silent', weight: groupImpressions, numbers });
    }
  }
}
