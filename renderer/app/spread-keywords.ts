import { SPREAD_MAX } from '../../shared/api/limits.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { runAction, runEdit } from './actions.ts';
import type { AppContext } from './app-context.ts';
import { countText, plural } from './locale/numbers.ts';
import { readWhole } from './pages.ts';

export const spreadTexts = {
  spread: 'Spread into a new campaign',
  done: (moved: number, campaigns: number, paused: number) => {
    const where = campaigns === 1 ? 'a new campaign' : `${countText(campaigns)} new campaigns`;
    const here = paused === 0 ? '' : `, ${countText(paused)} paused here`;
    return `${plural(moved, 'keyword')} moved to ${where}${here}. Press Ctrl+Z to undo.`;
  },
} as const;

/** The rule for more keywords than an ad group can have. Spreading them solves it. */
export const FULL_RULE = 'keyword.too-many';

/** Divides the keywords of full campaigns over them and new ones, as one step, and shows the first new campaign. */
export async function spreadKeywords(app: AppContext, campaignIds: readonly number[]): Promise<void> {
  const { connection, store, toasts } = app;
  const ids = campaignIds.slice(0, SPREAD_MAX).map(asRowId);
  if (ids.length === 0) return;
  const done = await runEdit(app, (workspaceId) =>
    connection.client.bulk.spreadKeywords({ workspaceId, campaignIds: ids }),
  );
  if (done === null) return;
  toasts.tell(spreadTexts.done(done.moved, done.campaigns, done.paused));
  store.getState().reveal('campaign', done.campaignId, done.campaignId, 'name');
}

/** Most issues read to find their campaigns. The issues of further campaigns stay in the list, with the same button. */
const READ_MAX = 10_000;

/** Spreads the keywords of every campaign that has more than its ad group can have. */
export async function spreadFullCampaigns(app: AppContext): Promise<void> {
  const { workspace } = app.connection.client;
  const issues = await runAction(app, (workspaceId) =>
    readWhole(
      (from, count) => workspace.issues({ workspaceId, from, count, campaignId: null, rule: FULL_RULE }),
      (page) => page.issues,
      READ_MAX,
    ),
  );
  const ids = new Set((issues ?? []).flatMap(({ campaignId }) => campaignId ?? []));
  await spreadKeywords(app, [...ids]);
}
