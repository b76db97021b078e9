import { counted, dollars, type Explanation, percent, sentences, step } from './explanation.ts';
import { chanceOfNoOrder, type GroupRate, type RowSums, rateInterval, rowRate } from './shrinkage.ts';
import { rounded } from './statistics.ts';

/** Groups of one to three words in keyword texts that waste or promise, and keywords that are advertised twice. */
const WORDS_MAX = 3;
const ROWS_MIN = 3;
const WASTE_AT = 0.05;
const PROMISE = 1.25;

export interface WordRow extends RowSums {
  readonly key: string;
  /** Folded: words in lower case with one space between. */
  readonly text: string;
  readonly spend: number;
}

export interface WordNumbers extends RowSums {
  readonly words: string;
  readonly rows: number;
  readonly spend: number;
  readonly advice: 'waste' | 'promise';
  readonly chance: number;
  readonly perClick: number;
  /** Sales per click: the low end of the words', and of the account. */
  readonly low: number;
  readonly parentPerClick: number;
}

/** @param parent what the account's clicks bring */
export function findWords(rows: readonly WordRow[], parent: GroupRate, rowShape: number): readonly WordNumbers[] {
  const sums = new Map<string, { clicks: number; orders: number; sales: number; spend: number; rows: number }>();
  for (const row of rows) {
    for (const words of wordGroups(row.text)) {
      const sum = sums.get(words) ?? { clicks: 0, orders: 0, sales: 0, spend: 0, rows: 0 };
      sum.clicks += row.clicks;
      sum.orders += row.orders;
      sum.sales += row.sales;
      sum.spend += row.spend;
      sum.rows += 1;
      sums.set(words, sum);
    }
  }
  const parentPerClick = parent.theta * parent.orderValue;
  const found: WordNumbers[] = [];
  for (const words of [...sums.keys()].toSorted()) {
    const sum = sums.get(words);
    if (sum === undefined || sum.rows < ROWS_MIN) continue;
    const rate = rowRate(sum, parent, rowShape);
    const low = rateInterval(rate).low * rate.orderValue;
    const chance = sum.orders > 0 ? 1 : rounded(chanceOfNoOrder(parent, sum.clicks));
    const advice = chance <= WASTE_AT ? 'waste' : low > PROMISE * parentPerClick ? 'promise' : null;
    if (advice === null) continue;
    found.push({ words, ...sum, advice, chance, perClick: rate.perClick, low, parentPerClick });
  }
  return found;
}

function* wordGroups(text: string): Generator<string> {
  const words = text.split(' ').filter((word) => word !== '');
  const seen = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    for (let length = 1; length <= WORDS_MAX && from + length <= words.length; length++) {
      const group = words.slice(from, from + length).join(' ');
      if (seen.has(group)) continue;
      seen.add(group);
      yield group;
    }
  }
}

export function explainWords(of: WordNumbers): Explanation {
  const { advice } = of;
  return {
    summary: sentences(
      `“${of.words}” stands in ${counted(of.rows, 'keyword')}.`,
      `${counted(of.clicks, 'click')} cost ${dollars(of.spend)} and brought ${counted(of.orders, 'order')}.`,
      advice === 'waste'
        ? `By chance alone this happens in ${percent(of.chance, 1)} of cases.`
        : `A click brings ${dollars(of.perClick)}; the account's clicks bring ${dollars(of.parentPerClick)}.`,
    ),
    steps: [
      step('Sales per click', `at least ${dollars(of.low)} (80% interval)`, dollars(of.perClick)),
      step('Promise', `${dollars(of.low)} against ${PROMISE} × ${dollars(of.parentPerClick)}`, advice),
    ],
  };
}

/** One keyword of an item. Rows of one list have the same folded text, match type and item. */
export interface DuplicateRow {
  readonly key: string;
  readonly clicks: number;
  readonly spend: number;
  /** The low end of its sales per click, in cents. */
  readonly low: number;
}

export interface DuplicateNumbers {
  readonly rows: number;
  readonly clicks: number;
  readonly spend: number;
  readonly mostClicks: number;
  readonly keepLow: number;
}

export interface Duplicates extends DuplicateNumbers {
  /** The row with the surest sales per click, and the one that gets the traffic. */
  readonly keep: string;
  readonly busiest: string;
}

export function compareDuplicates(rows: readonly DuplicateRow[]): Duplicates | null {
  const ordered = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const [first] = ordered;
  if (first === undefined || ordered.length < 2) return null;
  const keep = ordered.reduce((best, row) => (row.low > best.low ? row : best), first);
  const busiest = ordered.reduce((best, row) => (row.clicks > best.clicks ? row : best), first);
  return {
    keep: keep.key,
    busiest: busiest.key,
    rows: ordered.length,
    clicks: ordered.reduce((sum, { clicks }) => sum + clicks, 0),
    spend: ordered.reduce((sum, { spend }) => sum + spend, 0),
    mostClicks: busiest.clicks,
    keepLow: keep.low,
  };
}

export function explainDuplicates(of: DuplicateNumbers): Explanation {
  return {
    summary: sentences(
      `This keyword is advertised ${of.rows} times for the same item.`,
      `One of them gets ${of.mostClicks} of ${counted(of.clicks, 'click')}.`,
      `Keep the one whose clicks bring at least ${dollars(of.keepLow)}.`,
    ),
    steps: [step('Keep', 'the highest low end of sales per click (80% interval)', dollars(of.keepLow))],
  };
}
