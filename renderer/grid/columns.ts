import type { GroupBy } from '../../shared/api/choices.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell, FieldSpec } from '../../shared/model/field-types.ts';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { OPEN_END } from '../../shared/model/plain-date.ts';
import { changedFields, isNew } from '../../shared/model/row.ts';
import {
  extraField,
  isAttributed,
  METRIC_EXTRAS,
  METRIC_NAMES,
  type MetricColumnKey,
  type MetricExtra,
  metricField,
  metricOfField,
  unitOf,
  WINDOW_DAYS,
} from '../../shared/reports/account-metrics.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { choiceName, stateText, wordName } from '../app/field-names.ts';
import { shownCell } from '../app/locale/cells.ts';
import { bytesText, figureText, moneyText, shortDayText, totalText } from '../app/locale/numbers.ts';
import type { GridSlice } from '../app/store/grid-slice.ts';
import type { ColumnSlice } from '../app/store/layout-slice.ts';
import type { ToolSlice } from '../app/store/tool-slice.ts';
import { appTexts } from '../app/texts.ts';
import { gridTexts } from './text.ts';

/** One column of a kind. `cell` is its index in `WindowRow.cells`; null for the campaign's name and for metrics. */
export interface Column {
  /** A field of the row, or `path` for the campaign's name. */
  readonly field: string;
  readonly title: string;
  readonly cell: number | null;
  /** The metric, or the value computed from metrics, that the column shows; else null. */
  readonly figure: MetricColumnKey | MetricExtra | null;
  readonly spec: FieldSpec | null;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly shown: boolean;
  /** The field whose new values the column shows while a tool is open. */
  readonly ghost?: string;
}

/** The value of a row in a column; null if the column shows no field. */
export const columnCell = ({ cell }: Column, row: WindowRow): Cell =>
  cell === null ? null : (row.cells[cell] ?? null);

/** The columns, with a column of new values after each field that the open tool changes; hidden fields are added. */
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

/** The column at an index; for a column of new values, the column of its field. */
export function ownColumn(columns: readonly Column[], at: number): Column | undefined {
  const column = columns[at];
  return column?.ghost === undefined ? column : columns.find(({ field }) => field === column.ghost);
}

/** The fields that the open tool changes in rows of a kind. */
export const changingFields = (kind: Kind, ghosts: ToolSlice['ghosts']): readonly string[] =>
  ghosts?.kind === kind ? ghosts.fields : [];

/** Width for a new amount with its difference, or for the longest reason. */
const GHOST_WIDTH = 116;

/** Columns shown until the user selects others, in order, with their widths in CSS pixels. */
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

/** Columns shown instead of metrics while an account has none. */
const WITHOUT_METRICS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  campaign: ['totalBudget', 'status'],
  adItem: ['status', 'reviewStatus'],
  keyword: ['state', 'reviewStatus'],
};

/** Column titles that are shorter than the names of their fields. */
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

/** The default columns in their order and widths, then all others. */
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

/** The part of the state that the columns of a list depend on. */
export const layoutOf = ({ columnShown, columnOrder, groupBy, hasMetrics }: ColumnLayout): ColumnLayout => ({
  columnShown,
  columnOrder,
  groupBy,
  hasMetrics,
});

/** Kinds grouped by campaign by default: their rows are hard to read without the campaign's name. */
const BY_CAMPAIGN: ReadonlySet<Kind> = new Set<Kind>(['keyword', 'placementMultiplier', 'platformMultiplier']);

/** What the rows of a list are grouped by; null in the list of one campaign if that would be the campaign. */
export function groupingOf(kind: Kind, campaignId: number | null, groupBy: GridSlice['groupBy']): GroupBy | null {
  const by = groupBy[kind];
  if (by === undefined) return BY_CAMPAIGN.has(kind) && campaignId === null ? 'campaign' : null;
  return by === 'campaign' && campaignId !== null ? null : by;
}

