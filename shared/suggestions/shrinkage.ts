import type { Exposures } from './exposure.ts';
import { gammaQuantile, logGamma, sumOf, Z80 } from './statistics.ts';

const SHAPES = [0.5, 1, 2, 4, 8, 16] as const;
/** Orders that the value of an order of the parent counts for. */
const GROUP_VALUE_ORDERS = 5;
const ROW_VALUE_ORDERS = 3;

/** The rate of a campaign as a gamma distribution, and the value of an order in cents. */
export interface GroupRate {
  readonly theta: number;
  readonly alpha: number;
  readonly beta: number;
  readonly orderValue: number;
}

export interface Rates {
  /** Of the whole account. */
  readonly theta: number;
  readonly orderValue: number;
  readonly groupShape: number;
  readonly rowShape: number;
  readonly groups: readonly GroupRate[];
}

/** Data of one row: weighted clicks and orders, sales in cents. */
export interface RowSums {
  readonly clicks: number;
  readonly orders: number;
  readonly sales: number;
}

/** The rate of a row. Amounts are in cents. */
export interface RowRate {
  readonly theta: number;
  readonly alpha: number;
  readonly beta: number;
  readonly orderValue: number;
  /** Sales per click. */
  readonly perClick: number;
}

type Counts = Pick<Exposures, 'clicks' | 'orders'>;

/** Log likelihood of the orders of rows whose rates vary with this shape. */
export function shapeLikelihood({ clicks, orders }: Counts, parentOf: (row: number) => number, shape: number): number {
  const atShape = logGamma(shape);
  let sum = 0;
  for (let row = 0; row < clicks.length; row++) {
    const [n, o] = [clicks[row] ?? 0, orders[row] ?? 0];
    if (n <= 0) continue;
    const b = shape / parentOf(row);
    sum += shape * Math.log(b / (b + n));
    if (o > 0) sum += logGamma(shape + o) - atShape + o * Math.log(n / (b + n));
  }
  return sum;
}

/** The first shape of the grid that fits best. */
export function bestShape(counts: Counts, parentOf: (row: number) => number): number {
  let best: number = SHAPES[0];
  let highest = Number.NEGATIVE_INFINITY;
  for (const shape of SHAPES) {
    const likelihood = shapeLikelihood(counts, parentOf, shape);
    if (likelihood <= highest) continue;
    best = shape;
    highest = likelihood;
  }
  return best;
}

/** Orders and clicks of rows, each row weighted with 1 / (its clicks + the clicks of its prior), so that no large row decides. */
export function weightedCounts({ clicks, orders }: Counts, priorClicks: number): { orders: number; clicks: number } {
  const sums = { orders: 0, clicks: 0 };
  for (let row = 0; row < clicks.length; row++) {
    const n = clicks[row] ?? 0;
    sums.orders += (orders[row] ?? 0) / (n + priorClicks);
    sums.clicks += n / (n + priorClicks);
  }
  return sums;
}

interface Group {
  readonly clicks: Float64Array;
  readonly orders: Float64Array;
  readonly sums: RowSums;
}

/**
 * The conversion rates of all campaigns: orders per click. A row with few clicks is shrunk towards its campaign, and a
 * campaign towards the account: orders are Poisson, and the rates of rows in a campaign follow a gamma distribution.
 *
 * @param groupOf index of the campaign of each row
 * @returns null when no click has led to an order yet: no rate can be estimated
 */
