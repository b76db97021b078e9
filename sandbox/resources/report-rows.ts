import { addDays, DAY_MS, dateAt } from '../clock.ts';
import { type Click, playDay, type RowDay } from '../demand/day.ts';
import { mix, uniform } from '../demand/draws.ts';
import { createHistory, type Stretch } from '../demand/history.ts';
import { pageTypes, platforms } from '../demand/market.ts';
import { toNumber } from '../fields.ts';
import { hash } from '../seed.ts';
import type { Service } from '../service.ts';
import type { AdItemRow, CampaignRow, ItemRow } from '../tables.ts';
import { itemIdFor } from './item-search.ts';

/**
 * The rows of a report: one per part of a campaign, and per day if the caller requested the date. Every report adds up
 * the same clicks (`demand/day.ts`), so their sums agree. There are two exceptions: a keyword report omits rows with
 * almost no impressions, and on a brand's ad a click counts for every shown item.
 */
export const reportTypes = [
  'campaign',
  'adGroup',
  'adItem',
  'keyword',
  'platform',
  'pageType',
  'brand',
  'category',
] as const;

export const attributionWindows = ['3days', '14days', '30days'] as const;
type AttributionWindow = (typeof attributionWindows)[number];
const windowDays: Readonly<Record<AttributionWindow, number>> = { '3days': 3, '14days': 14, '30days': 30 };

export interface ReportRequest {
  readonly advertiserId: number;
  /** One of these, or the type of the quirk `report-type`. */
  readonly reportType: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly windows: readonly AttributionWindow[];
  readonly byDate: boolean;
}

export type ReportRow = Readonly<Record<string, string | number>>;

export function reportRows(service: Service, request: ReportRequest): readonly ReportRow[] {
  const { store, clock, settings } = service;
  const today = dateAt(clock.now());
  const yesterday = addDays(today, -1);
  const last = request.endDate < yesterday ? request.endDate : yesterday;
  const stretchesOf = createHistory(store, settings.seed);
  const rows: ReportRow[] = [];
  for (const campaign of store.list('campaign', { advertiser_id: request.advertiserId, was_live: 1 })) {
    const report = createReport(service, request, campaign, dayOf(today));
    for (const stretch of stretchesOf(campaign, request.startDate, last)) report.add(stretch);
    for (const row of report.rows()) rows.push(row);
  }
  const { reportWord } = settings.quirks;
  if (reportWord === '') return rows;
  return rows.map((row, at) => ({ ...row, [reportWord]: at + 1, [`${reportWord}Note`]: `note ${at + 1}` }));
}

/** Days since 1970-01-01. */
const dayOf = (date: string): number => Date.parse(date) / DAY_MS;

interface Part {
  readonly key: string | number;
  readonly fields: ReportRow;
}

/** How a row's clicks are assigned to parts: all to one, each row to its own, or randomly per click. */
interface Split {
  readonly parts: readonly Part[];
  readonly partOf: ((row: number, click: Click) => number) | null;
  readonly isByRow: boolean;
  /** Cumulative shares of the impressions by part. */
  readonly upTo: (row: number) => readonly number[];
  /** Impressions and clicks count for every part. */
  readonly isCountedByAll: boolean;
}

