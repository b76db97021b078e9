import type { RowRef } from '../../../shared/contract/scalars.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell, FieldSpec } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { keywordKey } from '../../../shared/model/keyword-key.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { asNumber, type Db, type DbValue } from '../db/db.ts';
import type { CreateRow, EditBatch, EditProblem } from '../port.ts';
import { toStored } from '../rows/codec.ts';
import { sqlList, type Table, tableOf } from '../schema/tables.ts';
import { badValue, problemOfCell } from './cell-check.ts';
import { takeIds } from './ids.ts';
import type { Touched } from './touched.ts';

/** Where a row hangs, as its two parent columns. */
interface Place {
  readonly campaignId: RowId | null;
  readonly adGroupId: RowId | null;
}

/**
 * Creates rows in the order of the list and notes them in the step.
 *
 * @returns their ids in the same order, or the first entry that cannot be
 */
export function createRows(
  db: Db,
  creates: readonly CreateRow[],
  source: EditBatch['source'],
  step: number,
  touched: Touched,
): Result<readonly RowRef[], EditProblem> {
  if (creates.length === 0) return ok([]);
  const first = takeIds(db, creates.length);
  const made: (RowRef & Place)[] = [];
  for (const [index, create] of creates.entries()) {
    const id = (first + index) as RowId;
    const place = placeOf(db, create, id, made);
    if (place === null) return badValue(create.kind, '', 'parent');
    const problem = problemIn(db, create, source);
    if (problem !== null) return err(problem);
    insert(db, tableOf(create.kind), id, place, create.values);
    const note = 'INSERT INTO step_row(step, kind, id, made, content) VALUES (?, ?, ?, 1, NULL)';
    db.run(note, step, tableOf(create.kind).code, id);
    made.push({ kind: create.kind, id, ...place });
    touched.kinds.add(create.kind);
    touched.grown.add(create.kind);
    if (place.campaignId !== null) touched.campaigns.add(place.campaignId);
    if (tableOf(create.kind).parent === 'account') touched.account = true;
  }
  return ok(made.map(({ kind, id }) => ({ kind, id })));
}

function placeOf(db: Db, create: CreateRow, id: RowId, made: readonly (RowRef & Place)[]): Place | null {
  const { parent } = tableOf(create.kind);
  if (parent === 'account') {
    if (create.parent !== null) return null;
    return { campaignId: create.kind === 'campaign' ? id : null, adGroupId: null };
  }
  if (create.parent === null) return null;
  if ('at' in create.parent) {
    const above = made[create.parent.at];
    if (above === undefined || above.kind !== parent) return null;
    return { campaignId: above.campaignId, adGroupId: parent === 'adGroup' ? above.id : null };
  }
  const row = db.get(`SELECT campaign_id FROM ${tableOf(parent).name} WHERE id = ?`, create.parent.id);
  if (row === undefined) return null;
  const campaignId = asNumber(row[0]) as RowId;
  return { campaignId, adGroupId: parent === 'adGroup' ? create.parent.id : null };
}

function problemIn(db: Db, create: CreateRow, source: EditBatch['source']): EditProblem | null {
  for (const [field, cell] of Object.entries(create.values)) {
    const spec = fieldSpec(create.kind, field);
    const problem = problemOfCell(db, create.kind, field, spec, cell, source);
    if (problem !== null) return problem;
  }
  return null;
}

function insert(db: Db, table: Table, id: RowId, place: Place, values: Readonly<Record<string, Cell>>): void {
  const stored: DbValue[] = [id, place.campaignId, place.adGroupId, NEW];
  for (const column of table.columns) {
    const cell = values[column.field];
    stored.push(toStored(column.spec, cell === undefined ? defaultOf(table.kind, column.field, column.spec) : cell));
  }
  const { keyColumn } = table;
  if (keyColumn !== null) {
    const text = values[keyColumn.field];
    stored.push(typeof text === 'string' ? keywordKey(text) : null);
  }
  const key = keyColumn === null ? '' : ', sort_key';
  db.run(
    `INSERT INTO ${table.name}(id, campaign_id, ad_group_id, dirty, ${sqlList(table.columns)}${key})
     VALUES (${stored.map(() => '?').join(', ')})`,
    ...stored,
  );
}

/** What a field holds when its creator says nothing: a switch is on, a new file is here only, the rest is empty. */
function defaultOf(kind: Kind, field: string, spec: FieldSpec): Cell {
  if (kind === 'media' && field === 'mediaState') return 'local';
  return spec.owner === 'user' && (field === 'status' || field === 'state') && isCellOf(spec, 'enabled')
    ? 'enabled'
    : null;
}
