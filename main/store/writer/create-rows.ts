import type { RowRef } from '../../../shared/api/scalars.ts';
import { copyName } from '../../../shared/bulk/copy-rows.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell, FieldSpec } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { NEW } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { asNumber, type Db, type DbBind } from '../db/db.ts';
import { toBound } from '../rows/codec.ts';
import { sqlList, type Table, tableOf } from '../schema/tables.ts';
import type { CreateRow, EditBatch, EditProblem } from '../types.ts';
import { badValue, problemOfCell } from './write-field.ts';
import type { AffectedRows } from './writer-store.ts';
import { takeIds } from './writer-store.ts';

/**
 * Creates rows in list order and records them in the step.
 *
 * @returns their IDs in the same order, or the first entry that can't be created
 */
export function createRows(
  db: Db,
  creates: readonly CreateRow[],
  source: EditBatch['source'],
  step: number,
  touched: AffectedRows,
): Result<readonly RowRef[], EditProblem> {
  if (creates.length === 0) return ok([]);
  const first = takeIds(db, creates.length);
  const made = new Made(creates, first);
  const makers = new Map<Kind, Maker>();
  let lastCampaign: RowId | null = null;
  for (let index = 0; index < creates.length; index++) {
    const create = creates[index];
    if (create === undefined) continue;
    if (!made.place(db, index, create)) return badValue(create.kind, '', 'parent');
    let maker = makers.get(create.kind);
    if (maker === undefined) {
      maker = makerOf(db, tableOf(create.kind), source);
      makers.set(create.kind, maker);
    }
    const problem = maker.problemIn(create.values);
    if (problem !== null) return err(problem);
    const campaignId = made.campaignOf(index);
    maker.insert(asRowId(first + index), campaignId, made.adGroupOf(index), create.values);
    // Rows are ordered by campaign, so each campaign is recorded once.
    if (campaignId !== null && campaignId !== lastCampaign) touched.campaign(campaignId);
    lastCampaign = campaignId;
  }
  for (const kind of makers.keys()) {
    const { name, code, parent } = tableOf(kind);
    db.run(
      `INSERT INTO step_row(step, kind, id, made) SELECT ?, ${code}, id, 1 FROM ${name} WHERE id >= ? AND id < ?`,
      step,
      first,
      first + creates.length,
    );
    touched.kinds.add(kind);
    touched.grown.add(kind);
    if (parent === 'account') touched.account = true;
  }
  return ok(creates.map(({ kind }, index) => ({ kind, id: asRowId(first + index) })));
}

/** The parents of the rows of a list: campaign and ad group of each, 0 for none. */
class Made {
  readonly #creates: readonly CreateRow[];
  readonly #first: number;
  readonly #campaigns: Int32Array;
  readonly #adGroups: Int32Array;

  constructor(creates: readonly CreateRow[], first: number) {
    this.#creates = creates;
    this.#first = first;
    this.#campaigns = new Int32Array(creates.length);
    this.#adGroups = new Int32Array(creates.length);
  }

