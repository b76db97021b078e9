import type { Cell } from '../model/field-types.ts';
import type { AnyValues } from '../model/fields.ts';
import type { AnyRow, Row } from '../model/row.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import type { SheetKind } from './columns.ts';
import type { RowNotes, SheetProblem } from './sheet-row.ts';

/** A row that exists, or the position in `creates` of one that will. */
export type Target = { readonly id: RowId } | { readonly at: number };

/** Shaped like an entry of the workspace's edit batch, with the line it came from. */
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

/** A row that leaves, with all that hangs from it. */
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

/** Files a row names. The code that applies the sheet finds them beside it, puts them in the library and attaches them. */
export interface SheetFiles {
  readonly line: number;
  readonly kind: 'sbaProfile' | 'videoProfile';
  readonly row: Target;
  /** Path relative to the sheet; null erases the reference; absent when nothing changes. */
  readonly logo?: string | null;
  readonly video?: string | null;
  readonly caption?: string | null;
  readonly mediaName?: string | null;
  /** The video the profile has now, for a caption or a media name that comes without a new video. */
  readonly currentVideo: RowId | null;
  /** The row is in conflict: its files count only when the user takes it. */
  readonly inConflict?: true;
}

/** What a sheet would do to the workspace. Creates come parents first. */
export interface SheetChanges {
  readonly creates: readonly SheetCreate[];
  readonly updates: readonly SheetUpdate[];
  readonly files: readonly SheetFiles[];
  /** Rows of the sheet by what they do; implied ad groups are not counted. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly SheetProblem[];
}

/** What the workspace holds, as the linker asks for it. Deleted rows are not offered. */
export interface SheetLookup {
  campaignsNamed(name: string): readonly Row<'campaign'>[];
  /** Whether a campaign has this name, in whatever case; a deleted one counts as long as it is on the service. */
  isNameTaken(name: string): boolean;
  byRemoteId(kind: SheetKind | 'media', remoteId: RemoteId): AnyRow | null;
  /** Rows of a kind below a campaign (ad groups, multipliers) or an ad group (the rest). */
  children(kind: SheetKind, parentId: RowId): readonly AnyRow[];
  media(id: RowId): Row<'media'> | null;
  /** Whether the row was edited since the service said what it is, or anything was that hangs from it. */
  isEdited(row: AnyRow): boolean;
  notes(kind: SheetKind, id: RowId): RowNotes;
}
