import type { GroupBy } from '../../shared/api/choices.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell, FieldSpec } from '../../shared/model/field-types.ts';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { OPEN_END } from '../../shared/model/plain-date.ts';
import { changedFields, isNew } from '../../shared/model/row.ts';
import {
  isAttributed,
  METRIC_NAMES,
  type MetricColumnKey,
  metricField,
  metricOfField,
  unitOf,
  WINDOW_DAYS,
} from '../../shared/reports/account-metrics.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { extraField, METRIC_EXTRAS, type MetricExtra } from '../../shared/reports/metric-columns.ts';
import { choiceName, stateText, wordName } from '../app/field-names.ts';
import { shownCell } from '../app/locale/cells.ts';
import { bytesText, figureText, moneyText, shortDayText, totalText } from '../app/locale/numbers.ts';
import type { GridSlice } from '../app/store/grid-slice.ts';
import type { ColumnSlice } from '../app/store/layout-slice.ts';
import type { ToolSlice } from '../app/store/tool-slice.ts';
import { appTexts } from '../app/texts.ts';
import { gridTexts } from './text.ts';

/** One column of a kind. `cell` is the position in `WindowRow.cells`; the campaign's and those of metrics have none. */
export interface Column {
  /** `field` of the row, or `path` for the campaign's name. */
  readonly field: string;
  readonly title: string;
  readonly cell: number | null;
  /** The metric of the row it shows, or what is computed from its metrics; else null. */
  readonly figure: MetricColumnKey | MetricExtra | null;
  readonly spec: FieldSpec | null;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly shown: boolean;
  /** The field whose new values it shows while a tool is open. */
  readonly ghost?: string;
}

/** What a row has in a column; null in one that shows no field of it. */
export const columnCell = ({ cell }: Column, row: WindowRow): Cell =>
  cell === null ? null : (row.cells[cell] ?? null);

/** The columns with one more behind each field that the open tool changes; a hidden field comes along. */
export function withGhosts(kind: Kind, columns: readonly Column[], fields: readonly string[]): readonly Column[] {
  return fields.reduce((shown, field) => {
    const own = columnsOf(kind, false).find((column) => column.field === field);
    if (own === undefined) return shown;
    const at = shown.findIndex((column) => column.field === field);
    const { align, width } = own;
    const ghost: Column = {
      field: `new.${field}`,
      title: gridTexts.ghost.title(own.title),
      cell: null,
      figure: null,
      spec: null,
      align,
      width: Math.max(width, GHOST_WIDTH),
      shown: true,
      ghost: field,
    };
    return at < 0 ? shown.toSpliced(1, 0, own, ghost) : shown.toSpliced(at + 1, 0, ghost);
  }, columns);
}

/** The column at a place; for new values that of their field. */
export function ownColumn(columns: readonly Column[], at: number): Column | undefined {
  const column = columns[at];
  return column?.ghost === undefined ? column : columns.find(({ field }) => field === column.ghost);
}

/** The fields that the open tool changes in rows of a kind. */
export const changingFields = (kind: Kind, ghosts: ToolSlice['ghosts']): readonly string[] =>
  ghosts?.kind === kind ? ghosts.fields : [];

/** Room for a new amount with its difference, and for the longest reason. */
const GHOST_WIDTH = 116;

