import type { CampaignTree } from '../model/campaign-tree.ts';
import { formatCell } from '../model/cell-text.ts';
import type { AnyValues } from '../model/fields.ts';
import { type AnyRow, isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { guardCell } from './cell-guard.ts';
import { COLUMNS, type Column, FIELD_OF, type SheetKind, TYPE_NAMES } from './columns.ts';

/**
 * Campaigns as a table of text, the header first; reading it back changes nothing. Rows come campaign by
 * campaign, parents before children. One row at a time, so that an account of any size can be streamed.
 *
 * @param media the library; files are written by their name alone
 */
export function* formatSheet(
  trees: Iterable<CampaignTree>,
  media: readonly Row<'media'>[],
): Generator<readonly string[]> {
  yield COLUMNS;
  const library = new Map(media.map((row) => [row.id, row]));
  for (const tree of trees) {
    for (const row of tree.media) library.set(row.id, row);
    yield* formatTree(tree, library);
  }
}

function* formatTree(tree: CampaignTree, library: ReadonlyMap<RowId, Row<'media'>>): Generator<readonly string[]> {
  const { campaign } = tree;
  if (isDeleted(campaign)) return;
  const groups = new Map(tree.adGroups.map((row) => [row.id, row]));
  yield formatRow('campaign', campaign, campaign, null, library);
  const lists: readonly (readonly [SheetKind, readonly AnyRow[]])[] = [
    ['adGroup', tree.adGroups],
    ['adItem', tree.adItems],
    ['keyword', tree.keywords],
    ['sbaProfile', tree.sbaProfiles],
    ['videoProfile', tree.videoProfiles],
    ['placementMultiplier', tree.placementMultipliers],
    ['platformMultiplier', tree.platformMultipliers],
  ];
  for (const [kind, rows] of lists) {
    for (const row of rows) {
      const group =
        kind === 'adGroup' ? groups.get(row.id) : row.adGroupId === null ? undefined : groups.get(row.adGroupId);
      if (!isDeleted(row)) yield formatRow(kind, row, campaign, group ?? null, library);
    }
  }
}

function formatRow(
  kind: SheetKind,
  row: AnyRow,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'> | null,
  library: ReadonlyMap<RowId, Row<'media'>>,
): readonly string[] {
  const values: AnyValues = row.values;
  const cells: Partial<Record<Column, string>> = {
    Type: TYPE_NAMES[kind],
    Campaign: campaign.values.name ?? '',
    'Ad group': group?.values.name ?? '',
    'Campaign id': campaign.remoteId ?? '',
    'Ad group id': group?.remoteId ?? '',
    'Row id': row.remoteId ?? '',
    ...fileCells(row, library),
  };
  const fields = FIELD_OF[kind];
  return COLUMNS.map((column) => {
    const field = fields[column];
    return guardCell(field === undefined ? (cells[column] ?? '') : formatCell(kind, field, values[field] ?? null));
  });
}

function fileCells(row: AnyRow, library: ReadonlyMap<RowId, Row<'media'>>): Partial<Record<Column, string>> {
  const file = (id: RowId | null): Row<'media'> | undefined => (id === null ? undefined : library.get(id));
  if (row.kind === 'sbaProfile') return { Logo: file(row.values.logo)?.values.fileName ?? '' };
  if (row.kind !== 'videoProfile') return {};
  const video = file(row.values.video);
  return {
    Video: video?.values.fileName ?? '',
    Caption: file(video?.values.caption ?? null)?.values.fileName ?? '',
    'Media name': video?.values.mediaName ?? '',
  };
}
