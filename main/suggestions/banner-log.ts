import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import {
  type BannerDay,
  bannerRuns,
  compareBanners,
  type SwapFacts,
  swapFacts,
} from '../../shared/suggestions/banner-swap.ts';
import { seriesRows } from '../cube/daily-queries.ts';
import type { createQueries } from '../cube/queries.ts';
import { dayNumber, dayOf } from '../cube/read-file-days.ts';
import type { Db } from '../store/db/db.ts';
import { readCampaignFacts } from '../store/reader/attention.ts';
import { readShown } from '../store/reviews/banners-shown.ts';
import { parseKey } from '../store/reviews/review-history.ts';

/** Days per query of the cube, which returns a row for each campaign and day. */
const CHUNK = 28;
const COLUMNS = ['impressions', 'clicks', 'spend', 'sales'] as const;
type Sums = Record<(typeof COLUMNS)[number], number>;
const none = (): Sums => ({ impressions: 0, clicks: 0, spend: 0, sales: 0 });

export interface BannerSetup {
  readonly today: PlainDate;
  readonly zone: string;
  /** How many days of metrics are used. */
  readonly daysMax: number;
  /** Null for all campaigns that had more than one banner. */
  readonly campaignId: RowId | null;
}

interface Logged {
  readonly creative: string;
  readonly from: number;
  readonly to: number | null;
  /** Complete days with metrics, and their sums. */
  readonly days: number;
  readonly sums: Sums;
  /** Compared with the banner before it; null for the first one. */
  readonly swap: SwapFacts | null;
}

/** When each campaign showed which banner, oldest first, with the metrics of its complete days. */
export async function gatherBanners(
  account: Db,
  cube: Pick<ReturnType<typeof createQueries>, 'series'>,
  { today: todayDate, zone, daysMax, campaignId }: BannerSetup,
): Promise<ReadonlyMap<RowId, readonly Logged[]>> {
  const today = dayNumber(todayDate);
  const runs = new Map(
    Array.from(readShown(account, zone, campaignId), ([id, events]) => {
      return [id, bannerRuns(events.map(({ row, creative, on }) => ({ row, creative, day: dayNumber(on) })))] as const;
    }).filter(([, own]) => own.length > (campaignId === null ? 1 : 0)),
  );
  const firsts = Array.from(runs.values(), ([first]) => first?.from ?? today);
  const facts = readCampaignFacts(account).filter(({ campaignType }) => campaignType === 'sba');
  const idOf = new Map(facts.map(({ id, remoteId }) => [remoteId ?? '', id]));
  const own = new Map(Array.from(runs.keys(), (id) => [id, new Map<number, Sums>()]));
  const all = new Map<number, Sums>();
  for (let from = Math.max(today - daysMax, Math.min(today, ...firsts)); from < today; from += CHUNK) {
    const span = { from: dayOf(from), to: dayOf(Math.min(from + CHUNK, today) - 1) };
    for (const row of seriesRows(await cube.series('campaign', span))) {
      const id = idOf.get(row.remoteId);
      if (id === undefined) continue;
      for (const days of [all, own.get(id)]) {
        const sums = days?.get(from + row.day) ?? none();
        for (const name of COLUMNS) sums[name] += row.sums[name];
        days?.set(from + row.day, sums);
      }
    }
  }
  return new Map(
    Array.from(runs, ([id, list]) => {
      let before: readonly BannerDay[] | null = null;
      const logged = list.map(({ creative, from, to }): Logged => {
        const days: BannerDay[] = [];
        const sums = none();
        for (let day = from + 1; day < (to ?? today); day++) {
          const [seen, whole] = [own.get(id)?.get(day), all.get(day) ?? none()];
          if (seen === undefined || seen.impressions === 0) continue;
          for (const name of COLUMNS) sums[name] += seen[name];
          const control = { clicks: whole.clicks - seen.clicks, impressions: whole.impressions - seen.impressions };
          days.push({ own: seen, control });
        }
        const swap = before === null ? null : swapFacts(before, days);
        before = days;
        return { creative, from, to, days: days.length, sums, swap };
      });
      return [id, logged];
    }),
  );
}

/** The banner log of one campaign for display, newest first. */
export async function bannerLog(
  account: Db,
  cube: Pick<ReturnType<typeof createQueries>, 'series'>,
  setup: BannerSetup,
) {
  const found =
    setup.campaignId === null ? [] : ((await gatherBanners(account, cube, setup)).get(setup.campaignId) ?? []);
  return found.toReversed().map(({ creative, from, to, days, sums, swap }) => {
    const { headline, brand } = parseKey(creative);
    return {
      headline: headline ?? '',
      brand: brand ?? '',
      from: dayOf(from),
      to: to === null ? null : dayOf(to),
      days,
      ...sums,
      isFirst: swap === null,
      difference: swap === null ? null : compareBanners(swap),
    };
  });
}
