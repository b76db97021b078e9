import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAndPlan, loadPlanScope, runSync } from '../../main/sync/run.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { Plan } from '../../shared/plan/plan-types.ts';
import { autoDraft, sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { aContext } from './simulator/a-context.ts';
import { createModelService } from './simulator/model-service.ts';
import { createModelStore } from './simulator/model-store.ts';
import { PROFILE } from './simulator/real-store.ts';
import { seeded, virtualClock } from './simulator/seeded.ts';
import { createSimulatedAccount } from './simulator/simulated-account.ts';

/** One plan per sync: what was shown is what is asked about and sent, as long as nothing it depends on has changed. */
let sandbox: RunningSandbox;
let account: TestAccount;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual' });
  account = await openAccount({ sandbox });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

const ALL = { submit: false, campaignIds: null } as const;

async function draft(): Promise<RowId> {
  const made = await account.workspace.apply({ label: 'draft', source: 'user', creates: autoDraft() });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const [campaign] = made.value.touched;
  if (campaign === undefined) throw new Error('no campaign');
  return campaign.id;
}
async function show(options: { readonly submit: boolean; readonly campaignIds: null } = ALL): Promise<Plan> {
  const { planId } = await account.sync.plan(options);
  const shown = account.sync.shownPlan(planId);
  if (shown === null) throw new Error('no plan');
  return shown.plan;
}
const toSend = async (options: { readonly submit: boolean; readonly campaignIds: null } = ALL): Promise<Plan> =>
  (await account.sync.planToSend(options)).plan;

test('the question before a large sync reads the plan that was shown', async () => {
  await draft();
  const shown = await show();
  expect(await toSend()).toBe(shown);
  expect(await toSend()).toBe(shown);
});

test('an edit, another wish, and what the service has done since have it planned again', async () => {
  const id = await draft();
  const shown = await show();
  const other = await toSend({ ...ALL, submit: true });
  expect(other).not.toBe(shown);
  const renamed = [{ kind: 'campaign', id, field: 'name', value: 'Renamed since' }] as const;
  await account.workspace.apply({ label: 'rename', source: 'user', updates: renamed });
  const again = await toSend();
  expect(again).not.toBe(shown);
  expect(again.batches[0]?.elements[0]?.sent['name']).toBe('Renamed since');

  const before = await show();
  await account.run();
  expect(await toSend()).not.toBe(before);
  expect((await toSend()).batches).toEqual([]);
});

test('a run sends the plan that was shown, and makes none', async () => {
  const clock = virtualClock();
  const random = seeded(1);
  const store = createModelStore(PROFILE);
  const service = createModelService(random, clock);
  store.setNow(clock.nowMs());
  store.apply({ label: 'draft', source: 'user', creates: sbaDraft(null) });
  const { ports } = createSimulatedAccount(service, clock, store, random).process(null);
  const { epoch } = await ports.outbox.takeOver();
  const preview = aContext(ports, { epoch });
  const shown = await loadAndPlan(preview, await loadPlanScope(preview, null));
  expect(shown.elements).toBeGreaterThan(3);

  let planned = 0;
  const ctx = aContext(
    {
      ...ports,
      unchangedPlan: () => shown,
      runInSlices: (work) => {
        planned++;
        return ports.runInSlices(work);
      },
    },
    { epoch },
  );
  await runSync(ctx);
  expect(planned).toBe(0);
  expect(ctx.state.tally.done).toBe(shown.elements);
});