function createReport(service: Service, request: ReportRequest, campaign: CampaignRow, today: number) {
  const { windows, byDate, reportType } = request;
  const head = { campaignId: campaign.campaign_id, campaignName: campaign.name };
  const isVideo = campaign.campaign_type === 'video';
  const width = isVideo ? WIDTH : PLAIN_WIDTH;
  const splitOf = createSplits(service, reportType, campaign);
  const rows: ReportRow[] = [];
  const sums = new Map<Part['key'], { fields: ReportRow; counts: Float64Array }>();

  function add(stretch: Stretch): void {
    const split = splitOf(stretch);
    const counts = new Float64Array(split.parts.length * width);
    for (const date of stretch.days) {
      const day = dayOf(date);
      if (byDate) counts.fill(0);
      playDay(day, stretch.bidders, stretch.cells, stretch.budgetCents).forEach((brought, row) => {
        if (brought.impressions === 0) return;
        spreadViews(
          counts,
          width,
          split,
          row,
          brought,
          isVideo ? mix(stretch.bidders[row]?.market.key ?? 0, day) : null,
        );
        for (const click of brought.clicks) {
          const part = partFor(split, row, click);
          countClick(counts, part * width, click, today - day, isVideo);
          if (split.isCountedByAll && !isBack(click, today - day)) {
            for (let other = 0; other < split.parts.length; other += 1) {
              if (other !== part) counts[other * width + CLICKS] = (counts[other * width + CLICKS] ?? 0) + 1;
            }
          }
        }
      });
      if (byDate) {
        split.parts.forEach(({ fields }, part) => {
          const own = counts.subarray(part * width, (part + 1) * width);
          if (isShown(reportType, own)) rows.push({ date, ...head, ...fields, ...showCounts(own, windows) });
        });
      }
    }
    if (byDate) return;
    split.parts.forEach(({ key, fields }, part) => {
      const own = counts.slice(part * width, (part + 1) * width);
      const before = sums.get(key)?.counts;
      before?.forEach((count, at) => {
        own[at] = (own[at] ?? 0) + count;
      });
      sums.set(key, { fields, counts: own });
    });
  }

  return {
    add,
    rows: (): readonly ReportRow[] => {
      for (const { fields, counts } of sums.values()) {
        if (isShown(reportType, counts)) rows.push({ ...head, ...fields, ...showCounts(counts, windows) });
      }
      return rows;
    },
  };
}

/** A keyword report only has rows "with more than 10 impressions, or spend, or sales". */
const isShown = (reportType: string, counts: Float64Array): boolean =>
  reportType !== 'keyword' ||
  (counts[IMPRESSIONS] ?? 0) > 10 ||
  (counts[SPEND] ?? 0) > 0 ||
  (counts[ATTRIBUTED + 2 * FAMILY] ?? 0) > 0;

