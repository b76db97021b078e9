import { isSameCell } from '../../../shared/merge/merge.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { ChangeSet } from '../../../shared/team/change-set.ts';
import { foldChangeSet } from '../../../shared/team/fold.ts';
import {
  afterAnswer,
  afterEntry,
  afterPull,
  LOG_START,
  type LogEntry,
  nextPush,
  type Position,
  type Push,
  type PushAnswer,
} from '../../../shared/team/position.ts';
import { shareOf } from '../../../shared/team/share.ts';
import { descendantsOf } from '../../../shared/team/team-rows.ts';
import { inverseOf, unfoldChangeSet } from '../../../shared/team/unfold.ts';
import { ModelRows } from './model-rows.ts';
import type { ModelServer } from './model-server.ts';

/** One computer of the team: its rows, its place in the log, and the log as far as it has folded it. */
export class ModelDesk {
  readonly rows = new ModelRows();
  readonly number: number;
  position: Position;
  /** What was folded, with what takes it back. */
  readonly #kept: { readonly entry: LogEntry; readonly inverse: ChangeSet }[] = [];

  constructor(number: number) {
    this.number = number;
    this.position = { desk: number, seen: LOG_START, lastPush: 0, offered: null, mustPull: false };
  }

  edit(row: RowId, field: string, kind: Kind, value: Cell): void {
    const cell = this.rows.cell(row, field);
    this.rows.saveCell(row, field, { ...cell, mine: value, isAhead: !isSameCell(kind, field, value, cell.shared) });
  }

  add(kind: Kind, row: RowId, parent: RowId | null): void {
    this.rows.saveRow({ kind, row, parent, isHere: true, isShared: false, isAhead: true, isInConflict: false });
  }

  /** Removing a row answers what was asked about rows below it. */
  remove(row: RowId): void {
    const own = this.rows.find(row);
    if (own === null) return;
    for (const each of [own, ...descendantsOf(this.rows, row)].toReversed()) {
      if (each.isShared) this.rows.saveRow({ ...each, isHere: false, isAhead: true, isInConflict: false });
      else this.rows.forget(each.row);
    }
  }

  /** The next push, if there is one; it stays offered until the log has told. */
  offer(): Push | null {
    this.position = nextPush(this.position, () => shareOf(this.rows, this.rows.all()));
    return this.position.offered;
  }

  hear(answer: PushAnswer): void {
    this.position = afterAnswer(this.position, answer);
  }

  /** Reads the log in answers of a few entries; a cut ends it before the end. */
  pull(server: ModelServer, most: number, isCut: () => boolean): void {
    for (;;) {
      const entries = server.after(this.position.seen, most);
      if (entries === null) {
        this.goBackUntil(({ seq, hash }) => server.hashAt(seq) === hash);
        continue;
      }
      for (const entry of entries) this.take(entry);
      if (entries.length < most) {
        this.pulled();
        return;
      }
      if (isCut()) return;
    }
  }

  take(entry: LogEntry): void {
    this.#kept.push({ entry, inverse: inverseOf(this.rows, entry.changes) });
    foldChangeSet(this.rows, entry.changes, entry.desk === this.number);
    this.position = afterEntry(this.position, entry);
  }

  pulled(): void {
    this.position = afterPull(this.position);
  }

  /** The database has lost entries: back to the last one that both have. */
  goBackUntil(isThere: (entry: LogEntry) => boolean): void {
    for (;;) {
      const last = this.#kept.at(-1);
      if (last === undefined || isThere(last.entry)) break;
      unfoldChangeSet(this.rows, last.inverse, last.entry.desk === this.number);
      this.#kept.pop();
    }
    const { seq, hash } = this.#kept.at(-1)?.entry ?? LOG_START;
    this.position = {
      ...this.position,
      seen: { seq, hash },
      lastPush: this.#kept.findLast(({ entry }) => entry.desk === this.number)?.entry.push ?? 0,
      offered: null,
      mustPull: true,
    };
  }
}