/** Columns in view until the user chooses others, in order, with their widths in CSS pixels. */
const DEFAULTS: Readonly<Partial<Record<Kind, Readonly<Record<string, number>>>>> = {
  campaign: {
    name: 188,
    campaignType: 118,
    campaignState: 104,
    dailyBudget: 92,
    'metric.spend': 88,
    'metric.sales': 88,
    'metric.roas': 60,
    'metric.trend': 98,
    startDate: 94,
    endDate: 96,
  },
  adGroup: {
    name: 220,
    path: 180,
    status: 104,
    reviewStatus: 112,
    'metric.spend': 88,
    'metric.sales': 88,
    'metric.roas': 60,
    'metric.trend': 106,
  },
  adItem: {
    itemName: 255,
    itemId: 104,
    path: 158,
    bid: 72,
    'metric.suggestedBid': 96,
    rowState: 96,
    'metric.spend': 86,
    'metric.roas': 60,
    'metric.trend': 100,
  },
  keyword: {
    text: 212,
    path: 150,
    matchType: 66,
    bid: 76,
    'metric.suggestedBid': 104,
    rowState: 96,
    'metric.clicks': 64,
    'metric.spend': 86,
    'metric.sales': 92,
    'metric.roas': 60,
    'metric.trend': 160,
  },
  sbaProfile: { path: 184, brand: 124, headline: 312, status: 92, reviewStatus: 104, clickUrl: 210 },
  videoProfile: { path: 212, video: 240, status: 104, reviewStatus: 112, reviewReason: 240 },
  media: {
    mediaName: 200,
    fileName: 200,
    mediaType: 80,
    caption: 172,
    mediaState: 120,
    bytes: 84,
    stateReason: 170,
  },
  placementMultiplier: { placement: 340, path: 184, multiplier: 120 },
  platformMultiplier: { platform: 340, path: 184, multiplier: 120 },
};

/** What stands in the room of metrics as long as there are none. */
const WITHOUT_METRICS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  campaign: ['totalBudget', 'status'],
  adItem: ['status', 'reviewStatus'],
  keyword: ['state', 'reviewStatus'],
};

/** Titles of columns that are shorter than the names of their fields. */
const titleTexts: Readonly<Record<string, string>> = {
  'campaign.name': 'Campaign',
  'campaign.startDate': 'Start',
  'campaign.endDate': 'End',
  'adGroup.name': 'Ad group',
  'keyword.matchType': 'Match',
};

export function columnsOf(kind: Kind, withCampaign: boolean): readonly Column[] {
  const defaults = DEFAULTS[kind];
  const plain = { cell: null, figure: null, spec: null, align: 'left', shown: defaults === undefined } as const;
  const own = fieldNames(kind).map((field, cell): Column => {
    const spec = fieldSpec(kind, field) ?? null;
    const is = spec?.type.is;
    const numeric = is === 'money' || is === 'factor' || is === 'count';
    return {
      field,
      title: titleTexts[`${kind}.${field}`] ?? spec?.label ?? field,
      cell,
      figure: null,
      spec,
      width: spec?.grid?.width ?? (numeric ? 96 : 112),
      align: numeric ? 'right' : 'left',
      shown: defaults === undefined && spec?.grid?.hidden !== true,
    };
  });
  const path: Column = { ...plain, field: 'path', title: gridTexts.campaign, width: 190 };
  const columns = [...(withCampaign ? [path] : []), ...own];
  if (kind === 'adItem' || kind === 'keyword') {
    columns.push({ ...plain, field: 'rowState', title: gridTexts.status, width: 96 });
  }
  return withDefaults(kind, isReported(kind) ? [...columns, ...figureColumns(kind)] : columns);
}

/** The columns of the defaults in their order and widths, all others behind them. */
function withDefaults(kind: Kind, columns: readonly Column[]): readonly Column[] {
  const widths = DEFAULTS[kind];
  if (widths === undefined) return columns;
  const first = Object.entries(widths).flatMap(([field, width]) => {
    const column = columns.find((each) => each.field === field);
    return column === undefined ? [] : [{ ...column, width, shown: true }];
  });
  return [...first, ...columns.filter(({ field }) => widths[field] === undefined)];
}

export type ColumnLayout = Pick<ColumnSlice, 'columnShown' | 'columnOrder'> & Pick<GridSlice, 'groupBy' | 'hasMetrics'>;

/** What of the state the columns of a list depend on. */
export const layoutOf = ({ columnShown, columnOrder, groupBy, hasMetrics }: ColumnLayout): ColumnLayout => ({
  columnShown,
  columnOrder,
  groupBy,
  hasMetrics,
});

/** Kinds that say little without their campaign: all of them at once are grouped by it until the user says otherwise. */
const BY_CAMPAIGN: ReadonlySet<Kind> = new Set<Kind>(['keyword', 'placementMultiplier', 'platformMultiplier']);

