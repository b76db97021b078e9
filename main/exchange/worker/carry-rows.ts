import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type ColumnSet, NO_COLUMNS } from '../../../shared/sheet/column-choice.ts';
import { type MissingParent, type MissingParents, missingParents } from '../../../shared/sheet/link-parents.ts';
import type { LinkChoice, LinkSink } from '../../../shared/sheet/row-carrier.ts';
import type { SheetCreate } from '../../../shared/sheet/sheet-changes.ts';
import { type SheetLinker, sheetLinker } from '../../../shared/sheet/sheet-linker.ts';
import type { SheetProblem, SheetRow } from '../../../shared/sheet/sheet-row.ts';
import type { Db } from '../../workspace/db/db.ts';
import { LineOutcomes } from './line-outcomes.ts';
import { createWorkspaceLookup } from './lookup-in-store.ts';
import type { SheetSource } from './sheet-source.ts';

/** The linker's changes with the place of each new row. */
export interface ChangeSink extends Omit<LinkSink, 'create'> {
  /** Everything handed over before is void. */
  begin(): void;
  create(made: { readonly at: number; readonly row: SheetCreate }): void;
}

/** Which rows count, and what of them. */
export interface CarryChoice extends LinkChoice {
  readonly isLeftOut: (line: number) => boolean;
}

export interface CollectedChanges {
  readonly outcomes: LineOutcomes;
  readonly problems: readonly SheetProblem[];
  readonly missing: readonly MissingParent[];
  /** Columns with a change that cannot be, and need not be. */
  readonly passedOver: ColumnSet;
}

/**
 * Links the rows of a file to the workspace as it is now and hands their changes to `sink`. A sheet in which parents come
 * behind rows that name them is gone through once more, campaigns first; `sink.begin` says when to start afresh.
 *
 * @param tellShare hears how much is done, from 0 to 1
 */
export async function collectChanges(
  db: Db,
  source: SheetSource,
  choice: CarryChoice,
  sink: ChangeSink,
  tellShare: (done: number) => void,
): Promise<Result<CollectedChanges, FileRefusal>> {
  let furthest = 0;
  // Nobody knows beforehand that more readings follow, and what was told is not taken back.
  const tell = (done: number): void => {
    furthest = Math.max(furthest, done);
    tellShare(furthest);
  };
  const once = new Pass(db, source, choice, sink);
  const inOrder = await once.run([null], (read) => tell(once.isLate ? read / LATE_READINGS : read));
  if (!inOrder.ok) return inOrder;
  if (!once.isLate) return ok(once.carried());
  const again = new Pass(db, source, choice, sink);
  const byRank = await again.run(RANKS, (read) => tell((1 + read * RANKS.length) / LATE_READINGS));
  return byRank.ok ? ok(again.carried()) : byRank;
}

/** Campaigns, ad groups, the rest. */
const RANKS = [0, 1, 2] as const;
const rankOf = (row: SheetRow): number => (row.kind === 'campaign' ? 0 : row.kind === 'adGroup' ? 1 : 2);
const LATE_READINGS = 1 + RANKS.length;

/** One way through the rows, or through those of one rank after the other. */
class Pass {
  readonly #source: SheetSource;
  readonly #choice: CarryChoice;
  readonly #linker: SheetLinker;
  readonly #missing: MissingParents;
  readonly #outcomes = new LineOutcomes();
  readonly #problems: SheetProblem[] = [];
  #passedOver: ColumnSet = NO_COLUMNS;

  constructor(db: Db, source: SheetSource, choice: CarryChoice, sink: ChangeSink) {
    this.#source = source;
    this.#choice = choice;
    sink.begin();
    let creates = 0;
    const placed: LinkSink = {
      ...sink,
      create: (row) => {
        const at = creates++;
        sink.create({ at, row });
        return { at };
      },
    };
    const lookup = createWorkspaceLookup(db);
    this.#linker = sheetLinker(lookup, placed, choice);
    this.#missing = missingParents(lookup);
  }

  /** Whether a parent came after rows that name it, which may then have been linked wrongly. */
  get isLate(): boolean {
    return this.#linker.cameLate();
  }

  carried(): CollectedChanges {
    return {
      outcomes: this.#outcomes,
      problems: this.#problems,
      missing: this.#missing.list(),
      passedOver: this.#passedOver,
    };
  }

  async run(ranks: readonly (number | null)[], tell: (read: number) => void): Promise<Result<null, FileRefusal>> {
    for (const [at, rank] of ranks.entries()) {
      const read = await this.#source.eachRow(
        (row) => {
          if (rank === null || rankOf(row) === rank) this.#link(row);
        },
        (share) => tell((at + share) / ranks.length),
      );
      if (!read.ok) return read;
    }
    return ok(null);
  }

  #link(row: SheetRow): void {
    const { line } = row;
    if (this.#choice.isLeftOut(line)) {
      this.#outcomes.setAside(line, 'left-out');
      return;
    }
    const linked = this.#linker.link(row);
    if (linked.ok) {
      this.#outcomes.set(line, linked.value);
      this.#passedOver |= linked.value.passedOver;
      return;
    }
    this.#problems.push({ line, ...linked.error });
    this.#missing.note(row, linked.error);
    this.#outcomes.setAside(line, 'error');
  }
}