  campaignOf(index: number): RowId | null {
    return idOrNull(this.#campaigns[index]);
  }

  adGroupOf(index: number): RowId | null {
    return idOrNull(this.#adGroups[index]);
  }

  /**
   * Finds the parents of an entry. False if its parent does not exist, has the wrong kind, or comes later in the list.
   */
  place(db: Db, index: number, { kind, parent: named }: CreateRow): boolean {
    const { parent } = tableOf(kind);
    if (parent === 'account') {
      if (kind === 'campaign') this.#campaigns[index] = this.#first + index;
      return named === null;
    }
    if (named === null) return false;
    const [campaignId, parentId] = 'at' in named ? this.#above(index, named.at, parent) : known(db, parent, named.id);
    this.#campaigns[index] = campaignId;
    if (parent === 'adGroup') this.#adGroups[index] = parentId;
    return campaignId > 0;
  }

  #above(index: number, at: number, parent: 'campaign' | 'adGroup'): readonly [number, number] {
    if (at >= index || this.#creates[at]?.kind !== parent) return [0, 0];
    return [this.#campaigns[at] ?? 0, this.#first + at];
  }
}

const idOrNull = (id: number | undefined): RowId | null => (id === undefined || id === 0 ? null : asRowId(id));

function known(db: Db, parent: 'campaign' | 'adGroup', id: RowId): readonly [number, number] {
  const row = db.get(`SELECT campaign_id FROM ${tableOf(parent).name} WHERE id = ?`, id);
  return row === undefined ? [0, 0] : [asNumber(row[0]), id];
}

/** Validates and writes rows of one kind. */
type Maker = ReturnType<typeof makerOf>;

function makerOf(db: Db, table: Table, source: EditBatch['source']) {
  const { kind, keyColumn } = table;
  const defaults = table.columns.map((column) => toBound(column, defaultOf(kind, column.field, column.spec)));
  const count = 4 + table.columns.length + (keyColumn === null ? 0 : 1);
  const sql = `INSERT INTO ${table.name}(id, campaign_id, ad_group_id, dirty, ${sqlList(table.columns)}
    ${keyColumn === null ? '' : ', sort_key'}) VALUES (${Array(count).fill('?').join(', ')})`;
  const columnByField = new Map(table.columns.map((column) => [column.field, column]));
  return {
    problemIn: (values: AnyValues): EditProblem | null => {
      for (const field in values) {
        const cell = values[field] ?? null;
        const problem = problemOfCell(db, kind, field, columnByField.get(field)?.spec, cell, source);
        if (problem !== null) return problem;
      }
      return null;
    },
    insert: (id: RowId, campaignId: RowId | null, adGroupId: RowId | null, values: AnyValues) => {
      const stored: DbBind[] = [id, campaignId, adGroupId, NEW];
      for (let i = 0; i < table.columns.length; i++) {
        const column = table.columns[i];
        if (column === undefined) continue;
        const cell = values[column.field];
        stored.push(cell === undefined ? (defaults[i] ?? null) : toBound(column, cell));
      }
      if (keyColumn !== null) {
        const text = values[keyColumn.field];
        stored.push(typeof text === 'string' ? textKey(text) : null);
      }
      db.run(sql, ...stored);
    },
  };
}

/** The default of a field: a status is enabled, a new file is local, anything else is empty. */
function defaultOf(kind: Kind, field: string, spec: FieldSpec): Cell {
  if (kind === 'media' && field === 'mediaState') return 'local';
  return spec.owner === 'user' && (field === 'status' || field === 'state') && isCellOf(spec, 'enabled')
    ? 'enabled'
    : null;
}

/**
 * A name for a copy if its own is taken at its new place; null if it may keep its name. Campaigns and ad groups are
 * identified by name, so a copy beside its original needs another one.
 *
 * @param named names already assigned in this edit, with their places; the result is added to it
 */
export function freeName(
  db: Db,
  kind: Kind,
  values: AnyValues,
  parent: CreateRow['parent'],
  named: Set<string>,
): string | null {
  if (kind !== 'campaign' && kind !== 'adGroup') return null;
  const name = values['name'] ?? null;
  if (typeof name !== 'string') return null;
  const place = parent !== null && 'id' in parent ? parent.id : null;
  const sql =
    kind === 'campaign'
      ? 'SELECT 1 FROM campaign WHERE sort_key = fold(?1) AND ?2 IS NULL'
      : 'SELECT 1 FROM ad_group WHERE campaign_id = ?2 AND sort_key = fold(?1)';
  const isTaken = (candidate: string): boolean =>
    named.has(`${place} ${textKey(candidate)}`) || db.get(sql, candidate, place) !== undefined;
  const chosen = isTaken(name) ? copyName(name, isTaken) : null;
  named.add(`${place} ${textKey(chosen ?? name)}`);
  return chosen;
}

/** The rows with free names: rows without a parent in the list are renamed if their name is taken. */
export function withFreeNames(db: Db, creates: readonly CreateRow[]): readonly CreateRow[] {
  const named = new Set<string>();
  return creates.map((create) => {
    const { kind, parent, values } = create;
    const name = parent !== null && 'at' in parent ? null : freeName(db, kind, values, parent, named);
    return name === null ? create : { ...create, values: { ...values, name } };
  });
}
