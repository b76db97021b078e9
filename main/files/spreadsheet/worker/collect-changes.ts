import type { FileRefusal } from '../../../../shared/media/file-refusal.ts';
import { memo } from '../../../../shared/memo.ts';
import type { AnyRow } from '../../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../../shared/model/scalars.ts';
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
  withCauses,
} from '../../../../shared/spreadsheet/sheet-linker.ts';
import type { LinkProblem, ParentRow, SheetProblem, SheetRow } from '../../../../shared/spreadsheet/sheet-row.ts';
import type { Db } from '../../../store/db/db.ts';
import { lookupInTables } from '../../../store/rows/sheet-lookup.ts';
import { tableOf } from '../../../store/schema/tables.ts';
import { LineOutcomes } from './line-outcomes.ts';
import type { SheetSource } from './sheet-source.ts';

/** Receives the linker's changes, with the index of each new row. */
export interface ChangeSink extends Omit<LinkSink, 'create' | 'warn'> {
  /** Discards everything passed on before. */
  begin(): void;
  create(made: { readonly at: number; readonly row: SheetCreate }): void;
}

/** Options for the rows and columns to import. */
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
 * Links the rows of a file to the present workspace and passes their changes to `sink`. If parents come after rows that
 * name them, the rows are read once more, campaigns first; `sink.begin` starts again.
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
  // The number of passes is not known in advance, and progress must not decrease.
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

/** Passes: campaigns, ad groups, all others. */
const RANKS = [0, 1, 2] as const;
const rankOf = (row: SheetRow): number => (row.kind === 'campaign' ? 0 : row.kind === 'adGroup' ? 1 : 2);
const LATE_READINGS = 1 + RANKS.length;

/** One pass over all rows, or several by rank. */
class Pass {
  readonly #source: SheetSource;
  readonly #choice: CarryChoice;
  readonly #linker: SheetLinker;
  readonly #missing: MissingParents;
  readonly #outcomes = new LineOutcomes();
  readonly #failed: { readonly row: ParentRow; readonly why: LinkProblem }[] = [];
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
      problems: withCauses(this.#failed, this.#source.badParents),
      warnings: this.#warnings,
      missing: this.#missing.list(),
      passedOver: this.#passedOver,
    };
  }

  async run(ranks: readonly (number | null)[], tell: (read: number) => void): Promise<Result<null, FileRefusal>> {
    // None before the file was read for the first time.
    this.#source.badParents.forEach(this.#linker.missParent);
    for (const [at, rank] of ranks.entries()) {
      const read = await this.#source.eachRow(
        (row) => {
          if (rank === null || rankOf(row) === rank) this.#link(row);
        },
        (share) => tell((at + share) / ranks.length),
      );
      if (!read.ok) return read;
    }
    this.#source.badParents.forEach(this.#linker.missParent);
    return ok(null);
  }

  #link(row: SheetRow): void {
    const { line } = row;
    if (this.#choice.isLeftOut(line)) {
      this.#linker.leaveOut(row);
      this.#outcomes.note(line, 'left-out');
      return;
    }
    const linked = this.#linker.link(row);
    if (!linked.ok) {
      this.#failed.push({ row, why: linked.error });
      this.#missing.note(row, linked.error);
      this.#outcomes.note(line, 'error');
    } else if (linked.value === null) this.#outcomes.note(line, 'left-out');
    else {
      this.#outcomes.set(line, linked.value);
      this.#passedOver |= linked.value.passedOver;
    }
  }
}

/** Number of parents whose rows are cached. */
const PARENTS_KEPT = 64;

/**
 * Access of the linker to the store, one parent at a time, so that linking a million rows needs little memory.
 * Campaigns and ad groups are needed by every row below them and stay cached; of the others, the rows of the last
 * parents.
 */
export function createWorkspaceLookup(db: Db): SheetLookup {
  const parents = new Map<string, ReadonlyMap<string, AnyRow>>();
  const tables = lookupInTables(db);
  const parentById = memo((kind: SheetKind | 'media') => memo((id: RemoteId) => tables.byRemoteId(kind, id)));
  const groupsOf = memo((campaign: RowId) => tables.children('adGroup', campaign));

  /** Rows below one parent by service ID; spreadsheets list siblings together. */
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
  /** Kind and parent of the last row that was read alone. */
  let lastParent = '';

  return {
    campaignsNamed: memo(tables.campaignsNamed),
    isNameTaken: tables.isNameTaken,
    byRemoteId: (kind, remoteId) => {
      if (isParent(kind)) return parentById(kind)(remoteId);
      const near = fromParents(kind, remoteId);
      if (near !== null) return near;
      const found = tables.byRemoteId(kind, remoteId);
      if (found === null || kind === 'media') return found;
      const parent = tableOf(kind).parent === 'adGroup' ? found.adGroupId : found.campaignId;
      const key = `${kind} ${parent}`;
      // In a file that is sorted by another column, siblings are far apart, and reading them for one row is wasted.
      if (parent !== null && key === lastParent) siblings(kind, parent);
      lastParent = key;
      return found;
    },
    row: tables.row,
    children: (kind, parentId) => (kind === 'adGroup' ? groupsOf(parentId) : [...siblings(kind, parentId).values()]),
    media: memo(tables.media),
    isEdited: tables.isEdited,
    notes: tables.notes,
  };
}
