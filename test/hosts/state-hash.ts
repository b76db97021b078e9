import { createHash } from 'node:crypto';
import { createRouterClient } from '@orpc/server';
import type { Core } from '../../main/app/core.ts';
import { KINDS } from '../../shared/model/kinds.ts';

/**
 * A hash of all that an account holds: its rows of every kind, its revision and what waits in it, beside accounts and
 * preferences. Asked through the contract: who reads the database's file in its own process gives its lock away.
 */
export async function stateHash(core: Core, workspaceId: string): Promise<string> {
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
