import { addDays, dateAt } from '../calendar.ts';
import { toNumber } from '../decimal.ts';
import { limits } from '../limits.ts';
import { findAdvertiser } from '../lookups.ts';
import type { AdGroupRow, AdItemRow, CampaignRow, ItemRow, KeywordRow } from '../rows.ts';
import { hash } from '../seed.ts';
import type { Service } from '../service.ts';
import { itemIdFor } from './item-format.ts';
import { type AttributionWindow, addCounts, type Counts, countsOfDay, splitCounts } from './report-counts.ts';
import type { ReportRow } from './report-file.ts';
import { showCounts } from './report-metrics.ts';

/** The rows of a report: one per part of a campaign, and per day when the caller asked for the date. */
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

export interface ReportRequest {
  readonly advertiserId: number;
  /** One of these, or the one of the quirk `report-type`. */
  readonly reportType: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly windows: readonly AttributionWindow[];
  readonly byDate: boolean;
}

interface Part {
  readonly fields: ReportRow;
  readonly weight: number;
}

export function reportRows(service: Service, request: ReportRequest): readonly ReportRow[] {
  const campaigns = service.store.all<CampaignRow>(
    'SELECT * FROM campaign WHERE advertiser_id = ? AND was_live = 1 ORDER BY campaign_id',
    request.advertiserId,
  );
  const { reportWord } = service.settings.quirks;
  const rows = campaigns.flatMap((campaign) => rowsOfCampaign(service, request, campaign));
  if (reportWord === '') return rows;
  return rows.map((row, at) => ({ ...row, [reportWord]: at + 1, [`${reportWord}Note`]: `note ${at + 1}` }));
}

function rowsOfCampaign(service: Service, request: ReportRequest, campaign: CampaignRow): readonly ReportRow[] {
  const parts = partsOf(service, request.reportType, campaign);
  const head = { campaignId: campaign.campaign_id, campaignName: campaign.name };
  const totals = new Map<Part, Counts>();
  const rows: ReportRow[] = [];
  for (const date of daysOf(service, request, campaign)) {
    const split = splitCounts(
      countsOfDay(service.settings.seed, campaign, date),
      parts.map((part) => part.weight),
    );
    parts.forEach((part, index) => {
      const counts = split[index] ?? {};
      if (request.byDate) rows.push({ date, ...head, ...part.fields, ...showCounts(counts, request.windows) });
      else totals.set(part, addCounts(totals.get(part), counts));
    });
  }
  for (const [part, counts] of totals) rows.push({ ...head, ...part.fields, ...showCounts(counts, request.windows) });
  return rows;
}

/** The days asked for on which the campaign ran. Figures are there from the next day on. */
function daysOf(service: Service, request: ReportRequest, campaign: CampaignRow): readonly string[] {
  const yesterday = addDays(dateAt(service.clock.now()), -1);
  const last = [request.endDate, campaign.end_date, yesterday].reduce((a, b) => (a < b ? a : b));
  const days: string[] = [];
  let day = request.startDate > campaign.start_date ? request.startDate : campaign.start_date;
  for (; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

function partsOf(service: Service, type: string, campaign: CampaignRow): readonly Part[] {
  const { store, settings } = service;
  const { campaign_id } = campaign;
  const weigh = (fields: ReportRow, ...about: readonly (string | number)[]): Part => ({
    fields,
    weight: 1 + (hash(settings.seed, 'weight', campaign_id, ...about) % 9),
  });
  if (type === 'campaign') return [weigh({}, 'campaign')];
  if (type === 'adItem') {
    const migrated = findAdvertiser(service, campaign.advertiser_id)?.migrated === 1;
    return store
      .all<AdItemRow & ItemRow>(
        'SELECT * FROM ad_item JOIN item USING (item_key) WHERE campaign_id = ? ORDER BY ad_item_id',
        campaign_id,
      )
      .map((row) =>
        weigh(
          {
            adGroupId: row.ad_group_id,
            adItemId: row.ad_item_id,
            itemId: itemIdFor(migrated, row),
            itemName: row.name,
            bid: toNumber(row.bid),
          },
          row.ad_item_id,
        ),
      );
  }
  if (type === 'keyword') {
    return store
      .all<KeywordRow>('SELECT * FROM keyword WHERE campaign_id = ? ORDER BY keyword_id', campaign_id)
      .map((row) =>
        weigh(
          {
            adGroupId: row.ad_group_id,
            keywordId: row.keyword_id,
            keywordText: row.keyword_text,
            matchType: row.match_type,
            bid: toNumber(row.bid),
          },
          row.keyword_id,
        ),
      );
  }
  if (type === 'adGroup') {
    return store
      .all<AdGroupRow>('SELECT * FROM ad_group WHERE campaign_id = ? ORDER BY ad_group_id', campaign_id)
      .map((row) => weigh({ adGroupId: row.ad_group_id, adGroupName: row.name }, row.ad_group_id));
  }
  return (wordsOf[type] ?? ['one', 'two']).map((word) => weigh({ [type]: word }, word));
}

/** Parts that are the same for every campaign. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  platform: limits.platforms,
  pageType: ['Search', 'Browse', 'Item', 'Home'],
  brand: ['Northwind', 'Harbor', 'Bluebell'],
  category: ['Home', 'Kitchen', 'Garden'],
};