/** Parts that are the same for every campaign. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  brand: ['Northwind', 'Harbor', 'Bluebell'],
  category: ['Home', 'Kitchen', 'Garden'],
};

function createSplits(service: Service, type: string, campaign: CampaignRow): (stretch: Stretch) => Split {
  const { store, settings } = service;
  const { campaign_id } = campaign;
  const isAuto = campaign.targeting_type === 'auto';
  const toOne = (parts: readonly Part[]): Split => ({
    parts,
    partOf: null,
    isByRow: false,
    upTo: () => [1],
    isCountedByAll: false,
  });
  const byRow = (parts: readonly Part[]): Split => ({ ...toOne(parts), isByRow: true });
  const byPlace = (parts: readonly Part[], isCountedByAll = false): Split => {
    const upTo = sumsOf(parts.map(({ key }) => 1 + (hash(settings.seed, 'weight', campaign_id, key) % 9)));
    const partOf = (_row: number, { place }: Click) =>
      Math.max(
        0,
        upTo.findIndex((sum) => place < sum),
      );
    return { parts, partOf, isByRow: false, upTo: () => upTo, isCountedByAll };
  };
  if (type === 'campaign') return () => toOne([{ key: campaign_id, fields: {} }]);
  if (type === 'adGroup') {
    const [group] = store.list('ad_group', { campaign_id });
    const fields = { adGroupId: group?.ad_group_id ?? 0, adGroupName: group?.name ?? '' };
    return () => toOne([{ key: fields.adGroupId, fields }]);
  }
  if (type === 'keyword') {
    const words = new Map(store.list('keyword', { campaign_id }).map((row) => [row.keyword_id, row]));
    return ({ rows }) =>
      byRow(
        rows.flatMap(({ id, bidCents }) => {
          const word = words.get(id);
          if (word === undefined) return [];
          const { ad_group_id: adGroupId, keyword_text: keywordText, match_type: matchType } = word;
          return [{ key: id, fields: { adGroupId, keywordId: id, keywordText, matchType, bid: toNumber(bidCents) } }];
        }),
      );
  }
  if (type === 'adItem') {
    const parts = itemParts(service, campaign);
    return ({ rows, items }) =>
      isAuto
        ? byRow(rows.flatMap(({ id, bidCents }) => parts.get(id)?.(bidCents) ?? []))
        : byPlace(
            items.flatMap((id) => parts.get(id)?.(null) ?? []),
            campaign.campaign_type === 'sba',
          );
  }
  const segments = type === 'platform' ? platforms : type === 'pageType' ? pageTypes : null;
  if (segments === null) {
    const words = wordsOf[type] ?? ['one', 'two'];
    return () => byPlace(words.map((word) => ({ key: word, fields: { [type]: word } })));
  }
  const parts = segments.map(({ word }) => ({ key: word, fields: { [type]: word } }));
  const segmentOf = type === 'platform' ? 'platform' : 'pageType';
  return ({ cells, bidders }) => ({
    ...toOne(parts),
    partOf: (_row, { cell }) => cells[cell]?.[segmentOf] ?? 0,
    upTo: (row) => {
      const { upTo = [] } = bidders[row] ?? {};
      const shares = parts.map(() => 0);
      cells.forEach((cell, at) => {
        shares[cell[segmentOf]] = (shares[cell[segmentOf]] ?? 0) + (upTo[at] ?? 0) - (upTo[at - 1] ?? 0);
      });
      return sumsOf(shares);
    },
  });
}

function itemParts(service: Service, campaign: CampaignRow) {
  const isMigrated = service.store.find('advertiser', campaign.advertiser_id)?.migrated === 1;
  const rows = service.store.all<AdItemRow & ItemRow>(
    'SELECT * FROM ad_item JOIN item USING (item_key) WHERE campaign_id = ? ORDER BY ad_item_id',
    campaign.campaign_id,
  );
  return new Map(
    rows.map((row) => {
      const { ad_group_id: adGroupId, ad_item_id: adItemId, name: itemName } = row;
      const words = { adGroupId, adItemId, itemId: itemIdFor(isMigrated, row), itemName };
      const part = (bidCents: number | null): Part => ({
        key: adItemId,
        fields: { ...words, bid: toNumber(bidCents ?? row.bid) },
      });
      return [adItemId, part] as const;
    }),
  );
}

function sumsOf(shares: readonly number[]): readonly number[] {
  const all = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  return shares.map((share, at) => {
    sum += share;
    return at === shares.length - 1 ? 1 : sum / all;
  });
}

const partFor = ({ partOf, isByRow }: Split, row: number, click: Click): number =>
  partOf === null ? (isByRow ? row : 0) : partOf(row, click);

/**
 * Counts are stored in one array: those of every campaign, then those of video. Money is in cents. A family has a
 * position for each attribution window.
 */
