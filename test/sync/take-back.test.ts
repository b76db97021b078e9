import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyRollback, previewRollback } from '../../main/sync/rollback.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { autoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';

/** A sync that was sent by mistake is taken back: looked at, put into the drafts, and sent like any edit. */
let sandbox: RunningSandbox;
let account: TestAccount;
let items: readonly RowId[];

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  account = await openAccount({ sandbox });
  const ids = await account.create(autoDraft());
  items = ids.slice(2, 4);
  await account.run();
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

const bidOf = async (id: RowId | undefined): Promise<unknown> => {
  const row = id === undefined ? null : await account.workspace.readRow({ kind: 'adItem', id });
  return row?.kind === 'adItem' ? row.values.bid : null;
};
async function lastRun(): Promise<string> {
  const [run] = await account.workspace.outbox.sentRuns();
  if (run === undefined) throw new Error('no run');
  return run.runId;
}

test('earlier values come back as one step that can be looked at, undone, and sent', async () => {
  const [first, second] = items;
  if (first === undefined || second === undefined) throw new Error('no items');
  await account.edit('adItem', first, { bid: 999 });
  await account.edit('adItem', second, { bid: 888 });
  await account.run();
  // Nothing to send: such a run is none that could be taken back.
  await account.run();
  const runId = await lastRun();
  // One of the two has been changed again meanwhile, so it stays.
  await account.edit('adItem', second, { bid: 200 });

  const preview = await previewRollback(account.workspace, runId, DOCUMENTED_ONLY);
  expect(preview).toMatchObject({
    run: { elements: 2 },
    firstChanges: [{ id: first, field: 'bid', now: 999, back: 160, campaign: 'Rolls auto' }],
    forGood: 0,
    firstChangedSince: [{ id: second, sent: 888, now: 200 }],
  });
  expect(await applyRollback(account.workspace, runId, DOCUMENTED_ONLY)).toMatchObject({ value: { cells: 1 } });
  expect([await bidOf(first), await bidOf(second)]).toEqual([160, 200]);
  await account.workspace.undo();
  expect(await bidOf(first)).toBe(999);
  await account.workspace.redo();
  expect(await account.run()).toMatchObject({ done: 2, refused: [] });
  await account.sync.refresh();
  expect([await bidOf(first), await bidOf(second)]).toEqual([160, 200]);
});

test('what was created is switched off, and what stays for good is named before anything is done', async () => {
  const preview = await previewRollback(account.workspace, await lastRun(), DOCUMENTED_ONLY);
  expect(preview?.firstChanges.map(({ kind, field, back }) => `${kind} ${field} ${back}`)).toEqual([
    'adItem status disabled',
    'adItem status disabled',
  ]);
  expect(preview?.firstForGood.map(({ kind, why }) => `${kind} ${why}`)).toEqual([
    'campaign created-for-good',
    'adGroup created-for-good',
    'placementMultiplier created-for-good',
    'platformMultiplier created-for-good',
  ]);
  expect(await applyRollback(account.workspace, await lastRun(), DOCUMENTED_ONLY)).toMatchObject({ ok: true });
  expect(await account.run()).toMatchObject({ done: 2, refused: [] });
});

test('a run nobody knows is none, and one that was taken back has nothing left', async () => {
  expect(await previewRollback(account.workspace, 'nothing', DOCUMENTED_ONLY)).toBeNull();
  expect(await applyRollback(account.workspace, 'nothing', DOCUMENTED_ONLY)).toEqual({ ok: false, error: 'no-run' });
  const runId = await lastRun();
  await applyRollback(account.workspace, runId, DOCUMENTED_ONLY);
  expect(await applyRollback(account.workspace, runId, DOCUMENTED_ONLY)).toEqual({ ok: false, error: 'nothing-to-do' });
});
