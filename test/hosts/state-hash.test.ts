import { expect, test } from 'vitest';
import { createDispatch } from '../../main/host/dispatch/dispatch.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { aWebHost } from './a-web-host.ts';
import { prepare } from './prepared.ts';
import { stateHash } from './state-hash.ts';

test('the hash that every case is held to notices a change', async () => {
  const other = await aWebHost();
  const facts = await prepare(other.core, 'other');
  const first = await stateHash(other.core, facts.workspaceId);
  const client = createDispatch(other.core.router, () => {}).client;
  const change = { kind: 'campaign' as const, id: facts.campaign, field: 'name', value: 'Winter' };
  await client.workspace.edit({ workspaceId: asWorkspaceId(facts.workspaceId), label: 'Name', changes: [change] });
  expect(await stateHash(other.core, facts.workspaceId)).not.toBe(first);
  await other.close();
});
