import { jsonOrNull } from '../json-or-null.ts';
import { type CampaignTree, rowsIn } from '../model/campaign-tree.ts';
import { formatCell } from '../model/cell-text.ts';
import type { Cell } from '../model/field-types.ts';
import { type AnyValues, fieldSpec } from '../model/fields.ts';
import { serviceMediaText } from '../model/media.ts';
import { type AnyRow, isDeleted, type Row } from '../model/row.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import { guardCell } from './cell-guard.ts';
import { COLUMNS, type Column, FIELD_OF, FILE_COLUMNS, SHEET_KINDS, type SheetKind, TYPE_NAMES } from './columns.ts';
import type { Link, SheetRow } from './sheet-row.ts';

/**
 * Campaigns as rows of text in the order of `COLUMNS`, each with its row; importing them changes nothing. Rows are
 * ordered by campaign, parents before children. One row at a time, so that an account of any size can be streamed.
 *
 * @param media the library; files are written by name only
 */
export function* sheetRowsOf(
  trees: Iterable<CampaignTree>,
  media: readonly Row<'media'>[],
): Generator<{ readonly kind: SheetKind; readonly row: AnyRow; readonly cells: readonly string[] }> {
  const library = new Map(media.map((row) => [row.id, row]));
  for (const tree of trees) {
    for (const row of tree.media) library.set(row.id, row);
    yield* formatTree(tree, library);
  }
}

function* formatTree(tree: CampaignTree, library: ReadonlyMap<RowId, Row<'media'>>) {
  const { campaign } = tree;
  if (isDeleted(campaign)) return;
  const groups = new Map(tree.adGroups.map((row) => [row.id, row]));
  for (const kind of SHEET_KINDS) {
    for (const row of rowsIn(tree, kind)) {
      const group =
        kind === 'adGroup' ? groups.get(row.id) : row.adGroupId === null ? undefined : groups.get(row.adGroupId);
      if (!isDeleted(row)) yield { kind, row, cells: formatRow(kind, row, campaign, group ?? null, library) };
    }
  }
}

/** One row of the table in the order of `COLUMNS`. Only texts are guarded: numbers, dates and choices can't be formulas. */
export function formatRow(
  kind: SheetKind,
  row: AnyRow,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'> | null,
  library: ReadonlyMap<RowId, Row<'media'>>,
): readonly string[] {
  return cellsOf(kind, row.values, {
    campaign: { name: campaign.values.name, remoteId: campaign.remoteId },
    adGroup: { name: group?.values.name ?? null, remoteId: group?.remoteId ?? null },
    rowId: row.remoteId,
    files: FILE_COLUMNS[kind] === undefined ? {} : fileCells(row, library),
  });
}

/**
 * A row of an archive as a row of the table, with file names only, as in every table.
 *
 * @param names of the campaigns and ad groups that the archive names only by ID
 */
export function formatArchiveRow(row: SheetRow, names: ReadonlyMap<RemoteId, string>): readonly string[] {
  const named = ({ name, remoteId }: Link): Link => ({
    name: name ?? (remoteId === null ? null : (names.get(remoteId) ?? null)),
    remoteId,
  });
  const file = (path: string | null | undefined): string => path?.replace(/^[a-f0-9]{64}\//, '') ?? '';
  const { logo, video, caption, mediaName } = row;
  return cellsOf(row.kind, row.cells, {
    campaign: named(row.campaign),
    adGroup: named(row.adGroup),
    rowId: row.rowId,
    files: { Logo: file(logo), Video: file(video), Caption: file(caption), 'Media name': mediaName ?? '' },
  });
}

interface RowPlace extends Pick<SheetRow, 'campaign' | 'adGroup' | 'rowId'> {
  readonly files: Partial<Record<Column, string>>;
}

function cellsOf(kind: SheetKind, values: AnyValues, { campaign, adGroup, rowId, files }: RowPlace): readonly string[] {
  const cells = [...BLANK];
  const put = (column: Column, text: string): void => {
    if (text !== '') cells[PLACE[column]] = text;
  };
  put('Type', TYPE_NAMES[kind]);
  put('Campaign', guardCell(campaign.name ?? ''));
  put('Ad group', guardCell(adGroup.name ?? ''));
  put('Campaign id', campaign.remoteId ?? '');
  put('Ad group id', adGroup.remoteId ?? '');
  // Multipliers have no ID on the service; their substitute inside the workspace is not exported.
  if (rowId !== null && /^\d+$/.test(rowId)) put('Row id', rowId);
  for (const [column, field, isText] of FIELDS_OF[kind]) {
    const value = values[field] ?? null;
    if (value !== null)
      put(column, isText ? guardCell(formatCell(kind, field, value)) : formatCell(kind, field, value));
  }
  for (const [column, text] of Object.entries(files)) put(column as Column, guardCell(text));
  return cells;
}

const BLANK: readonly string[] = COLUMNS.map(() => '');
const PLACE = Object.fromEntries(COLUMNS.map((column, at) => [column, at])) as Readonly<Record<Column, number>>;

/** Columns of a kind with their field, and whether they contain free text. */
const FIELDS_OF = Object.fromEntries(
  Object.entries(FIELD_OF).map(([kind, fields]) => [
    kind,
    Object.entries(fields).map(([column, field]) => [
      column,
      field,
      fieldSpec(kind as SheetKind, field)?.type.is === 'text',
    ]),
  ]),
) as unknown as Readonly<Record<SheetKind, readonly (readonly [Column, string, boolean])[]>>;

/** A video that was uploaded elsewhere has no file name to write. */
const nameOf = (video: Row<'media'>): string =>
  video.values.fileName ?? (video.remoteId === null ? '' : serviceMediaText(video.remoteId));

function fileCells(row: AnyRow, library: ReadonlyMap<RowId, Row<'media'>>): Partial<Record<Column, string>> {
  const file = (id: RowId | null): Row<'media'> | undefined => (id === null ? undefined : library.get(id));
  if (row.kind === 'sbaProfile') return { Logo: file(row.values.logo)?.values.fileName ?? '' };
  if (row.kind !== 'videoProfile') return {};
  const video = file(row.values.video);
  return {
    Video: video === undefined ? '' : nameOf(video),
    Caption: file(video?.values.caption ?? null)?.values.fileName ?? '',
    'Media name': video?.values.mediaName ?? '',
  };
}

/**
 * The hidden column of an XLSX export: the exported values of the row. It moves with its row when the spreadsheet is
 * sorted, so an import can distinguish the user's changes from later ones in the workspace.
 */
export const BASE_COLUMN = 'As exported';

/** The kind comes first, so that a value copied from a row of another kind is ignored. */
export function baseCell(kind: SheetKind, values: AnyValues): string {
  const fields: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) fields[field] = values[field] ?? null;
  return JSON.stringify({ kind, fields });
}

/** Null for any other text. Other programs may have changed the cell, so all of it is checked. */
export function baseFrom(kind: SheetKind, text: string): Readonly<Record<string, Cell>> | null {
  const note = jsonOrNull(text);
  if (!isObject(note) || note['kind'] !== kind || !isObject(note['fields'])) return null;
  const known = new Set(Object.values(FIELD_OF[kind]));
  const base: Record<string, Cell> = {};
  for (const [field, value] of Object.entries(note['fields'])) {
    if (!known.has(field) || !isCell(value)) return null;
    base[field] = value;
  }
  return base;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
