import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRouterClient, safe } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { createMemorySecretBox } from '../../main/accounts/memory-secret-box.ts';
import { systemClock } from '../../main/clock.ts';
import { createCore } from '../../main/core.ts';
import type { Client } from '../../main/host/cli/command.ts';

test('what a newer Adslate has written is exported as a sheet and as an archive, and refuses edits', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'adslate-out-'));
  const start = () =>
    createCore({
      dataDir,
      host: 'cli',
      clock: systemClock,
      preferences: createFilePreferences(dataDir),
      secrets: createMemorySecretBox(),
    });
  let core = await start();
  onTestFinished(async () => {
    await core.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  let client: Client = createRouterClient(core.router);
  const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
  const values = { name: 'Towels', campaignType: 'sba' };
  const campaign = { kind: 'campaign' as const, parent: null, values };
  await client.workspace.create({ workspaceId, label: 'New campaign', rows: [campaign] });
  await core.close();
  const newer = new DatabaseSync(join(dataDir, 'workspaces', workspaceId, 'workspace.db'));
  newer.exec('CREATE TABLE future(x); PRAGMA user_version = 999');
  newer.close();

  core = await start();
  client = createRouterClient(core.router);
  expect(await client.exchange.export({ workspaceId, format: 'csv' })).toMatchObject({ rows: 1 });
  expect(await client.exchange.export({ workspaceId, format: 'archive' })).toMatchObject({ rows: 1 });
  const refused = await safe(client.workspace.create({ workspaceId, label: 'Another', rows: [campaign] }));
  expect(refused.error).toMatchObject({ code: 'NOT_WRITABLE', data: { why: 'newer-schema' } });
});
