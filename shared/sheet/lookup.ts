import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, isChanged, isDeleted, type Row } from '../model/row.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import type { SheetKind } from './columns.ts';
import { NO_NOTES, type RowNotes } from './row-notes.ts';

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

/** The lookup over campaigns in memory, which have no notes. */
export function lookupInTrees(trees: readonly CampaignTree[], library: readonly Row<'media'>[] = []): SheetLookup {
  const byName = new Map<string, Row<'campaign'>[]>();
  const byRemote = new Map<string, AnyRow>();
  const byParent = new Map<string, AnyRow[]>();
  const media = new Map<RowId, Row<'media'>>();
  const put = (row: AnyRow, parentId: RowId | null): void => {
    if (isDeleted(row)) return;
    if (row.remoteId !== null) byRemote.set(`${row.kind} ${row.remoteId}`, row);
    if (parentId !== null) listOf(byParent, `${row.kind} ${parentId}`).push(row);
  };
  for (const tree of trees) {
    const { campaign } = tree;
    put(campaign, null);
    if (!isDeleted(campaign)) listOf(byName, campaign.values.name ?? '').push(campaign);
    for (const row of tree.adGroups) put(row, campaign.id);
    for (const row of tree.placementMultipliers) put(row, campaign.id);
    for (const row of tree.platformMultipliers) put(row, campaign.id);
    const inGroups = [...tree.adItems, ...tree.keywords, ...tree.sbaProfiles, ...tree.videoProfiles];
    for (const row of inGroups) put(row, row.adGroupId);
    for (const row of tree.media) media.set(row.id, row);
  }
  for (const row of library) media.set(row.id, row);
  return {
    campaignsNamed: (name) => byName.get(name) ?? [],
    byRemoteId: (kind: Kind, remoteId) => byRemote.get(`${kind} ${remoteId}`) ?? null,
    children: (kind, parentId) => byParent.get(`${kind} ${parentId}`) ?? [],
    media: (id) => media.get(id) ?? null,
    isEdited: (row) => {
      const isAbove = ({ campaign }: CampaignTree): boolean => campaign.id === row.campaignId;
      const edited = (one: AnyRow): boolean => isChanged(one) && !isDeleted(one);
      return trees.filter(isAbove).some((tree) => rowsBelow(tree, row).some(edited));
    },
    notes: () => NO_NOTES,
  };
}

function rowsBelow({ media: _, campaign, ...lists }: CampaignTree, top: AnyRow): readonly AnyRow[] {
  const rows: readonly AnyRow[] = [campaign, ...Object.values(lists).flat()];
  if (top.kind === 'campaign') return rows;
  if (top.kind === 'adGroup') return rows.filter((row) => row.adGroupId === top.id || row.id === top.id);
  return rows.filter((row) => row.id === top.id);
}

function listOf<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
