import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import type { Client } from '../../main/hosts/cli/command.ts';
import { testFolder } from '../folder.ts';
import { aPng } from '../media/builders.ts';
import { copyAccount } from '../prepared-account.ts';
import { done } from '../store/a-workspace.ts';
import { onlyAccount, startCore } from './a-core.ts';

test('all checks pass on a sound account, are kept, and name what is damaged', async () => {
  const dataDir = join(testFolder('safety'), 'data');
  copyAccount(dataDir);
  const core = await startCore(dataDir);
  try {
    const client: Client = createRouterClient(core.router);
    const workspaceId = await onlyAccount(client);
    const at = { workspaceId };
    expect(await client.backups.safety(at)).toMatchObject({ checked: null, unsent: 0, unresolved: 0 });
    const file = join(dataDir, 'logo.png');
    writeFileSync(file, aPng(100, 100));
    const { grant } = done(await core.grants.grantPath(file));
    await client.media.add({ ...at, grants: [grant] });
    // Anything that was sent has its intent in the journal.
    await client.sync.refresh(at);

    const sound = await client.backups.check(at);
    expect(sound.lastChange).toMatchObject({ label: 'Add a file' });
    expect(sound.lastBackup).toMatchObject({ reason: 'timed', bytes: expect.any(Number) });
    expect(sound.checked?.checks.map(({ check, ok, count }) => [check, ok, count > 0 || check === 'rows'])).toEqual([
      ['rows', true, true],
      ['backup', true, true],
      ['journal', true, expect.any(Boolean)],
      ['media', true, true],
    ]);
    expect((await client.backups.safety(at)).checked).toEqual(sound.checked);

    const folder = join(dataDir, 'workspaces', workspaceId);
    const [kept = ''] = readdirSync(join(folder, 'media'));
    writeFileSync(join(folder, 'media', kept), 'other bytes');
    appendFileSync(join(folder, 'sync.journal'), '00000000 {"t":"intent"}\n');
    const damaged = await client.backups.check(at);
    expect(damaged.checked?.checks.filter(({ ok }) => !ok).map(({ check, found }) => [check, found])).toEqual([
      ['journal', [expect.stringMatching(/^1 of \d+ entries$/)]],
      ['media', ['logo.png: damaged']],
    ]);
  } finally {
    await core.close();
  }
});
