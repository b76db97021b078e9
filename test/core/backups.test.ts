import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createRouterClient, safe } from '@orpc/server';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupsToDelete, type StoredBackup } from '../../main/accounts/backup-folder.ts';
import { createAccountRegistry } from '../../main/accounts/registry.ts';
import type { Core } from '../../main/core/core.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { BACKUP_REASONS } from '../../shared/api/backups.ts';
import { asWorkspaceId, type WorkspaceId } from '../../shared/model/scalars.ts';
import { copyAccount } from '../prepared-account.ts';
import { SEED } from '../share.ts';
import { aClock, aFolder, at, done, type TestClock } from '../store/a-workspace.ts';
import { addRows, onlyAccount, startCore } from './a-core.ts';

describe('backups', () => {
  let folder: string;
  let clock: TestClock;
  let core: Core;
  let client: Client;
  let id: WorkspaceId;

  const start = async (dataDir: string): Promise<void> => {
    core = await startCore(dataDir, { clock });
    client = createRouterClient(core.router);
  };
  const data = () => join(folder, 'data');
  const home = () => join(data(), 'workspaces', id);
  const database = () => join(home(), 'workspace.db');
  const campaign = (name: string) =>
    addRows(client, id, `Create ${name}`, [{ kind: 'campaign', parent: null, values: { name } }]);
  const names = async (): Promise<readonly string[]> => {
    const view = await client.workspace.openView({ workspaceId: id, view: { kind: 'campaign' } });
    const { rows } = await client.workspace.readWindow({ workspaceId: id, viewId: view.viewId, from: 0, count: 100 });
    return rows.map((row) => row.campaignName).toSorted();
  };
  const codeOf = async (call: Promise<unknown>): Promise<string> => {
    const { error } = await safe(call);
    return error !== null && 'code' in error ? String(error.code) : 'no error';
  };
  const account = async () => {
    const opened = done(await core.open.get(id));
    return opened;
  };
  /** Overwrites the pages in the middle of the file, where rows are, while nobody has it open. */
  const damage = async (): Promise<void> => {
    const bytes = await readFile(database());
    bytes.fill(0xa5, 100, bytes.length);
    await writeFile(database(), bytes);
  };

  beforeEach(async () => {
    folder = aFolder();
    clock = aClock();
    copyAccount(data());
    await start(data());
    id = await onlyAccount(client);
  });
  afterEach(() => core.close());

  describe('backups by themselves', () => {
    test('every five minutes of work give one, and idle hours give none', async () => {
      await campaign('One');
      const { backupScheduler } = (await account()).safety;
      await backupScheduler.tick();
      expect(await client.backups.list({ workspaceId: id })).toEqual([]);
      clock.moveMs(5 * 60_000);
      await backupScheduler.tick();
      clock.moveMs(3 * 3_600_000);
      await backupScheduler.tick();
      expect(await client.backups.list({ workspaceId: id })).toMatchObject([{ reason: 'timed' }]);
      await campaign('Two');
      clock.moveMs(5 * 60_000);
      await backupScheduler.tick();
      expect(await client.backups.list({ workspaceId: id })).toHaveLength(2);
    });
    test('one that is due while the account is being closed is left out, without a failure', async () => {
      await campaign('One');
      const { safety, workspace } = await account();
      clock.moveMs(5 * 60_000);
      await workspace.close();
      await safety.backupScheduler.tick();
      expect(await client.backups.list({ workspaceId: id })).toEqual([]);
    });
    test('a sync is preceded by one, unless nothing was edited since the last', async () => {
      await campaign('One');
      const { sync } = await account();
      const run = async () => {
        expect(await safe(client.sync.run({ workspaceId: id, submit: false }))).toMatchObject({ error: null });
        expect(await (await sync()).idle()).toMatchObject({ state: 'finished', requests: 0 });
        return (await client.backups.list({ workspaceId: id })).map(({ reason }) => reason);
      };
      expect(await run()).toEqual(['before-sync']);
      clock.moveMs(1000);
      expect(await run()).toEqual(['before-sync']);
      await campaign('Two');
      expect(await run()).toEqual(['before-sync', 'before-sync']);
    });
    test('a folder of backups that was removed by hand is made again', async () => {
      await client.backups.make({ workspaceId: id });
      await rm(join(home(), 'backups'), { recursive: true });
      clock.moveMs(1000);
      await client.backups.make({ workspaceId: id });
      expect(await client.backups.list({ workspaceId: id })).toHaveLength(1);
    });
    test('a backup that cannot be made is told once, and tried again', async () => {
      await campaign('One');
      const heard: AppEvent[] = [];
      const listening = (async () => {
        for await (const event of await client.app.events()) heard.push(event);
      })();
      await rm(join(home(), 'backups'), { recursive: true, force: true });
      await writeFile(join(home(), 'backups'), 'a file in the place of the folder');
      const { backupScheduler } = (await account()).safety;
      for (let i = 0; i < 2; i++) {
        clock.moveMs(5 * 60_000);
        await backupScheduler.tick();
      }
      await rm(join(home(), 'backups'));
      clock.moveMs(5 * 60_000);
      await backupScheduler.tick();
      expect(await client.backups.list({ workspaceId: id })).toHaveLength(1);
      await core.close();
      await listening;
      expect(heard.filter((event) => event.type === 'notice')).toMatchObject([{ params: { what: 'backup-failed' } }]);
    });
  });

  describe('restoring', () => {
    test('shows first what would change, and then changes exactly that', async () => {
      await campaign('Old');
      const { backupId } = await client.backups.make({ workspaceId: id });
      await campaign('New');
      const preview = await client.backups.preview({ workspaceId: id, backupId });
      expect(preview.kinds.find(({ kind }) => kind === 'campaign')).toMatchObject({
        comingBack: 0,
        going: 1,
        changing: 0,
      });
      expect(preview.examples).toMatchObject([{ kind: 'campaign', label: 'New', what: 'goes' }]);
      await client.workspace.create({
        workspaceId: id,
        label: 'Add a file',
        rows: [{ kind: 'media', parent: null, values: { mediaType: 'logo', fileName: 'logo.png' } }],
      });
      const { examples } = await client.backups.preview({ workspaceId: id, backupId });
      expect(examples).toContainEqual(expect.objectContaining({ kind: 'media', label: 'logo.png', what: 'goes' }));
      const { setAside } = await client.backups.restore({ workspaceId: id, backupId });
      expect(await names()).toEqual(['Old']);
      expect(await readdir(join(home(), setAside))).toContain('workspace.db');
      expect(await client.backups.condition({ workspaceId: id })).toMatchObject({
        writable: true,
        notes: [{ what: 'restored', setAside }],
      });
      // What was there before is a backup, too: restoring can be taken back.
      const [undo] = await client.backups.list({ workspaceId: id });
      expect(undo).toMatchObject({ reason: 'before-restore' });
      await client.backups.restore({ workspaceId: id, backupId: undo?.backupId ?? '' });
      expect(await names()).toEqual(['New', 'Old']);
    });
    test('a backup that was put away read-only comes back as a workspace that can be written', async () => {
      await campaign('Old');
      const { backupId } = await client.backups.make({ workspaceId: id });
      await chmod(join(home(), 'backups', `${backupId}.adslate-backup`), 0o444);
      await client.backups.restore({ workspaceId: id, backupId });
      expect((await stat(database())).mode & 0o777).toBe(0o600);
      await campaign('New');
      expect(await names()).toEqual(['New', 'Old']);
    });
    test('reading a backup leaves nothing beside it, so that one in a folder without write access is read too', async () => {
      await campaign('Old');
      const { backupId } = await client.backups.make({ workspaceId: id });
      await campaign('New');
      await client.backups.preview({ workspaceId: id, backupId });
      await client.backups.restore({ workspaceId: id, backupId });
      const beside = (await readdir(join(home(), 'backups'))).filter((name) => !/backup$|cube$/.test(name));
      expect(beside).toEqual([]);
    });
    test('a backup stays while it is restored, even as the oldest of those that may stay', async () => {
      await campaign('Old');
      const { backupId } = await client.backups.make({ workspaceId: id });
      await campaign('New');
      for (let times = 0; times < 5; times++) {
        clock.moveMs(1000);
        await client.backups.restore({ workspaceId: id, backupId });
      }
      const kept = await client.backups.list({ workspaceId: id });
      const before = kept.filter(({ reason }) => reason === 'before-restore');
      expect(before).toHaveLength(5);
      clock.moveMs(1000);
      await client.backups.restore({ workspaceId: id, backupId: before.at(-1)?.backupId ?? '' });
      expect(await names()).toEqual(['New', 'Old']);
    });
    test('a name that the list does not have is refused, however it is written', async () => {
      for (const backupId of ['nothing', '../../accounts', 'by-hand-2026-05-04T12-00-00-000Z']) {
        expect(await codeOf(client.backups.restore({ workspaceId: id, backupId }))).toBe('NO_BACKUP');
        expect(await codeOf(client.backups.preview({ workspaceId: id, backupId }))).toBe('NO_BACKUP');
      }
    });
  });

  describe('opening what was damaged', () => {
    test('the newest backup takes its place, the file is set aside, and the user is told', async () => {
      await campaign('Saved');
      const { at } = await client.backups.make({ workspaceId: id });
      clock.moveMs(60_000);
      await campaign('Lost');
      await core.close();
      await damage();
      const damaged = await readFile(database());
      await start(data());
      expect(await names()).toEqual(['Saved']);
      const { writable, notes } = await client.backups.condition({ workspaceId: id });
      expect(writable).toBe(true);
      expect(notes).toMatchObject([{ what: 'restored-after-damage', backupAt: at }]);
      const setAside = notes[0]?.setAside ?? '';
      const aside = await readFile(join(home(), setAside, 'workspace.db'));
      expect(aside.equals(damaged)).toBe(true);
      const told = async () => (await client.notifications.list({ workspaceId: id })).map(({ text }) => text);
      await expect
        .poll(told)
        .toContainEqual(expect.stringContaining(` in the account folder, as ${basename(setAside)}.`));
    });
    test('a backup that has rotted is passed over for the one before it', async () => {
      await campaign('First');
      await client.backups.make({ workspaceId: id });
      clock.moveMs(60_000);
      await campaign('Second');
      const { backupId } = await client.backups.make({ workspaceId: id });
      await core.close();
      await writeFile(join(home(), 'backups', `${backupId}.adslate-backup`), 'rotten');
      await damage();
      await start(data());
      expect(await names()).toEqual(['First']);
    });
    test('an empty or missing file of a known account is damage, not a new beginning', async () => {
      await campaign('Kept');
      await client.backups.make({ workspaceId: id });
      await core.close();
      await writeFile(database(), '');
      await start(data());
      expect(await names()).toEqual(['Kept']);
      await core.close();
      await rm(database());
      await start(data());
      expect(await names()).toEqual(['Kept']);
    });
    test('without a backup it is refused and stays as it is, until it is salvaged', async () => {
      for (let i = 0; i < 40; i++) await campaign(`Campaign ${String(i).padStart(2, '0')}`);
      await core.close();
      const bytes = await readFile(database());
      bytes.fill(0xff, bytes.length - 4096, bytes.length);
      await writeFile(database(), bytes);
      await start(data());
      const refused = await safe(client.workspace.summary({ workspaceId: id }));
      expect(refused.error).toMatchObject({ code: 'NOT_WRITABLE' });
      expect((await readFile(database())).equals(bytes)).toBe(true);
      const salvaged = await client.backups.recover({ workspaceId: id });
      expect(salvaged.rows).toBeGreaterThan(0);
      expect(await client.backups.condition({ workspaceId: id })).toMatchObject({ notes: [{ what: 'salvaged' }] });
    });
    test.for([
      ['its first page', 0],
      ['the list of its tables', 100],
    ] as const)('where %s is gone its rows are salvaged from their own pages', async ([, from]) => {
      await campaign('Found');
      await core.close();
      const bytes = await readFile(database());
      bytes.fill(0, from, 4096);
      await writeFile(database(), bytes);
      await start(data());
      expect((await client.backups.recover({ workspaceId: id })).rows).toBeGreaterThan(0);
      expect(await names()).toEqual(['Found']);
    });
    test('where no row is left nothing can be salvaged, and it stays where it is', async () => {
      await campaign('Lost');
      await core.close();
      const bytes = await readFile(database());
      bytes.fill(0, 100);
      await writeFile(database(), bytes);
      await start(data());
      expect(await codeOf(client.backups.recover({ workspaceId: id }))).toBe('NOT_WRITABLE');
      expect((await readFile(database())).equals(bytes)).toBe(true);
      expect(await codeOf(client.workspace.summary({ workspaceId: id }))).toBe('NOT_WRITABLE');
    });
  });

  describe('recognising files', () => {
    test('an older state that was restored by hand is recognised', async () => {
      await campaign('Old');
      await core.close();
      await cp(database(), join(folder, 'old.db'));
      await start(data());
      await campaign('New');
      await core.close();
      await cp(join(folder, 'old.db'), database());
      await start(data());
      expect(await names()).toEqual(['Old']);
      expect(await client.backups.condition({ workspaceId: id })).toMatchObject({ notes: [{ what: 'older-state' }] });
    });
    test('a restored backup of another account is recognised, and one of this account is not', async () => {
      await campaign('One');
      const own = done(await (await account()).safety.backUp('by-hand')).file;
      const { workspaceId: other } = await client.accounts.addPractice({ name: 'Other' });
      const theirs = join(folder, 'theirs');
      await cp(done(await done(await core.open.get(other)).safety.backUp('by-hand')).file, theirs);
      const notes = async (backup: string) => {
        done(await core.backups.restoreFile(id, backup));
        return (await client.backups.condition({ workspaceId: id })).notes.map(({ what }) => what);
      };
      expect(await notes(own)).toEqual(['restored']);
      expect(await notes(theirs)).toEqual(['restored', 'copied']);
      expect(await codeOf(client.sync.run({ workspaceId: id }))).toBe('NOT_WRITABLE');
      await client.accounts.remove({ workspaceId: other });
      expect(await notes(own)).toEqual(['restored', 'other-file']);
      expect(await notes(theirs)).toEqual(['restored', 'other-file']);
    });
    test('a data folder that was moved is itself; one that was copied asks before anything is sent', async () => {
      await campaign('One');
      await core.close();
      await rename(data(), join(folder, 'moved'));
      await start(join(folder, 'moved'));
      expect(await client.backups.condition({ workspaceId: id })).toMatchObject({ notes: [] });
      await core.close();
      await mkdir(data());
      await cp(join(folder, 'moved'), data(), { recursive: true });
      await start(data());
      expect(await client.backups.condition({ workspaceId: id })).toMatchObject({ notes: [{ what: 'copied' }] });
      expect(await codeOf(client.sync.run({ workspaceId: id }))).toBe('NOT_WRITABLE');
      await client.backups.settle({ workspaceId: id, this: 'moved' });
      expect(await codeOf(client.sync.run({ workspaceId: id, submit: false }))).toBe('no error');
      await (await (await account()).sync()).idle();
    });
    test('a copy that is kept for drafting sends nothing by itself', async () => {
      await campaign('One');
      await core.close();
      await cp(data(), join(folder, 'copy'), { recursive: true });
      await start(join(folder, 'copy'));
      await client.backups.settle({ workspaceId: id, this: 'copied' });
      expect(await client.backups.condition({ workspaceId: id })).toMatchObject({ notes: [] });
      expect(await codeOf(client.sync.run({ workspaceId: id }))).toBe('NOT_WRITABLE');
      expect((await client.accounts.list())[0]).toMatchObject({ mode: 'read-only' });
    });
  });

  test('half a dozen workspaces are each on their own', async () => {
    const ids = [id];
    const registry = createAccountRegistry(data());
    const first = at(await registry.list(), 0);
    for (let i = 1; i < 6; i++) {
      const workspaceId = asWorkspaceId(`shop-${i}`);
      await registry.add({ ...first, name: `Shop ${i}`, workspaceId });
      ids.push(workspaceId);
    }
    for (const [i, workspaceId] of ids.entries()) {
      await addRows(client, workspaceId, 'Create', [{ kind: 'campaign', parent: null, values: { name: `Of ${i}` } }]);
      if (i % 4 !== 0) await core.open.close(workspaceId);
    }
    for (const [i, workspaceId] of ids.entries()) {
      const opened = done(await core.open.get(workspaceId));
      const trees = await opened.workspace.readTrees('all');
      expect(trees.map((tree) => tree.campaign.values.name)).toEqual([`Of ${i}`]);
      await core.open.close(workspaceId);
    }
  });
});

