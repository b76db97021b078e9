import type { ActiveAccount } from '../../main/app/active-accounts.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { truths } from '../walks/state-truth.ts';
import type { Ground } from './ground.ts';

/** What the account shows, held against the service's own file. */
export const COLLEAGUES = 'Of a colleague';

/** Where the service lists campaigns, a refresh brings the colleague's as well. */
const ours = (trees: readonly CampaignTree[]): readonly CampaignTree[] =>
  trees.filter(({ campaign }) => campaign.values.name !== COLLEAGUES);

export function requireVideo({ database }: Ground, mediaId: string): void {
  const sql = 'SELECT count(*) AS shown FROM ad_group_media WHERE media_id = ?';
  if (database.prepare(sql).get(Number(mediaId))?.['shown'] !== 2)
    throw new Error(`video ${mediaId} is not shown by both`);
}

export async function compareStates(
  { database }: Ground,
  { workspace }: ActiveAccount,
  step: string,
  seen: { compared: number; readonly differences: string[] },
): Promise<void> {
  await workspace.rowsWithErrors();
  const there = truths(database);
  for (const { campaign } of ours(await workspace.readTrees('all'))) {
    const { name, campaignState, stateSource } = campaign.values;
    const truth = there.get(name ?? '');
    seen.compared += 1;
    if (campaignState === truth?.state) continue;
    seen.differences.push(
      `${step}: ${name} is ${campaignState} (${stateSource}) here, ${truth?.state} (${truth?.status}) there`,
    );
  }
}

/** The bids of items are as the service has them, in cents. */
export function requireSameBids({ database }: Ground, trees: readonly CampaignTree[]): void {
  const there = database
    .prepare('SELECT i.bid FROM ad_item i JOIN campaign c USING (campaign_id) WHERE c.name <> ? ORDER BY i.bid')
    .all(COLLEAGUES)
    .map((row) => Number(row['bid']));
  const here = ours(trees)
    .flatMap(({ adItems }) => adItems.map(({ values }) => values.bid ?? 0))
    .toSorted((a, b) => a - b);
  if (JSON.stringify(there) !== JSON.stringify(here))
    throw new Error(`bids: ${there.join()} there, ${here.join()} here`);
}
