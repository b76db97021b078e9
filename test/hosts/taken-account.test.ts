import { expect, test } from 'vitest';
import { workspaceFile } from '../../main/accounts/account-record.ts';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { takeLock } from '../../main/store/lock.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { done } from '../store/a-workspace.ts';
import { aHostOfShop } from './a-web-host.ts';
import { CALLS } from './calls.ts';
import { callAt, type Outcome } from './lines.ts';
import { prepare } from './prepared.ts';

/** What needs no workspace, or is refused for another reason before it is opened. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'accounts.rename': 'answered',
  'accounts.setMode': 'answered',
  'accounts.setProfile': 'BAD_PROFILE',
  'backups.list': 'answered',
  'backups.preview': 'NO_BACKUP',
  'backups.restore': 'NO_BACKUP',
};

test('an account that another program has open is refused by every operation with an error of its list', async () => {
  const host = await aHostOfShop();
  const facts = await prepare(host.core, 'nobody');
  const workspaceId = asWorkspaceId(facts.workspaceId);
  await host.core.open.close(workspaceId);
  const lock = done(takeLock(workspaceFile(host.dataDir, workspaceId), 0));

  const { client } = createDispatch(host.core.router, () => {});
  const calls = CALLS.map(({ path, input }) => ({ path, input: input(facts) })).filter(
    ({ input }) => Reflect.get(Object(input), 'workspaceId') === workspaceId,
  );
  expect(calls.length).toBeGreaterThan(100);
  const outcomes = await Promise.all(calls.map(({ path, input }) => callAt(client, path, input)));
  const said = calls.map(({ path }, at) => [path, wordFor(outcomes[at])]);
  expect(said).toEqual(calls.map(({ path }) => [path, OTHERWISE[path] ?? 'busy-elsewhere']));

  lock.release();
  expect(await callAt(client, 'workspace.summary', { workspaceId })).toHaveProperty('answer');
  await host.close();
});

function wordFor(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'not called';
  if ('answer' in outcome) return 'answered';
  if (!outcome.declared) return `${outcome.code}, which is not declared`;
  return outcome.code === 'NOT_WRITABLE' ? String(Reflect.get(Object(outcome.data), 'why')) : outcome.code;
}
