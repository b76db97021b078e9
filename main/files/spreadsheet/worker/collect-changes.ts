import type { FileRefusal } from '../../../../shared/media/file-refusal.ts';
import type { AnyRow } from '../../../../shared/model/row.ts';
import type { RowId } from '../../../../shared/model/scalars.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { LinkChoice, LinkSink } from '../../../../shared/spreadsheet/change-collector.ts';
import { type ColumnSet, NO_COLUMNS, type SheetKind } from '../../../../shared/spreadsheet/columns.ts';
import type { SheetCreate, SheetLookup } from '../../../../shared/spreadsheet/sheet-changes.ts';
import {
  type MissingParent,
  type MissingParents,
  missingParents,
  type SheetLinker,
  sheetLinker,
} from '../../../../shared/spreadsheet/sheet-linker.ts';
import type { SheetProblem, SheetRow } from '../../../../shared/spreadsheet/sheet-row.ts';
import type { Db } from '../../../store/db/db.ts';
import { lookupInTables } from '../../../store/rows/sheet-lookup.ts';
import { tableOf } from '../../../store/schema/tables.ts';
import { LineOutcomes } from './line-outcomes.ts';
import type { SheetSource } from './sheet-source.ts';

/** The linker's changes with the place of each new row. */
export interface ChangeSink extends Omit<LinkSink, 'create' | 'warn'> {
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
  readonly warnings: readonly SheetProblem[];
  readonly missing: readonly MissingParent[];
  /** Columns with a change that cannot be, and need not be. */
  readonly passedOver: ColumnSet;
}

/**
 * Links the rows of a file to the workspace as it is now and hands their changes to `sink`. A sheet in which parents come
 * behind rows that name them is gone through once more, campaigns first; `sink.begin` says when to start afresh.
 *
 * @param tellShare called with the progress, from 0 to 1
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
  readonly #warnings: SheetProblem[] = [];
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
      warn: (warning) => void this.#warnings.push(warning),
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
      warnings: this.#warnings,
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
      this.#linker.leaveOut(row);
      this.#outcomes.setAside(line, 'left-out');
      return;
    }
    const linked = this.#linker.link(row);
    if (!linked.ok) {
      this.#problems.push({ line, ...linked.error });
      this.#missing.note(row, linked.error);
      this.#outcomes.setAside(line, 'error');
    } else if (linked.value === null) this.#outcomes.setAside(line, 'left-out');
    else {
      this.#outcomes.set(line, linked.value);
      this.#passedOver |= linked.value.passedOver;
    }
  }
}

/** Parents whose rows are at hand. */
const PARENTS_KEPT = 64;

/**
 * The linker's questions answered from the store, a parent at a time, so that linking a sheet to a million rows holds
 * few of them. Campaigns and ad groups are asked for by every row below them and are kept; of the rest, the rows of
 * the parents asked for last.
 */
export function createWorkspaceLookup(db: Db): SheetLookup {
  const kept = new Map<string, unknown>();
  const once = <T>(key: string, read: () => T): T => {
    if (kept.has(key)) return kept.get(key) as T;
    const value = read();
    kept.set(key, value);
    return value;
  };
  const parents = new Map<string, ReadonlyMap<string, AnyRow>>();
  const tables = lookupInTables(db);

  /** Rows below one parent by id of the service; sheets name siblings one after another. */
  const siblings = (kind: SheetKind, parent: RowId): ReadonlyMap<string, AnyRow> => {
    const key = `${kind} ${parent}`;
    const known = parents.get(key);
    if (known !== undefined) return known;
    if (parents.size >= PARENTS_KEPT) parents.delete(parents.keys().next().value ?? '');
    const rows = new Map(tables.children(kind, parent).map((row) => [row.remoteId ?? `#${row.id}`, row]));
    parents.set(key, rows);
    return rows;
  };
  const fromParents = (kind: SheetKind | 'media', remoteId: string): AnyRow | null => {
    for (const [key, rows] of parents) {
      if (!key.startsWith(`${kind} `)) continue;
      const row = rows.get(remoteId);
      if (row !== undefined) return row;
    }
    return null;
  };
  const isParent = (kind: SheetKind | 'media'): boolean => kind === 'campaign' || kind === 'adGroup';

  return {
    campaignsNamed: (name) => once(`named ${name}`, () => tables.campaignsNamed(name)),
    isNameTaken: tables.isNameTaken,
    byRemoteId: (kind, remoteId) => {
      if (isParent(kind)) return once(`${kind} ${remoteId}`, () => tables.byRemoteId(kind, remoteId));
      const near = fromParents(kind, remoteId);
      if (near !== null) return near;
      const found = tables.byRemoteId(kind, remoteId);
      if (found === null || kind === 'media') return found;
      const parent = tableOf(kind).parent === 'adGroup' ? found.adGroupId : found.campaignId;
      if (parent !== null) siblings(kind, parent);
      return found;
    },
    children: (kind, parentId) =>
      kind === 'adGroup'
        ? once(`groups ${parentId}`, () => tables.children('adGroup', parentId))
        : [...siblings(kind, parentId).values()],
    media: (id) => once(`media ${id}`, () => tables.media(id)),
    isEdited: tables.isEdited,
    notes: tables.notes,
  };
}
