import type { AnyRow, Row } from '../model/row.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import type { SheetKind } from './columns.ts';
import type { RowNotes } from './row-notes.ts';

/** What the workspace holds, as the linker asks for it. Deleted rows are not offered. */
export interface SheetLookup {
  campaignsNamed(name: string): readonly Row<'campaign'>[];
  byRemoteId(kind: SheetKind, remoteId: RemoteId): AnyRow | null;
  /** Rows of a kind below a campaign (ad groups, multipliers) or an ad group (the rest). */
  children(kind: SheetKind, parentId: RowId): readonly AnyRow[];
  media(id: RowId): Row<'media'> | null;
  /** Whether the row was edited since the service said what it is, or anything was that hangs from it. */
  isEdited(row: AnyRow): boolean;
  notes(kind: SheetKind, id: RowId): RowNotes;
}
