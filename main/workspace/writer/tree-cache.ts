import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Db } from '../db/db.ts';
import { idList } from '../db/id-list.ts';
import { readRows } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';

/**
 * Remembers the campaigns that were checked last. Somebody who types into a grid edits one row after another of the
 * same campaign; then only the edited rows are read again instead of hundreds.
 *
 * Only edits of cells use it. Whatever else touches a campaign makes it forget that campaign, and a transaction
 * that fails makes it forget all.
 */
export interface TreeCache {
  /** The trees of these campaigns as they are now; `rows` are those that changed, null for possibly any. */
  read(campaigns: ReadonlyMap<RowId, readonly RowRef[] | null>): readonly CampaignTree[];
  forget(): void;
}

const TREES_KEPT = 4;

export function createTreeCache(db: Db): TreeCache {
  const trees = new Map<RowId, CampaignTree>();
  const readOne = (id: RowId, rows: readonly RowRef[] | null): CampaignTree | undefined => {
    const known = trees.get(id);
    trees.delete(id);
    const fresh = known === undefined || rows === null ? null : withRows(db, known, rows);
    const tree = fresh ?? readTrees(db, [id])[0];
    if (tree !== undefined) trees.set(id, tree);
    for (const oldest of trees.keys()) if (trees.size > TREES_KEPT) trees.delete(oldest);
    return tree;
  };
  return {
    read: (campaigns) => {
      if (campaigns.size <= TREES_KEPT) {
        return [...campaigns].flatMap(([id, rows]) => readOne(id, rows) ?? []);
      }
      for (const id of campaigns.keys()) trees.delete(id);
      return readTrees(db, [...campaigns.keys()]);
    },
    forget: () => trees.clear(),
  };
}

/** The tree with these rows read again, or null when one of them is of a kind that drags others along. */
function withRows(db: Db, tree: CampaignTree, refs: readonly RowRef[]): CampaignTree | null {
  let { campaign, adGroups, adItems, keywords, placementMultipliers, platformMultipliers } = tree;
  for (const kind of new Set(refs.map((ref) => ref.kind))) {
    const ids = refs.filter((ref) => ref.kind === kind).map((ref) => ref.id);
    switch (kind) {
      case 'campaign':
        campaign = refreshed(db, kind, [campaign], ids)[0] ?? campaign;
        break;
      case 'adGroup':
        adGroups = refreshed(db, kind, adGroups, ids);
        break;
      case 'adItem':
        adItems = refreshed(db, kind, adItems, ids);
        break;
      case 'keyword':
        keywords = refreshed(db, kind, keywords, ids);
        break;
      case 'placementMultiplier':
        placementMultipliers = refreshed(db, kind, placementMultipliers, ids);
        break;
      case 'platformMultiplier':
        platformMultipliers = refreshed(db, kind, platformMultipliers, ids);
        break;
      // A profile may name another file now, and a file belongs to several campaigns.
      case 'sbaProfile':
      case 'videoProfile':
      case 'media':
        return null;
    }
  }
  return { ...tree, campaign, adGroups, adItems, keywords, placementMultipliers, platformMultipliers };
}

function refreshed<K extends Kind>(db: Db, kind: K, rows: readonly Row<K>[], ids: readonly RowId[]): readonly Row<K>[] {
  const list = idList(ids);
  const fresh = readRows(db, kind, `k.id ${list.sql}`, list.bind);
  const byId = new Map(fresh.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
}
