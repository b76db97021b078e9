import { toNumber } from '../decimal.ts';
import { type AttributionWindow, attributedFamilies, type Counts, videoFamilies } from './report-counts.ts';

/** Counts as the columns of "Video measurement metrics", with the attribution families for the wanted windows. */
export function showCounts(counts: Counts, windows: readonly AttributionWindow[]): Readonly<Record<string, number>> {
  const count = (name: string) => counts[name] ?? 0;
  const isVideo = counts['viewableImpressions'] !== undefined;
  const plain = {
    impressions: count('impressions'),
    clicks: count('clicks'),
    adSpend: toNumber(count('adSpendCents')),
  };
  const attributed = windows.map((window) => ({
    ...familyColumns(count, attributedFamilies, window),
    ...(isVideo ? videoAttribution(count, window) : {}),
  }));
  return Object.assign(plain, isVideo ? videoViews(count) : {}, ...attributed);
}

function familyColumns(count: (name: string) => number, families: typeof videoFamilies, window: AttributionWindow) {
  return Object.fromEntries(
    families.map(({ name, of }) => {
      const amount = count(name + window);
      return [name + window, of === 'salesCents' ? toNumber(amount) : amount];
    }),
  );
}

/** "totalCompleteViewAttributedSales": all SKUs, so the advertised one's revenue and the halo together. */
function videoAttribution(count: (name: string) => number, window: AttributionWindow) {
  const total = count(`completeViewRevenue${window}`) + count(`haloCompleteViewRevenue${window}`);
  return {
    ...familyColumns(count, videoFamilies, window),
    [`totalCompleteViewAttributedSales${window}`]: toNumber(total),
  };
}

function videoViews(count: (name: string) => number): Readonly<Record<string, number>> {
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : toNumber(Math.floor((part * 10_000) / whole)));
  return {
    videoImpressions: count('impressions'),
    viewableImpressions: count('viewableImpressions'),
    viewThroughRate: percent(count('viewableImpressions'), count('impressions')),
    ctrForViews: percent(count('clicks'), count('viewableImpressions')),
    video5SecondViews: count('video5SecondViews'),
    video5SecondViewRate: percent(count('video5SecondViews'), count('impressions')),
    videoFirstQuartileViews: count('videoFirstQuartileViews'),
    videoMidpointViews: count('videoMidpointViews'),
    videoThirdQuartileViews: count('videoThirdQuartileViews'),
    videoCompleteViews: count('videoCompleteViews'),
    videoUnmutes: count('videoUnmutes'),
  };
}