export function shrinkRates(rows: Exposures, groupOf: ArrayLike<number>, groupCount: number): Rates | null {
  const groups = groupRows(rows, groupOf, groupCount);
  const total = {
    clicks: sumOf(groups, ({ sums }) => sums.clicks),
    orders: sumOf(groups, ({ sums }) => sums.orders),
    sales: sumOf(groups, ({ sums }) => sums.sales),
  };
  if (total.orders <= 0 || total.clicks <= 0) return null;
  // The variation of rates is estimated from counts that vary like orders; otherwise chance would be underestimated.
  const scatter = ({ clicks, orders }: Counts): Counts => ({
    clicks: clicks.map((count) => count / (rows.weight ?? 1)),
    orders: orders.map((count) => count / (rows.weight ?? 1)),
  });
  const known = scatter({
    clicks: Float64Array.from(groups, ({ sums }) => sums.clicks),
    orders: Float64Array.from(groups, ({ sums }) => sums.orders),
  });
  let theta = total.orders / total.clicks;
  const first = theta;
  const groupShape = bestShape(known, () => first);
  let posteriors = groups.map(({ sums }) => posteriorOf(sums, groupShape, first));
  const pooled = posteriors;
  const rowShape = bestShape(scatter(rows), (row) => pooled[groupOf[row] ?? 0]?.theta ?? first);
  for (let round = 0; round < 2; round++) {
    const current = posteriors;
    const weighted = groups.map((group, at) => {
      const priorClicks = rowShape / (current[at]?.theta ?? theta);
      return { ...weightedCounts(group, priorClicks), priorClicks };
    });
    theta = sumOf(weighted, ({ orders }) => orders) / sumOf(weighted, ({ clicks }) => clicks);
    // Multiplied by the clicks of the prior, the weights are clicks again, like the account's share.
    posteriors = weighted.map(({ orders, clicks, priorClicks }) =>
      posteriorOf({ orders: orders * priorClicks, clicks: clicks * priorClicks }, groupShape, theta),
    );
  }
  const orderValue = total.sales / total.orders;
  return {
    theta,
    orderValue,
    groupShape,
    rowShape,
    groups: posteriors.map((posterior, at) => {
      const { orders = 0, sales = 0 } = groups[at]?.sums ?? {};
      return { ...posterior, orderValue: (sales + GROUP_VALUE_ORDERS * orderValue) / (orders + GROUP_VALUE_ORDERS) };
    }),
  };
}

/** The estimated sales rate of a row, given its campaign. */
export function rowRate({ clicks, orders, sales }: RowSums, group: GroupRate, rowShape: number): RowRate {
  const alpha = orders + rowShape;
  const beta = clicks + rowShape / group.theta;
  const theta = alpha / beta;
  const orderValue = (sales + ROW_VALUE_ORDERS * group.orderValue) / (orders + ROW_VALUE_ORDERS);
  return { theta, alpha, beta, orderValue, perClick: theta * orderValue };
}

/** The 80% interval of a rate. */
export const rateInterval = ({ alpha, beta }: Pick<RowRate, 'alpha' | 'beta'>): { low: number; high: number } => ({
  low: gammaQuantile(alpha, beta, -Z80),
  high: gammaQuantile(alpha, beta, Z80),
});

/** The probability that a row as good as its campaign has no order with this many clicks. */
export const chanceOfNoOrder = ({ alpha, beta }: Pick<GroupRate, 'alpha' | 'beta'>, clicks: number): number =>
  (beta / (beta + clicks)) ** alpha;

function posteriorOf({ orders, clicks }: Omit<RowSums, 'sales'>, shape: number, parent: number) {
  const alpha = orders + shape;
  const beta = clicks + shape / parent;
  return { theta: alpha / beta, alpha, beta };
}

function groupRows(rows: Exposures, groupOf: ArrayLike<number>, groupCount: number): readonly Group[] {
  const sizes = new Int32Array(groupCount);
  for (let row = 0; row < rows.clicks.length; row++) sizes[groupOf[row] ?? 0] = (sizes[groupOf[row] ?? 0] ?? 0) + 1;
  const groups = Array.from(sizes, (size) => ({
    clicks: new Float64Array(size),
    orders: new Float64Array(size),
    sums: { clicks: 0, orders: 0, sales: 0 },
  }));
  sizes.fill(0);
  for (let row = 0; row < rows.clicks.length; row++) {
    const at = groupOf[row] ?? 0;
    const group = groups[at];
    if (group === undefined) continue;
    const place = sizes[at] ?? 0;
    sizes[at] = place + 1;
    const [clicks, orders] = [rows.clicks[row] ?? 0, rows.orders[row] ?? 0];
    group.clicks[place] = clicks;
    group.orders[place] = orders;
    group.sums.clicks += clicks;
    group.sums.orders += orders;
    group.sums.sales += rows.sales[row] ?? 0;
  }
  return groups;
}
