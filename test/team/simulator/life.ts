import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { pickCell, pickRow } from '../../../shared/team/fold.ts';
import type { Push } from '../../../shared/team/position.ts';
import { descendantsOf, type TeamRow } from '../../../shared/team/team-rows.ts';
import { type Seeded, seeded } from '../../sync/simulator/seeded.ts';
import { ModelDesk } from './model-desk.ts';
import { ModelServer } from './model-server.ts';

/**
 * The life of one account on two to five computers: they edit, share and take what is there, while requests and answers are
 * lost, repeated and late, and the database forgets its last entries now and then. At the end everything is shared, and the
 * promises are checked.
 */
interface LifeTotals {
  readonly edits: number;
  readonly pushes: number;
  readonly conflicts: number;
  readonly failovers: number;
}

const FIELDS: Partial<Record<Kind, readonly [string, ...string[]]>> = {
  campaign: ['name', 'dailyBudget'],
  adGroup: ['name'],
  keyword: ['bid'],
};
const BELOW: Partial<Record<Kind, Kind>> = { campaign: 'adGroup', adGroup: 'keyword' };

/** What a user did to a cell, and whether the user has let go of it since. */
interface Edit {
  readonly desk: number;
  readonly row: RowId;
  readonly field: string;
  readonly value: Cell;
  /** What the user saw there before. */
  readonly over: Cell;
  isGivenUp: boolean;
}

export function playLife(seed: number): { readonly broken: string | null; readonly totals: LifeTotals } {
  const life = new Life(seeded(seed));
  life.play();
  return { broken: life.broken, totals: life.totals };
}

class Life {
  readonly #random: Seeded;
  readonly #server = new ModelServer();
  readonly #desks: readonly ModelDesk[];
  readonly #edits: Edit[] = [];
  /** What each push had seen of the cells and rows that it writes, by its content. */
  readonly #seen = new Map<Push['changes'], ReadonlyMap<string, Cell>>();
  readonly #parents = new Map<RowId, RowId | null>();
  /** Values that a user restored, so that they may stand in the log again. */
  readonly #putBack = new Set<Cell>();
  #late: Push[] = [];
  #nextRow = 1;
  #nextValue = 1;
  #counts = { pushes: 0, conflicts: 0, failovers: 0 };
  #hasFaults = true;
  broken: string | null = null;

  constructor(random: Seeded) {
    this.#random = random;
    this.#desks = Array.from({ length: 2 + random.int(4) }, (_, at) => new ModelDesk(at + 1));
  }

  get totals(): LifeTotals {
    return { edits: this.#edits.length, ...this.#counts };
  }

  play(): void {
    for (let steps = 20 + this.#random.int(50); steps > 0; steps--) this.#step(this.#pickDesk());
    this.#hasFaults = false;
    for (const push of this.#late) this.#server.append(push);
    this.#drain();
    this.broken ??= this.#firstBroken();
  }

  #pickDesk(): ModelDesk {
    return this.#desks[this.#random.int(this.#desks.length)] as ModelDesk;
  }

  #step(desk: ModelDesk): void {
    const what = this.#random.next();
    if (what < 0.45) this.#work(desk);
    else if (what < 0.65) this.#push(desk);
    else if (what < 0.85) this.#pull(desk);
    else if (what < 0.93) this.#answer(desk);
    else if (what < 0.96) this.#deliverLate();
    else if (what < 0.98) {
      this.#server.forget(1 + this.#random.int(3));
      this.#counts.failovers++;
    }
  }

  #work(desk: ModelDesk): void {
    const here = desk.rows.all().filter(({ isHere }) => isHere);
    const what = this.#random.next();
    const row = here[this.#random.int(here.length)];
    const below = row === undefined ? undefined : BELOW[row.kind];
    if (row === undefined || what < 0.15) this.#add(desk, 'campaign', null);
    else if (what < 0.4 && below !== undefined) this.#add(desk, below, row.row);
    else if (what < 0.46) this.#remove(desk, row);
    else if (what < 0.52) this.#undo(desk, row);
    else this.#edit(desk, row, this.#random.pick(FIELDS[row.kind] ?? ['name']));
  }

  /** The user takes a change back before or after it was offered. */
  #undo(desk: ModelDesk, { kind, row }: TeamRow): void {
    const field = this.#random.pick(FIELDS[kind] ?? ['name']);
    const { shared } = desk.rows.cell(row, field);
    this.#giveUp(desk, row, field);
    this.#putBack.add(shared);
    this.#note(desk, row, field, shared, true);
    desk.edit(row, field, kind, shared);
  }

