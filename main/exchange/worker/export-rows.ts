import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import type { AnyRow, Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type SheetKind, TYPE_NAMES } from '../../../shared/sheet/columns.ts';
import { formatRow, sheetRowsOf } from '../../../shared/sheet/format-sheet.ts';
import { type Db, numberOf, rowIdOf } from '../../workspace/db/db.ts';
import { createViews } from '../../workspace/reader/views.ts';
import { readRows } from '../../workspace/rows/read-rows.ts';
import { readTrees } from '../../workspace/rows/read-trees.ts';
import { tableOf } from '../../workspace/schema/tables.ts';

/** A row on its way out, as the cells of a sheet. */
export interface ExportRow {
  readonly kind: SheetKind;
  readonly row: AnyRow;
  readonly cells: readonly string[];
}

export interface ExportRows {
  /** Read as they are asked for. */
  readonly rows: Iterable<ExportRow>;
  /** How many there will be; a few may turn out to be on their way out. */
  readonly size: number;
}

/** A search that cannot be read. */
export interface BadFilter {
  readonly kind: 'bad-filter';
  readonly at: number;
  readonly problem: string;
}

export const CAMPAIGNS_A_READ = 25;
const ROWS_A_READ = 2000;

/** The rows of a view in its order, or those of the whole account, parents first. */
export function rowsToExport(db: Db, view: ViewSpec | null): Result<ExportRows, BadFilter> {
  const media = readRows(db, 'media', 'true');
  if (view === null) return ok({ rows: wholeAccount(db, media), size: sizeOfAccount(db) });
  if (!(view.kind in TYPE_NAMES)) return ok({ rows: [], size: 0 });
  const views = createViews(db);
  const opened = views.open(view);
  if (!opened.ok) return err({ kind: 'bad-filter', ...opened.error });
  const order = views.rows({ viewId: opened.value.viewId, ranges: null });
  const ids = order.ok ? (order.value[0]?.ids ?? new Int32Array(0)) : new Int32Array(0);
  return ok({ rows: viewRows(db, view.kind as SheetKind, ids, media), size: ids.length });
}

/** Rows of the account that a sheet holds, those on their way out among them. */
export const sizeOfAccount = (db: Db): number =>
  (Object.keys(TYPE_NAMES) as SheetKind[])
    .map((kind) => numberOf(db, `SELECT count(*) FROM ${tableOf(kind).name}`))
    .reduce((sum, rows) => sum + rows, 0);

function* wholeAccount(db: Db, media: readonly Row<'media'>[]): Generator<ExportRow> {
  const campaigns = db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => rowIdOf(id));
  for (let from = 0; from < campaigns.length; from += CAMPAIGNS_A_READ) {
    yield* sheetRowsOf(readTrees(db, campaigns.slice(from, from + CAMPAIGNS_A_READ)), media);
  }
}

/** The rows of a view in its order; campaigns and ad groups are read once each. */
function* viewRows(db: Db, kind: SheetKind, ids: Int32Array, media: readonly Row<'media'>[]): Generator<ExportRow> {
  const library = new Map(media.map((row) => [row.id, row]));
  const campaigns = new Map<RowId, Row<'campaign'> | undefined>();
  const groups = new Map<RowId, Row<'adGroup'> | undefined>();
  const parent = <K extends 'campaign' | 'adGroup'>(of: K, known: Map<RowId, Row<K> | undefined>, id: RowId) => {
    if (!known.has(id)) known.set(id, readRows(db, of, 'k.id = ?', id)[0]);
    return known.get(id);
  };
  for (let from = 0; from < ids.length; from += ROWS_A_READ) {
    const part = JSON.stringify(Array.from(ids.subarray(from, from + ROWS_A_READ)));
    const rows = readRows(db, kind, 'k.id IN (SELECT value FROM json_each(?))', part) as readonly AnyRow[];
    const byId = new Map(rows.map((row) => [row.id as number, row]));
    for (const id of ids.subarray(from, from + ROWS_A_READ)) {
      const row = byId.get(id);
      if (row === undefined || row.campaignId === null) continue;
      const campaign = parent('campaign', campaigns, row.campaignId);
      const groupId = row.kind === 'adGroup' ? row.id : row.adGroupId;
      const group = groupId === null ? undefined : parent('adGroup', groups, groupId);
      if (campaign !== undefined) yield { kind, row, cells: formatRow(kind, row, campaign, group ?? null, library) };
    }
  }
}
