import type { Comment } from '../../../shared/contract/notes.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { type AnyRow, FIELD_BITS, isDeleted, isNew, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { FIELD_OF, type SheetKind } from '../../../shared/sheet/columns.ts';
import type { ArchiveRow, ArchiveSource } from './archive-format.ts';

/**
 * The rows of campaigns as an archive has them, parents first. `archive` takes everything that is not deleted;
 * `changes` what differs from the service: new rows whole, edited ones with their edits and what they were before.
 *
 * @param used collects the hashes of the media that the rows name
 */
export function* archiveRows(
  trees: Iterable<CampaignTree>,
  library: ReadonlyMap<RowId, Row<'media'>>,
  source: ArchiveSource,
  comments: (row: AnyRow) => readonly Comment[],
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
      const group = row.kind === 'adGroup' ? groups.get(row.id) : groups.get(row.adGroupId ?? (0 as RowId));
      const made = archiveRow(row, tree.campaign, group, library, source, used);
      if (made === null) continue;
      const said = comments(row);
      yield said.length === 0 ? made : { ...made, comments: said.map(({ id: _, ref: __, ...comment }) => comment) };
    }
  }
}

function archiveRow(
  row: AnyRow,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'> | undefined,
  library: ReadonlyMap<RowId, Row<'media'>>,
  source: ArchiveSource,
  used: Set<string>,
): ArchiveRow | null {
  const isEdited = (row.dirty & FIELD_BITS) !== 0;
  if (source === 'archive' && isDeleted(row)) return null;
  // A parent that is new has to come along, or its rows have nothing to hang from.
  if (source === 'changes' && !isNew(row) && !isEdited && !isDeleted(row)) return null;
  if (isDeleted(row) && isNew(row)) return null;
  const kind = row.kind as SheetKind;
  const links = { kind, campaign: linkOf(campaign), adGroup: linkOf(group), rowId: idOf(row) };
  if (isDeleted(row)) return { ...links, cells: {}, deleted: true };
  const wanted = source === 'archive' || isNew(row) ? null : changedFields(row);
  const cells: Record<string, Cell> = {};
  const base: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) {
    if (wanted !== null && !wanted.has(field)) continue;
    const value = cellOf(row.values, field);
    if (value === null && wanted === null) continue;
    cells[field] = value;
    if (wanted !== null && row.base !== null) base[field] = cellOf(row.base, field);
  }
  return {
    ...links,
    cells,
    ...(wanted === null ? {} : { base }),
    ...(wanted === null || wanted.has('logo') || wanted.has('video') ? filesOf(row, library, used) : {}),
  };
}

/** By id where the service has one: names may have changed on the other side. */
function linkOf(row: Row<'campaign'> | Row<'adGroup'> | undefined): ArchiveRow['campaign'] {
  if (row === undefined) return { name: null, remoteId: null };
  const named = row.kind === 'campaign' || row.remoteId === null ? row.values.name : null;
  return { name: row.remoteId === null ? named : null, remoteId: row.remoteId };
}

const idOf = (row: AnyRow): ArchiveRow['rowId'] =>
  row.kind === 'campaign' || row.kind === 'adGroup' || !/^\d+$/.test(row.remoteId ?? '') ? null : row.remoteId;

const changedFields = (row: AnyRow): ReadonlySet<string> =>
  new Set(
    Object.keys(row.values).filter(
      (field) => row.base !== null && cellOf(row.base, field) !== cellOf(row.values, field),
    ),
  );

function cellOf(values: AnyRow['values'], field: string): Cell {
  const cells: Readonly<Record<string, Cell>> = values;
  return cells[field] ?? null;
}

function filesOf(row: AnyRow, library: ReadonlyMap<RowId, Row<'media'>>, used: Set<string>): Partial<ArchiveRow> {
  const path = (id: RowId | null): string | null => {
    const file = id === null ? undefined : library.get(id);
    if (file === undefined || file.values.sha256 === null) return null;
    used.add(file.values.sha256);
    return `${file.values.sha256}/${file.values.fileName ?? 'file'}`;
  };
  if (row.kind === 'sbaProfile') return row.values.logo === null ? {} : { logo: path(row.values.logo) };
  if (row.kind !== 'videoProfile' || row.values.video === null) return {};
  const video = library.get(row.values.video);
  const caption = video?.values.caption ?? null;
  return {
    video: path(row.values.video),
    ...(caption === null ? {} : { caption: path(caption) }),
    ...(video?.values.mediaName === null ? {} : { mediaName: video?.values.mediaName ?? null }),
  };
}
