import { expect, test } from 'vitest';
import { previewRollback } from '../../main/sync/rollback.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { aWorkspace, create, edit } from '../store/a-workspace.ts';

test('every listed change of a sync of hundreds of campaigns has the name of its campaign', async () => {
  const workspace = await aWorkspace();
  const { outbox } = workspace;
  const names = Array.from({ length: 250 }, (_, at) => `Campaign ${at}`);
  const { touched } = await edit(workspace, {
    creates: names.map((name) => create('campaign', null, { name, dailyBudget: 2000 })),
  });
  const { epoch } = await outbox.takeOwnership();
  await outbox.noteRun({ runId: 'run' });
  const intent = await outbox.saveIntent({
    epoch,
    batch: {
      kind: 'campaign',
      verb: 'update',
      method: 'PUT',
      path: '/api/v1/campaigns',
      campaignId: null,
      adGroupId: null,
      attempt: 1,
      correlationId: 'c',
      body: '[]',
      preImage: null,
      ops: touched.map(({ id }) => ({
        kind: 'campaign',
        rowId: id,
        sent: { dailyBudget: 2000 },
        base: { dailyBudget: 1000 },
      })),
    },
  });
  if (intent.kind !== 'ok') throw new Error(intent.kind);
  const elements = touched.map((_, at) => {
    return { is: 'done', remoteId: String(77_000 + at) as RemoteId, serviceFields: {} } as const;
  });
  const settlement = { is: 'elements', elements } as const;
  await outbox.recordOutcome({ epoch, batchId: intent.batchId, class: 'ELEMENTS', settlement });
  const preview = await previewRollback(workspace, 'run', WITH_EXTENSIONS);
  expect(preview?.changes).toBe(250);
  expect(preview?.firstChanges.map(({ campaign }) => campaign)).toEqual(names.toReversed().slice(0, 200));
});
