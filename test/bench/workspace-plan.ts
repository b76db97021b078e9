import { runInSlices } from '../../main/app/long-task.ts';
import type { OpenDb } from '../../main/store/db/open-db.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import { createPlanPreview } from '../../main/sync/plan-preview.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { planInput } from '../shared/builders.ts';
import { median, repeated, said, timed } from './figure.ts';

/** Elements a request takes, as the plan cuts its batches. */
const BATCH = 50;

/**
 * Bar 15: the plan of everything that is changed, from the rows on disk to the bodies of all batches; the peer cuts and
 * writes the same bodies in SQL.
 */
export async function benchPlan(workspace: Workspace, floor: OpenDb, changed: number): Promise<boolean> {
  const mine = await repeated(3, async () => {
    const trees = await workspace.readTrees(await workspace.campaignIds('changed'));
    const plan = planChanges(planInput(trees, { capabilities: WITH_EXTENSIONS }));
    if (plan.batches.length === 0) throw new Error('nothing was planned');
  });
  const raw = await repeated(3, () =>
    floor.all(
      `SELECT ad_group_id, json_group_array(json_object('keywordId', remote_id, 'bid', bid, 'state', state)) FROM (
         SELECT *, (row_number() OVER (PARTITION BY ad_group_id ORDER BY id) - 1) / ${BATCH} AS batch
         FROM keyword ORDER BY id LIMIT ${changed}) GROUP BY ad_group_id, batch`,
    ),
  );
  return said(`15 plan of ${changed} changed rows, read and cut into batches`, median(mine), 'ms', {
    bar: 3000,
    peer: 'the same bodies in SQL',
    peerValue: median(raw),
    ratioBar: 3,
  });
}

/** The sync plan as a page shows it: made for the first time, and again when the check box of one campaign is cleared. */
export async function benchPlanPage(workspace: Workspace, changed: number): Promise<boolean[]> {
  const preview = createPlanPreview({
    workspace,
    profile: defaultDeploymentSettings('shop.example'),
    advertiserId: '1',
    capabilities: async () => WITH_EXTENSIONS,
    today: async () => '2030-01-01',
    runInSlices,
  });
  const [campaign] = await workspace.campaignIds('changed');
  if (campaign === undefined) throw new Error('nothing has changed');
  const box = { campaignId: campaign, kind: null, id: null, on: false };
  const wish = { submit: true, campaignIds: null };
  const first = await timed(() => preview.plan({ ...wish, chosen: null }));
  const cleared = await timed(() => preview.plan({ ...wish, chosen: { rows: [], below: false, picks: [box] } }));
  return [
    said(`15 sync plan of ${changed} changed rows, as its page shows it`, first, 'ms', { bar: 5000 }),
    said('15 the same with one check box cleared', cleared, 'ms', { bar: 500 }),
  ];
}
