import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { onTestFinished } from 'vitest';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { createMemorySecretBox } from '../../main/accounts/memory-secret-box.ts';
import { systemClock } from '../../main/clock.ts';
import { createCore } from '../../main/core.ts';
import type { CoreOptions } from '../../main/core-types.ts';
import type { Client } from '../../main/host/cli/command.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';

/** The program with one practice account, in a folder of its own; `reopen` is what a restart does. */
export async function aCoreWithPractice(more: Pick<CoreOptions, 'freeBytes'> = {}): Promise<{
  readonly workspaceId: WorkspaceId;
  client(): Client;
  reopen(): Promise<void>;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), 'adslate-core-'));
  const start = () =>
    createCore({
      dataDir,
      host: 'cli',
      clock: systemClock,
      preferences: createFilePreferences(dataDir),
      secrets: createMemorySecretBox(),
      ...more,
    });
  let core = await start();
  let client: Client = createRouterClient(core.router);
  onTestFinished(async () => {
    await core.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
  return {
    workspaceId,
    client: () => client,
    reopen: async () => {
      await core.close();
      core = await start();
      client = createRouterClient(core.router);
    },
  };
}
