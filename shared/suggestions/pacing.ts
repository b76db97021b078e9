import { dollars, type Explanation, percent, plain, sentences, step } from './explanation.ts';
import { cutCents, rounded, sumOf, Z80 } from './statistics.ts';

const WEEKS = 8;
const PRIOR_DAYS = 4;
const RECENT_DAYS = 14;
const HALF_LIFE_DAYS = 7;
const BUDGET_STEP = 0.5;
const CAPPED_SHARE = 0.95;
/** From this number of capped days, the budget is too small. */
export const CAPPED_DAYS = 3;
const CAPPED_OF = 7;

/** Spend of one complete day; weekday 0 is Sunday. */
export interface SpentDay {
  readonly weekday: number;
  readonly spend: number;
}

/** Spend of each weekday relative to the mean, Sunday first; their mean is 1. From up to 8 complete weeks, newest last. */
export function weekdayWeights(days: readonly SpentDay[]): readonly number[] {
  const known = days.slice(-WEEKS * 7);
  const mean = known.length === 0 ? 0 : sumOf(known, ({ spend }) => spend) / known.length;
  if (mean <= 0) return Array.from({ length: 7 }, () => 1);
  const raw = Array.from({ length: 7 }, (_, weekday) => {
    const own = known.filter((day) => day.weekday === weekday);
    return (sumOf(own, ({ spend }) => spend) + PRIOR_DAYS * mean) / (own.length + PRIOR_DAYS) / mean;
  });
  const scale = 7 / sumOf(raw, (weight) => weight);
  return raw.map((weight) => rounded(weight * scale));
}

/** A mean day of late, without its weekday: the newest of up to 14 days counts most. */
export function recentDay(
  days: readonly SpentDay[],
  weights: readonly number[],
): { readonly mean: number; readonly deviation: number } {
  const known = days.slice(-RECENT_DAYS).map(({ weekday, spend }, at, all) => ({
    value: spend / (weights[weekday] ?? 1),
    weight: 2 ** (-(all.length - 1 - at) / HALF_LIFE_DAYS),
  }));
  const total = sumOf(known, ({ weight }) => weight);
  if (total === 0) return { mean: 0, deviation: 0 };
  const mean = sumOf(known, ({ value, weight }) => value * weight) / total;
  const variance = sumOf(known, ({ value, weight }) => weight * (value - mean) ** 2) / total;
  return { mean: rounded(mean), deviation: rounded(Math.sqrt(variance)) };
}

export interface PacingFacts {
  /** For the month. */
  readonly plan: number;
  readonly spent: number;
  /** Weekdays of days whose spend is known, and of the other days of the month. */
  readonly daysGone: readonly number[];
  readonly daysLeft: readonly number[];
  readonly weights: readonly number[];
  readonly recent: { readonly mean: number; readonly deviation: number };
  /** Of today; null without a limit. */
  readonly dailyBudget: number | null;
}

export type PacingNumbers = ReturnType<typeof projectMonth>;

/** Projects spend by weekday to the end of the month and compares it with the plan. Amounts in cents. */
export function projectMonth(facts: PacingFacts) {
  const { plan, spent, daysGone, daysLeft, weights, recent, dailyBudget } = facts;
  const weightOf = (weekdays: readonly number[]): number => rounded(sumOf(weekdays, (day) => weights[day] ?? 1));
  const [gone, left] = [weightOf(daysGone), weightOf(daysLeft)];
  const projected = spent + recent.mean * left;
  const half = Z80 * recent.deviation * Math.sqrt(daysLeft.length);
  const wantedBudget = left === 0 ? 0 : Math.max(0, (plan - spent) / left);
  const suggested =
    dailyBudget === null || left === 0
      ? null
      : Math.min(
          Math.floor(rounded(dailyBudget * (1 + BUDGET_STEP))),
          Math.max(Math.ceil(rounded(dailyBudget * (1 - BUDGET_STEP))), cutCents(wantedBudget)),
        );
  return {
    plan,
    spent,
    gone,
    left,
    daysLeft: daysLeft.length,
    due: rounded((plan * gone) / (gone + left)),
    recent: recent.mean,
    deviation: recent.deviation,
    projected: rounded(projected),
    low: rounded(Math.max(spent, projected - half)),
    high: rounded(projected + half),
    /** Spend of a mean day that lands the plan. */
    wantedBudget: rounded(wantedBudget),
    dailyBudget,
    /** One step towards it; null without a daily budget, or when no days of the month are left. */
    suggested,
  };
}

/** Number of the last 7 days on which the daily budget stopped the ads. */
export const cappedDays = (days: readonly { readonly spend: number; readonly dailyBudget: number | null }[]): number =>
  days
    .slice(-CAPPED_OF)
    .filter(({ spend, dailyBudget }) => dailyBudget !== null && dailyBudget > 0 && spend >= CAPPED_SHARE * dailyBudget)
    .length;

export function explainPacing(of: PacingNumbers): Explanation {
  const half = of.high - of.projected;
  return {
    summary: sentences(
      `${dollars(of.spent)} of ${dollars(of.plan)} is spent. By now, ${dollars(of.due)} was planned.`,
      `Projected spend of the month is ${dollars(of.projected)}, likely between ${dollars(of.low)} and ${dollars(of.high)}.`,
      of.left === 0 ? null : `To meet the plan, spend ${dollars(of.wantedBudget)} on an average day.`,
      of.suggested === null || of.dailyBudget === null
        ? null
        : `Suggested daily budget ${dollars(of.suggested)}, now ${dollars(of.dailyBudget)}.`,
    ),
    steps: [
      step(
        'Planned by now',
        `${dollars(of.plan)} × ${plain(of.gone, 2)} ÷ ${plain(of.gone + of.left, 2)} average days`,
        dollars(of.due),
      ),
      step(
        'Projected spend',
        `${dollars(of.spent)} + ${dollars(of.recent)} × ${plain(of.left, 2)}`,
        dollars(of.projected),
      ),
      step('Likely range (80%)', `${Z80} × ${dollars(of.deviation)} × √${of.daysLeft}`, `± ${dollars(half)}`),
      step(
        'Average day to meet the plan',
        `(${dollars(of.plan)} - ${dollars(of.spent)}) ÷ ${plain(of.left, 2)}`,
        dollars(of.wantedBudget),
      ),
      ...(of.suggested === null || of.dailyBudget === null
        ? []
        : [
            step(
              'Suggested daily budget',
              `at most ${percent(BUDGET_STEP, 0)} up or down from ${dollars(of.dailyBudget)}`,
              dollars(of.suggested),
            ),
          ]),
    ],
  };
}
