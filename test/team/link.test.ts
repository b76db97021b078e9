import { copyFileSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Workspace } from '../../main/store/workspace.ts';
import { openTeamAdmin } from '../../main/team/admin.ts';
import { connectTeam } from '../../main/team/connection.ts';
import { packChangeSet } from '../../main/team/payload.ts';
import { openEmptyWorkspace, rebuildRows } from '../../main/team/rebuild-rows.ts';
import { registeredAs } from '../../main/team/signing.ts';
import { keptTeamFacts, signersInDatabase } from '../../main/team/team-facts.ts';
import { CHANGE_SET_FORMAT } from '../../main/team/team-log.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { testFolder } from '../folder.ts';
import { runs } from '../share.ts';
import { aSmallCampaign, at, edit } from '../store/a-workspace.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import {
  aTeamAccount,
  fieldsOf,
  forgetEntries,
  keyOf,
  loginOf,
  openDesk,
  prepareTeamDatabase,
  type SharedDesk,
} from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';
import { bidOf, hasty as clock, setBid, stateOf, until } from './shared-bids.ts';

const PEOPLE = ['ana', 'ben'];

/** Fails as SQLite does. */
function writeToFullDisk(): never {
  const db = new DatabaseSync(':memory:');
  try {
    db.exec("PRAGMA max_page_count = 2; CREATE TABLE t (text); INSERT INTO t VALUES (printf('%.20000c', 'x'))");
    throw new Error('the disk is not full');
  } finally {
    db.close();
  }
}
const CUTS = runs(20, 8);

