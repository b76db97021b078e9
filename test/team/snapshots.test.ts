import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTeamAdmin } from '../../main/team/admin.ts';
import { aFolder, aSmallCampaign, at, edit } from '../store/a-workspace.ts';
import { aTeamAccount, loginOf, openDesk, prepareTeamDatabase, type SharedDesk } from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';
import { bidOf, hasty as clock, setBid, stateOf, until } from './shared-bids.ts';

const PEOPLE = ['ana', 'ben', 'cleo'];

/** The campaign and six bids. A snapshot that is made before the last entry has come to the other computer is never confirmed. */
const ENTRIES = 7;

describe.runIf(hasPostgres)('snapshots of a team', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await prepareTeamDatabase(admin, PEOPLE);
  });
  afterAll(() => server?.stop());

  const compared = async (desk: SharedDesk) => (await desk.sharing.status()).digest;

  test('are made while idle and confirmed by another computer, and what was pruned is taken from them with all edits kept', async () => {
    const account = await aTeamAccount(admin, PEOPLE);
    const aDesk = async (user: string, sets = 20_000) => {
      const file = join(aFolder(), 'workspace.db');
      const snapshotDue = { sets, bytes: 2 ** 26 };
      const desk = await openDesk({ account, user, file, port: server.port, clock, snapshotDue });
      onTestFinished(() => desk.close());
      return desk;
    };
    const [ana, ben, late] = [await aDesk('ana', ENTRIES), await aDesk('ben'), await aDesk('cleo')];
    const { touched } = await edit(ana.workspace, { creates: aSmallCampaign() });
    const [keyword, item] = [at(touched, 3), at(touched, 2)];
    for (const desk of [ana, late]) expect(await desk.sharing.share()).toMatchObject({ ok: true });
    // Away from now on: one cell that nobody else touches, and one that Ana changes too.
    await setBid(late, item, 77);
    await setBid(late, keyword, 333);
    for (const { sharing } of [ana, ben]) sharing.link.start();
    for (let bid = 201; bid <= 206; bid++) {
      await setBid(ana, keyword, bid);
      await until(() => bidOf(ben, keyword), bid);
    }
    const people = openTeamAdmin(await server.connect(loginOf('ana')), account);
    await until(async () => (await people.snapshots())[0]?.state, 'usable');
    await until(() => compared(ana), 'same');
    await until(() => compared(ben), 'same');

    // As if a hundred days had gone by.
    await admin.query(`BEGIN; ALTER TABLE adslate.change_set DISABLE TRIGGER USER;
      UPDATE adslate.change_set SET at = at - interval '100 days' WHERE workspace = '${account}';
      ALTER TABLE adslate.change_set ENABLE TRIGGER USER; COMMIT`);
    const { prunedTo, entries } = await people.prune(90);
    expect([entries, prunedTo]).toEqual([prunedTo, (await people.snapshots())[0]?.seq]);
    await setBid(ana, at(touched, 3), 207);
    await until(() => bidOf(ben, keyword), 207);

    const joined = await aDesk('ben');
    expect(await joined.sharing.share()).toMatchObject({ ok: true });
    for (const ref of touched) expect(await joined.workspace.readRow(ref)).toEqual(await ana.workspace.readRow(ref));
    late.sharing.link.start();
    await until(() => bidOf(ana, item), 77);
    expect([await bidOf(late, item), await bidOf(late, keyword)]).toEqual([77, 333]);
    await until(async () => (await stateOf(late)).notShared, 1);
    expect((await stateOf(late)).conflicts).toBe(1);
    await late.workspace.teamPick(keyword, 'bid', 'mine', null);
    await until(() => bidOf(ana, keyword), 333);

    // Two values for one place are an alarm.
    await until(async () => (await stateOf(ana)).notShared, 0);
    await admin.query(`UPDATE adslate.digest SET value = sha256(value) WHERE workspace = $1 AND desk = $2`, [
      account,
      ana.no,
    ]);
    ana.sharing.link.beatSoon();
    await until(() => compared(ana), 'differs');
    expect((await people.verify()).alarms).toBeGreaterThan(0);
  });
});
