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

interface WordSums {
  clicks: number;
  orders: number;
  sales: number;
  spend: number;
  rows: number;
}

function addTo(sums: Map<string, WordSums>, key: string, more: Omit<WordSums, 'rows'>, rows: number): void {
  const sum = sums.get(key);
  if (sum === undefined) {
    sums.set(key, { clicks: more.clicks, orders: more.orders, sales: more.sales, spend: more.spend, rows });
    return;
  }
  sum.clicks += more.clicks;
  sum.orders += more.orders;
  sum.sales += more.sales;
  sum.spend += more.spend;
  sum.rows += rows;
}

/** @param parent the conversion rate of the account */
export function findWords(rows: readonly WordRow[], parent: GroupRate, rowShape: number): readonly WordNumbers[] {
  const texts = new Map<string, WordSums>();
  for (const row of rows) addTo(texts, row.text, row, 1);
  const rowsOfWord = new Map<string, number>();
  const split = Array.from(texts, ([text, sum]) => ({ words: text.split(' ').filter((word) => word !== ''), sum }));
  for (const { words, sum } of split) {
    for (const word of new Set(words)) rowsOfWord.set(word, (rowsOfWord.get(word) ?? 0) + sum.rows);
  }
  const sums = new Map<string, WordSums>();
  for (const { words, sum } of split) {
    for (const group of wordGroups(words, (word) => (rowsOfWord.get(word) ?? 0) >= ROWS_MIN)) {
      addTo(sums, group, sum, sum.rows);
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

/** Each group once; a group with a rare word is rare itself. */
function wordGroups(words: readonly string[], isFrequent: (word: string) => boolean): readonly string[] {
  const groups: string[] = [];
  for (const [from, first] of words.entries()) {
    let group = first;
    for (let length = 1; length <= WORDS_MAX; length++) {
      const word = words[from + length - 1];
      if (word === undefined || !isFrequent(word)) break;
      if (length > 1) group = `${group} ${word}`;
      if (!groups.includes(group)) groups.push(group);
    }
  }
  return groups;
}

export function explainWords(of: WordNumbers): Explanation {
  const { advice } = of;
  return {
    summary: sentences(
      `"${of.words}" is in ${counted(of.rows, 'keyword')}.`,
      `${counted(of.clicks, 'click')} cost ${dollars(of.spend)} and led to ${counted(of.orders, 'order')}.`,
      advice === 'waste'
        ? `At the account's conversion rate, the chance of this is ${percent(of.chance, 1)}.`
        : `Sales per click are ${dollars(of.perClick)}. The account average is ${dollars(of.parentPerClick)}.`,
    ),
    steps: [
      step('Sales per click', `at least ${dollars(of.low)} (80% range)`, dollars(of.perClick)),
      step(
        'Compared with the account',
        `${dollars(of.low)} and ${PROMISE} × ${dollars(of.parentPerClick)}`,
        advice === 'waste' ? 'Wastes spend' : 'Sells well',
      ),
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
      `Keep the one with sales per click of at least ${dollars(of.keepLow)}.`,
    ),
    steps: [step('Keep', 'the highest sales per click at the lower end of the range (80%)', dollars(of.keepLow))],
  };
}