describe.runIf(hasPostgres)('a workspace in step with its team', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  const opened: { close(): Promise<void> }[] = [];
  const folder = testFolder('team-link');

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await prepareTeamDatabase(admin, PEOPLE);
  });
  afterAll(() => server?.stop());
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  const newFile = (): string => join(mkdtempSync(join(folder, 'desk-')), 'workspace.db');
  const aProxy = async (): Promise<CuttingProxy> => {
    const proxy = await startCuttingProxy(server.port);
    opened.push(proxy);
    return proxy;
  };
  const aDesk = async (account: string, user: string, port = server.port, file = newFile()) => {
    const desk = { ...(await openDesk({ account, user, file, port, clock })), file };
    opened.push(desk);
    return desk;
  };
  const notShared = async (desk: SharedDesk) => (await stateOf(desk)).notShared;
  const conflicts = async (desk: SharedDesk) => (await stateOf(desk)).conflicts;

  /** Ana with a campaign and Ben, who has it too. */
  const aPair = async (port?: number) => {
    const account = await aTeamAccount(admin, PEOPLE);
    const [ana, ben] = [await aDesk(account, 'ana', port), await aDesk(account, 'ben')];
    const { touched } = await edit(ana.workspace, { creates: aSmallCampaign() });
    const keyword = at(touched, 3);
    for (const { sharing } of [ana, ben]) sharing.link.start();
    await until(() => bidOf(ben, keyword), 100);
    await until(() => notShared(ana), 0);
    return { account, ana, ben, keyword };
  };

  describe('over a line that is cut now and then', () => {
    let shared: { readonly proxy: CuttingProxy; readonly pair: Awaited<ReturnType<typeof aPair>> } | undefined;
    const kept: typeof opened = [];
    afterAll(async () => {
      for (const each of kept.toReversed()) await each.close();
    });
    /** One pair for these tests; what a test waits for can be waited for in tests alone. */
    const thePair = async () => {
      if (shared === undefined) {
        const proxy = await aProxy();
        shared = { proxy, pair: await aPair(proxy.port) };
        kept.push(...opened.splice(0));
      }
      return { proxy: shared.proxy, ...shared.pair };
    };

    test('an edit is with the colleague a moment later, and one made by both asks the second', async () => {
      const { ana, ben, keyword } = await thePair();
      await setBid(ana, keyword, 210);
      await until(() => bidOf(ben, keyword), 210);
      await until(() => notShared(ana), 0);
      await Promise.all([setBid(ana, keyword, 190), setBid(ben, keyword, 195)]);
      await until(async () => (await conflicts(ana)) + (await conflicts(ben)), 1);
      const asked = (await conflicts(ana)) === 1 ? ana : ben;
      const mine = await bidOf(asked, keyword);
      expect(mine).toBe(asked === ana ? 190 : 195);
      expect((await asked.workspace.teamConflicts(0, 10)).map(({ ref, field }) => [ref, field])).toEqual([
        [keyword, 'bid'],
      ]);
      await asked.workspace.teamPick(keyword, 'bid', 'mine', null);
      await until(async () => (await bidOf(ana, keyword)) === mine && (await bidOf(ben, keyword)) === mine);
      expect((await asked.sharing.status()).desks.map(({ member, name }) => [member.display, name])).toEqual([
        ['ana', "ana's laptop"],
        ['ben', "ben's laptop"],
      ]);
      await until(async () => (await notShared(ana)) + (await notShared(ben)), 0);
    });

    test('what is edited offline waits, and is shared when the database is back', async () => {
      const { proxy, ana, ben, keyword } = await thePair();
      proxy.shut();
      await until(async () => (await ana.sharing.status()).state, 'offline');
      await setBid(ana, keyword, 170);
      await setBid(ben, keyword, 175);
      await until(() => notShared(ben), 0);
      expect(await ana.sharing.status()).toMatchObject({ notShared: 1, state: 'offline', member: { display: 'ana' } });
      expect(await ana.sharing.share()).toMatchObject({ ok: false, error: { code: 'TEAM_OFFLINE' } });
      const conflictsHeard: number[] = [];
      const stop = ana.workspace.onChanged(() => void conflicts(ana).then((n) => conflictsHeard.push(n)));
      proxy.open();
      await until(() => conflicts(ana), 1);
      // No cell changes with a conflict, and windows show it all the same.
      await until(async () => conflictsHeard.at(-1), 1);
      stop();
      expect([await bidOf(ana, keyword), await bidOf(ben, keyword)]).toEqual([170, 175]);
      await until(async () => (await ana.sharing.status()).state, 'online');
      await ana.workspace.teamPick(keyword, 'bid', 'theirs', null);
      await until(() => notShared(ana), 0);
    });

    test('a line cut at any byte, or behind a push whose answer is lost, loses and repeats nothing', async () => {
      const { proxy, account, ana, ben, keyword } = await thePair();
      for (let cut = 1; cut <= CUTS; cut++) {
        if (cut % 4 === 0) proxy.swallowAnswers();
        else proxy.cutAfter(1 + cut * Math.ceil(1060 / CUTS));
        await setBid(ana, keyword, 200 + cut);
        await until(() => bidOf(ben, keyword), 200 + cut);
      }
      await until(() => notShared(ana), 0);
      expect(proxy.cuts()).toBeGreaterThan(CUTS / 2);
      const { rows } = await admin.query(
        'SELECT push FROM adslate.change_set WHERE workspace = $1 AND desk = $2 ORDER BY seq',
        [account, ana.no],
      );
      expect(rows.map(({ push }) => push)).toEqual(rows.map((_row, push) => push + 1));
      await until(async () => (await stateOf(ana)).position.seen.hash === (await stateOf(ben)).position.seen.hash);
    });

    test('entries that a failover has forgotten are shared again by who had made them', async () => {
      const { account, ana, ben, keyword } = await thePair();
      const { seq } = (await stateOf(ana)).position.seen;
      const { touched } = await edit(ben.workspace, { creates: aSmallCampaign('Soap') });
      await until(() => bidOf(ana, at(touched, 3)), 100);
      await setBid(ana, keyword, 130);
      await until(() => bidOf(ben, keyword), 130);
      await forgetEntries(admin, account, seq);
      await ben.sharing.share();
      await ana.sharing.share();
      await until(async () => (await notShared(ana)) + (await notShared(ben)), 0);
      await until(async () => (await stateOf(ana)).position.seen.hash === (await stateOf(ben)).position.seen.hash);
      for (const desk of [ana, ben])
        expect([await bidOf(desk, keyword), await bidOf(desk, at(touched, 3))]).toEqual([130, 100]);
    });

    test('a member who is removed while connected loses access, and keeps what is not shared', async () => {
      const { account, ana, keyword } = await thePair();
      const { seen } = (await stateOf(ana)).position;
      await admin.query("UPDATE adslate.member SET state = 'removed' WHERE workspace = $1 AND no = 1", [account]);
      await setBid(ana, keyword, 160);
      await until(async () => (await ana.sharing.status()).state, 'no-access');
      expect(await stateOf(ana)).toMatchObject({ notShared: 1, position: { seen } });
      expect(await ana.sharing.share()).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } });
    });
  });

  test('a full disk of this computer does not end the program: it is said, and sharing goes on with space', async () => {
    const { account, ana, keyword } = await aPair();
    let isFull = false;
    const watched = (workspace: Workspace): Workspace =>
      Object.assign(Object.create(workspace) as Workspace, {
        teamFold: async (entries: Parameters<Workspace['teamFold']>[0]) =>
          isFull ? writeToFullDisk() : workspace.teamFold(entries),
      });
    const pia = await openDesk({ account, user: 'ben', file: newFile(), port: server.port, clock, watched });
    opened.push(pia);
    pia.sharing.link.start();
    await until(() => bidOf(pia, keyword), 100);
    isFull = true;
    await setBid(ana, keyword, 230);
    await until(
      () => pia.sharing.link.state().problem,
      "Can't write to the disk of this computer (database or disk is full). When it can be written again, sharing continues.",
    );
    isFull = false;
    await until(() => bidOf(pia, keyword), 230);
    await until(() => pia.sharing.link.state().is, 'online');
  });

  test('a team that asks for a newer version to share still tells this one what others did', async () => {
    const { account, ana, ben, keyword } = await aPair();
    await setBid(ben, keyword, 150);
    await until(() => bidOf(ana, keyword), 150);
    await ana.sharing.link.close();
    await setBid(ben, keyword, 151);
    await until(() => notShared(ben), 0);
    await admin.query('UPDATE adslate.workspace SET min_writer = $2 WHERE id = $1', [account, CHANGE_SET_FORMAT + 1]);
    const old = await aDesk(account, 'ana');
    await edit(old.workspace, { creates: aSmallCampaign('Mine') });
    expect(await old.sharing.share()).toMatchObject({ ok: false });
    expect(await old.sharing.status()).toMatchObject({ state: 'old-version' });
    expect(await bidOf(old, keyword)).toBe(151);
    expect(await notShared(old)).toBeGreaterThan(0);
  });

  test('a computer stops before an entry of a later format, says so, and shares its edits when it can read on', async () => {
    const { account, ana, ben, keyword } = await aPair();
    await setBid(ben, keyword, 150);
    await until(() => bidOf(ana, keyword), 150);
    await until(() => notShared(ben), 0);
    await ben.sharing.link.close();
    const { seq, hash } = (await stateOf(ana)).position.seen;
    const later = await server.connect(loginOf('ben'));
    const { rows } = await later.query(
      `SELECT answer, seq FROM adslate.append_v2($1, $2, $3, $4, $5, 'edit', 'Later', '{[1,1]}', 1, $6, $7, 0,
         decode(repeat('00', 64), 'hex'))`,
      [
        ...[account, ben.no, (await stateOf(ben)).position.lastPush + 1, seq, Buffer.from(hash, 'hex')],
        ...[CHANGE_SET_FORMAT + 1, Buffer.from([0, 9])],
      ],
    );
    expect(rows[0]).toEqual({ answer: 'ok', seq: String(seq + 1) });
    await until(async () => (await ana.sharing.status()).state, 'old-version');
    await edit(ana.workspace, {
      updates: [
        { ...keyword, field: 'bid', value: 160 },
        { ...keyword, field: 'state', value: 'paused' },
      ],
    });
    const needs = `entry ${seq + 1} of the log has format ${CHANGE_SET_FORMAT + 1}, and this Adslate reads up to format ${CHANGE_SET_FORMAT}`;
    expect(await ana.sharing.status()).toMatchObject({ seen: seq, notShared: 1, problem: needs });
    const detail = `Your team uses a newer Adslate. Update Adslate to share. (${needs})`;
    expect(await ana.sharing.share()).toMatchObject({ ok: false, error: { data: { detail } } });
    expect((await stateOf(ana)).position.seen.seq, 'what it cannot read is not passed over').toBe(seq);
    await forgetEntries(admin, account, seq);
    expect(await ana.sharing.share()).toMatchObject({ ok: true, value: { shared: 1 } });
    expect(await stateOf(ana)).toMatchObject({ notShared: 0, position: { seen: { seq: seq + 1 } } });
  });

  test('a computer stops before a forged entry, says so, and keeps its edits until the database is right again', async () => {
    const { account, ana, ben, keyword } = await aPair();
    await ana.sharing.link.close();
    await setBid(ben, keyword, 150);
    await until(() => notShared(ben), 0);
    await ben.sharing.link.close();
    const late = await aDesk(account, 'ana');
    const { seq } = (await stateOf(ben)).position.seen;
    const rewrite = (payload: string) =>
      admin.query(`BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL search_path = adslate, pg_catalog;
        UPDATE change_set c SET payload = ${payload} WHERE workspace = '${account}' AND seq = ${seq};
        UPDATE change_set c SET hash = chained((SELECT b.hash FROM change_set b WHERE b.workspace = c.workspace
            AND b.seq = c.seq - 1), c.seq, c.desk, c.push, c.kind, c.label, c.based, c.scopes, c.format, c.payload)
          WHERE workspace = '${account}' AND seq = ${seq};
        UPDATE workspace SET head_hash = (SELECT hash FROM change_set WHERE workspace = id AND seq = ${seq})
          WHERE id = '${account}'; COMMIT`);
    const { rows } = await admin.query(
      "SELECT encode(payload, 'hex') AS right FROM adslate.change_set WHERE workspace = $1 AND seq = $2",
      [account, seq],
    );
    const forged = packChangeSet({
      made: [],
      removed: [],
      cells: [{ kind: 'keyword', row: keyword.id, field: 'bid', value: 9 }],
    });
    await rewrite(`decode('${forged.toString('hex')}', 'hex')`);
    expect(await late.sharing.share()).toMatchObject({
      ok: false,
      error: {
        code: 'TEAM_OFFLINE',
        data: { detail: expect.stringContaining(`Entry ${seq} in the database of the team has no valid signature`) },
      },
    });
    expect([await bidOf(late, keyword), (await stateOf(late)).position.seen.seq]).toEqual([100, seq - 1]);
    await setBid(late, { kind: 'adItem', id: asRowId(keyword.id - 1) }, 77);
    expect(await late.sharing.status()).toMatchObject({ state: 'damaged', notShared: 1 });
    await rewrite(`decode('${rows[0].right}', 'hex')`);
    expect(await late.sharing.share()).toMatchObject({ ok: true, value: { shared: 1 } });
    expect(await bidOf(late, keyword)).toBe(150);
  });

  test('a computer whose key is another one goes on under a new number, and nobody takes its entries for forged', async () => {
    const { account, ana, ben, keyword } = await aPair();
    const before = (await stateOf(ana)).desk;
    await setBid(ana, keyword, 160);
    await ana.close();
    opened.splice(opened.indexOf(ana), 1);
    const again = await openDesk({
      account,
      user: 'ana',
      file: ana.file,
      port: server.port,
      clock,
      key: keyOf('lost'),
    });
    opened.push(again);
    expect(await again.sharing.share()).toMatchObject({ ok: true });
    await until(() => bidOf(ben, keyword), 160);
    await setBid(again, keyword, 161);
    expect(await again.sharing.share()).toMatchObject({ ok: true, value: { shared: 1 } });
    await until(() => bidOf(ben, keyword), 161);
    const { desks } = await again.sharing.status();
    expect(desks.find(({ no }) => no === before)).toMatchObject({ isRevoked: true });
    expect(desks.find(({ isHere }) => isHere)?.no).toBe((await stateOf(again)).desk);
    const counts = await openTeamAdmin(admin, account).verify(await signersInDatabase(admin, account));
    expect(counts).toMatchObject({ unsigned: 0, wrong: 0, problem: null });
    expect(counts.signed).toBeGreaterThan(1);
    // Who rules over the database can put another key there, but not into what a computer has seen before.
    const seen = keptTeamFacts(ben.file);
    await admin.query('SET session_replication_role = replica');
    await admin.query('UPDATE adslate.desk SET sign_key = $3 WHERE workspace = $1 AND no = $2', [
      account,
      before,
      registeredAs(keyOf('forged')),
    ]);
    await admin.query('RESET session_replication_role');
    const trusting = await signersInDatabase(admin, account);
    const knowing = await signersInDatabase(admin, account, seen);
    expect(trusting?.keys).toEqual({ seenBefore: 0, fromDatabase: 3 });
    expect(knowing?.keys).toEqual({ seenBefore: 3, fromDatabase: 0 });
    expect((await openTeamAdmin(admin, account).verify(trusting)).wrong).toBeGreaterThan(0);
    expect(await openTeamAdmin(admin, account).verify(knowing)).toMatchObject({ wrong: 0, problem: null });
  });

  test('computers that differ read the log again, and the wrong one is right again with its own edits kept', async () => {
    const { account, ana, ben, keyword } = await aPair();
    await setBid(ben, keyword, 150);
    await until(() => bidOf(ana, keyword), 150);
    await ana.sharing.link.close();
    const item = { kind: 'adItem', id: asRowId(keyword.id - 1) } as const;
    await setBid(ana, item, 77);
    const file = new DatabaseSync(ana.file, { timeout: 30_000 });
    const damage = file.prepare('UPDATE keyword SET bid = 999, ahead = 0 WHERE id = ?').run(keyword.id);
    file.close();
    expect([damage.changes, await bidOf(ana, keyword)]).toEqual([1, 999]);
    const again = (desk: SharedDesk & { readonly file: string }) =>
      rebuildRows(desk.sharing.link.queries, {
        account,
        store: desk.workspace,
        signing: null,
        openBeside: () =>
          openEmptyWorkspace(dirname(desk.file), { profile: defaultDeploymentSettings('shop.example'), clock }),
      });
    // It was right. Nothing is said while the link still notes the place of what was shared last.
    await until(() => again(ben), false);
    await ana.close();
    opened.splice(0, 1);
    const old = await aDesk(account, 'ana', server.port, ana.file);
    await until(() => again(old));
    expect([await bidOf(old, keyword), await bidOf(old, item)]).toEqual([150, 77]);
    expect(await stateOf(old)).toMatchObject({ notShared: 1, conflicts: 0 });
    expect(await old.workspace.verify()).toEqual([]);
    expect(await old.sharing.share()).toMatchObject({ ok: true, value: { shared: 1 } });
    await until(() => bidOf(ben, item), 77);
    expect(await again(old)).toBe(false);
  });

  test('a copy of the file gets a number of its own, so that both may go on', async () => {
    const { account, ana, ben, keyword } = await aPair();
    await ana.close();
    opened.splice(opened.indexOf(ana), 1);
    const copied = newFile();
    copyFileSync(ana.file, copied);
    const [first, second] = [
      await aDesk(account, 'ana', server.port, ana.file),
      await aDesk(account, 'ana', server.port, copied),
    ];
    for (const { sharing } of [first, second]) sharing.link.start();
    await setBid(first, keyword, 141);
    await until(() => bidOf(ben, keyword), 141);
    await until(() => bidOf(second, keyword), 141);
    await setBid(second, keyword, 142);
    await until(() => bidOf(first, keyword), 142);
    expect(new Set([(await stateOf(first)).desk, (await stateOf(second)).desk, ben.no]).size).toBe(3);
  });

  test('of several hosts the first that can be written is used, and why none can is told', async () => {
    const deps = { clock, random: Math.random, noticed: () => undefined, ended: () => undefined };
    await admin.query('ALTER ROLE ben SET default_transaction_read_only = on');
    const [ana, ben] = [fieldsOf('ana', server.port), fieldsOf('ben', server.port)];
    const nobody = { ...ana, port: 9 };
    const connection = await connectTeam([nobody, ben, ana], deps);
    const [who] = (await connection.query('SELECT session_user AS who')).rows;
    expect([who.who, connection.hasNotices]).toEqual(['ana', true]);
    await connection.close();
    await expect(connectTeam([nobody, ben], deps)).rejects.toMatchObject({ problem: 'read-only' });
    await expect(connectTeam([nobody], deps)).rejects.toMatchObject({ problem: 'unreachable' });
    await expect(connectTeam([{ ...ana, password: 'x' }], deps)).rejects.toMatchObject({ problem: 'password' });
    await admin.query('ALTER ROLE ben RESET default_transaction_read_only');
  });
});
