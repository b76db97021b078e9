import { mergeField } from '../merge/merge.ts';
import { type AnyValues, fieldSpec } from '../model/fields.ts';
import { serviceMediaId } from '../model/media.ts';
import type { AnyRow, Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import {
  type ColumnSet,
  columnBit,
  FILE_WORDS,
  fieldBit,
  leftOutOf,
  NEEDED,
  NO_COLUMNS,
  outcomeWithout,
  type RowChange,
  type SheetKind,
} from './columns.ts';
import { columnFor, valuesOf, withoutNulls } from './row-match.ts';
import type {
  SheetCreate,
  SheetFiles,
  SheetLookup,
  SheetNotes,
  SheetRemoval,
  SheetUpdate,
  Target,
} from './sheet-changes.ts';
import {
  type LinkProblem,
  missingNotes,
  NO_NOTES,
  type RowNotes,
  type SheetProblem,
  type SheetRow,
} from './sheet-row.ts';

/** Receives the changes of a spreadsheet one by one. */
export interface LinkSink {
  /** Adds a new row and returns its place among the new ones. */
  create(row: SheetCreate): Target;
  update(update: SheetUpdate): void;
  /** Files named by a row, including those in skipped columns. */
  files(named: SheetFiles): void;
  remove(row: SheetRemoval): void;
  /** Comments and labels that the row does not have yet. */
  notes(notes: SheetNotes): void;
  /** A difference between the imported row and the spreadsheet. */
  warn(warning: SheetProblem): void;
}

/** Options for the rows and columns of an import. */
export interface LinkChoice {
  /** Whether the spreadsheet's values apply for a row in conflict. */
  readonly isTaken: (line: number) => boolean;
  /** Skipped columns. */
  readonly out: ColumnSet;
  readonly unknownIds: UnknownIds;
}

/**
 * Treatment of IDs that the account does not have: errors, or links within the file, whose rows become new ones. A
 * file of `edits` has too few fields to create these rows.
 */
export type UnknownIds = 'errors' | 'new-rows' | 'edits';

export interface LinkedRow extends RowChange {
  /** The matching row of the workspace; null for a new one. */
  readonly known: RowId | null;
  /** Skipped columns with a cell that could not be read. */
  readonly passedOver: ColumnSet;
}

/**
 * Passes on the changes of a spreadsheet row, once its row of the workspace is known.
 *
 * @param noPlace place of a row that is not created
 */
export function createChangeCollector(
  lookup: SheetLookup,
  sink: LinkSink,
  { isTaken, out }: Pick<LinkChoice, 'isTaken' | 'out'>,
  noPlace: () => Target,
) {
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
    /** Whether a new row has nothing left to import. */
    staysOut: (row: SheetRow): boolean => {
      if (out === NO_COLUMNS) return false;
      const linked = newRow(row, withoutNulls(valuesOf(row)), fileChanges(row, null, lookup));
      return outcomeWithout(linked, out) === 'left-out';
    },
    /** @returns the place of the new row; a skipped row gets a place outside of theirs */
    add: (row: SheetRow, parent: Target | null): { readonly linked: LinkedRow; readonly target: Target } => {
      const values = withoutNulls(valuesOf(row));
      const files = fileChanges(row, null, lookup);
      const linked = newRow(row, values, files);
      const isOut = outcomeWithout(linked, out) === 'left-out';
      const target = isOut ? noPlace() : create(row, parent, values);
      tellFiles(row, target, files, false);
      if (!isOut) tellNotes(row, target, newNotes(row));
      return { linked, target };
    },
    change: (row: SheetRow, known: AnyRow): Result<LinkedRow, LinkProblem> => {
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
    remove: ({ kind, line }: SheetRow, known: AnyRow): LinkedRow => {
      const outcome = lookup.isEdited(known) && !isTaken(line) ? 'conflict' : 'removed';
      if (outcome === 'removed') sink.remove({ kind, id: known.id, line });
      // In no column, so no selection of columns affects it.
      const apart = outcome === 'conflict' ? DELETION : NO_COLUMNS;
      return { kind, outcome, fills: NO_COLUMNS, apart, known: known.id, passedOver: NO_COLUMNS };
    },
  };
}

/** Not in any column, so no selection of columns resolves a conflict about it. */
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

/** The values of a new row without skipped columns; required ones stay. */
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

/** Null when no notes are left. */
export function notesWithout({ comments, labels }: RowNotes, out: ColumnSet): RowNotes | null {
  const chosen: RowNotes = {
    comments: (out & COMMENT) === 0 ? comments : [],
    labels: (out & LABEL) === 0 ? labels : [],
  };
  return filledByNotes(chosen) === NO_COLUMNS ? null : chosen;
}

export interface ChangedCells {
  /** Without the cells of skipped columns. */
  readonly changed: readonly SheetUpdate[];
  /** Columns in which the row differs, including skipped ones. */
  readonly fills: ColumnSet;
  /** Columns that were edited both here and in the sheet. */
  readonly apart: ColumnSet;
  /** Columns with an invalid change that is ignored because they are skipped. */
  readonly passedOver: ColumnSet;
}

/**
 * The changes of a spreadsheet row to its matching row. A row with its exported values is merged three ways.
 *
 * @param isTaken the spreadsheet's value applies where both sides were edited
 * @param out skipped columns
 */
function changedCells(
  row: SheetRow,
  known: AnyRow,
  isTaken: boolean,
  out: ColumnSet,
): Result<ChangedCells, LinkProblem> {
  const changed: SheetUpdate[] = [];
  let [fills, apart, passedOver] = [NO_COLUMNS, NO_COLUMNS, NO_COLUMNS];
  const before: AnyValues = known.values;
  for (const [field, value] of Object.entries(valuesOf(row))) {
    const here = before[field] ?? null;
    // Without exported values, the spreadsheet is compared with the present values, so every difference counts.
    const exported = row.base?.[field];
    const outcome = mergeField(row.kind, field, exported === undefined ? here : exported, here, value);
    if (outcome !== 'take-theirs' && outcome !== 'conflict') continue;
    const bit = fieldBit(row.kind, field);
    fills |= bit;
    if (outcome === 'conflict' && !isTaken) {
      apart |= bit;
      continue;
    }
    const isFixed = fieldSpec(row.kind, field)?.owner === 'user-until-sent' && known.remoteId !== null;
    if (isFixed && (bit & out) === 0) {
      const column = columnFor(row.kind, field);
      return err({ column, problem: { kind: 'fixed', column } });
    }
    if (isFixed) passedOver |= bit;
    if ((bit & out) === 0) changed.push({ kind: row.kind, id: known.id, field, value, line: row.line });
  }
  return ok({ changed, fills, apart, passedOver });
}

/** Changes of a row's files. */
export type FileChanges = Omit<SheetFiles, 'line' | 'row' | 'inConflict'>;

/**
 * The files that a row names, without those it has already. Files are equal if their names are: the library stores
 * names without folders, and an export writes exactly these, so importing an export changes nothing. An archive names
 * its files by their content (`<sha256>/<name>`), and then only the hash counts.
 */
export function fileChanges(row: SheetRow, known: AnyRow | null, lookup: SheetLookup): FileChanges | null {
  if (row.kind !== 'sbaProfile' && row.kind !== 'videoProfile') return null;
  const logoId = known?.kind === 'sbaProfile' ? known.values.logo : null;
  const videoId = known?.kind === 'videoProfile' ? known.values.video : null;
  const video = videoId === null ? null : lookup.media(videoId);
  const captionId = video?.values.caption ?? null;
  const hasNewVideo = isOther(row.video, fileOf(videoId, lookup));
  const changes = {
    ...(isOther(row.logo, fileOf(logoId, lookup)) ? { logo: row.logo ?? null } : {}),
    ...(hasNewVideo ? { video: row.video ?? null } : {}),
    ...(hasNewVideo ? given('caption', row.caption) : captionChange(row, captionId, lookup)),
    ...(hasNewVideo || (row.mediaName ?? null) !== (video?.values.mediaName ?? null)
      ? given('mediaName', row.mediaName)
      : {}),
  };
  if (Object.keys(changes).length === 0) return null;
  return { kind: row.kind, currentVideo: videoId, ...changes };
}

/** The columns of the files that change. */
export function filledByFiles(changes: FileChanges | null): ColumnSet {
  if (changes === null) return NO_COLUMNS;
  const said = Object.entries(changes).filter(([word, file]) => word in FILE_WORDS && file !== undefined);
  return said.reduce((set, [word]) => set | fieldBit(changes.kind, word), NO_COLUMNS);
}

/** Files of a row without those in skipped columns; null when none is left. */
export function filesWithout<T extends FileChanges>(files: T, out: ColumnSet): T | null {
  const filled = filledByFiles(files);
  const left = leftOutOf(filled, out);
  if ((filled & left) === 0) return files;
  if ((filled & ~left) === 0) return null;
  const stays = ([word]: readonly [string, unknown]): boolean => (fieldBit(files.kind, word) & left) === 0;
  // The removed members are optional.
  return Object.fromEntries(Object.entries(files).filter(stays)) as unknown as T;
}

/** The columns of files that were changed here as well since the file that names them was written. */
function filesApart(row: SheetRow, known: AnyRow, lookup: SheetLookup): ColumnSet {
  if (row.base === undefined || (known.kind !== 'sbaProfile' && known.kind !== 'videoProfile')) return NO_COLUMNS;
  const apart = (word: 'logo' | 'video' | 'caption', id: RowId | null): ColumnSet => {
    const base = row.base?.[word];
    if (base === undefined || row[word] === undefined) return NO_COLUMNS;
    const here = fileOf(id, lookup);
    const isApart = isOther(base === null ? null : String(base), here) && isOther(row[word], here);
    return isApart ? fieldBit(row.kind, word) : NO_COLUMNS;
  };
  if (known.kind === 'sbaProfile') return apart('logo', known.values.logo);
  const video = fileOf(known.values.video, lookup);
  const name = video?.values.mediaName ?? null;
  const isNameApart =
    row.base['mediaName'] !== undefined && row.base['mediaName'] !== name && (row.mediaName ?? null) !== name;
  const nameApart = isNameApart ? fieldBit(row.kind, 'mediaName') : NO_COLUMNS;
  return nameApart | apart('video', known.values.video) | apart('caption', video?.values.caption ?? null);
}

const captionChange = (row: SheetRow, captionId: RowId | null, lookup: SheetLookup) =>
  isOther(row.caption, fileOf(captionId, lookup)) ? given('caption', row.caption) : {};

function given<const Key extends string>(key: Key, value: string | null | undefined): { [K in Key]?: string | null } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string | null });
}

const fileOf = (id: RowId | null, lookup: SheetLookup): Row<'media'> | null => (id === null ? null : lookup.media(id));

function isOther(path: string | null | undefined, current: Row<'media'> | null): boolean {
  if (path === undefined) return false;
  if (path === null || current === null) return path !== null || current !== null;
  const onService = serviceMediaId(path);
  if (onService !== null) return onService !== current.remoteId;
  const sha256 = /^([a-f0-9]{64})\//.exec(path)?.[1];
  return sha256 === undefined ? baseName(path) !== current.values.fileName : sha256 !== current.values.sha256;
}

/** The last part of a path, with either kind of slash. */
const baseName = (path: string): string => path.replace(/^.*[/\\]/, '');
