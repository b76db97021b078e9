import { type Explanation, plain, sentences, signedPercent, step } from './explanation.ts';
import { rounded, Z80_CLICK_RATE } from './statistics.ts';

/** Compares a new banner with the old one by complete days of both, against other ad groups of the type on the same days. */
const DAYS_MIN = 7;
const CLICKS_MIN = 100;

interface Shown {
  readonly clicks: number;
  readonly impressions: number;
}

export interface SwapNumbers {
  readonly days: number;
  /** Changes of the click rate as shares: 0.175 is +17.5%. */
  readonly own: number;
  readonly control: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: 'better' | 'worse' | 'unclear';
  /** Estimated further days until a result; null with a result, or without a difference. */
  readonly moreDays: number | null;
}

/** A time in which a campaign showed only one creative. Days are counted from 1970-01-01; days of a swap show two. */
export interface BannerRun {
  readonly creative: string;
  readonly from: number;
  /** Null while it is shown. */
  readonly to: number | null;
}

/** @param events the creative of each profile since which day, oldest first; empty for a disabled profile */
export function bannerRuns(
  events: readonly { readonly row: number; readonly creative: string; readonly day: number }[],
): readonly BannerRun[] {
  const runs: BannerRun[] = [];
  const shown = new Map<number, string>();
  for (const { row, creative, day } of events) {
    shown.set(row, creative);
    const now = new Set(shown.values());
    now.delete('');
    const [only = null] = now.size === 1 ? now : [];
    const last = runs.at(-1);
    if (last !== undefined && last.to === null) {
      if (last.creative === only) continue;
      runs.pop();
      // One that did not last over a night, such as a banner before its logo was added, has no complete day.
      if (last.from < day) runs.push({ ...last, to: day });
    }
    const ended = runs.at(-1);
    if (only === null) continue;
    if (ended?.creative === only && ended.to === day) runs[runs.length - 1] = { ...ended, to: null };
    else runs.push({ creative: only, from: day, to: null });
  }
  return runs;
}

/** A complete day of a banner, and of other campaigns of the type. */
export interface BannerDay {
  readonly own: Shown;
  readonly control: Shown;
}

export type SwapFacts = ReturnType<typeof swapFacts>;

/** Compares two banners by their complete days with impressions. */
export function swapFacts(before: readonly BannerDay[], after: readonly BannerDay[]) {
  const sides = [before, after].flatMap((days) => [days.map(({ own }) => own), days.map(({ control }) => control)]);
  const sums = sides.map((days) => ({
    clicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
    impressions: days.reduce((sum, { impressions }) => sum + impressions, 0),
  }));
  const [own, control, ownAfter, controlAfter] = sums as [Shown, Shown, Shown, Shown];
  let [scatter, freedom] = [0, 0];
  for (const [at, days] of sides.entries()) {
    const { clicks = 0, impressions = 0 } = sums[at] ?? {};
    if (clicks === 0) continue;
    freedom += days.length - 1;
    for (const day of days) {
      const expected = (day.impressions * clicks) / impressions;
      if (expected > 0) scatter += (day.clicks - expected) ** 2 / expected;
    }
  }
  return {
    before: own,
    after: ownAfter,
    controlBefore: control,
    controlAfter,
    /** Number of complete days of the side with fewer. */
    days: Math.min(before.length, after.length),
    /** Ratio of the variance between days to that of chance alone; at least 1. */
    dispersion: freedom > 0 ? scatter / freedom : 1,
  };
}

/** @returns null with fewer than 7 days or 100 clicks on a side, or without a control group */
export function compareBanners({
  before,
  after,
  controlBefore,
  controlAfter,
  days,
  dispersion,
}: SwapFacts): SwapNumbers | null {
  const clicks = [before, after, controlBefore, controlAfter].map((side) => side.clicks);
  if (days < DAYS_MIN || Math.min(before.clicks, after.clicks) < CLICKS_MIN || Math.min(...clicks) === 0) return null;
  const rise = (from: Shown, to: Shown): number =>
    Math.log(to.clicks / to.impressions / (from.clicks / from.impressions));
  const [own, control] = [rise(before, after), rise(controlBefore, controlAfter)];
  const difference = own - control;
  const error = Math.sqrt(Math.max(1, dispersion) * clicks.reduce((sum, count) => sum + 1 / count, 0));
  const half = Z80_CLICK_RATE * error;
  const share = (log: number): number => rounded(Math.exp(log) - 1);
  const verdict = difference - half > 0 ? 'better' : difference + half < 0 ? 'worse' : 'unclear';
  const needed = difference === 0 ? null : Math.ceil(days * (half / difference) ** 2 - days);
  return {
    days,
    own: share(own),
    control: share(control),
    difference: share(difference),
    low: share(difference - half),
    high: share(difference + half),
    verdict,
    moreDays: verdict === 'unclear' ? needed : null,
  };
}

export function explainSwap(of: SwapNumbers): Explanation {
  const verdicts = {
    better: 'The new banner gets more clicks.',
    worse: 'The new banner gets fewer clicks.',
    unclear:
      of.moreDays === null
        ? 'It is too early to tell.'
        : `It is too early to tell: about ${plain(of.moreDays, 0)} more days are needed.`,
  };
  return {
    summary: sentences(
      verdicts[of.verdict],
      `Its click rate changed by ${signedPercent(of.own)}, other ad groups by ${signedPercent(of.control)}.`,
      `The difference is ${signedPercent(of.difference)}, likely between ${signedPercent(of.low)} and ${signedPercent(of.high)}.`,
    ),
    steps: [
      step(
        'Difference',
        `(1 ${signedPercent(of.own)}) ÷ (1 ${signedPercent(of.control)}) - 1`,
        signedPercent(of.difference),
      ),
      step(
        'Likely range (80%)',
        `${of.days} full days before and after`,
        `${signedPercent(of.low)} to ${signedPercent(of.high)}`,
      ),
    ],
  };
}