const DAY = 86_400_000;
const NOW = Date.UTC(2030, 5, 15, 12);

const backups: fc.Arbitrary<readonly StoredBackup[]> = fc
  .array(
    fc.record({
      reason: fc.constantFrom(...BACKUP_REASONS),
      ageMs: fc.integer({ min: 0, max: 500 * DAY }),
      bytes: fc.integer({ min: 1, max: 100 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map(({ reason, ageMs, bytes }, i) => ({ id: `${reason}-${i}`, reason, at: NOW - ageMs, bytes })));

const aBackup = (id: string, ageMs: number, reason: StoredBackup['reason'] = 'timed'): StoredBackup => ({
  id,
  reason,
  at: NOW - ageMs,
  bytes: 10,
});
const gone = (list: readonly StoredBackup[], quota?: number): readonly string[] =>
  backupsToDelete(list, NOW, quota)
    .map(({ id }) => id)
    .toSorted();

test('all of a week stays, then one a day for a year', () => {
  const week = [1, 2, 3].map((hours) => aBackup(`h${hours}`, hours * 3_600_000));
  const older = [aBackup('late', 20 * DAY), aBackup('early', 20 * DAY + 3_600_000), aBackup('ancient', 400 * DAY)];
  expect(gone([...week, ...older])).toEqual(['ancient', 'early']);
});
test('five of each other reason stay, and those made by hand for ever', () => {
  const before = Array.from({ length: 7 }, (_, i) => aBackup(`i${i}`, i * DAY, 'before-import'));
  const byHand = [aBackup('mine', 900 * DAY, 'by-hand')];
  expect(gone([...before, ...byHand])).toEqual(['i5', 'i6']);
});
test('beyond the quota the oldest go first', () => {
  const list = [aBackup('a', 1000), aBackup('b', 2000), aBackup('c', 3000)];
  expect(gone(list, 25)).toEqual(['c']);
});
test(`the newest never goes, nor one made by hand, and what is gone once stays gone (seed ${SEED})`, () => {
  fc.assert(
    fc.property(backups, fc.integer({ min: 0, max: 3000 }), (list, quota) => {
      const going = backupsToDelete(list, NOW, quota);
      const newest = Math.max(...list.map(({ at }) => at));
      expect(going.filter(({ at, reason }) => reason === 'by-hand' || (at === newest && list.length === 1))).toEqual(
        [],
      );
      const left = list.filter((backup) => !going.includes(backup));
      if (list.length > 0) expect(left.some(({ at }) => at === newest)).toBe(true);
      expect(backupsToDelete(left, NOW, quota)).toEqual([]);
    }),
    { seed: SEED },
  );
});
