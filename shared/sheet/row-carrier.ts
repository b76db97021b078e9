import type { AnyValues } from '../model/fields.ts';
import type { AnyRow } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { ok, type Result } from '../result.ts';
import { changedCells } from './changed-cells.ts';
import {
  type ColumnSet,
  columnBit,
  fieldBit,
  NEEDED,
  NO_COLUMNS,
  outcomeWithout,
  type RowChange,
} from './column-choice.ts';
import type { SheetKind } from './columns.ts';
import { type FileChanges, fileChanges, filesApart, filledByFiles } from './link-files.ts';
import type { LinkProblem } from './link-parents.ts';
import type { SheetLookup } from './lookup.ts';
import { missingNotes, NO_NOTES, type RowNotes } from './row-notes.ts';
import { valuesOf, withoutNulls } from './row-values.ts';
import type { SheetCreate, SheetFiles, SheetNotes, SheetRemoval, SheetUpdate, Target } from './sheet-changes.ts';
import type { SheetRow } from './sheet-row.ts';

/** Where the changes of a sheet go as they are found, one by one. */
export interface LinkSink {
  /** Takes a new row and says which place it has among the new ones. */
  create(row: SheetCreate): Target;
  update(update: SheetUpdate): void;
  /** Files of every row that names some, whatever is left out of it. */
  files(named: SheetFiles): void;
  remove(row: SheetRemoval): void;
  /** Comments and labels that the row does not have yet. */
  notes(notes: SheetNotes): void;
}

/** What of a sheet counts. */
export interface LinkChoice {
  /** Whether the fields of a row in conflict are taken from the sheet. */
  readonly isTaken: (line: number) => boolean;
  /** Columns whose cells do not count. */
  readonly out: ColumnSet;
}

export interface LinkedRow extends RowChange {
  /** The row of the workspace that is meant; null for a new one. */
  readonly known: RowId | null;
  /** Columns with a cell that could not be taken, and need not be. */
  readonly passedOver: ColumnSet;
}

/** Hands on what a row of a sheet does, once it is known which row of the workspace it means. */
export interface RowCarrier {
  /** Whether nothing is left of the row, if it is a new one. */
  staysOut(row: SheetRow): boolean;
  /** @returns with the place of the new row; one that stays out has a place of its own, outside of theirs */
  add(row: SheetRow, parent: Target | null): { readonly linked: LinkedRow; readonly target: Target };
  change(row: SheetRow, known: AnyRow): Result<LinkedRow, LinkProblem>;
  remove(row: SheetRow, known: AnyRow): LinkedRow;
}

