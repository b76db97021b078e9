import type { ChosenRows } from '../../../shared/contract/sync.ts';
import type { RowId, WorkspaceId } from '../../../shared/model/scalars.ts';
import { CAMPAIGN_OPTION, campaignIdsOf } from './campaigns.ts';
import { chosenRowsOf, ONLY_OPTION } from './chosen-rows.ts';
import type { Context } from './command.ts';

/** What `plan` shows and `sync` sends; null stands for everything that has changed. */
export interface SyncWish {
  readonly workspaceId: WorkspaceId;
  readonly submit: boolean;
  /** Whether open reviews are cancelled first: only plans that the desk saved wish that. */
  readonly cancelReviews: boolean;
  readonly campaignIds: RowId[] | null;
  readonly chosen: ChosenRows | null;
}

export const WISH_OPTIONS = { submit: { type: 'boolean' }, ...CAMPAIGN_OPTION, ...ONLY_OPTION } as const;

export async function syncWishOf(context: Context): Promise<SyncWish> {
  const { workspaceId } = await context.atAccount();
  const campaignIds = await campaignIdsOf(context);
  const chosen = await chosenRowsOf(context);
  return { workspaceId, submit: context.flag('submit'), cancelReviews: false, campaignIds, chosen };
}
