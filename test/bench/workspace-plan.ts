import type { OpenDb } from '../../main/store/db/open-db.ts';
import type { Workspace } from '../../main/store/store.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { planInput } from '../shared/builders.ts';
import { median, repeated, said } from './figure.ts';

/** Elements a request takes, as the plan cuts its batches. */
const BATCH = 50;

/**
 * Bar 15: the plan of everything that is changed, from the rows on disk to the bodies of all batches; the peer cuts and
 * writes the same bodies in SQL.
 */
export async function benchPlan(workspace: Workspace, floor: OpenDb, changed: number): Promise<boolean> {
  const mine = await repeated(3, async () => {
    const trees = await workspace.readTrees('changed');
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
