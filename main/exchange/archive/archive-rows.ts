import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { type AnyRow, FIELD_BITS, isDeleted, isNew, type Row } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { FIELD_OF, type SheetKind } from '../../../shared/sheet/columns.ts';
import { KEY_COLUMNS } from '../../../shared/sheet/row-match.ts';
import type { RowNotes } from '../../../shared/sheet/row-notes.ts';
import { filesOf } from './archive-files.ts';
import type { ArchiveRow, ArchiveSource } from './archive-format.ts';
import { cellOf, isEdited } from './row-cells.ts';

/**
 * The rows of campaigns as an archive has them, parents first. `archive` takes everything that is not deleted;
 * `changes` what differs from the service: new rows whole, edited ones with their edits and what they were before,
 * deleted ones as such, and rows that somebody has commented on.
 *
 * @param used collects the hashes of the media that the rows name
 */
export function* archiveRows(
  trees: Iterable<CampaignTree>,
  library: ReadonlyMap<RowId, Row<'media'>>,
  source: ArchiveSource,
  notesOf: (row: AnyRow) => RowNotes,
  used: Set<string>,
): Generator<ArchiveRow> {
  for (const tree of trees) {
    const groups = new Map(tree.adGroups.map((row) => [row.id, row]));
    const lists: readonly (readonly AnyRow[])[] = [
      [tree.campaign],
      tree.adGroups,
      tree.adItems,
      tree.keywords,
      tree.sbaProfiles,
      tree.videoProfiles,
      tree.placementMultipliers,
      tree.platformMultipliers,
    ];
    for (const row of lists.flat()) {
      if (isDeleted(row) && (source === 'archive' || isNew(row))) continue;
      const kind = row.kind as SheetKind;
      const group = row.kind === 'adGroup' ? groups.get(row.id) : groups.get(row.adGroupId ?? asRowId(0));
      const links = { kind, campaign: linkOf(tree.campaign), adGroup: linkOf(group), rowId: idOf(row) };
      if (isDeleted(row)) {
        yield { ...links, cells: keyCells(row, kind), deleted: true };
        continue;
      }
      const notes = notesOf(row);
      const content = source === 'archive' || isNew(row) ? wholeRow(row, kind) : editedRow(row, kind);
      const files = filesOf(row, library, source, used);
      const isTold = source === 'archive' || isNew(row) || (row.dirty & FIELD_BITS) !== 0 || files.isChanged;
      if (!isTold && notes.comments.length === 0) continue;
      const base = { ...content.base, ...files.base };
      const isBased = Object.keys(base).length > 0;
      yield { ...links, cells: content.cells, ...(isBased ? { base } : {}), ...files.cells, ...notedCells(notes) };
    }
  }
}

const notedCells = ({ comments, labels }: RowNotes): Partial<ArchiveRow> => ({
  ...(comments.length === 0 ? {} : { comments: [...comments] }),
  ...(labels.length === 0 ? {} : { labels: [...labels] }),
});

/** By id where the service has one: names may have changed on the other side. */
function linkOf(row: Row<'campaign'> | Row<'adGroup'> | undefined): ArchiveRow['campaign'] {
  if (row === undefined) return { name: null, remoteId: null };
  return { name: row.remoteId === null ? row.values.name : null, remoteId: row.remoteId };
}

const idOf = (row: AnyRow): ArchiveRow['rowId'] =>
  row.kind === 'campaign' || row.kind === 'adGroup' || !/^\d+$/.test(row.remoteId ?? '') ? null : row.remoteId;

type Content = Pick<ArchiveRow, 'cells' | 'base'>;

function wholeRow(row: AnyRow, kind: SheetKind): Content {
  const cells: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) {
    const value = cellOf(row.values, field);
    if (value !== null) cells[field] = value;
  }
  return { cells };
}

/** The fields that differ from the service, with what they were. */
function editedRow(row: AnyRow, kind: SheetKind): Content {
  const cells: Record<string, Cell> = keyCells(row, kind);
  const base: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) {
    if (!isEdited(row, field)) continue;
    cells[field] = cellOf(row.values, field);
    base[field] = cellOf(row.base ?? row.values, field);
  }
  return { cells, base };
}

/** What tells a row apart that the service has given no id of its own: multipliers. */
function keyCells(row: AnyRow, kind: SheetKind): Record<string, Cell> {
  if (kind === 'campaign' || kind === 'adGroup' || idOf(row) !== null) return {};
  const fields = KEY_COLUMNS[kind].map((column) => FIELD_OF[kind][column] ?? '');
  return Object.fromEntries(fields.map((field) => [field, cellOf(row.base ?? row.values, field)]));
}
