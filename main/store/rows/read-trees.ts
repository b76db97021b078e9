import type { RowRef } from '../../../shared/api/scalars.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, idList, rowIdsOf } from '../db/db.ts';
import { tableOf } from '../schema/tables.ts';
import { readRows, readRowsOfCampaigns } from './read-rows.ts';

/**
 * Reads campaigns with all rows below them, by campaign ID. Unknown IDs are left out.
 *
 * @param without kinds whose lists stay empty, for callers that read those in another way
 * @param unnamed kinds whose rows are read without service IDs, for callers that don't need them: for a million
 * keywords they are a fifth of the data
 */
export function readTrees(
  db: Db,
  campaignIds: readonly RowId[],
  without: readonly Kind[] = [],
  unnamed: readonly Kind[] = [],
): readonly CampaignTree[] {
  if (campaignIds.length === 0) return [];
  const list = idList(campaignIds);
  const read = <K extends Kind>(kind: K): ReadonlyMap<RowId | null, readonly Row<K>[]> => {
    if (without.includes(kind)) return new Map();
    // lint-text: ok, a value of the code
    const columns = unnamed.includes(kind) ? 'without remote id' : 'whole';
    return Map.groupBy(readRowsOfCampaigns(db, kind, campaignIds, columns), ({ campaignId }) => campaignId);
  };
  const campaigns = readRows(db, 'campaign', `k.id ${list.sql}`, list.bind);
  const adGroups = read('adGroup');
  const adItems = read('adItem');
  const keywords = read('keyword');
  const sbaProfiles = read('sbaProfile');
  const videoProfiles = read('videoProfile');
  const placementMultipliers = read('placementMultiplier');
  const platformMultipliers = read('platformMultiplier');
  const library = readUsedMedia(db, [...sbaProfiles.values()].flat(), [...videoProfiles.values()].flat());
  return campaigns.map((campaign): CampaignTree => {
    const sba = sbaProfiles.get(campaign.id) ?? [];
    const video = videoProfiles.get(campaign.id) ?? [];
    return {
      campaign,
      adGroups: adGroups.get(campaign.id) ?? [],
      adItems: adItems.get(campaign.id) ?? [],
      keywords: keywords.get(campaign.id) ?? [],
      sbaProfiles: sba,
      videoProfiles: video,
      placementMultipliers: placementMultipliers.get(campaign.id) ?? [],
      platformMultipliers: platformMultipliers.get(campaign.id) ?? [],
      media: mediaOf(sba, video, library),
    };
  });
}

type Library = ReadonlyMap<RowId, Row<'media'>>;

/** The media that these profiles use, and the captions of their videos. */
function readUsedMedia(db: Db, sba: readonly Row<'sbaProfile'>[], video: readonly Row<'videoProfile'>[]): Library {
  const named = [...sba.map((row) => row.values.logo), ...video.map((row) => row.values.video)].filter(isId);
  const library = new Map<RowId, Row<'media'>>();
  const add = (ids: readonly RowId[]): void => {
    if (ids.length === 0) return;
    const list = idList([...new Set(ids)]);
    const rows = readRows(db, 'media', `k.id ${list.sql}`, list.bind);
    for (const row of rows) library.set(row.id, row);
  };
  add(named);
  add([...library.values()].map((row) => row.values.caption).filter(isId));
  return library;
}

function mediaOf(
  sba: readonly Row<'sbaProfile'>[],
  video: readonly Row<'videoProfile'>[],
  library: Library,
): readonly Row<'media'>[] {
  const used = new Map<RowId, Row<'media'>>();
  const take = (id: RowId | null): void => {
    const row = id === null ? undefined : library.get(id);
    if (row === undefined || used.has(row.id)) return;
    used.set(row.id, row);
    take(row.values.caption);
  };
  for (const row of sba) take(row.values.logo);
  for (const row of video) take(row.values.video);
  return [...used.values()];
}

const isId = (id: RowId | null): id is RowId => id !== null;

/** All rows below a campaign or an ad group that are not marked as deleted, parents before children. */
export function readBelow(db: Db, root: AnyRow): readonly AnyRow[] {
  if (root.kind !== 'campaign' && root.kind !== 'adGroup') return [];
  const column = root.kind === 'campaign' ? 'campaign_id' : 'ad_group_id';
  const rows = kindsBelow(root.kind)
    .flatMap((kind): readonly AnyRow[] => readRows(db, kind, `k.${column} = ?`, root.id) as readonly AnyRow[])
    .filter((row) => !isDeleted(row));
  const groups = new Set(rows.filter(({ kind }) => kind === 'adGroup').map(({ id }) => id));
  // Rows below a deleted ad group are removed with it, whatever their own marks are.
  return root.kind === 'adGroup' ? rows : rows.filter((row) => row.adGroupId === null || groups.has(row.adGroupId));
}

/** These rows with all rows below them, by kind. */
export function withDescendants(db: Db, refs: readonly RowRef[]): ReadonlyMap<Kind, ReadonlySet<RowId>> {
  const idsByKind = new Map<Kind, Set<RowId>>(KINDS.map((kind) => [kind, new Set()]));
  for (const { kind, id } of refs) idsByKind.get(kind)?.add(id);
  for (const [parentKind, parentColumn] of [
    ['campaign', 'campaign_id'],
    ['adGroup', 'ad_group_id'],
  ] as const) {
    const parents = JSON.stringify([...(idsByKind.get(parentKind) ?? [])]);
    if (parents === '[]') continue;
    for (const kind of kindsBelow(parentKind)) {
      const sql = `SELECT id FROM ${tableOf(kind).name} WHERE ${parentColumn} IN (SELECT value FROM json_each(?))`;
      for (const id of rowIdsOf(db, sql, parents)) idsByKind.get(kind)?.add(id);
    }
  }
  return idsByKind;
}

/** Kinds of rows below a campaign, at any depth, or below an ad group. */
export function kindsBelow(parent: 'campaign' | 'adGroup'): readonly Kind[] {
  return KINDS.filter((kind) => {
    const hangsFrom = tableOf(kind).parent;
    return parent === 'campaign' ? hangsFrom !== 'account' : hangsFrom === 'adGroup';
  });
}
