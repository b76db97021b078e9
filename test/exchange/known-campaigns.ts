import type { Workspace } from '../../main/store/store.ts';
import { isChanged } from '../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import type { TestExchange } from './an-exchange.ts';

const CAMPAIGNS = 3;
/** Tells a desk what the service says of a few campaigns, each with two ad groups. */
export async function refresh({ account: { workspace } }: TestExchange): Promise<void> {
  const remote = (id: number) => String(id) as RemoteId;
  for (let n = 1; n <= CAMPAIGNS; n++) {
    await workspace.mergeRemote([
      {
        kind: 'campaign',
        remoteId: remote(n * 100),
        campaignId: null,
        adGroupId: null,
        values: { name: `Live ${n}`, dailyBudget: 5000, status: 'enabled' },
      },
    ]);
    const campaignId = (await find(workspace, n))?.campaign.id as RowId;
    const below = { campaignId, adGroupId: null };
    const multipliers = [
      {
        kind: 'placementMultiplier' as const,
        ...below,
        remoteId: null,
        values: { placement: 'Buy-Box', multiplier: 50 },
      },
      { kind: 'platformMultiplier' as const, ...below, remoteId: null, values: { platform: 'App', multiplier: 70 } },
    ];
    const groups = [1, 2].map((g) => ({
      kind: 'adGroup' as const,
      ...below,
      remoteId: remote(n * 100 + g),
      values: { name: `Group ${g}`, status: 'enabled' as const },
    }));
    await workspace.mergeRemote([...multipliers, ...groups]);
    for (const { id: adGroupId, remoteId } of (await find(workspace, n))?.adGroups ?? []) {
      const base = Number(remoteId) * 100;
      const inGroup = { campaignId, adGroupId };
      await workspace.mergeRemote([
        {
          kind: 'keyword',
          ...inGroup,
          remoteId: remote(base + 1),
          values: { text: 'tea', matchType: 'exact', bid: 50 },
        },
        {
          kind: 'keyword',
          ...inGroup,
          remoteId: remote(base + 2),
          values: { text: 'cup', matchType: 'broad', bid: 60 },
        },
        { kind: 'adItem', ...inGroup, remoteId: remote(base + 3), values: { itemId: `${1e9 + base}`, bid: 70 } },
        { kind: 'sbaProfile', ...inGroup, remoteId: remote(base + 4), values: { brand: 'B', headline: 'H' } },
      ]);
    }
  }
}
const find = async (workspace: Workspace, n: number) =>
  (await workspace.readTrees('all')).find((tree) => tree.campaign.remoteId === String(n * 100));

/** All rows of a desk but its library. */
export async function liveRows({ account: { workspace } }: TestExchange) {
  return (await workspace.readTrees('all')).flatMap(({ media: _, campaign, ...lists }) => [
    campaign,
    ...Object.values(lists).flat(),
  ]);
}

/** Takes back what was edited, so that every row is again as the service knows it. */
export async function undoAll(desk: TestExchange): Promise<void> {
  while ((await liveRows(desk)).some(isChanged)) {
    const done = await desk.account.workspace.undo();
    if (!done.ok) throw new Error(JSON.stringify(done.error));
  }
}
