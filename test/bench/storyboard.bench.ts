import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { THREADS } from '../../main/core/core-options.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { startCore } from '../core/a-core.ts';
import { said, timed } from './figure.ts';

/** A page with fifty campaigns of the sample account: `node test/bench/storyboard.bench.ts`. */
const folder = await mkdtemp(join(tmpdir(), 'adslate-storyboard-'));
const core = await startCore(folder, { threads: THREADS });
try {
  const client: Client = createRouterClient(core.router);
  const { workspaceId } = await client.accounts.addSample({ name: 'Sample' });
  const campaigns = async () => {
    const window = { from: 0, count: 50 };
    return (await client.workspace.openView({ workspaceId, view: { kind: 'campaign' }, window })).rows.map(
      ({ id }) => id,
    );
  };
  while ((await campaigns()).length < 50) {
    const scope = { rows: [{ kind: 'campaign' as const, ids: await campaigns() }] };
    await client.bulk.apply({
      workspaceId,
      scope,
      tool: { tool: 'duplicate' },
      label: 'Copies',
      taskId: crypto.randomUUID(),
    });
  }
  const campaignIds = await campaigns();
  const ms = await timed(() => client.storyboard.export({ workspaceId, campaignIds, money: true }));
  if (!said('storyboard of 50 campaigns', ms, 'ms', { bar: 15_000 })) process.exitCode = 1;
} finally {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
}