/** All columns of a view, hidden ones too, in the user's order; the list of one campaign has none for its name. */
export function orderedColumns(kind: Kind, campaignId: number | null, layout: ColumnLayout): readonly Column[] {
  const withCampaign = campaignId === null && kind !== 'campaign' && kind !== 'media';
  const columns = columnsOf(kind, withCampaign);
  const order = layout.columnOrder[kind];
  if (order === undefined) return [...columns, ...windowColumns(kind, layout.columnShown)];
  // A field that is missing in the stored order keeps its position in the model.
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

/** All fields in order after a shown column was moved to the position of another. */
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

/** Names of media files by row ID, for reference fields. */
export type MediaNames = ReadonlyMap<number, string>;

/** The text of a cell. Choices are shown by name; an editor uses `editText` instead. */
export function cellText(kind: Kind, column: Column, row: WindowRow, media: MediaNames, metrics?: RowMetrics): string {
  if (column.ghost !== undefined) return '';
  if (column.figure !== null) return metricCellText(column, metrics);
  if (column.field === 'rowState') return choiceName(row.state ?? 'draft');
  if (column.cell === null) return row.campaignName;
  if (column.field === 'campaignState') return stateOf(row).text;
  if (column.field === 'campaignType') return typeText(row);
  return valueText(kind, column.field, columnCell(column, row), media);
}

/** The text of a metric column; none for a trend, which is a picture, and for suggestions, which are read apart. */
export const metricCellText = ({ figure }: Column, metrics?: RowMetrics): string =>
  figure === null || typeof figure === 'string' ? '' : metricCell(figure, metrics);

const CAMPAIGN = fieldNames('campaign');

/** The state of a campaign row: stored value, displayed text, and whether and as of when it is an estimate. */
export function stateOf(row: WindowRow) {
  const cell = (field: string): string | null => {
    const value = row.cells[CAMPAIGN.indexOf(field)];
    return typeof value === 'string' ? value : null;
  };
  const state = cell('campaignState') ?? 'draft';
  const source = cell('stateSource');
  return { state, text: stateText(state, source), isEstimated: source === 'estimated', asOf: cell('stateAsOf') };
}

/** The type of a campaign, with its targeting if there are two kinds. */
function typeText(row: WindowRow): string {
  const cell = (field: string): string => String(row.cells[CAMPAIGN.indexOf(field)] ?? '');
  const type = cell('campaignType');
  return gridTexts.types[type]?.(cell('targetingType')) ?? choiceName(type);
}

/** The text of a field's value, as shown everywhere. */
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

/** Why no cell of the column can be edited; null if some may be. */
export function lockOfAll(column: Column): string | null {
  if (column.figure !== null) return gridTexts.locked;
  if (column.spec === null || column.spec.owner === 'service') return gridTexts.readOnly.service;
  return column.spec.grid?.lock === 'file' ? gridTexts.readOnly.file : null;
}

export const isChangedCell = (kind: Kind, field: string, row: WindowRow): boolean =>
  !isNew(row) && row.dirty !== 0 && changedFields(kind, row.dirty).includes(field);

const MEDIA_FIELDS = fieldNames('media');

/** Whether the library contains the file of a media row, not only the service. */
export const isHere = (row: WindowRow): boolean =>
  (row.cells[MEDIA_FIELDS.indexOf('sha256')] ?? null) !== null || row.remoteId === null;

/** Metrics of a row for a period, and for the period of comparison. */
interface WindowMetrics {
  readonly metrics: Readonly<Record<string, number>>;
  readonly previous: Readonly<Record<string, number>> | null;
  /** Share of orders still expected, in hundredths of a percent. */
  readonly notSettled: number;
}

/** Metrics of a row: in the period's attribution window, in other windows that columns show, and spend per day. */
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

/** Metric columns of kinds with reports: each metric, and its change against the comparison. */
const figureColumns = (kind: Kind): readonly Column[] => [
  ...METRIC_NAMES.map((name) => metricColumn({ name, window: null, isChange: false })),
  ...METRIC_EXTRAS.filter((extra) => extra === 'trend' || hasBids(kind)).map(
    (extra): Column => ({ field: extraField(extra), figure: extra, ...EXTRA_COLUMNS[extra], ...NO_FIELD }),
  ),
  ...METRIC_NAMES.map((name) => metricColumn({ name, window: null, isChange: true })),
  ...WINDOWED.flatMap((name) => WINDOW_DAYS.map((window) => metricColumn({ name, window, isChange: false }))),
];

/** Metrics offered in other windows; other metrics are shown in one only if a view includes them. */
const WINDOWED = ['sales', 'orders', 'roas'] as const;

/** Columns that a view includes but the column list does not offer: a metric in another window. */
function windowColumns(kind: Kind, columnShown: ColumnLayout['columnShown']): readonly Column[] {
  return Object.entries(columnShown).flatMap(([key, isShown]) => {
    const [of, ...rest] = key.split('.');
    const metric = of === kind && isShown && isReported(kind) ? metricOfField(rest.join('.')) : null;
    if (metric === null || metric.window === null || !isAttributed(metric.name)) return [];
    const isOffered = !metric.isChange && WINDOWED.some((name) => name === metric.name);
    return isOffered ? [] : [metricColumn(metric)];
  });
}

/** ROAS limits of the cell colors, in hundredths, at a target of 4.00; scaled for other targets. */
const HEAT = { 'low-2': 150, 'low-1': 250, 'high-1': 450, 'high-2': 550 } as const;
export type Heat = keyof typeof HEAT;

/** The color of a ROAS relative to its target; null near the target and without ROAS. Both in hundredths. */
export function heatOf(roas: number | undefined, target: number): Heat | null {
  if (roas === undefined) return null;
  const at = (roas * 400) / target;
  if (at < HEAT['low-2']) return 'low-2';
  if (at < HEAT['low-1']) return 'low-1';
  if (at >= HEAT['high-2']) return 'high-2';
  return at >= HEAT['high-1'] ? 'high-1' : null;
}

/** ROAS as shown, or the ROAS behind an ACOS; undefined for other columns and for changes. */
export function heatValue({ figure }: Column, metrics: RowMetrics | undefined): number | undefined {
  if (figure === null || typeof figure === 'string' || figure.isChange) return undefined;
  if (figure.name !== 'roas' && figure.name !== 'acos') return undefined;
  return windowOf(figure, metrics)?.metrics['roas'];
}

/** The row's metrics in the column's attribution window; those of the period's window if the column has none. */
const windowOf = ({ window }: MetricColumnKey, metrics: RowMetrics | undefined): WindowMetrics | undefined =>
  window === null ? metrics : metrics?.windows[window];

const totalUnit = ({ figure }: Column): ReturnType<typeof unitOf> =>
  figure === null || typeof figure === 'string' ? 'money' : unitOf(figure.name);

/** Whether the total of a column is an amount in cents. */
export const isAmount = (column: Column): boolean => totalUnit(column) === 'money';

/** A column's total as the text of a cell. */
export function totalCell(column: Column, value: number): string {
  const unit = totalUnit(column);
  return unit === 'money' ? totalText(value) : figureText(unit, value);
}

/** The amount of a cell in cents; null for other cells. */
export function amountOf(column: Column, row: WindowRow, metrics: RowMetrics | undefined): number | null {
  const { figure, spec } = column;
  if (figure === null) {
    const stored = spec?.type.is === 'money' ? columnCell(column, row) : null;
    return typeof stored === 'number' ? stored : null;
  }
  if (typeof figure === 'string' || figure.isChange || unitOf(figure.name) !== 'money') return null;
  return windowOf(figure, metrics)?.metrics[figure.name] ?? null;
}

/** A metric as the text of a cell; a dash without a report. */
export function metricCell(key: MetricColumnKey, metrics: RowMetrics | undefined): string {
  const of = windowOf(key, metrics);
  return metricText(key, of?.metrics, of?.previous ?? null);
}

type Values = Readonly<Record<string, number>>;

/** A metric of any totals, such as those of a view, as text. */
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

/** Share of orders still expected, in hundredths of a percent; 0 for columns that count no orders. */
export function stillExpected({ figure }: Column, metrics: RowMetrics | undefined): number {
  if (figure === null || typeof figure === 'string' || !isAttributed(figure.name)) return 0;
  return windowOf(figure, metrics)?.notSettled ?? 0;
}

/** The attribution windows, besides that of the period, that columns show. */
export const windowsIn = (columns: readonly Column[]): readonly number[] => [
  ...new Set(
    columns.flatMap(({ figure }) =>
      figure === null || typeof figure === 'string' || figure.window === null ? [] : [figure.window],
    ),
  ),
];

/** Kinds that a campaign's matrix shows in rows and columns. */
export const hasMatrix = (kind: Kind): boolean =>
  kind === 'keyword' || kind === 'placementMultiplier' || kind === 'platformMultiplier';
