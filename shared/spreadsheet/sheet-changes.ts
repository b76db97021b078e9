import type { Cell } from '../model/field-types.ts';
import type { AnyValues } from '../model/fields.ts';
import type { AnyRow, Row } from '../model/row.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import type { SheetKind } from './columns.ts';
import type { RowNotes, SheetProblem } from './sheet-row.ts';

/** A row that exists, or the position in `creates` of one that will. */
export type Target = { readonly id: RowId } | { readonly at: number };

/** Same shape as an entry of the workspace's edit batch, plus its line. */
export interface SheetCreate {
  readonly kind: SheetKind;
  readonly parent: Target | null;
  readonly values: AnyValues;
  readonly line: number;
}

export interface SheetUpdate {
  readonly kind: SheetKind | 'media';
  readonly id: RowId;
  readonly field: string;
  readonly value: Cell;
  readonly line: number;
}

/** A row to delete, with all rows below it. */
export interface SheetRemoval {
  readonly kind: SheetKind;
  readonly id: RowId;
  readonly line: number;
}

/** Comments and labels for a row. */
export interface SheetNotes {
  readonly kind: SheetKind;
  readonly row: Target;
  readonly notes: RowNotes;
  readonly line: number;
}

/**
 * Files named by a row. The code that applies the spreadsheet finds the files beside it, adds them to the library and
 * attaches them.
 */
export interface SheetFiles {
  readonly line: number;
  readonly kind: 'sbaProfile' | 'videoProfile';
  readonly row: Target;
  /** Path relative to the sheet; null erases the reference; absent when nothing changes. */
  readonly logo?: string | null;
  readonly video?: string | null;
  readonly caption?: string | null;
  readonly mediaName?: string | null;
  /** The profile's present video, for a caption or a media name without a new video. */
  readonly currentVideo: RowId | null;
  /** The row is in conflict: its files apply only when the user selects it. */
  readonly inConflict?: true;
}

/** The changes of a spreadsheet to the workspace. Creates are ordered parents first. */
export interface SheetChanges {
  readonly creates: readonly SheetCreate[];
  readonly updates: readonly SheetUpdate[];
  readonly files: readonly SheetFiles[];
  /** Rows of the spreadsheet by effect; implied ad groups are not counted. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly SheetProblem[];
}

/** Access of the linker to the workspace, without deleted rows. */
export interface SheetLookup {
  campaignsNamed(name: string): readonly Row<'campaign'>[];
  /** Whether a campaign has this name, ignoring case; a deleted one counts while it is on the service. */
  isNameTaken(name: string): boolean;
  byRemoteId(kind: SheetKind | 'media', remoteId: RemoteId): AnyRow | null;
  row(kind: SheetKind, id: RowId): AnyRow | null;
  /** Rows of a kind below a campaign (ad groups, multipliers) or an ad group (the rest). */
  children(kind: SheetKind, parentId: RowId): readonly AnyRow[];
  media(id: RowId): Row<'media'> | null;
  /** Whether the row or any row below it was edited since the last read of the service. */
  isEdited(row: AnyRow): boolean;
  notes(kind: SheetKind, id: RowId): RowNotes;
}