  #add(desk: ModelDesk, kind: Kind, parent: RowId | null): void {
    const row = asRowId(this.#nextRow++);
    this.#parents.set(row, parent);
    desk.add(kind, row, parent);
    for (const field of FIELDS[kind] ?? []) this.#edit(desk, { kind, row }, field);
  }

  #edit(desk: ModelDesk, { kind, row }: Pick<TeamRow, 'kind' | 'row'>, field: string): void {
    const value = field === 'name' ? `name ${this.#nextValue++}` : this.#nextValue++;
    this.#giveUp(desk, row, field);
    this.#note(desk, row, field, value, false);
    desk.edit(row, field, kind, value);
  }

  #note({ number, rows }: ModelDesk, row: RowId, field: string, value: Cell, isGivenUp: boolean): void {
    this.#edits.push({ desk: number, row, field, value, over: rows.cell(row, field).mine, isGivenUp });
  }

  #remove(desk: ModelDesk, row: TeamRow): void {
    this.#giveUpBranch(desk, row.row);
    for (const { row: gone } of [row, ...descendantsOf(desk.rows, row.row)])
      for (const field of desk.rows.fieldsOf(gone)) this.#note(desk, gone, field, null, true);
    desk.remove(row.row);
  }

  /** With everything that was ever below the row: what a colleague removed there may be back after a failover. */
  #giveUpBranch(desk: ModelDesk, row: RowId): void {
    this.#giveUp(desk, row, null);
    this.#mayStandAgain(row, null);
    for (const [child, parent] of this.#parents) if (parent === row) this.#giveUpBranch(desk, child);
  }

  /** A push that arrives late may bring back for a moment what was given up, and what was there before takes its place again. */
  #mayStandAgain(row: RowId, field: string | null): void {
    for (const edit of this.#edits)
      if (edit.row === row && (field === null || edit.field === field)) this.#putBack.add(edit.value);
  }

  /** The user of a computer lets go of earlier changes of a cell, or of all cells of a row. */
  #giveUp(desk: ModelDesk, row: RowId, field: string | null): void {
    for (const edit of this.#edits)
      if (edit.desk === desk.number && edit.row === row && (field === null || edit.field === field))
        edit.isGivenUp = true;
  }

  #push(desk: ModelDesk): void {
    const known = desk.position.offered;
    const push = desk.offer();
    if (push === null) return;
    if (push !== known) {
      this.#counts.pushes++;
      this.#seen.set(push.changes, seenBy(desk, push));
    }
    if (this.#isFault(0.1)) return;
    if (this.#isFault(0.1)) this.#late.push(push);
    const answer = this.#server.append(push);
    if (!this.#isFault(0.15)) desk.hear(answer);
  }

  #pull(desk: ModelDesk): void {
    if (this.#isFault(0.1)) return;
    desk.pull(this.#server, 1 + this.#random.int(4), () => this.#isFault(0.2));
  }

  #deliverLate(): void {
    const push = this.#late.splice(this.#random.int(Math.max(1, this.#late.length)), 1)[0];
    if (push !== undefined) this.#server.append(push);
  }

  #isFault(probability: number): boolean {
    return this.#hasFaults && this.#random.chance(probability);
  }

  /** The user picks where a colleague has changed the same. */
  #answer(desk: ModelDesk): void {
    for (const row of desk.rows.all()) {
      const take = this.#random.chance(0.5) ? 'mine' : 'theirs';
      if (desk.rows.find(row.row)?.isInConflict) {
        this.#counts.conflicts++;
        if (take === 'theirs') this.#giveUpBranch(desk, row.row);
        pickRow(desk.rows, row.row, take);
        return;
      }
      const field = desk.rows.fieldsOf(row.row).find((each) => desk.rows.cell(row.row, each).isInConflict);
      if (field === undefined) continue;
      this.#counts.conflicts++;
      if (take === 'theirs') {
        this.#giveUp(desk, row.row, field);
        this.#mayStandAgain(row.row, field);
      }
      pickCell(desk.rows, row.row, field, take);
      return;
    }
  }

  #drain(): void {
    for (let round = 0; round < 400; round++) {
      const before = this.#server.head;
      for (const desk of this.#desks) {
        this.#pull(desk);
        this.#answer(desk);
        this.#push(desk);
      }
      const isQuiet = this.#desks.every(
        ({ rows, position }) => position.offered === null && position.seen.seq === this.#server.head && !isAsking(rows),
      );
      if (isQuiet && before === this.#server.head) return;
    }
    this.broken = 'sharing never came to rest';
  }

  #firstBroken(): string | null {
    const shared = new Map<string, Cell>();
    const rows = new Map<RowId, RowId | null>();
    const timesMade = new Map<RowId, number>();
    for (const { seq, desk, changes } of this.#server.log) {
      const seen = this.#seen.get(changes);
      for (const { row, parent } of changes.made) {
        if (parent !== null && !rows.has(parent))
          return `entry ${seq} makes row ${row} below row ${parent}, which is gone`;
        rows.set(row, parent);
        timesMade.set(row, (timesMade.get(row) ?? 0) + 1);
      }
      for (const { row, field, value } of changes.cells) {
        const key = `${row} ${field}`;
        if (!rows.has(row)) return `entry ${seq} writes to row ${row}, which is gone`;
        if ((seen?.get(key) ?? null) !== (shared.get(key) ?? null))
          return `entry ${seq} of computer ${desk} overwrites ${shared.get(key)} in ${key}, having seen ${seen?.get(key)}`;
        shared.set(key, value);
      }
      for (const { row } of changes.removed) {
        for (const field of ['name', 'dailyBudget', 'bid']) {
          const key = `${row} ${field}`;
          if ((seen?.get(key) ?? null) !== (shared.get(key) ?? null))
            return `entry ${seq} of computer ${desk} removes ${shared.get(key)} in ${key} unseen`;
          shared.delete(key);
        }
        rows.delete(row);
      }
      for (const [row, parent] of rows)
        if (parent !== null && !rows.has(parent)) return `entry ${seq} leaves row ${row} without its parent`;
    }
    for (const { number, rows: own } of this.#desks) {
      const here = own.all();
      if (here.length !== rows.size) return `computer ${number} has ${here.length} rows, the log has ${rows.size}`;
      for (const { row, isHere, isShared, isAhead } of here) {
        if (!rows.has(row) || !isHere || !isShared || isAhead) return `row ${row} of computer ${number} is not shared`;
        for (const field of own.fieldsOf(row)) {
          const { mine, shared: known, isAhead: isCellAhead } = own.cell(row, field);
          const said = shared.get(`${row} ${field}`) ?? null;
          if (mine !== said || known !== said || isCellAhead)
            return `computer ${number} has ${mine} in ${row} ${field}, the log says ${said}`;
        }
      }
    }
    for (const { desk, row, field, value, isGivenUp } of this.#edits) {
      const times = this.#timesInLog(row, field, value);
      if (times === 0 && !isGivenUp && !this.#isReplaced(row, field, value))
        return `${value} of computer ${desk} for ${row} ${field} is lost`;
      if (times > 1 && timesMade.get(row) === 1 && !this.#putBack.has(value))
        return `${value} of computer ${desk} for ${row} ${field} stands ${times} times`;
    }
    return null;
  }

  /** By whichever computer: after a failover a colleague may put a row back before its maker can. */
  #timesInLog(row: RowId, field: string, value: Cell): number {
    return this.#server.log.filter(({ changes }) =>
      changes.cells.some((cell) => cell.row === row && cell.field === field && cell.value === value),
    ).length;
  }

  /** Somebody who saw the value has put another in its place, which stands in the log. */
  #isReplaced(row: RowId, field: string, value: Cell): boolean {
    return this.#edits.some(
      (edit) =>
        edit.row === row &&
        edit.field === field &&
        edit.over === value &&
        (edit.isGivenUp || this.#timesInLog(row, field, edit.value) > 0 || this.#isReplaced(row, field, edit.value)),
    );
  }
}

/** What a computer holds for shared in the cells and rows of a push. */
function seenBy({ rows }: ModelDesk, { changes }: Push): ReadonlyMap<string, Cell> {
  const written = changes.cells.map(({ row, field }) => ({ row, field }));
  const gone = changes.removed.flatMap(({ row }) => rows.fieldsOf(row).map((field) => ({ row, field })));
  return new Map([...written, ...gone].map(({ row, field }) => [`${row} ${field}`, rows.cell(row, field).shared]));
}

const isAsking = (rows: ModelDesk['rows']): boolean =>
  rows
    .all()
    .some(
      ({ row, isInConflict }) => isInConflict || rows.fieldsOf(row).some((field) => rows.cell(row, field).isInConflict),
    );
