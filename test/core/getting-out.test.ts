import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { safe } from '@orpc/server';
import { expect, test } from 'vitest';
import { aCoreWithPractice } from './a-core.ts';

test('what a newer Adslate has written is exported as a sheet and as an archive, and refuses edits', async () => {
  const { dataDir, workspaceId, client, reopen } = await aCoreWithPractice();
  const values = { name: 'Towels', campaignType: 'sba' };
  const campaign = { kind: 'campaign' as const, parent: null, values };
  await client().workspace.create({ workspaceId, label: 'New campaign', rows: [campaign] });
  await reopen(() => {
    const newer = new DatabaseSync(join(dataDir, 'workspaces', workspaceId, 'workspace.db'));
    newer.exec('CREATE TABLE future(x); PRAGMA user_version = 999');
    newer.close();
  });
  const { exchange, workspace } = client();
  expect(await exchange.export({ workspaceId, format: 'csv' })).toMatchObject({ rows: 1 });
  expect(await exchange.export({ workspaceId, format: 'archive' })).toMatchObject({ rows: 1 });
  const refused = await safe(workspace.create({ workspaceId, label: 'Another', rows: [campaign] }));
  expect(refused.error).toMatchObject({ code: 'NOT_WRITABLE', data: { why: 'newer-schema' } });
});
