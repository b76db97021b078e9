import { type Answer, idOf } from './client.ts';
import type { World } from './world.ts';

/** An SBA profile body that is in order, for the group of a campaign. */
export async function aProfile(
  world: World,
  campaignName: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { campaignId, adGroupId } = await world.campaign(campaignName);
  return {
    campaignId,
    adGroupId,
    searchAmpName: 'Northwind',
    headlineText: 'Paper that lasts',
    clickUrl: 'https://shop.example/browse/northwind',
    ...fields,
  };
}

export async function listProfiles(world: World, campaignName: string): Promise<Answer> {
  const { adGroupId } = await world.campaign(campaignName);
  return world.as('owner').get(`/api/v2/sba_profile?adGroupId=${adGroupId}`);
}

/** Ids of the profiles that a live campaign of the scenario begins with: the enabled one, then the disabled one. */
export async function liveProfileIds(world: World): Promise<readonly [number, number]> {
  const list = await listProfiles(world, 'C-sba-live');
  return [idOf(list, 'sbaProfileId', 0), idOf(list, 'sbaProfileId', 1)];
}