/** @param noPlace stands for a row that is not made */
export function rowCarrier(
  lookup: SheetLookup,
  sink: LinkSink,
  { isTaken, out }: LinkChoice,
  noPlace: () => Target,
): RowCarrier {
  const newNotes = ({ notes }: SheetRow): RowNotes | null =>
    notes === undefined ? null : missingNotes(NO_NOTES, notes);
  const newRow = (row: SheetRow, values: AnyValues, files: FileChanges | null): LinkedRow => ({
    kind: row.kind,
    outcome: 'added',
    fills: filledByCells(row.kind, values) | filledByFiles(files) | filledByNotes(newNotes(row)),
    apart: NO_COLUMNS,
    known: null,
    passedOver: NO_COLUMNS,
  });
  const create = ({ kind, line }: SheetRow, parent: Target | null, values: AnyValues): Target =>
    sink.create({ kind, parent, values: { ...DEFAULTS[kind], ...cellsWithout(kind, values, out) }, line });
  const tellFiles = (row: SheetRow, target: Target, files: FileChanges | null, inConflict: boolean): void => {
    if (files === null) return;
    sink.files({ line: row.line, row: target, ...files, ...(inConflict ? { inConflict } : {}) });
  };
  const tellNotes = ({ kind, line }: SheetRow, target: Target, notes: RowNotes | null): void => {
    const chosen = notes === null ? null : notesWithout(notes, out);
    if (chosen !== null) sink.notes({ kind, row: target, notes: chosen, line });
  };

  return {
    staysOut: (row) => {
      if (out === NO_COLUMNS) return false;
      const linked = newRow(row, withoutNulls(valuesOf(row)), fileChanges(row, null, lookup));
      return outcomeWithout(linked, out) === 'left-out';
    },
    add: (row, parent) => {
      const values = withoutNulls(valuesOf(row));
      const files = fileChanges(row, null, lookup);
      const linked = newRow(row, values, files);
      const isOut = outcomeWithout(linked, out) === 'left-out';
      const target = isOut ? noPlace() : create(row, parent, values);
      tellFiles(row, target, files, false);
      if (!isOut) tellNotes(row, target, newNotes(row));
      return { linked, target };
    },
    change: (row, known) => {
      const taken = isTaken(row.line);
      const cells = changedCells(row, known, taken, out);
      if (!cells.ok) return cells;
      const target = { id: known.id };
      const files = fileChanges(row, known, lookup);
      const notes = row.notes === undefined ? null : missingNotes(lookup.notes(row.kind, known.id), row.notes);
      const fills = cells.value.fills | filledByFiles(files) | filledByNotes(notes);
      const apart = taken ? NO_COLUMNS : cells.value.apart | filesApart(row, known, lookup);
      const outcome = apart !== NO_COLUMNS ? 'conflict' : fills !== NO_COLUMNS ? 'changed' : 'unchanged';
      const change: RowChange = { kind: row.kind, outcome, fills, apart };
      const becomes = outcomeWithout(change, out);
      tellFiles(row, target, files, becomes === 'conflict');
      if (becomes === 'changed') {
        for (const update of cells.value.changed) sink.update(update);
        tellNotes(row, target, notes);
      }
      return ok({ ...change, known: known.id, passedOver: cells.value.passedOver });
    },
    remove: ({ kind, line }, known) => {
      const outcome = lookup.isEdited(known) && !isTaken(line) ? 'conflict' : 'removed';
      if (outcome === 'removed') sink.remove({ kind, id: known.id, line });
      // Said by no column, and so neither taken back nor brought about by one.
      const apart = outcome === 'conflict' ? DELETION : NO_COLUMNS;
      return { kind, outcome, fills: NO_COLUMNS, apart, known: known.id, passedOver: NO_COLUMNS };
    },
  };
}

/** Belongs to no column, so no choice of columns settles a conflict about it. */
const DELETION: ColumnSet = 2 ** 30;

const DEFAULTS: Readonly<Record<SheetKind, AnyValues>> = {
  campaign: { status: 'enabled' },
  adGroup: { status: 'enabled' },
  adItem: { status: 'enabled', itemIdSource: 'import' },
  keyword: { state: 'enabled' },
  sbaProfile: { status: 'enabled' },
  videoProfile: { status: 'enabled' },
  placementMultiplier: {},
  platformMultiplier: {},
};

function filledByCells(kind: SheetKind, values: AnyValues): ColumnSet {
  let fills = NO_COLUMNS;
  for (const field in values) fills |= fieldBit(kind, field);
  return fills;
}

/** The values of a new row without those of columns that are left out; what it cannot do without stays. */
function cellsWithout(kind: SheetKind, values: AnyValues, out: ColumnSet): AnyValues {
  if (out === NO_COLUMNS) return values;
  const stays = ([field]: readonly [string, unknown]): boolean => (fieldBit(kind, field) & out & ~NEEDED[kind]) === 0;
  return Object.fromEntries(Object.entries(values).filter(stays));
}

const COMMENT = columnBit('Comment');
const LABEL = columnBit('Label');

function filledByNotes(notes: RowNotes | null): ColumnSet {
  if (notes === null) return NO_COLUMNS;
  return (notes.comments.length > 0 ? COMMENT : NO_COLUMNS) | (notes.labels.length > 0 ? LABEL : NO_COLUMNS);
}

/** Null when nothing is left of them. */
export function notesWithout({ comments, labels }: RowNotes, out: ColumnSet): RowNotes | null {
  const chosen: RowNotes = {
    comments: (out & COMMENT) === 0 ? comments : [],
    labels: (out & LABEL) === 0 ? labels : [],
  };
  return filledByNotes(chosen) === NO_COLUMNS ? null : chosen;
}
