import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Db } from '../db/db.ts';
import { idList } from '../db/id-list.ts';
import { readRows, readRowsOfCampaigns } from './read-rows.ts';

/**
 * Reads campaigns with all that hangs from them, in the order of campaign ids. Unknown ids are left out.
 *
 * @param without kinds whose lists stay empty, for callers that read those another way
 * @param unnamed kinds whose rows come without the ids that the service gave them, for callers that do not look at
 *   those: of a million keywords they are a fifth of what is read
 */
export function readTrees(
  db: Db,
  campaignIds: readonly RowId[],
  without: readonly Kind[] = [],
  unnamed: readonly Kind[] = [],
): readonly CampaignTree[] {
  if (campaignIds.length === 0) return [];
  const list = idList(campaignIds);
  const read = <K extends Kind>(kind: K): ReadonlyMap<RowId, readonly Row<K>[]> =>
    without.includes(kind)
      ? new Map()
      : byCampaign(readRowsOfCampaigns(db, kind, campaignIds, unnamed.includes(kind) ? 'without remote id' : 'whole'));
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

function byCampaign<K extends Kind>(rows: readonly Row<K>[]): ReadonlyMap<RowId, readonly Row<K>[]> {
  const grouped = new Map<RowId, Row<K>[]>();
  for (const row of rows) {
    if (row.campaignId === null) continue;
    const group = grouped.get(row.campaignId);
    if (group === undefined) grouped.set(row.campaignId, [row]);
    else group.push(row);
  }
  return grouped;
}

type Library = ReadonlyMap<RowId, Row<'media'>>;

/** The media these profiles name, and the captions of their videos. */
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
