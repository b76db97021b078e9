import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import { runEdit } from './actions.ts';
import type { AppContext } from './app-context.ts';
import { countText, moneyText, plural } from './locale/numbers.ts';

export const spreadTexts = {
  spread: 'Spread into a new campaign',
  ask: (moved: number, campaigns: number, dailyBudget: number, left: number) => {
    const many = plural(campaigns, 'new campaign');
    const others = left === 0 ? '' : ` Left for the next time: ${plural(left, 'full campaign')}.`;
    return {
      title: `Spread ${plural(moved, 'keyword')} into ${many}?`,
      text: `${campaigns === 1 ? 'The new campaign gets' : 'Each new campaign gets'} the daily budget of its original. This adds ${moneyText(dailyBudget)} to the total daily budget. Nothing is sent until you sync.${others}`,
      keep: 'Cancel',
      button: `Create ${many}`,
    };
  },
  done: (moved: number, campaigns: number, paused: number, left: number) => {
    const where = campaigns === 1 ? 'a new campaign' : `${countText(campaigns)} new campaigns`;
    const here = paused === 0 ? '' : `, ${countText(paused)} paused here`;
    const others = left === 0 ? '' : ` ${plural(left, 'campaign')} still full: select the button again.`;
    return `${plural(moved, 'keyword')} moved to ${where}${here}. Press Ctrl+Z to undo.${others}`;
  },
} as const;

/**
 * Divides the keywords of full campaigns over them and new ones, once the user has confirmed the new budgets.
 *
 * @param campaignIds null for every campaign that has more keywords than its ad group can have
 */
export async function spreadKeywords(app: AppContext, campaignIds: readonly number[] | null): Promise<void> {
  const { connection, store } = app;
  const ids = campaignIds === null ? null : campaignIds.map(asRowId);
  const { workspaceId: account } = store.getState();
  const found = await runEdit(app, (workspaceId) =>
    connection.client.bulk.previewSpread({ workspaceId, campaignIds: ids }),
  );
  if (found === null || store.getState().workspaceId !== account) return;
  const { title, text, keep, button } = spreadTexts.ask(found.moved, found.campaigns, found.dailyBudget, found.left);
  const run = () => void applySpread(app, ids);
  store.getState().show({ name: 'confirm', isHarmless: true, title, text, keep, button, run });
}

/** Spreads as one step, and shows the first new campaign. */
async function applySpread(app: AppContext, campaignIds: RowId[] | null): Promise<void> {
  const { connection, store, toasts } = app;
  const { workspaceId: account } = store.getState();
  const done = await runEdit(app, (workspaceId) => connection.client.bulk.spreadKeywords({ workspaceId, campaignIds }));
  if (done === null) return;
  toasts.tell(spreadTexts.done(done.moved, done.campaigns, done.paused, done.left));
  // In another account, which may be open by now, this number is another campaign.
  if (store.getState().workspaceId === account)
    store.getState().reveal('campaign', done.campaignId, done.campaignId, 'name');
}
