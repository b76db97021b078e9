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
  const inserts = new Map<Kind, Insert>();
  for (const [index, create] of creates.entries()) {
    const id = (first + index) as RowId;
    const place = placeOf(db, create, id, made);
    if (place === null) return badValue(create.kind, '', 'parent');
    const problem = problemIn(db, create, source);
    if (problem !== null) return err(problem);
    const insert = inserts.get(create.kind) ?? insertInto(db, tableOf(create.kind));
    inserts.set(create.kind, insert);
    insert(id, place, create.values);
    made.push({ kind: create.kind, id, ...place });
    if (place.campaignId !== null) touched.campaign(place.campaignId);
  }
  for (const kind of inserts.keys()) {
    const { name, code, parent } = tableOf(kind);
    db.run(
      `INSERT INTO step_row(step, kind, id, made) SELECT ${step}, ${code}, id, 1 FROM ${name} WHERE id >= ?`,
      first,
    );
    touched.kinds.add(kind);
    touched.grown.add(kind);
    if (parent === 'account') touched.account = true;
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
  for (const field in create.values) {
    const cell = create.values[field] ?? null;
    const spec = fieldSpec(create.kind, field);
    const problem = problemOfCell(db, create.kind, field, spec, cell, source);
    if (problem !== null) return problem;
  }
  return null;
}

type Insert = (id: RowId, place: Place, values: Readonly<Record<string, Cell>>) => void;

function insertInto(db: Db, table: Table): Insert {
  const { keyColumn } = table;
  const defaults = table.columns.map(({ field, spec }) => toStored(spec, defaultOf(table.kind, field, spec)));
  const count = 4 + table.columns.length + (keyColumn === null ? 0 : 1);
  const sql = `INSERT INTO ${table.name}(id, campaign_id, ad_group_id, dirty, ${sqlList(table.columns)}
    ${keyColumn === null ? '' : ', sort_key'}) VALUES (${Array(count).fill('?').join(', ')})`;
  return (id, place, values) => {
    const stored: DbValue[] = [id, place.campaignId, place.adGroupId, NEW];
    for (const [i, column] of table.columns.entries()) {
      const cell = values[column.field];
      stored.push(cell === undefined ? (defaults[i] ?? null) : toStored(column.spec, cell));
    }
    if (keyColumn !== null) {
      const text = values[keyColumn.field];
      stored.push(typeof text === 'string' ? keywordKey(text) : null);
    }
    db.run(sql, ...stored);
  };
}

/** What a field holds when its creator says nothing: a switch is on, a new file is here only, the rest is empty. */
function defaultOf(kind: Kind, field: string, spec: FieldSpec): Cell {
  if (kind === 'media' && field === 'mediaState') return 'local';
  return spec.owner === 'user' && (field === 'status' || field === 'state') && isCellOf(spec, 'enabled')
    ? 'enabled'
    : null;
}
