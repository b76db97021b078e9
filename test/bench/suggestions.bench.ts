import { addColumn, type Column, decodeSegment, encodeSegment, type Segment } from '../../main/cube/segment.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import type { CampaignFacts, RowsFacts, SuggestionFacts } from '../../shared/suggestions/facts.ts';
import { suggest } from '../../shared/suggestions/suggest.ts';
import { ASSUMED } from '../../shared/suggestions/what-if.ts';
import { said, timed } from './figure.ts';

/**
 * All suggestions for 100,000 keywords and 100 days: as many weighted sums over packed days as the account's thread makes
 * (`main/suggestions/load-facts.ts`), then bids, finder, harvest, words, duplicates and what-if. The peer is one plain sum of clicks.
 */
const DAYS = 100;
const PER_CAMPAIGN = 100;
const TODAY = 20_500;
const METRICS = ['impressions', 'clicks', 'orders', 'sales', 'spend', 'bid'] as const;
/** Sums of each metric that are asked for. */
const TERMS = { impressions: 1, clicks: 5, orders: 2, sales: 1, spend: 4, bid: 0 } as const;

export async function benchSuggestions(keywords = 100_000): Promise<boolean> {
  const segments = Array.from({ length: DAYS }, (_, day) => aDay(keywords, day));
  const empty = () => new Float64Array(keywords);
  let found = 0;
  const plain = await timed(() => addUp(segments, 'clicks', [empty()]));
  const all = await timed(() => {
    const sums = METRICS.map((metric) => {
      const into = Array.from({ length: TERMS[metric] }, empty);
      addUp(segments, metric, into);
      return into[0] ?? empty();
    });
    found = suggest(factsOf(keywords, sums)).suggestions.length;
  });
  if (found < keywords / 10) throw new Error(`only ${found} suggestions were found`);
  return said(`all suggestions over ${keywords} keywords and ${DAYS} days (${found} found)`, all, 'ms', {
    bar: (1500 * keywords) / 100_000,
    peer: 'one sum of clicks over the same days',
    peerValue: plain,
  });
}

function addUp(segments: readonly Segment[], metric: (typeof METRICS)[number], into: readonly Float64Array[]): void {
  for (const [day, segment] of segments.entries()) {
    const column: Column | undefined = segment.columns.find((each) => each.metric === METRICS.indexOf(metric));
    if (column === undefined) continue;
    for (const sums of into) addColumn(segment, column, sums, 2 ** ((day - DAYS) / 180));
  }
}

/** Long-tailed: most keywords have no click on most days. The same numbers in every run. */
function aDay(keywords: number, day: number): Segment {
  const values = METRICS.map(() => new Float64Array(keywords));
  for (let id = 0; id < keywords; id++) {
    const chance = hash(id * DAYS + day);
    const clicks = chance < 0.18 ? 1 + Math.floor(hash(id) ** 4 * 20) : 0;
    const orders = clicks > 0 && hash(id + day * 7) < 0.08 ? 1 : 0;
    const row = [5 + clicks * 40, clicks, orders, orders * 2500, clicks * 60, 80];
    for (const [at, value] of row.entries()) (values[at] as Float64Array)[id] = value;
  }
  const columns = values.map((column, metric) => ({ metric, values: column, adds: true }));
  const segment = decodeSegment(encodeSegment({ ids: Uint32Array.from({ length: keywords }, (_, id) => id), columns }));
  if (segment === null) throw new Error('a day cannot be read back');
  return segment;
}

const hash = (seed: number): number => {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
};

function factsOf(
  keywords: number,
  [impressions, clicks, orders, sales, spend]: readonly Float64Array[],
): SuggestionFacts {
  const zero = new Float64Array(keywords);
  const none = new Float64Array(0);
  const campaigns = Array.from({ length: Math.ceil(keywords / PER_CAMPAIGN) }, (_, at): CampaignFacts => {
    const series = { impressions: none, clicks: none, spend: none, orders: none, sales: none };
    return {
      id: asRowId(at + 1),
      name: `Campaign ${at}`,
      isVideo: false,
      isLive: true,
      goal: { scope: { of: 'account' }, goal: { is: 'roas', target: 400 } },
      dailyBudget: 100_000,
      totalBudget: null,
      budgetEffect: 'immediate',
      barred: null,
      series: { firstDay: TODAY - 70, ...series },
    };
  });
  const rows = (count: number, column: Partial<Record<string, Float64Array>>): RowsFacts => {
    const of = (name: string): Float64Array => column[name] ?? zero;
    return {
      rows: Array.from({ length: count }, (_, at) => ({
        id: asRowId(at + 10_000),
        campaign: Math.floor(at / PER_CAMPAIGN),
        adGroupId: asRowId(Math.floor(at / PER_CAMPAIGN) + 1),
        label: `word ${at % 997} pan ${at % 13}`,
        text: `word ${at % 997} pan ${at % 13}`,
        matchType: (['exact', 'phrase', 'broad'] as const)[at % 3] ?? null,
        bid: 80,
        isEnabled: true,
        barred: null,
        effect: 'immediate' as const,
        sentOn: null,
        pausedOn: null,
        startedOn: null,
      })),
      counted: { clicks: of('clicks'), orders: of('orders'), sales: of('sales') },
      settled: { clicks: of('clicks'), orders: of('orders'), spend: of('spend') },
      clicks: of('clicks'),
      spend: of('spend'),
      clicksTimesBid: of('clicks').map((value) => value * 80),
      weekClicks: of('clicks'),
      weekSpend: of('spend'),
      monthSpend: of('spend'),
      impressions: of('impressions'),
      impressionDays: 14,
      spendAfterPause: zero,
      daysAfterPause: zero,
    };
  };
  const columns = { impressions, clicks, orders, sales, spend } as Partial<Record<string, Float64Array>>;
  return {
    today: TODAY,
    newestDay: TODAY - 1,
    weekDays: 7,
    monthDays: 28,
    campaigns,
    keywords: rows(keywords, columns),
    adItems: rows(0, {}),
    placeMetrics: [],
    swaps: [],
    plans: [],
    days: [],
    response: ASSUMED,
    dismissals: new Map(),
    limits: { floorItem: null, floorVideoKeyword: 150, max: 10_000, multiplierMax: 90_000, textsMax: 200 },
  };
}

if (import.meta.main) process.exitCode = (await benchSuggestions(Number(process.argv[2] ?? 100_000))) ? 0 : 1;
