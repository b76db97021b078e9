import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { type AnyRow, FIELD_BITS, isDeleted, isNew, type Row } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { FIELD_OF, type SheetKind } from '../../../shared/sheet/columns.ts';
import { KEY_COLUMNS } from '../../../shared/sheet/row-match.ts';
import type { RowNotes } from '../../../shared/sheet/row-notes.ts';
import type { ArchiveRow, ArchiveSource } from './archive-format.ts';

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

const isEdited = (row: AnyRow, field: string): boolean =>
  row.base !== null && cellOf(row.base, field) !== cellOf(row.values, field);

function cellOf(values: AnyRow['values'], field: string): Cell {
  const cells: Readonly<Record<string, Cell>> = values;
  return cells[field] ?? null;
}

interface FileCells {
  readonly cells: Partial<ArchiveRow>;
  /** What the service said of them, for those that were edited since. */
  readonly base: Record<string, Cell>;
  /** True when the caption or the name of the video differs from what the service said. */
  readonly isChanged: boolean;
}
const NO_FILES: FileCells = { cells: {}, base: {}, isChanged: false };

function filesOf(
  row: AnyRow,
  library: ReadonlyMap<RowId, Row<'media'>>,
  source: ArchiveSource,
  used: Set<string>,
): FileCells {
  const name = (id: RowId | null): string | null => {
    const file = id === null ? undefined : library.get(id);
    if (file === undefined || file.values.sha256 === null) return null;
    return `${file.values.sha256}/${file.values.fileName ?? 'file'}`;
  };
  /** The same for a file that comes along. */
  const path = (id: RowId | null): string | null => {
    const named = name(id);
    if (named !== null) used.add(named.slice(0, 64));
    return named;
  };
  const isWhole = source === 'archive' || isNew(row);
  if (row.kind === 'sbaProfile') {
    const isTold = isWhole ? row.values.logo !== null : isEdited(row, 'logo');
    const base = isWhole || row.base === null ? {} : { logo: name(row.base.logo) };
    return isTold ? { cells: { logo: path(row.values.logo) }, base, isChanged: false } : NO_FILES;
  }
  if (row.kind !== 'videoProfile') return NO_FILES;
  const video = row.values.video === null ? undefined : library.get(row.values.video);
  const isOther = isWhole || isEdited(row, 'video');
  const videoBase = isWhole || !isOther || row.base === null ? {} : { video: name(row.base.video) };
  if (video === undefined) {
    return isWhole || !isOther ? NO_FILES : { cells: { video: null }, base: videoBase, isChanged: false };
  }
  // Caption and name belong to the video's own row, and may differ while the profile does not.
  const isCaptionTold = isOther || isEdited(video, 'caption');
  const isNameTold = isOther || isEdited(video, 'mediaName');
  return {
    cells: {
      ...(isOther ? { video: path(row.values.video) } : {}),
      ...(isCaptionTold && (video.values.caption !== null || !isOther) ? { caption: path(video.values.caption) } : {}),
      ...(isNameTold && (video.values.mediaName !== null || !isOther) ? { mediaName: video.values.mediaName } : {}),
    },
    base: {
      ...videoBase,
      ...(isCaptionTold && !isOther ? { caption: name(video.base?.caption ?? null) } : {}),
      ...(isNameTold && !isOther ? { mediaName: video.base?.mediaName ?? null } : {}),
    },
    isChanged: isCaptionTold || isNameTold,
  };
}
