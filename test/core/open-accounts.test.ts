import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workspaceFile } from '../../main/accounts/account-record.ts';
import { takeLock } from '../../main/store/lock.ts';
import { runs } from '../share.ts';
import { aCoreWithPractice } from './a-core.ts';

/** What windows do at the same moment: a new profile closes the account, a backup is put in its place. */
type Move = 'look' | 'new profile' | 'restore';
const moves = fc.array(
  fc.record({
    what: fc.constantFrom<Move>('look', 'look', 'look', 'new profile', 'new profile', 'restore'),
    /** After the move before it: a closing takes some ten milliseconds, an opening some hundred. */
    afterMs: fc.constantFrom(0, 0, 1, 10, 60),
  }),
  { minLength: 2, maxLength: 8 },
);

test('an account that is closed and asked for at once is opened again, and its lock is given back at last', async () => {
  const { client, dataDir, workspaceId, reopen } = await aCoreWithPractice();
  const campaign = { kind: 'campaign', parent: null, values: { name: 'Autumn' } } as const;
  await client().workspace.create({ workspaceId, label: 'New', rows: [campaign] });
  const { backupId } = await client().backups.make({ workspaceId });
  const doing: Readonly<Record<Move, () => Promise<unknown>>> = {
    look: () => client().workspace.summary({ workspaceId }),
    'new profile': () => client().accounts.setProfile({ workspaceId, text: '' }),
    restore: () => client().backups.restore({ workspaceId, backupId }),
  };
  await fc.assert(
    fc.asyncProperty(moves, async (planned) => {
      const under: Promise<unknown>[] = [];
      for (const { what, afterMs } of planned) {
        await sleep(afterMs);
        under.push(doing[what]());
      }
      await Promise.all(under);
      expect((await client().workspace.changes({ workspaceId, from: 0, count: 10 })).total).toBe(1);
    }),
    { numRuns: runs(15, 5) },
  );
  await reopen(() => {
    const lock = takeLock(workspaceFile(dataDir, workspaceId), 0);
    if (!lock.ok) throw new Error(`The account is closed, but its workspace is ${lock.error.detail}.`);
    lock.value.release();
  });
});
