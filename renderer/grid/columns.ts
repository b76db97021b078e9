import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell, FieldSpec } from '../../shared/model/field-types.ts';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { changedFields, isNew } from '../../shared/model/row.ts';
import { type Figures, figureField, isReported, metricOf, type ReportedKind } from '../../shared/reports/metric.ts';
import { stateText, wordName } from '../app/field-names.ts';
import { shownCell } from '../app/locale/cells.ts';
import { figureText } from '../app/locale/numbers.ts';
import type { ColumnSlice } from '../app/store/layout-slice.ts';
import { appTexts } from '../app/texts.ts';
import { gridTexts } from './text.ts';

/** One column of a kind. `cell` is the position in `WindowRow.cells`; the campaign's and those of figures have none. */
export interface Column {
  /** `field` of the row, or `path` for the campaign's name. */
  readonly field: string;
  readonly title: string;
  readonly cell: number | null;
  /** The column of a report it stands for, else null. */
  readonly figure: string | null;
  readonly spec: FieldSpec | null;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly shown: boolean;
}

export function columnsOf(kind: Kind, withCampaign: boolean): readonly Column[] {
  const own = fieldNames(kind).map((field, cell): Column => {
    const spec = fieldSpec(kind, field) ?? null;
    const is = spec?.type.is;
    const numeric = is === 'money' || is === 'factor' || is === 'count';
    return {
      field,
      title: spec?.label ?? field,
      cell,
      figure: null,
      spec,
      width: spec?.grid?.width ?? (numeric ? 96 : 112),
      align: numeric ? 'right' : 'left',
      shown: spec?.grid?.hidden !== true,
    };
  });
  const path: Column = {
    field: 'path',
    title: gridTexts.campaign,
    cell: null,
    figure: null,
    spec: null,
    width: 190,
    align: 'left',
    shown: true,
  };
  return withCampaign ? [path, ...own] : own;
}

export type ColumnLayout = Pick<ColumnSlice, 'columnShown' | 'columnOrder'>;

/** Every column of a view, hidden ones too, in the user's order. Rows of one campaign need none with its name. */
export function orderedColumns(kind: Kind, campaignId: number | null, layout: ColumnLayout): readonly Column[] {
  const withCampaign = campaignId === null && kind !== 'campaign' && kind !== 'media';
  const columns = withFigures(kind, columnsOf(kind, withCampaign));
  const order = layout.columnOrder[kind];
  if (order === undefined) return columns;
  // A field the stored order does not know yet stays where the model has it.
  const place = (column: Column, i: number): number => {
    const at = order.indexOf(column.field);
    return at < 0 ? i : at;
  };
  return columns
    .map((column, i) => ({ column, at: place(column, i) }))
    .sort((a, b) => a.at - b.at)
    .map(({ column }) => column);
}

export const shownColumns = (kind: Kind, campaignId: number | null, layout: ColumnLayout): readonly Column[] =>
  orderedColumns(kind, campaignId, layout).filter(
    (column) => layout.columnShown[`${kind}.${column.field}`] ?? column.shown,
  );

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
export function cellText(kind: Kind, column: Column, row: WindowRow, media: MediaNames, figures?: Figures): string {
  if (column.cell === null) return column.figure === null ? row.campaignName : figureCell(column.figure, figures);
  if (column.field === 'campaignState') return stateOf(row).text;
  return valueText(kind, column.field, row.cells[column.cell] ?? null, media);
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

/** A value of a field in words, wherever one is shown. */
export function valueText(kind: Kind, field: string, value: Cell, media: MediaNames): string {
  if (value === null) return '';
  const is = fieldSpec(kind, field)?.type.is;
  if (is === 'choice' && typeof value === 'string') return wordName(field, value);
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

/** What is looked at beside a bid or a budget. The screen of reports has every other figure. */
const FIGURES = [
  'impressions',
  'clicks',
  'ctr',
  'adSpend',
  'cpc',
  'attributedOrders14days',
  'attributedSales14days',
  'roas14days',
] as const;

/** The field figures stand behind until the user moves them, so that they are in view beside what they are about. */
const BEHIND: Readonly<Record<ReportedKind, string>> = {
  campaign: 'name',
  adGroup: 'name',
  adItem: 'bid',
  keyword: 'bid',
};

/** Columns with figures of a kept report, hidden until they are wanted; none for kinds nobody reports on. */
const figureColumns = (): readonly Column[] =>
  FIGURES.map((figure): Column => {
    const found = metricOf(figure);
    const name = appTexts.reports.names[found?.metric.name ?? ''] ?? figure;
    const window = found?.window ?? null;
    return {
      field: figureField(figure),
      title: window === null ? name : `${name}, ${appTexts.reports.windowNames[window]}`,
      cell: null,
      figure,
      spec: null,
      width: 118,
      align: 'right',
      shown: false,
    };
  });

function withFigures(kind: Kind, columns: readonly Column[]): readonly Column[] {
  if (!isReported(kind)) return columns;
  const at = columns.findIndex(({ field }) => field === BEHIND[kind]) + 1;
  return columns.toSpliced(at, 0, ...figureColumns());
}

/** A figure as it is written in a cell; a dash where the report says nothing. */
export function figureCell(figure: string, figures: Readonly<Record<string, number>> | undefined): string {
  const unit = metricOf(figure)?.metric.unit ?? 'count';
  const value = figures?.[figure];
  return value === undefined ? '–' : figureText(unit, value);
}
