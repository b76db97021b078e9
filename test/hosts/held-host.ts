import { createHash } from 'node:crypto';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Core } from '../../main/core/core.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { aHostOfShop, signedIn, type WebHost } from './a-web-host.ts';
import { prepare } from './prepared.ts';

/**
 * A hash of all that an account holds: its rows of every kind, its revision and what waits in it, beside accounts and
 * preferences. Asked through the contract: who reads the database's file in its own process gives its lock away.
 */
async function stateHash(core: Core, workspaceId: string): Promise<string> {
  const client = createRouterClient(core.router);
  const parts: unknown[] = [
    await client.accounts.list(),
    await client.app.preferences.get(),
    await client.workspace.summary({ workspaceId }),
    await client.sync.questions({ workspaceId }),
  ];
  for (const kind of KINDS) {
    const { viewId } = await client.workspace.openView({ workspaceId, view: { kind } });
    parts.push((await client.workspace.readWindow({ workspaceId, viewId, from: 0, count: 200 })).rows);
    await client.workspace.closeView({ workspaceId, viewId });
  }
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** A running host with a page that is signed in and an account that nothing may change. */
export interface HeldHost {
  readonly host: WebHost;
  /** Its name and port, as in a `Host` header. */
  readonly own: string;
  readonly secrets: { readonly cookie: string; readonly token: string };
}

/** Gives the tests of a file one host, and holds its account after all of them to the state that it had before. */
export function onHeldHost(tell: (held: HeldHost) => void): void {
  let host: WebHost;
  let workspaceId: string;
  let before: string;
  beforeAll(async () => {
    host = await aHostOfShop();
    const secrets = await signedIn(host);
    const prepared = await prepare(host.core, 'held');
    workspaceId = prepared.workspaceId;
    const first = await stateHash(host.core, workspaceId);
    const changes = [{ kind: 'campaign' as const, id: prepared.campaign, field: 'name', value: 'Winter' }];
    await createRouterClient(host.core.router).workspace.edit({ workspaceId, label: 'Name', changes });
    before = await stateHash(host.core, workspaceId);
    expect(before, 'a change is noticed').not.toBe(first);
    tell({ host, own: `127.0.0.1:${host.server.port}`, secrets });
  });
  afterAll(async () => {
    try {
      expect(await stateHash(host.core, workspaceId), 'the account is as it was').toBe(before);
    } finally {
      await host.close();
    }
  });
}
