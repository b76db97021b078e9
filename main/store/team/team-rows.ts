import { memo } from '../../../shared/memo.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS, type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import { DELETED, HELD, NEW } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import { type ChangeSet, HELD_FIELD, type RowRef } from '../../../shared/team/change-set.ts';
import { EMPTY_CELL, type TeamCell, type TeamRow, type TeamRows } from '../../../shared/team/team-rows.ts';
import {
  asNumber,
  asNumberOrNull,
  type Db,
  type DbBind,
  type DbRow,
  type DbValue,
  rowIdOf,
  rowIdsOf,
} from '../db/db.ts';
import { bindAny, fromStored, toBound, toStored } from '../rows/codec.ts';
import { type Column, HELD_CODE, sqlList, type Table, tableOf } from '../schema/tables.ts';
import { leavingRows, noteCells, noteSelection, storeRemovedRows } from '../writer/removal.ts';
import { fillSelection, fillSelectionWith } from '../writer/selection.ts';
import { writeField, writeMark } from '../writer/write-field.ts';
import type { AffectedRows } from '../writer/writer-store.ts';
import { REMOVED, shadowOf, teamCode, teamColumns, UNSHARED } from './schema.ts';

/** A row as read or last written, with its new state. Cells are in the order of `fields`, the mark HELD last. */
interface Loaded {
  readonly kind: Kind;
  readonly row: RowId;
  readonly parent: RowId | null;
  readonly campaignId: RowId | null;
  /** It is in its table, maybe marked as deleted. */
  isStored: boolean;
  isHere: boolean;
  isShared: boolean;
  mine: Cell[];
  /** The same array while nothing differs. */
  shared: Cell[];
  /** Positions of cells that a colleague changed too, with the team's value before that. */
  disputed: ReadonlyMap<number, Cell>;
  isDisputed: boolean;
  /** Its state in the table; null while nothing differs. */
  before: State | null;
  /** Its state before the current entry; null if the entry did not change it. */
  found: State | null;
}

type State = Pick<Loaded, 'isStored' | 'isHere' | 'isShared' | 'mine' | 'shared' | 'disputed' | 'isDisputed'>;

/** The step that records the changes, and the colleague of conflicts. */
export interface Writing {
  /** Created on demand; null for changes outside the history. */
  readonly step: (() => number) | null;
  readonly by: number | null;
  readonly nowMs: number;
}

type Note = readonly [step: number, row: RowId, old: DbValue, now: DbValue];

/**
 * Rows of the account for the functions of `shared/team`, which fold, share and revert them; the simulator tests the
 * same functions. Rows are read in bulk, changed in memory and written in bulk. Must be used within one transaction,
 * without other writes.
 *
 *   load --> fold an entry --> end: its cells are recorded --another entry--> fold
 *                               '--rows made, removed or disputed, or the last one--> written
 */
export class StoredTeamRows implements TeamRows {
  readonly #db: Db;
  readonly #rows = new Map<RowId, Loaded | null>();
  readonly #kinds = new Map<RowId, Kind>();
  /** Since rows were last written. */
  readonly #changed = new Set<Loaded>();
  /** Changed by the current entry. */
  readonly #folded = new Set<Loaded>();
  readonly #notes = new Map<Column, { readonly table: Table; readonly list: Note[] }>();
  /** The entry does more than set cells. */
  #isMore = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads the rows of change sets in a few statements. */
  load(sets: readonly ChangeSet[]): void {
    const wanted = new Map<Kind, Set<RowId>>();
    const want = (kind: Kind, row: RowId): void => {
      const rows = wanted.get(kind);
      if (rows === undefined) wanted.set(kind, new Set([row]));
      else rows.add(row);
    };
    for (const { made, removed, cells, facts = [] } of sets) {
      for (const { kind, row, parent } of made) {
        want(kind, row);
        if (parent !== null) want(parentKind(kind), parent);
      }
      for (const list of [removed, cells, facts]) for (const { kind, row } of list) want(kind, row);
    }
    for (const [kind, rows] of wanted) this.loadRows(kind, [...rows]);
  }

  /** Reads rows again that other code has changed. */
  readAgain(refs: readonly RowRef[]): void {
    for (const { row } of refs) this.#rows.delete(row);
    for (const [kind, list] of Map.groupBy(refs, (ref) => ref.kind))
      this.loadRows(kind, [...new Set(list.map(({ row }) => row))]);
  }