/** What rows are put together by in a list; campaigns of one campaign make no groups. */
export function groupingOf(kind: Kind, campaignId: number | null, groupBy: GridSlice['groupBy']): GroupBy | null {
  const by = groupBy[kind];
  if (by === undefined) return BY_CAMPAIGN.has(kind) && campaignId === null ? 'campaign' : null;
  return by === 'campaign' && campaignId !== null ? null : by;
}

/** Every column of a view, hidden ones too, in the user's order. Rows of one campaign need none with its name. */
export function orderedColumns(kind: Kind, campaignId: number | null, layout: ColumnLayout): readonly Column[] {
  const withCampaign = campaignId === null && kind !== 'campaign' && kind !== 'media';
  const columns = columnsOf(kind, withCampaign);
  const order = layout.columnOrder[kind];
  if (order === undefined) return [...columns, ...windowColumns(kind, layout.columnShown)];
  // A field the stored order does not know yet stays where the model has it.
  const place = (column: Column, i: number): number => {
    const at = order.indexOf(column.field);
    return at < 0 ? i : at;
  };
  return [...columns, ...windowColumns(kind, layout.columnShown)]
    .map((column, i) => ({ column, at: place(column, i) }))
    .sort((a, b) => a.at - b.at)
    .map(({ column }) => column);
}

export function shownColumns(kind: Kind, campaignId: number | null, layout: ColumnLayout): readonly Column[] {
  const { groupBy, hasMetrics } = layout;
  const by = groupingOf(kind, campaignId, groupBy);
  const isShown = ({ field, figure, shown }: Column): boolean => {
    if ((by === 'campaign' && field === 'path') || (by === 'type' && field === 'campaignType')) return false;
    if (by === 'match' && field === 'matchType') return false;
    if (hasMetrics) return shown;
    return (shown && figure === null) || WITHOUT_METRICS[kind]?.includes(field) === true;
  };
  return orderedColumns(kind, campaignId, layout).filter(
    (column) => layout.columnShown[`${kind}.${column.field}`] ?? isShown(column),
  );
}

/** The order of all fields after one shown column was put in the place of another. */
export function movedColumn(
  all: readonly Column[],
  shown: readonly Column[],
  from: number,
  to: number,
): readonly string[] {
  const moving = shown[from];
  const target = shown[to];
  const fields = all.map(({ field }) => field);
  if (moving === undefined || target === undefined || from === to) return fields;
  const rest = fields.filter((field) => field !== moving.field);
  const at = rest.indexOf(target.field) + (to > from ? 1 : 0);
  return rest.toSpliced(at, 0, moving.field);
}

/** Names of media files by row id, for cells that point at one. */
export type MediaNames = ReadonlyMap<number, string>;

/** What a cell shows. Choices are named in words; the text of an editor is `editText` instead. */
export function cellText(kind: Kind, column: Column, row: WindowRow, media: MediaNames, metrics?: RowMetrics): string {
  if (column.ghost !== undefined || typeof column.figure === 'string') return '';
  if (column.figure !== null) return metricCell(column.figure, metrics);
  if (column.field === 'rowState') return choiceName(row.state ?? 'draft');
  if (column.cell === null) return row.campaignName;
  if (column.field === 'campaignState') return stateOf(row).text;
  if (column.field === 'campaignType') return typeText(row);
  return valueText(kind, column.field, columnCell(column, row), media);
}

const CAMPAIGN = fieldNames('campaign');

/** The state of a campaign's row: its word, what is shown for it, and since when it is an estimate. */
export function stateOf(row: WindowRow) {
  const cell = (field: string): string | null => {
    const value = row.cells[CAMPAIGN.indexOf(field)];
    return typeof value === 'string' ? value : null;
  };
  const state = cell('campaignState') ?? 'draft';
  const source = cell('stateSource');
  return { state, text: stateText(state, source), isEstimated: source === 'estimated', asOf: cell('stateAsOf') };
}

/** The type of a campaign, with how it finds its searches where there are two ways. */
function typeText(row: WindowRow): string {
  const cell = (field: string): string => String(row.cells[CAMPAIGN.indexOf(field)] ?? '');
  const type = cell('campaignType');
  return gridTexts.types[type]?.(cell('targetingType')) ?? choiceName(type);
}

