import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkpointWhenIdle, MOVED_IN_COMMIT_BYTES, type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { readLog } from '../../main/store/history/read-log.ts';
import { readHistory } from '../../main/store/reader/summary.ts';
import { migrate, migrations } from '../../main/store/schema/migrate.ts';
import { createStore } from '../../main/store/writer/create-store.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aFolder, aSmallCampaign, aWorkspace, edit } from './a-workspace.ts';

const MB = 2 ** 20;

function aDatabase(): { readonly file: string; readonly db: OpenDb; log(): number; write(megabytes: number): void } {
  const file = `${aFolder()}/log.db`;
  const db = openDb(file);
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE page(content ANY) STRICT');
  return {
    file,
    db,
    log: () => statSync(`${file}-wal`).size,
    // One transaction, as every step of the history is.
    write: (megabytes) =>
      db.tx(() => {
        for (let count = 0; count < megabytes; count += 1) db.run('INSERT INTO page VALUES (zeroblob(?))', MB);
      }),
  };
}

test('edits that never pause do not let the log grow beyond what one commit adds', () => {
  const { log, write } = aDatabase();
  let most = 0;
  for (let written = 0; written < 100; written += 4) {
    write(4);
    most = Math.max(most, log());
  }
  expect(most).toBeGreaterThan(MOVED_IN_COMMIT_BYTES / 2);
  expect(most).toBeLessThan(MOVED_IN_COMMIT_BYTES + 6 * MB);
});
test('a log that one large step has filled is cut off once nobody waits', () => {
  const { file, db, log, write } = aDatabase();
  write(48);
  expect(log()).toBeGreaterThan(48 * MB);
  checkpointWhenIdle(db, file);
  expect(log()).toBe(0);
  expect(db.get('PRAGMA busy_timeout')).toEqual([5000]);
});
test('a reader that looks at an older state is not waited for, and loses nothing', () => {
  const { file, db, log, write } = aDatabase();
  write(1);
  const reader = openDb(file, { readOnly: true });
  reader.exec('BEGIN');
  expect(reader.get('SELECT count(*) FROM page')).toEqual([1]);
  write(40);
  checkpointWhenIdle(db, file);
  expect(log()).toBeGreaterThan(40 * MB);
  expect(reader.get('SELECT count(*) FROM page')).toEqual([1]);
  reader.exec('COMMIT');
  checkpointWhenIdle(db, file);
  expect(log()).toBe(0);
  expect(reader.get('SELECT count(*) FROM page')).toEqual([41]);
  reader.close();
});

const EVERYTHING = { stepId: null, ref: null, campaignId: null };

test('the log says who did a step: whoever had the workspace open then', () => {
  const db = openDb(join(aFolder(), 'workspace.db'));
  migrate(db);
  const common = {
    db,
    profile: defaultDeploymentSettings(),
    workspaceId: 'test',
    migrated: true,
    onCommitted: () => {},
  };
  const write = (who: string, label: string, source: 'user' | 'sync'): void => {
    const store = createStore({ ...common, who });
    store.setNow(Date.UTC(2026, 4, 4, 12));
    store.apply({ label, source, creates: aSmallCampaign(label) });
  };
  write('ada', 'ada', 'user');
  write('grace', 'grace', 'user');
  write('grace', 'Read', 'sync');
  expect(readHistory(db, 0, 10).steps.map(({ label, who }) => [label, who])).toEqual([
    ['Read', ''],
    ['grace', 'grace'],
    ['ada', 'ada'],
  ]);
  const { entries } = readLog(db, 0, 20, EVERYTHING);
  expect(new Set(entries.map(({ step, who }) => `${step} by ${who}`))).toEqual(
    new Set(['Read by ', 'grace by grace', 'ada by ada']),
  );
  db.close();
});

test('an open workspace notes the user of the system', async () => {
  const workspace = await aWorkspace();
  await edit(workspace, { creates: aSmallCampaign() });
  const { steps } = await workspace.history(0, 1);
  expect(steps).toMatchObject([{ source: 'user', who: userInfo().username }]);
});

test('a history from before it was noted says nobody', () => {
  const db = openDb(join(aFolder(), 'workspace.db'));
  const known = migrations();
  const play = (steps: typeof known) => {
    for (const step of steps) db.tx(() => step(db));
  };
  play(known.slice(0, 4));
  db.exec(`INSERT INTO step(label, source, at, rows, state) VALUES ('Old', 'user', 0, 1, 0)`);
  play(known.slice(4));
  expect(readHistory(db, 0, 1).steps).toMatchObject([{ label: 'Old', who: '' }]);
  db.close();
});
