import { randomBytes, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { requireRead } from '../access.ts';
import { addDays, dateAt, HOUR_MS, MINUTE_MS } from '../clock.ts';
import { schedule } from '../due.ts';
import {
  type Fields,
  fieldOf,
  parseId,
  readDate,
  readId,
  readObject,
  readText,
  readWord,
  required,
  toNumber,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { FileFormat } from '../quirks.ts';
import { chance, hash } from '../seed.ts';
import type { Service } from '../service.ts';
import type { AdItemRow, CampaignRow, ItemRow, RowOf } from '../tables.ts';
import { asExtension, ask, type Call, type Route, read } from '../wire/route.ts';
import { itemIdFor } from './item-search.ts';
import { readPerformance, salesOfDay } from './performance.ts';

/**
 * POST /api/v1/snapshot/report: "returns a download URL or data". Without a format the rows come inline; with one, a
 * file: at once at an address, or, with the extensions on, as a job to poll (GET /api/v1/snapshot).
 */
export const reportRoutes: readonly Route[] = [
  ask('/api/v1/snapshot/report', requestReport),
  asExtension(read('/api/v1/snapshot', showSnapshot)),
];

/** What a snapshot keeps of its request; the file is computed when it is fetched. */
export interface SnapshotRequest extends ReportRequest {
  readonly format: FileFormat;
}

function requestReport(service: Service, call: Call): unknown {
  const fields = readObject(call.body);
  const advertiserId = required(readId(fields, 'advertiserId'), 'advertiserId');
  const typeText = required(readText(fields, 'reportType'), 'reportType');
  const request = { ...readDays(service, fields), ...readColumns(fields), advertiserId };
  const asked = readWord(fields, 'format', ['json', 'csv', 'gzip', 'zip']) ?? 'json';
  const { quirks, extensions } = service.settings;
  const format = quirks.reportFile === 'as-asked' ? asked : quirks.reportFile;
  requireRead(call.principal, advertiserId, 'other');
  const reportType = typeText === quirks.reportType ? typeText : reportTypes.find((type) => type === typeText);
  if (reportType === undefined) return { code: 'failure', details: ownMessages.reportTypeUnknown };
  const usual = format === 'json' ? 'rows' : extensions ? 'job' : 'address';
  const form = quirks.reportAnswer === 'as-asked' ? usual : quirks.reportAnswer;
  if (form === 'rows') return reportRows(service, { ...request, reportType });
  const isJob = form === 'job';
  const snapshotId = storeSnapshot(service, { ...request, reportType, format }, isJob ? 'pending' : 'done');
  if (isJob) return { code: 'success', snapshotId, jobStatus: wordFor(service, 'pending'), details: '' };
  return { code: 'success', details: '', downloadUrl: addressOf(service, service.store.find('snapshot', snapshotId)) };
}

function readDays(service: Service, fields: Fields) {
  const yesterday = addDays(dateAt(service.clock.now()), -1);
  const startDate = readDate(fields, 'startDate') ?? addDays(yesterday, -29);
  const endDate = readDate(fields, 'endDate') ?? yesterday;
  if (endDate < startDate || endDate > addDays(startDate, limits.reportDaysMax))
    throw new Refusal(400, messages.invalidParameters);
  return { startDate, endDate };
}

function readColumns(fields: Fields) {
  const wanted = readText(fields, 'attributionWindow');
  const windows = attributionWindows.filter(
    (window) => wanted === null || wanted === `days${window.replace('days', '')}` || wanted === window,
  );
  if (windows.length === 0) throw new Refusal(400, messages.invalidParameters);
  const extra = fieldOf(fields, 'extraFields');
  if (extra !== undefined && extra !== null && !Array.isArray(extra))
    throw new Refusal(400, messages.invalidParameters);
  return { windows, byDate: Array.isArray(extra) && extra.includes('date') };
}

function storeSnapshot(service: Service, request: SnapshotRequest, jobStatus: 'pending' | 'done'): string {
  const snapshotId = randomUUID();
  const now = service.clock.now();
  service.store.insert('snapshot', {
    snapshot_id: snapshotId,
    advertiser_id: request.advertiserId,
    request: JSON.stringify(request),
    job_status: jobStatus,
    secret: randomBytes(18).toString('base64url'),
    created_ms: now,
  });
  if (jobStatus === 'pending') schedule(service, 'snapshot.process', snapshotId, now);
  else schedule(service, 'snapshot.finish', snapshotId, now + limits.snapshotHours * HOUR_MS);
  return snapshotId;
}

function showSnapshot(service: Service, call: Call): unknown {
  const snapshotId = required(call.query.get('snapshotId'), 'snapshotId');
  const advertiserId = parseId(call.query.get('advertiserId')) ?? call.principal.advertiserId;
  const snapshot = service.store.find('snapshot', snapshotId);
  if (snapshot === undefined || snapshot.advertiser_id !== advertiserId) {
    throw new Refusal(404, ownMessages.snapshotNotFound);
  }
  requireRead(call.principal, advertiserId, 'other');
  const details = snapshot.job_status === 'done' ? addressOf(service, snapshot) : '';
  return { code: 'success', snapshotId, jobStatus: wordFor(service, snapshot.job_status), details };
}

/** The quirk `report-word`: what a job is called until it has come to an end. */
function wordFor(service: Service, status: string): string {
  const { reportWord } = service.settings.quirks;
  return reportWord !== '' && (status === 'pending' || status === 'processing') ? reportWord : status;
}

/** The quirk `report-answer=job`: a deployment that answers with jobs can be asked about them. */
export const isJobOfReport = (service: Service, route: Route): boolean =>
  service.settings.quirks.reportAnswer === 'job' && route.path === '/api/v1/snapshot';

function addressOf(service: Service, snapshot: RowOf<'snapshot'> | undefined): string {
  return `${service.baseUrl()}/files/reports/${snapshot?.snapshot_id}?sig=${snapshot?.secret}`;
}

/** A report that is fetched as a file is made in two minutes and kept for 24 hours (the moves are in `states.ts`). */
export function processSnapshot(service: Service, subject: string): void {
  service.store.run(
    "UPDATE snapshot SET job_status = 'processing' WHERE snapshot_id = ? AND job_status = 'pending'",
    subject,
  );
  schedule(
    service,
    'snapshot.finish',
    subject,
    service.clock.now() + service.settings.quirks.reportMinutes * MINUTE_MS,
  );
}

/** Called twice: when the file is ready, and when it has been for as long as it is kept. */
export function finishSnapshot(service: Service, subject: string): void {
  const job = service.store.one<{ job_status: string }>(
    'SELECT job_status FROM snapshot WHERE snapshot_id = ?',
    subject,
  );
  if (job === undefined) return;
  const isDone = job.job_status === 'done';
  service.store.update('snapshot', subject, { job_status: isDone ? 'expired' : 'done' });
  if (!isDone) {
    schedule(service, 'snapshot.finish', subject, service.clock.now() + limits.snapshotHours * HOUR_MS);
  }
}

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
  /** How many more orders than others it has of as many clicks. */
  readonly worth: number;
}

export function reportRows(service: Service, request: ReportRequest): readonly ReportRow[] {
  const campaigns = service.store.list('campaign', { advertiser_id: request.advertiserId, was_live: 1 });
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
  const sales = readPerformance(service).campaigns[campaign.name];
  const { seed } = service.settings;
  for (const date of daysOf(service, request, campaign)) {
    const counts = sales === undefined ? countsOfDay(seed, campaign, date) : soldOnDay(sales, seed, campaign, date);
    // Few clicks a day would always fall to the same parts, were each day cut at the same places.
    const from = sales === undefined ? 0 : chance(seed, 'cut', campaign.campaign_id, date);
    const split = splitCounts(counts, parts, from);
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
  const known = readPerformance(service).parts;
  const weigh = (fields: ReportRow, ...about: readonly (string | number)[]): Part => {
    const share = known[String(fields['keywordText'] ?? fields['itemName'] ?? '')];
    const weight = share?.clicks ?? 1 + (hash(settings.seed, 'weight', campaign_id, ...about) % 9);
    return { fields, weight, worth: share?.worth ?? 1 };
  };
  if (type === 'campaign') return [weigh({}, 'campaign')];
  if (type === 'adItem') {
    const migrated = service.store.find('advertiser', campaign.advertiser_id)?.migrated === 1;
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
    return store.list('keyword', { campaign_id }).map((row) =>
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
      .list('ad_group', { campaign_id })
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

/** Counts as the columns of "Video measurement metrics", with the attribution families for the wanted windows. */
function showCounts(counts: Counts, windows: readonly AttributionWindow[]): Readonly<Record<string, number>> {
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
  const parts: readonly Readonly<Record<string, number>>[] = [plain, isVideo ? videoViews(count) : {}, ...attributed];
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
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

/**
 * Invented performance that adds up. A campaign's counts for a day come from the seed; everything below it (its items,
 * keywords, platforms) is a share of them, so every report over the same days has the same totals. Each count is drawn
 * from a larger one, for the whole and for every part:
 *
 *   impressions -> (viewable) -> clicks -> adSpend
 *                          |           `-> orders -> sales, units -> attributed in 30 days -> in 14 -> in 3
 *                          +-> 5 seconds
 *                          `-> first quartile -> midpoint -> third quartile -> complete -> unmutes
 */
type Counts = Readonly<Record<string, number>>;

export const attributionWindows = ['3days', '14days', '30days'] as const;
type AttributionWindow = (typeof attributionWindows)[number];

/** "Video measurement metrics", attribution families: of what each is a part, and how many percent. */
interface Family {
  readonly name: string;
  readonly of: 'salesCents' | 'orders' | 'units';
  readonly percent: number;
}

const attributedFamilies: readonly Family[] = [
  { name: 'attributedSales', of: 'salesCents', percent: 100 },
  { name: 'attributedOrders', of: 'orders', percent: 100 },
  { name: 'attributedUnits', of: 'units', percent: 100 },
];
const videoFamilies: readonly Family[] = [
  { name: 'viewThroughSales', of: 'salesCents', percent: 30 },
  { name: 'viewThroughOrders', of: 'orders', percent: 30 },
  { name: 'viewThroughUnitsSold', of: 'units', percent: 30 },
  { name: 'completeViewRevenue', of: 'salesCents', percent: 12 },
  { name: 'haloCompleteViewRevenue', of: 'salesCents', percent: 6 },
  { name: 'totalCompleteViewOrders', of: 'orders', percent: 18 },
  { name: 'totalCompleteViewUnits', of: 'units', percent: 18 },
];

/** How much of what is ever attributed falls into a window, in percent. */
const windowPercent: Readonly<Record<AttributionWindow, number>> = { '3days': 55, '14days': 85, '30days': 100 };

/** What a count is drawn from; one that is not named here from the impressions, or from the viewable ones of a video. */
const drawnFrom: Readonly<Record<string, string>> = {
  viewableImpressions: 'impressions',
  adSpendCents: 'clicks',
  orders: 'clicks',
  salesCents: 'orders',
  units: 'orders',
  video5SecondViews: 'viewableImpressions',
  videoFirstQuartileViews: 'viewableImpressions',
  videoMidpointViews: 'videoFirstQuartileViews',
  videoThirdQuartileViews: 'videoMidpointViews',
  videoCompleteViews: 'videoThirdQuartileViews',
  videoUnmutes: 'videoCompleteViews',
  ...Object.fromEntries(
    [...attributedFamilies, ...videoFamilies].flatMap(({ name, of }) => [
      [`${name}30days`, of],
      [`${name}14days`, `${name}30days`],
      [`${name}3days`, `${name}14days`],
    ]),
  ),
};

/** Counts are whole numbers, money is in cents. In the order in which one is drawn from another. */
function countsOfDay(seed: number, campaign: CampaignRow, date: string): Counts {
  const about = [campaign.campaign_id, date] as const;
  const share = (name: string, low: number, high: number) => low + chance(seed, name, ...about) * (high - low);
  const impressions = 400 + (hash(seed, 'impressions', ...about) % 2400);
  const clicks = Math.round(impressions * share('clicks', 0.004, 0.02));
  const spend = Math.min(
    clicks * (60 + (hash(seed, 'cost', ...about) % 120)),
    campaign.daily_budget ?? Number.MAX_SAFE_INTEGER,
  );
  const orders = Math.round(clicks * share('orders', 0.05, 0.2));
  const sales = orders * (900 + (hash(seed, 'sales', ...about) % 2600));
  const base = { clicks, adSpendCents: spend, orders, salesCents: sales, units: orders + (orders >> 2) };
  if (campaign.campaign_type !== 'video') return { impressions, ...base, ...attributedOf(base, attributedFamilies) };
  const viewable = Math.round(impressions * share('viewable', 0.6, 0.85));
  const firstQuartile = Math.round(viewable * share('first', 0.6, 0.8));
  const midpoint = Math.round(firstQuartile * share('mid', 0.6, 0.8));
  const thirdQuartile = Math.round(midpoint * share('third', 0.6, 0.85));
  const complete = Math.round(thirdQuartile * share('complete', 0.6, 0.9));
  return {
    impressions,
    viewableImpressions: viewable,
    video5SecondViews: Math.round(viewable * share('five', 0.5, 0.9)),
    videoFirstQuartileViews: firstQuartile,
    videoMidpointViews: midpoint,
    videoThirdQuartileViews: thirdQuartile,
    videoCompleteViews: complete,
    videoUnmutes: Math.round(complete * share('unmutes', 0.02, 0.1)),
    ...base,
    ...attributedOf(base, [...attributedFamilies, ...videoFamilies]),
  };
}

/** The same for a campaign of which a scenario has said how it sells. */
function soldOnDay(...[sales, seed, campaign, date]: Parameters<typeof salesOfDay>): Counts {
  const { impressions, ...day } = salesOfDay(sales, seed, campaign, date);
  const base = { ...day, units: day.orders + (day.orders >> 2) };
  return { impressions, ...base, ...attributedOf(base, attributedFamilies) };
}

function attributedOf(base: Record<Family['of'], number>, families: readonly Family[]): Counts {
  const part = ({ of, percent }: Family, window: AttributionWindow) =>
    Math.floor((base[of] * percent * windowPercent[window]) / 10_000);
  return Object.fromEntries(
    families.flatMap((family) =>
      // The widest window first: the narrower ones are drawn from it.
      attributionWindows.toReversed().map((window) => [family.name + window, part(family, window)]),
    ),
  );
}

/**
 * Splits counts among parts by weight; the parts add up to the whole exactly. A count is split as the one it is drawn
 * from was, so that no part has more of it than of the larger one: floor(B·to/A) - floor(B·from/A) <= to - from. Orders
 * also go by worth; there are so few for each click that this holds for them, too.
 *
 * @param cut from 0 to 1: where the first cut is made
 */
function splitCounts(counts: Counts, shares: readonly Part[], cut: number): readonly Counts[] {
  const parts: Record<string, number>[] = shares.map(() => ({}));
  const viewed = counts['viewableImpressions'] === undefined ? 'impressions' : 'viewableImpressions';
  for (const [name, whole] of Object.entries(counts)) {
    const source = name === 'impressions' ? undefined : (drawnFrom[name] ?? viewed);
    const weights = shares.map(({ weight, worth }, index) => {
      const of = source === undefined ? weight : (parts[index]?.[source] ?? 0);
      return name === 'orders' ? of * worth : of;
    });
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    let soFar = 0;
    let before = 0;
    parts.forEach((part, index) => {
      soFar += weights[index] ?? 0;
      // Shares by worth are not whole: the smallest of amounts makes up for what their sum has lost.
      const upTo = all === 0 ? 0 : Math.min(whole, Math.floor((whole * soFar) / all + cut + 1e-9));
      part[name] = upTo - before;
      before = upTo;
    });
  }
  return parts;
}

function addCounts(left: Counts | undefined, right: Counts): Counts {
  if (left === undefined) return right;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}

export type ReportRow = Readonly<Record<string, string | number>>;

export function reportFile(rows: readonly ReportRow[], format: FileFormat): Buffer {
  const text = Buffer.from(csvOf(rows));
  if (format === 'json') return Buffer.from(JSON.stringify(rows));
  if (format === 'csv') return text;
  if (format === 'gzip') return gzipSync(text);
  return zipOf(format === 'zip' ? [{ name: 'report.csv', content: text }] : splitRows(rows, format === 'zip-mixed'));
}

/** The rows in two files; mixed ones have a short table of another kind beside them, and a text. */
function splitRows(rows: readonly ReportRow[], isMixed: boolean): readonly ZipPart[] {
  const half = Math.ceil(rows.length / 2);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const parts = [rows.slice(0, half), rows.slice(half)].map((part, at) => ({
    name: `report-${at + 1}.csv`,
    content: Buffer.from(csvOf(part, columns)),
  }));
  if (!isMixed) return parts;
  const totals = Buffer.from(`total,rows\r\nall,${rows.length}\r\n`);
  return [
    { name: 'totals.csv', content: totals },
    ...parts,
    { name: 'readme.txt', content: Buffer.from('Figures.\r\n') },
  ];
}

function csvOf(rows: readonly ReportRow[], columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return `${[columns.map((column) => cellOf(column)).join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: string | number | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface ZipPart {
  readonly name: string;
  readonly content: Buffer;
}

/** A ZIP archive of deflated files: a local header and the data of each, the central directory, the end record. */
function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const data = deflateRawSync(content);
    const nameBytes = Buffer.from(name);
    // Fields common to both headers: version, flags, method, time, date, CRC, sizes, lengths of name and extra field.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    // Comment length, disk, attributes: all zero. Then where the local header begins.
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, place, nameBytes);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, nameBytes, data]);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