const IMPRESSIONS = 0;
const CLICKS = 1;
const SPEND = 2;
const ATTRIBUTED = 3;
const FAMILY = 3;
const attributedFamilies = ['attributedSales', 'attributedOrders', 'attributedUnits'] as const;
const PLAIN_WIDTH = ATTRIBUTED + attributedFamilies.length * FAMILY;
const VIEWS = PLAIN_WIDTH;
/** Each is a part of the one before, except for five seconds: the quartiles are parts of the viewable ones. */
const views = [
  'viewableImpressions',
  'video5SecondViews',
  'videoFirstQuartileViews',
  'videoMidpointViews',
  'videoThirdQuartileViews',
  'videoCompleteViews',
  'videoUnmutes',
] as const;
const viewShares: readonly (readonly [of: number, low: number, high: number])[] = [
  [-1, 0.6, 0.85],
  [0, 0.5, 0.9],
  [0, 0.6, 0.8],
  [2, 0.6, 0.8],
  [3, 0.6, 0.85],
  [4, 0.6, 0.9],
  [5, 0.02, 0.1],
];
const VIDEO_ATTRIBUTED = VIEWS + views.length;
/** "Video measurement metrics", attribution families: to a view, or to a complete view. */
const videoFamilies = [
  'viewThroughSales',
  'viewThroughOrders',
  'viewThroughUnitsSold',
  'completeViewRevenue',
  'haloCompleteViewRevenue',
  'totalCompleteViewOrders',
  'totalCompleteViewUnits',
] as const;
const WIDTH = VIDEO_ATTRIBUTED + videoFamilies.length * FAMILY;
const isMoney = (family: string): boolean => family.endsWith('Sales') || family.endsWith('Revenue');
const VIEW_THROUGH = 0.3;
const COMPLETE_VIEW = 0.18;

/** Clicks are reported from the next day on; invalid clicks are removed when they are three days old. */
const isBack = ({ isTakenBack }: Click, age: number): boolean => isTakenBack && age >= 3;

function countClick(counts: Float64Array, at: number, click: Click, age: number, isVideo: boolean): void {
  if (isBack(click, age)) return;
  const { order } = click;
  counts[at + CLICKS] = (counts[at + CLICKS] ?? 0) + 1;
  counts[at + SPEND] = (counts[at + SPEND] ?? 0) + click.cents;
  // An order is reported when its day is over.
  if (order === null || order.delay >= age) return;
  const { cents, units } = order;
  const plus = (place: number, amount: number) => {
    counts[at + place] = (counts[at + place] ?? 0) + amount;
  };
  const amounts = [...[cents, 1, units].entries()];
  const isViewed = order.viewed < VIEW_THROUGH;
  const isCompleted = order.completed < COMPLETE_VIEW;
  attributionWindows.forEach((window, place) => {
    if (order.delay >= windowDays[window]) return;
    const into = (family: number, amount: number) => plus(family * FAMILY + place, amount);
    for (const [family, amount] of amounts) into(ATTRIBUTED / FAMILY + family, amount);
    if (!isVideo) return;
    const video = (family: number, amount: number) => plus(VIDEO_ATTRIBUTED + family * FAMILY + place, amount);
    if (isViewed) for (const [family, amount] of amounts) video(family, amount);
    if (!isCompleted) return;
    video(order.isHalo ? 4 : 3, cents);
    video(5, 1);
    video(6, units);
  });
}

/** The impressions of a row on a day and, for a video, their views. A click implies a view. */
function viewsOf({ impressions, clicks }: RowDay, key: number | null): readonly number[] {
  if (key === null) return [impressions];
  const seen: number[] = [];
  viewShares.forEach(([of, low, high], at) => {
    const whole = of < 0 ? impressions : (seen[of] ?? 0);
    const count = Math.round(whole * (low + (high - low) * uniform(key, 40 + at)));
    seen.push(of < 0 ? Math.max(count, clicks.length) : count);
  });
  return [impressions, ...seen];
}

/**
 * Distributes impressions over parts, whose sum is exact. An impression with a click goes to the click's part, the
 * others by share. Views are cut in proportion, so that no part has more of them than impressions: floor(B·to/A) -
 * floor(B·from/A) <= to - from.
 */