/** A value of a field in words, wherever one is shown. */
export function valueText(kind: Kind, field: string, value: Cell, media: MediaNames): string {
  if (value === null) return '';
  const spec = fieldSpec(kind, field);
  const is = spec?.type.is;
  if (is === 'choice' && typeof value === 'string') return wordName(field, value);
  if (is === 'money' && typeof value === 'number') return moneyText(value);
  if (is === 'date' && typeof value === 'string' && value !== OPEN_END) return shortDayText(value);
  if (spec?.grid?.unit === 'bytes' && typeof value === 'number') return bytesText(value);
  if (is === 'ref' && typeof value === 'number') return media.get(value) ?? `#${value}`;
  return shownCell(kind, field, value);
}

/** Why a cell cannot be edited, or null when it can. */
export function lockOf(column: Column, row: WindowRow): string | null {
  const always = lockOfAll(column);
  if (always !== null) return always;
  if (column.spec?.grid?.lock === 'uploaded-elsewhere' && !isHere(row)) return gridTexts.readOnly.service;
  return column.spec?.owner === 'user-until-sent' && !isNew(row) ? gridTexts.readOnly.sent : null;
}

/** Why no cell of the column can be edited, or null when some may. */
export function lockOfAll(column: Column): string | null {
  if (column.figure !== null) return gridTexts.locked;
  if (column.spec === null || column.spec.owner === 'service') return gridTexts.readOnly.service;
  return column.spec.grid?.lock === 'file' ? gridTexts.readOnly.file : null;
}

export const isChangedCell = (kind: Kind, field: string, row: WindowRow): boolean =>
  !isNew(row) && row.dirty !== 0 && changedFields(kind, row.dirty).includes(field);

const MEDIA_FIELDS = fieldNames('media');

/** Whether the library has the file of a media row itself, or the service alone. */
export const isHere = (row: WindowRow): boolean =>
  (row.cells[MEDIA_FIELDS.indexOf('sha256')] ?? null) !== null || row.remoteId === null;

/** Metrics of a row on some days, and of the days they are compared with. */
interface WindowMetrics {
  readonly metrics: Readonly<Record<string, number>>;
  readonly previous: Readonly<Record<string, number>> | null;
  /** Hundredths of a percent of its orders that are still expected. */
  readonly notSettled: number;
}

/** What reports say of a row: in the window of the period, in others that columns ask for, and its spend by day. */
export interface RowMetrics extends WindowMetrics {
  readonly trend: readonly (number | null)[];
  readonly windows: Readonly<Partial<Record<number, WindowMetrics>>>;
}

const { trend: TREND_TITLE, suggested: SUGGESTED_TITLE, evidence: EVIDENCE_TITLE } = gridTexts;
const EXTRA_COLUMNS: Readonly<Record<MetricExtra, Pick<Column, 'title' | 'width' | 'align'>>> = {
  trend: { title: TREND_TITLE, width: 106, align: 'left' },
  suggestedBid: { title: SUGGESTED_TITLE, width: 112, align: 'right' },
  evidence: { title: EVIDENCE_TITLE, width: 84, align: 'left' },
};
const NO_FIELD = { cell: null, spec: null, shown: false } as const;

const metricColumn = (key: MetricColumnKey): Column => ({
  field: metricField(key),
  title: gridTexts.metric(appTexts.metrics.names[key.name], key.window, key.isChange),
  figure: key,
  width: 96,
  align: 'right',
  ...NO_FIELD,
});

const hasBids = (kind: Kind): boolean => kind === 'keyword' || kind === 'adItem';

/** Columns with metrics, for kinds that are reported on: each with the change against the comparison. */
const figureColumns = (kind: Kind): readonly Column[] => [
  ...METRIC_NAMES.map((name) => metricColumn({ name, window: null, isChange: false })),
  ...METRIC_EXTRAS.filter((extra) => extra === 'trend' || hasBids(kind)).map(
    (extra): Column => ({ field: extraField(extra), figure: extra, ...EXTRA_COLUMNS[extra], ...NO_FIELD }),
  ),
  ...METRIC_NAMES.map((name) => metricColumn({ name, window: null, isChange: true })),
  ...WINDOWED.flatMap((name) => WINDOW_DAYS.map((window) => metricColumn({ name, window, isChange: false }))),
];

