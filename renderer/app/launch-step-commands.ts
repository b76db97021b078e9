import type { Launch, LaunchFix } from '../../shared/api/campaigns.ts';
import { unreachable } from '../../shared/result.ts';
import { readWhole } from '../data/paged-list.ts';
import { launches } from '../data/queries.ts';
import { en } from '../texts/en.ts';
import { enSteps } from '../texts/en-steps.ts';
import { errorText } from '../texts/errors.ts';
import type { AppContext } from './app-context.ts';

/** So many campaigns are mended by one click; of more, those that come first. */
const CAMPAIGNS_MAX = 1000;

/** Ends a missing step of a campaign at once where that asks for no choice, and leads to its place otherwise. */
export async function runLaunchStep(desk: AppContext, launch: Launch, fix: LaunchFix): Promise<void> {
  const { campaignId } = launch;
  const { actions, store } = desk;
  switch (fix.way) {
    case 'create':
      await addGroups(desk, [launch]);
      return;
    case 'add': {
      // What is added hangs from the group, so that comes first.
      const lacksGroup = launch.missing.some(({ step }) => step === 'ad-group');
      if (lacksGroup && !(await addGroups(desk, [launch]))) return;
      const { goTo, show } = store.getState();
      goTo({ kind: fix.kind, campaignId });
      show({ name: 'add-rows' });
      return;
    }
    case 'go':
      store.getState().reveal(fix.kind, campaignId, fix.id, fix.field);
      return;
    case 'sync':
      store.getState().show({ name: 'sync', campaignIds: [campaignId] });
      return;
    case 'submit':
      await actions.review('submit', [campaignId]);
      return;
    case 'write': {
      const { id, values } = fix;
      const label = values.endDate === undefined ? enSteps.enabled : enSteps.extended;
      const changes = Object.entries(values).map(([field, value]) => ({
        kind: 'campaign' as const,
        id,
        field,
        value: value ?? null,
      }));
      // What is sent is shown before it goes.
      if ((await actions.edit(label, changes)) !== null)
        store.getState().show({ name: 'sync', campaignIds: [campaignId] });
      return;
    }
    case 'outside':
      return;
    case 'look':
      await (fix.at === 'reviews' ? actions.pollReviews() : actions.refreshAll());
      return;
    default:
      unreachable(fix);
  }
}

/** Fixes that are the same for every campaign and leave the last word to an undo or to the plan of a sync. */
export type FixForAll = Extract<LaunchFix, { way: 'create' | 'sync' | 'submit' }>;
export const isForAll = (fix: LaunchFix): fix is FixForAll =>
  fix.way === 'create' || fix.way === 'sync' || fix.way === 'submit';

/** Does the same for every campaign whose next step it is: new ad groups as one step of the history, the rest as one plan. */
export async function fixAllSteps(desk: AppContext, workspaceId: string, { way }: FixForAll): Promise<void> {
  const { connection, notes, store } = desk;
  const isNext = ({ missing }: Launch): boolean => missing[0]?.fix.way === way;
  try {
    const same = await readWhole(connection.client, launches(workspaceId), isNext, CAMPAIGNS_MAX);
    if (same.length === 0) return;
    if (way === 'create') await addGroups(desk, same);
    else store.getState().show({ name: 'sync', campaignIds: same.map(({ campaignId }) => campaignId) });
  } catch (error) {
    notes.fail(errorText(error));
  }
}

/** One enabled group for each campaign, named after it. */
async function addGroups(desk: AppContext, campaigns: readonly Launch[]): Promise<boolean> {
  const rows = campaigns.map(({ campaignId, name }) => ({
    kind: 'adGroup' as const,
    parent: { id: campaignId },
    values: { name: en.create.groupName(name), status: 'enabled' },
  }));
  const created = await desk.actions.create(enSteps.groups(rows.length), rows);
  if (created !== null) desk.notes.tell(enSteps.groupsAdded(rows.length));
  return created !== null;
}
