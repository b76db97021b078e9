import type { RowId } from '../../../shared/model/scalars.ts';
import type { Context } from './command.ts';
import { usageStop } from './stop.ts';

export const CAMPAIGN_OPTION = { campaign: { type: 'string' } } as const;

/** Ids of the campaigns that `--campaign` names (several with commas), or null for all. */
export async function campaignIdsOf(context: Context): Promise<RowId[] | null> {
  const wanted = context.text('campaign');
  if (wanted === null) return null;
  const { workspace } = await context.account();
  const campaigns = (await workspace.readTrees('all')).map((tree) => tree.campaign);
  const byName = new Map(campaigns.map((campaign) => [fold(campaign.values.name ?? ''), campaign.id]));
  // A name may hold a comma itself, so the whole text is tried first.
  const whole = byName.get(fold(wanted));
  if (whole !== undefined) return [whole];
  return wanted.split(',').map((name) => {
    const id = byName.get(fold(name));
    if (id === undefined) throw usageStop(`There is no campaign "${name.trim()}". Check the name.`);
    return id;
  });
}

const fold = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();