/** Metrics whose other windows are offered; those of the rest are shown where a view has them. */
const WINDOWED = ['sales', 'orders', 'roas'] as const;

/** Columns that a view shows and no list offers: a metric in another window. */
function windowColumns(kind: Kind, columnShown: ColumnLayout['columnShown']): readonly Column[] {
  return Object.entries(columnShown).flatMap(([key, isShown]) => {
    const [of, ...rest] = key.split('.');
    const metric = of === kind && isShown && isReported(kind) ? metricOfField(rest.join('.')) : null;
    if (metric === null || metric.window === null || !isAttributed(metric.name)) return [];
    const isOffered = !metric.isChange && WINDOWED.some((name) => name === metric.name);
    return isOffered ? [] : [metricColumn(metric)];
  });
}

/** ROAS in hundredths up to which, or from which, a cell is colored, at a target of 4.00; other targets scale. */
const HEAT = { 'low-2': 150, 'low-1': 250, 'high-1': 450, 'high-2': 550 } as const;
export type Heat = keyof typeof HEAT;

/** How far ROAS is from its target; null near it, and where nobody knows. Both in hundredths. */
export function heatOf(roas: number | undefined, target: number): Heat | null {
  if (roas === undefined) return null;
  const at = (roas * 400) / target;
  if (at < HEAT['low-2']) return 'low-2';
  if (at < HEAT['low-1']) return 'low-1';
  if (at >= HEAT['high-2']) return 'high-2';
  return at >= HEAT['high-1'] ? 'high-1' : null;
}

/** ROAS as the column shows it, or as its ACOS stands for; undefined for other columns and for changes. */
export function heatValue({ figure }: Column, metrics: RowMetrics | undefined): number | undefined {
  if (figure === null || typeof figure === 'string' || figure.isChange) return undefined;
  if (figure.name !== 'roas' && figure.name !== 'acos') return undefined;
  return windowOf(figure, metrics)?.metrics['roas'];
}

/** What the column's window has; the row's own where the column names none. */
const windowOf = ({ window }: MetricColumnKey, metrics: RowMetrics | undefined): WindowMetrics | undefined =>
  window === null ? metrics : metrics?.windows[window];

/** What a column comes to, in the width of a cell. */
export function totalCell({ figure }: Column, value: number): string {
  const unit = figure === null || typeof figure === 'string' ? 'money' : unitOf(figure.name);
  return unit === 'money' ? totalText(value) : figureText(unit, value);
}

/** A metric as it is written in a cell; a dash where no report says anything. */
export function metricCell(key: MetricColumnKey, metrics: RowMetrics | undefined): string {
  const of = windowOf(key, metrics);
  return metricText(key, of?.metrics, of?.previous ?? null);
}

type Values = Readonly<Record<string, number>>;

/** The same of any sums, such as those of a view. */
export function metricText(
  { name, isChange }: MetricColumnKey,
  now: Values | undefined,
  before: Values | null,
): string {
  const value = now?.[name];
  if (value === undefined) return gridTexts.noMetric;
  const unit = unitOf(name);
  if (!isChange) return unit === 'money' ? moneyText(value) : figureText(unit, value);
  const earlier = before?.[name];
  if (earlier === undefined || earlier === 0) return gridTexts.noMetric;
  const percent = Math.round(((value - earlier) / Math.abs(earlier)) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)}%`;
}

/** Share of orders that is still expected, in hundredths of a percent; 0 where the cell counts none. */
export function stillExpected({ figure }: Column, metrics: RowMetrics | undefined): number {
  if (figure === null || typeof figure === 'string' || !isAttributed(figure.name)) return 0;
  return windowOf(figure, metrics)?.notSettled ?? 0;
}

/** The windows beside the period's that columns show. */
export const windowsIn = (columns: readonly Column[]): readonly number[] => [
  ...new Set(
    columns.flatMap(({ figure }) =>
      figure === null || typeof figure === 'string' || figure.window === null ? [] : [figure.window],
    ),
  ),
];

/** The kinds whose rows of one campaign belong together in lines and columns. */
export const hasMatrix = (kind: Kind): boolean =>
  kind === 'keyword' || kind === 'placementMultiplier' || kind === 'platformMultiplier';