  loadRows(kind: Kind, wanted: readonly RowId[]): void {
    const rows = wanted.filter((row) => !this.#rows.has(row));
    if (rows.length === 0) return;
    const table = tableOf(kind);
    for (const row of rows) {
      this.#kinds.set(row, kind);
      this.#rows.set(row, null);
    }
    const list = JSON.stringify(rows);
    for (const found of this.#db.all(loadSql(table), list)) this.#take(table, found);
    const disputes = this.#db.all(
      `SELECT id, field, base FROM conflict WHERE against = 1 AND kind = ? AND id IN (SELECT value FROM json_each(?))`,
      table.code,
      list,
    );
    for (const [id, code, base] of disputes) {
      const loaded = this.#rows.get(rowIdOf(id));
      if (loaded == null) continue;
      const place = placeOfCode(table, asNumber(code));
      if (place === null) loaded.isDisputed = true;
      else {
        const column = teamColumns(table)[place]?.column;
        const cell = column === undefined ? asNumberOrNull(base) : fromStored(column.spec, base);
        loaded.disputed = new Map(loaded.disputed).set(place, cell);
      }
    }
    // Reads the parents too: each row is checked for a removed parent.
    const above = new Set<RowId>();
    for (const row of rows) {
      const parent = this.#rows.get(row)?.parent ?? null;
      if (parent !== null && !this.#rows.has(parent)) above.add(parent);
    }
    if (above.size > 0) this.loadRows(parentKind(kind), [...above]);
  }

  #take(table: Table, found: DbRow): void {
    const [id, campaign, group, ownId, dirty, ahead, shadowId, held] = found;
    const columns = teamColumns(table);
    const cells = (from: number): Cell[] => columns.map(({ column }, at) => fromStored(column.spec, found[from + at]));
    const isStored = ownId !== null;
    const marks = isStored ? asNumber(dirty) : 0;
    const shared = shadowId === null ? null : [...cells(HEAD + columns.length), asNumberOrNull(held)];
    const isShared = isStored ? (asNumber(ahead) & UNSHARED) === 0 : shared !== null;
    const mine = isStored ? [...cells(HEAD), marks & HELD ? 1 : null] : [...(shared ?? [])];
    const row = rowIdOf(id);
    const kind = table.kind;
    this.#rows.set(row, {
      kind,
      row,
      parent: parentOf(kind, asNumberOrNull(campaign), asNumberOrNull(group)),
      campaignId: campaign === null ? null : rowIdOf(campaign),
      isStored,
      isHere: isStored && (marks & DELETED) === 0,
      isShared,
      mine,
      shared: shared ?? (isShared ? mine : mine.map(() => null)),
      disputed: NONE,
      isDisputed: false,
      before: null,
      found: null,
    });
  }

  #find(row: RowId): Loaded | null {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    this.loadRows(this.#kinds.get(row) ?? this.#kindOf(row), [row]);
    return this.#rows.get(row) ?? null;
  }

  #kindOf(row: RowId): Kind {
    const isIn = (name: string) => this.#db.get(`SELECT 1 FROM ${name} WHERE id = ?`, row) !== undefined;
    return KINDS.find((kind) => isIn(tableOf(kind).name) || isIn(shadowOf(tableOf(kind)))) ?? 'campaign';
  }

  find(row: RowId): TeamRow | null {
    const found = this.#find(row);
    return found === null || (!found.isHere && !found.isShared) ? null : toTeamRow(found);
  }

  childrenOf(row: RowId): readonly TeamRow[] {
    const found = this.#find(row);
    if (found === null || (found.kind !== 'campaign' && found.kind !== 'adGroup')) return [];
    const column = found.kind === 'campaign' ? 'campaign_id' : 'ad_group_id';
    for (const kind of KINDS.filter((each) => PARENT_OF[each] === found.kind)) {
      const table = tableOf(kind);
      const ids = rowIdsOf(
        this.#db,
        `SELECT id FROM ${table.name} WHERE ${column} = ?1 UNION SELECT id FROM ${shadowOf(table)} WHERE ${column} = ?1`,
        row,
      );
      this.loadRows(kind, ids);
    }
    return [...this.#rows.values()]
      .filter((each) => each !== null && each.parent === row && (each.isHere || each.isShared))
      .map((each) => toTeamRow(each as Loaded));
  }

  saveRow({ kind, row, parent, isHere, isShared, isInConflict }: TeamRow): void {
    this.#kinds.set(row, kind);
    let loaded = this.#find(row);
    if (loaded === null) {
      const nothing = [...teamColumns(tableOf(kind)), HELD_FIELD].map((): Cell => null);
      const campaignId =
        kind === 'campaign'
          ? row
          : kind === 'media' || parent === null
            ? null
            : (this.#find(parent)?.campaignId ?? null);
      const made = { kind, row, parent, campaignId, isStored: false, isHere: false, isShared: false };
      const undisputed = { disputed: NONE, isDisputed: false };
      loaded = { ...made, mine: nothing, shared: nothing, ...undisputed, before: null, found: null };
      this.#rows.set(row, loaded);
    }
    this.#change(loaded);
    if (loaded.isHere !== isHere || loaded.isShared !== isShared || loaded.isDisputed !== isInConflict)
      this.#isMore = true;
    // A row that was nowhere starts without its old values.
    if (!loaded.isHere && !loaded.isShared) loaded.mine = loaded.mine.map(() => null);
    if (isShared && !loaded.isShared) loaded.shared = loaded.mine.map(() => null);
    if (!isShared) {
      loaded.shared = loaded.mine.map(() => null);
      loaded.disputed = NONE;
    }
    loaded.isHere = isHere;
    loaded.isShared = isShared;
    loaded.isDisputed = isInConflict;
  }

  forget(row: RowId): void {
    const loaded = this.#find(row);
    if (loaded === null) return;
    this.#change(loaded);
    this.#isMore = true;
    loaded.isHere = false;
    loaded.isShared = false;
    loaded.isDisputed = false;
    loaded.disputed = NONE;
  }

  cell(row: RowId, field: string): TeamCell {
    const loaded = this.#find(row);
    if (loaded === null) return EMPTY_CELL;
    const at = placeOf(tableOf(loaded.kind), field);
    const mine = loaded.mine[at] ?? null;
    const shared = loaded.shared[at] ?? null;
    const base = loaded.disputed.get(at) ?? null;
    return { mine, shared, base, isAhead: mine !== shared, isInConflict: loaded.disputed.has(at) };
  }

  saveCell(row: RowId, field: string, { mine, shared, base, isInConflict }: TeamCell): void {
    const loaded = this.#find(row);
    if (loaded === null) return;
    const at = placeOf(tableOf(loaded.kind), field);
    this.#change(loaded);
    const isHeld = at === loaded.mine.length - 1;
    if (isInConflict || isHeld || loaded.disputed.size > 0) this.#isMore = true;
    loaded.mine[at] = mine;
    loaded.shared[at] = shared;
    if (isInConflict === loaded.disputed.has(at)) return;
    const others = [...loaded.disputed].filter(([place]) => place !== at);
    loaded.disputed = new Map(isInConflict ? [...others, [at, base]] : others);
  }

  fieldsOf(row: RowId): readonly string[] {
    const loaded = this.#find(row);
    if (loaded === null) return [];
    return fieldsOf(tableOf(loaded.kind)).filter((_, at) => loaded.mine[at] !== null || loaded.shared[at] !== null);
  }

  /** Keeps the state before the entry, to find the differences. */
  #change(loaded: Loaded): void {
    if (loaded.found !== null) return;
    const { isStored, isHere, isShared, mine, shared, disputed, isDisputed } = loaded;
    loaded.found = { isStored, isHere, isShared, mine, shared, disputed, isDisputed };
    loaded.before ??= loaded.found;
    loaded.mine = [...mine];
    loaded.shared = [...shared];
    this.#changed.add(loaded);
    this.#folded.add(loaded);
  }

  /**
   * Ends an entry. Its cells are recorded in its step and written together with later ones, unless it does more than
   * set cells.
   */
  end(writing: Writing, touched: AffectedRows): void {
    this.#note(writing);
    if (this.#isMore) this.#write(writing, touched);
    for (const loaded of this.#folded) loaded.found = null;
    this.#folded.clear();
  }

  /** Ends an entry, and writes all changes since rows were last written. */
  flush(writing: Writing, touched: AffectedRows): void {
    this.#isMore = true;
    this.end(writing, touched);
  }

  #note({ step }: Writing): void {
    if (step === null) return;
    for (const { kind, row, isStored, mine, found } of this.#folded) {
      if (!isStored || found === null) continue;
      const table = tableOf(kind);
      for (const [at, { column }] of teamColumns(table).entries()) {
        const [old = null, now = null] = [found.mine[at], mine[at]];
        if (old === now) continue;
        const { list } = this.#notes.get(column) ?? { list: [] as Note[] };
        if (list.length === 0) this.#notes.set(column, { table, list });
        list.push([step(), row, toStored(column.spec, old), toStored(column.spec, now)]);
      }
    }
  }

  #write(writing: Writing, touched: AffectedRows): void {
    for (const [{ code }, { table, list }] of this.#notes)
      this.#db.run(
        `INSERT INTO step_cell(step, kind, field, id, old, new) SELECT value ->> 0, ${table.code}, ${code}, value ->> 1,
           value ->> 2, value ->> 3 FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET new = excluded.new`,
        JSON.stringify(list),
      );
    this.#notes.clear();
    const byKind = Map.groupBy(this.#changed, ({ kind }) => kind);
    const groups = KINDS.flatMap((kind) => {
      const rows = byKind.get(kind);
      return rows === undefined ? [] : [{ table: tableOf(kind), rows }];
    });
    for (const { table, rows } of groups) this.#makeRows(table, rows, writing, touched);
    for (const { table, rows } of groups) this.#writeCells(table, rows, writing, touched);
    for (const { table, rows } of groups.toReversed()) this.#takeOut(table, rows, writing, touched);
    for (const { table, rows } of groups) this.#writeShadow(table, rows);
    this.#writeDisputes(writing, touched);
    for (const loaded of this.#changed) loaded.before = null;
    this.#changed.clear();
    this.#isMore = false;
  }

  #makeRows(table: Table, rows: readonly Loaded[], { step }: Writing, touched: AffectedRows): void {
    const made = rows.filter(({ isHere, isStored }) => isHere && !isStored);
    if (made.length === 0) return;
    const columns = teamColumns(table).map(({ column }) => column);
    const key = table.keyColumn === null ? -1 : columns.indexOf(table.keyColumn);
    const sql = insertSql(table);
    for (const loaded of made) {
      const { row, campaignId, parent, kind, mine } = loaded;
      const stored: DbBind[] = columns.map((column, at) => toBound(column, mine[at] ?? null));
      const folded = key < 0 ? [] : [typeof mine[key] === 'string' ? textKey(mine[key] as string) : null];
      const dirty = NEW | (mine[columns.length] === 1 ? HELD : 0);
      this.#db.run(sql, row, campaignId, PARENT_OF[kind] === 'adGroup' ? parent : null, dirty, ...stored, ...folded);
      loaded.isStored = true;
      if (loaded.before !== null) loaded.before = { ...loaded.before, mine: [...mine] };
      if (campaignId !== null) touched.campaign(campaignId);
    }
    if (step !== null) {
      const note = `INSERT INTO step_row(step, kind, id, made) SELECT ?, ${table.code}, value, 1 FROM json_each(?)
        WHERE true ON CONFLICT DO NOTHING`;
      this.#db.run(note, step(), JSON.stringify(made.map(({ row }) => row)));
    }
    touched.kinds.add(table.kind);
    touched.shuffled.add(table.kind);
    if (table.parent === 'account') touched.account = true;
  }

  #writeCells(table: Table, rows: readonly Loaded[], writing: Writing, touched: AffectedRows): void {
    const stored = rows.filter(({ isStored }) => isStored);
    const columns = teamColumns(table).map(({ column }) => column);
    for (const [at, column] of columns.entries()) {
      const changed = stored.filter(({ mine, before }) => mine[at] !== (before?.mine[at] ?? null));
      if (changed.length === 0) continue;
      fillSelection(this.#db, new Map(changed.map(({ row, mine }) => [row, toStored(column.spec, mine[at] ?? null)])));
      const written = writeField(this.#db, table, column, null);
      if (written > 0) noteCells(this.#db, table, touched, column, written);
    }
    const held = stored.filter(({ mine, before }) => mine[columns.length] !== (before?.mine[columns.length] ?? null));
    this.#mark(table, held, HELD, ({ mine }) => mine[columns.length] === 1, writing, touched);
    const back = stored.filter(({ isHere, before }) => isHere && before?.isStored === true && !before.isHere);
    this.#mark(table, back, DELETED, () => false, writing, touched);
  }

  #mark(
    table: Table,
    rows: readonly Loaded[],
    mark: number,
    isSet: (row: Loaded) => boolean,
    { step }: Writing,
    touched: AffectedRows,
  ): void {
    if (rows.length === 0) return;
    fillSelection(this.#db, new Map(rows.map((row) => [row.row, isSet(row) ? 1 : 0])));
    if (writeMark(this.#db, table, mark, step === null ? null : step()) > 0) noteSelection(this.#db, table, touched);
  }

  /** New rows are deleted from their table; the others are marked as deleted. */
  #takeOut(table: Table, rows: readonly Loaded[], writing: Writing, touched: AffectedRows): void {
    const going = rows.filter(({ isHere, isStored, before }) => !isHere && isStored && before?.isHere === true);
    if (going.length === 0) return;
    const ids = going.map(({ row }) => row);
    const leaving = leavingRows(this.#db, table, ids);
    this.#mark(
      table,
      going.filter(({ row }) => !leaving.has(row)),
      DELETED,
      () => true,
      writing,
      touched,
    );
    if (leaving.size === 0) return;
    fillSelectionWith(this.#db, [...leaving], null);
    noteSelection(this.#db, table, touched);
    storeRemovedRows(this.#db, table, writing.step === null ? null : writing.step(), 'removed');
    this.#db.run(`DELETE FROM team_fact WHERE id IN (SELECT id FROM temp.sel)`);
    touched.shuffled.add(table.kind);
    for (const row of going) if (leaving.has(row.row)) row.isStored = false;
  }

  #writeShadow(table: Table, rows: readonly Loaded[]): void {
    const shadow = shadowOf(table);
    const columns = teamColumns(table);
    const fresh = rows.filter((row) => {
      const { before, isStored } = row;
      if (before === null) return false;
      if (hasShadow(before, table) || hasShadow(row, table)) return true;
      return isStored && aheadOf(row, table) !== (before.isStored ? aheadOf(before, table) : 0);
    });
    if (fresh.length === 0) return;
    this.#db.run(
      `DELETE FROM ${shadow} WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(fresh.map(({ row }) => row)),
    );
    const sql = `INSERT INTO ${shadow}(id, campaign_id, ad_group_id, held, ${sqlList(columns.map(({ column }) => column))})
      VALUES (${Array(4 + columns.length)
        .fill('?')
        .join(', ')})`;
    for (const each of fresh) {
      if (!hasShadow(each, table)) continue;
      const stored = columns.map(({ column }, at) => toBound(column, each.shared[at] ?? null));
      const group = PARENT_OF[each.kind] === 'adGroup' ? each.parent : null;
      this.#db.run(sql, each.row, each.campaignId, group, each.shared[columns.length] ?? null, ...stored);
    }
    const stored = fresh.filter(({ isStored }) => isStored);
    if (stored.length === 0) return;
    fillSelection(this.#db, new Map(stored.map((each) => [each.row, aheadOf(each, table)])));
    this.#db.run(`UPDATE ${table.name} SET ahead = s.v FROM temp.sel s WHERE ${table.name}.id = +s.id`);
  }

  /** Only for the last entry: an entry with conflicts is written at once. */
  #writeDisputes({ by, nowMs }: Writing, touched: AffectedRows): void {
    for (const { kind, row, found: before, disputed, isDisputed, shared, isShared } of this.#folded) {
      if (before === null || (disputed.size === 0 && before.disputed.size === 0 && isDisputed === before.isDisputed))
        continue;
      // Windows show a conflict, which changes no cell.
      touched.kinds.add(kind);
      const table = tableOf(kind);
      const fields = fieldsOf(table);
      const put = (field: string | null, base: Cell, theirs: Cell): void => {
        const column = teamColumns(table).find((each) => each.column.field === field)?.column;
        const bound = (cell: Cell) => bindAny(column === undefined ? cell : toStored(column.spec, cell));
        this.#db.run(
          `INSERT INTO conflict(kind, id, field, base, theirs, at, against, by_member) VALUES (?, ?, ?, ?, ?, ?, 1, ?)
           ON CONFLICT DO UPDATE SET theirs = excluded.theirs, at = excluded.at, by_member = excluded.by_member`,
          table.code,
          row,
          teamCode(table, field),
          bound(base),
          bound(theirs),
          nowMs,
          by,
        );
      };
      const drop = (field: string | null): void => {
        const sql = 'DELETE FROM conflict WHERE against = 1 AND kind = ? AND id = ? AND field = ?';
        this.#db.run(sql, table.code, row, teamCode(table, field));
      };
      if (isDisputed && !before.isDisputed) put(null, null, isShared ? 1 : null);
      if (!isDisputed && before.isDisputed) drop(null);
      for (const [at, base] of disputed) {
        const isNews = !before.disputed.has(at) || before.shared[at] !== shared[at];
        if (isNews) put(fields[at] ?? null, base, shared[at] ?? null);
      }
      for (const at of before.disputed.keys()) if (!disputed.has(at)) drop(fields[at] ?? null);
    }
  }
}

const HEAD = 8;
const NONE: ReadonlyMap<number, Cell> = new Map();

const toTeamRow = ({ kind, row, parent, isHere, isShared, isDisputed }: Loaded): TeamRow => ({
  kind,
  row,
  parent,
  isHere,
  isShared,
  isAhead: isHere !== isShared,
  isInConflict: isDisputed,
});

/** The parent's kind, for kinds with a parent. */
export const parentKind = (kind: Kind): Kind => (PARENT_OF[kind] === 'adGroup' ? 'adGroup' : 'campaign');

function parentOf(kind: Kind, campaign: number | null, group: number | null): RowId | null {
  const above = { account: null, campaign, adGroup: group }[PARENT_OF[kind]];
  return above === null ? null : asRowId(above);
}

/** Names of a row's shared fields, the mark HELD last. */
export const fieldsOf = memo((table: Table): readonly string[] => [
  ...teamColumns(table).map(({ column }) => column.field),
  HELD_FIELD,
]);

const places = memo((table: Table) => new Map(fieldsOf(table).map((field, at) => [field, at])));

function placeOf(table: Table, field: string): number {
  const at = places(table).get(field);
  if (at === undefined) throw new Error(`the team does not share ${table.kind}.${field}`);
  return at;
}

function placeOfCode(table: Table, code: number): number | null {
  const at = teamColumns(table).findIndex(({ column }) => column.code === code);
  return at >= 0 ? at : code === HELD_CODE ? teamColumns(table).length : null;
}

type Sides = Pick<Loaded, 'isHere' | 'isShared' | 'isStored' | 'mine' | 'shared'>;

/** Whether the log's values of a row differ from the row's own. */
const hasShadow = (row: Sides, table: Table): boolean => row.isShared && (!row.isStored || aheadOf(row, table) !== 0);

function aheadOf({ isShared, isHere, mine, shared }: Sides, table: Table): number {
  if (!isShared) return UNSHARED;
  const columns = teamColumns(table);
  const bits = columns.reduce((sum, { bit }, at) => sum + (mine[at] === shared[at] ? 0 : bit), 0);
  return bits + (isHere ? 0 : REMOVED) + (mine[columns.length] === shared[columns.length] ? 0 : HELD);
}

const loadSql = memo((table: Table): string => {
  const columns = teamColumns(table).map(({ column }) => column);
  return `SELECT j.value, coalesce(k.campaign_id, t.campaign_id), coalesce(k.ad_group_id, t.ad_group_id), k.id, k.dirty,
      k.ahead, t.id, t.held, ${sqlList(columns, 'k.')}, ${sqlList(columns, 't.')}
    FROM json_each(?) j LEFT JOIN ${table.name} k ON k.id = j.value LEFT JOIN ${shadowOf(table)} t ON t.id = j.value
    WHERE k.id IS NOT NULL OR t.id IS NOT NULL`;
});

const insertSql = memo((table: Table): string => {
  const columns = teamColumns(table).map(({ column }) => column);
  const key = table.keyColumn === null ? '' : ', sort_key';
  const count = 4 + columns.length + (table.keyColumn === null ? 0 : 1);
  return `INSERT INTO ${table.name}(id, campaign_id, ad_group_id, dirty, ${sqlList(columns)}${key})
    VALUES (${Array(count).fill('?').join(', ')})`;
});

/**
 * Rows with unshared changes from a position on, parents before their children; removed ones last, children before
 * their parents, so that no share leaves a child without its parent.
 */
export function rowsAhead(db: Db, limit: number, from: number): readonly RowRef[] {
  const end = from + limit;
  const here = KINDS.flatMap((kind): readonly RowRef[] =>
    rowIdsOf(
      db,
      `SELECT id FROM ${tableOf(kind).name} WHERE ahead <> 0 AND NOT dirty & ${DELETED} ORDER BY id LIMIT ?`,
      end,
    ).map((row) => ({ kind, row })),
  );
  const gone = [...KINDS].reverse().flatMap((kind): readonly RowRef[] => {
    const table = tableOf(kind);
    return rowIdsOf(
      db,
      `SELECT id FROM ${table.name} WHERE ahead <> 0 AND dirty & ${DELETED} AND NOT ahead & ${UNSHARED}
       UNION ALL SELECT t.id FROM ${shadowOf(table)} t WHERE NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = t.id)
       LIMIT ?`,
      end,
    ).map((row) => ({ kind, row }));
  });
  return [...here, ...gone].slice(from, end);
}