function spreadViews(
  counts: Float64Array,
  width: number,
  split: Split,
  row: number,
  day: RowDay,
  /** For a video: the key of the row's day. */
  key: number | null,
) {
  if (key === null && split.partOf === null) {
    const at = (split.isByRow ? row : 0) * width + IMPRESSIONS;
    counts[at] = (counts[at] ?? 0) + day.impressions;
    return;
  }
  const whole = viewsOf(day, key);
  const put = (part: number, metric: number, amount: number) => {
    const at = part * width + (metric === 0 ? IMPRESSIONS : VIEWS + metric - 1);
    counts[at] = (counts[at] ?? 0) + amount;
  };
  if (split.isCountedByAll) {
    for (const part of split.parts.keys()) for (const [metric, amount] of whole.entries()) put(part, metric, amount);
    return;
  }
  if (split.partOf === null) {
    for (const [metric, amount] of whole.entries()) put(split.isByRow ? row : 0, metric, amount);
    return;
  }
  const clicked = split.parts.map(() => 0);
  for (const click of day.clicks) {
    const part = partFor(split, row, click);
    clicked[part] = (clicked[part] ?? 0) + 1;
  }
  const cut = day.clicks[0]?.place ?? 0.5;
  const shares = split.upTo(row);
  const others = cutAt(
    (whole[0] ?? 0) - day.clicks.length,
    shares.map((upTo, at) => upTo - (shares[at - 1] ?? 0)),
    cut,
  );
  const seen: (readonly number[])[] = [others.map((count, part) => count + (clicked[part] ?? 0))];
  viewShares.forEach(([of], at) => {
    const count = whole[at + 1];
    if (count === undefined) return;
    seen.push(
      of < 0
        ? cutAt(count - day.clicks.length, others, cut).map((some, part) => some + (clicked[part] ?? 0))
        : cutAt(count, seen[of + 1] ?? [], cut),
    );
  });
  for (const [metric, byPart] of seen.entries()) {
    for (const [part, amount] of byPart.entries()) put(part, metric, amount);
  }
}

function cutAt(whole: number, weights: readonly number[], cut: number): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let soFar = 0;
  let before = 0;
  return weights.map((weight, at) => {
    soFar += weight;
    const upTo =
      at === weights.length - 1 ? whole : all === 0 ? 0 : Math.min(whole, Math.floor((whole * soFar) / all + cut));
    const own = upTo - before;
    before = upTo;
    return own;
  });
}

/** Counts as the columns of "Video measurement metrics", with the attribution families for the requested windows. */
function showCounts(counts: Float64Array, windows: readonly AttributionWindow[]): ReportRow {
  const count = (at: number) => counts[at] ?? 0;
  const isVideo = counts.length > PLAIN_WIDTH;
  const row: Record<string, number> = {
    impressions: count(IMPRESSIONS),
    clicks: count(CLICKS),
    adSpend: toNumber(count(SPEND)),
  };
  if (isVideo) Object.assign(row, showViews(count));
  for (const window of windows) {
    const place = attributionWindows.indexOf(window);
    const show = (families: readonly string[], from: number) => {
      families.forEach((family, at) => {
        const amount = count(from + at * FAMILY + place);
        row[family + window] = isMoney(family) ? toNumber(amount) : amount;
      });
    };
    show(attributedFamilies, ATTRIBUTED);
    if (!isVideo) continue;
    show(videoFamilies, VIDEO_ATTRIBUTED);
    // All SKUs: the revenue of the advertised one plus the halo.
    const total = count(VIDEO_ATTRIBUTED + 3 * FAMILY + place) + count(VIDEO_ATTRIBUTED + 4 * FAMILY + place);
    row[`totalCompleteViewAttributedSales${window}`] = toNumber(total);
  }
  return row;
}

function showViews(count: (at: number) => number): ReportRow {
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : toNumber(Math.floor((part * 10_000) / whole)));
  const [impressions, viewable, fiveSeconds] = [count(IMPRESSIONS), count(VIEWS), count(VIEWS + 1)];
  return {
    videoImpressions: impressions,
    viewableImpressions: viewable,
    viewThroughRate: percent(viewable, impressions),
    ctrForViews: percent(count(CLICKS), viewable),
    video5SecondViews: fiveSeconds,
    video5SecondViewRate: percent(fiveSeconds, impressions),
    ...Object.fromEntries(views.slice(2).map((name, at) => [name, count(VIEWS + 2 + at)])),
  };
}
