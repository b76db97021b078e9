import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCredentialStore } from '../../main/accounts/credential-store.ts';
import { systemClock } from '../../main/app/clock.ts';
import {
  allowsTempTables,
  initTeamDatabase,
  migrateTeamDatabase,
  type NewTeam,
  openTeamAdmin,
  schemaVersion,
} from '../../main/team/admin.ts';
import { openSender } from '../../main/team/intents.ts';
import { openInvitation, sealInvitation, WORDS } from '../../main/team/invitation.ts';
import { createTeam, type Joined, joinTeam, teamPassword } from '../../main/team/join.ts';
import { CHANGE_SET_FORMAT, openTeamLog } from '../../main/team/team-log.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import { testFolder } from '../folder.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

describe.runIf(hasPostgres)('an administrator of a team', () => {
  let server: TestPostgres;
  /** The login that `team init` ran as: it may make roles, and is no superuser. */
  let dba: pg.Client;
  const own = { login: 'dba', password: 'of-the-test' };
  const secrets = () =>
    createCredentialStore({ dataDir: testFolder('team-admin'), clock: systemClock, keychain: async () => null });
  const deps = () => ({ secrets: secrets(), clock: systemClock, random: Math.random });
  const place = () => ({ hosts: [`127.0.0.1:${server.port}`], database: 'postgres', ca: null });
  let count = 0;

  beforeAll(async () => {
    server = await startPostgres();
    const admin = await server.connect();
    await admin.query(
      "CREATE ROLE dba LOGIN CREATEROLE PASSWORD 'of-the-test'; GRANT CREATE ON DATABASE postgres TO dba",
    );
    dba = await server.connect({ user: 'dba', password: 'of-the-test' });
    expect(await schemaVersion(dba)).toBeNull();
    expect(await initTeamDatabase(dba)).toBe('made');
    expect(await initTeamDatabase(dba)).toBe('there');
    // This login does not own the database.
    expect(await allowsTempTables(dba)).toBe(true);
  });
  afterAll(() => server?.stop());

  const done = <T>(result: Result<T, unknown>): T => {
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    return result.value;
  };
  const newTeam = (): NewTeam => ({
    account: 'Northwind',
    deployment: 'practice',
    advertiserId: String(++count),
    display: 'Ana',
  });
  const login = async ({ team }: Joined, from: ReturnType<typeof deps>): Promise<pg.Client> =>
    server.connect({ user: team.login, password: (await teamPassword(from.secrets, team)) ?? '' });
  /** A team of Ana, with her connection. */
  const aTeam = async () => {
    const from = deps();
    const ana = done(await createTeam(place(), own, newTeam(), 'laptop', from));
    const client = await login(ana, from);
    return { ana, client, workspace: ana.team.workspace, admin: openTeamAdmin(client, ana.team.workspace) };
  };
  /** A colleague who has joined by an invitation of the database's administrator. */
  const aColleague = async (workspace: string, display: string, roles: readonly ('view' | 'edit')[]) => {
    const made = done(await openTeamAdmin(dba, workspace).invite(display, roles));
    const from = deps();
    const joined = done(await joinTeam({ ...place(), workspace, ...made, account: 'Northwind' }, 'desktop', from));
    return { joined, client: await login(joined, from) };
  };
  const edit = (client: pg.Client, { team }: Joined, push: number, based = { seq: 0, hash: '' }) =>
    openTeamLog(client, team.workspace, team.desk).append(
      {
        desk: team.desk,
        push,
        based,
        changes: {
          made: [],
          removed: [],
          cells: [{ kind: 'keyword', row: asRowId(1), field: 'bid', value: 100 + push }],
        },
        scopes: [asRowId(1)],
      },
      'Bids',
    );

  test('an invitation opens with its six words, and holds for one computer and one password', async () => {
    const { workspace, client } = await aTeam();
    const made = done(await openTeamAdmin(dba, workspace).invite('Ben', ['view', 'edit']));
    const { file, words } = await sealInvitation({
      ...place(),
      workspace,
      login: made.login,
      password: made.password,
      account: 'Northwind',
    });
    expect(file).not.toContain(made.password);
    expect(await openInvitation(file, WORDS.slice(0, 6).join(' '))).toEqual({ ok: false, error: 'words' });
    expect(await openInvitation('{}', words.join(' '))).toEqual({ ok: false, error: 'file' });
    const invitation = done(await openInvitation(file, `  ${words.join('-').toUpperCase()} `));
    const from = deps();
    const ben = done(await joinTeam(invitation, 'desktop', from));
    expect(ben).toMatchObject({ member: 2, incarnation: 1, rows: 1_048_576, account: { name: 'Northwind' } });
    expect(await edit(await login(ben, from), ben, 1)).toBe('ok');
    // The password of the file is another one now, on any computer that has not the new one.
    expect(await joinTeam(invitation, 'stolen', deps())).toEqual({
      ok: false,
      error: { code: 'BAD_INVITATION', data: { reason: 'used' } },
    });
    const heard = await client.query('SELECT what, detail FROM adslate.audit WHERE workspace = $1 ORDER BY no', [
      workspace,
    ]);
    expect(heard.rows.map(({ what }) => what)).toEqual(['created', 'joined', 'invited', 'joined']);
    expect(JSON.stringify(heard.rows)).not.toContain(made.password);
  });

  test('an invitation is refused after 7 days, until it is made again', async () => {
    const { workspace } = await aTeam();
    const made = done(await openTeamAdmin(dba, workspace).invite('Ben', ['view']));
    await dba.query(
      "UPDATE adslate.member SET invited_at = now() - interval '8 days' WHERE workspace = $1 AND no = 2",
      [workspace],
    );
    const late = await joinTeam({ ...place(), workspace, ...made, account: '' }, 'desktop', deps());
    expect(late).toEqual({ ok: false, error: { code: 'BAD_INVITATION', data: { reason: 'expired' } } });
    const again = done(await openTeamAdmin(dba, workspace).invite('ben', ['view', 'edit']));
    expect(again).toMatchObject({ no: 2, login: made.login });
    expect(done(await joinTeam({ ...place(), workspace, ...again, account: '' }, 'desktop', deps())).member).toBe(2);
  });

  test('a member that is removed sees nothing at once, and its connections end', async () => {
    const { workspace, ana } = await aTeam();
    const { joined, client } = await aColleague(workspace, 'Ben', ['view', 'edit']);
    const shows = async () =>
      (await client.query('SELECT no FROM adslate.member WHERE workspace = $1', [workspace])).rowCount;
    expect(await shows()).toBe(2);
    await dba.query('SELECT adslate.remove_member_v1($1, $2)', [workspace, joined.member]);
    expect(await shows()).toBe(0);
    await expect(edit(client, joined, 1)).rejects.toMatchObject({ code: '42501' });
    const ended = new Promise((resolve) => client.once('end', resolve));
    const removal = done(await openTeamAdmin(dba, workspace).remove(joined.member));
    expect(removal.isLoginOff).toBe(true);
    if (Number(server.version.split('.')[0]) >= 16) {
      expect(removal.areConnectionsEnded).toBe(true);
      await ended;
    }
    expect(await openTeamAdmin(dba, workspace).remove(ana.member)).toEqual({ ok: false, error: 'last-admin' });
    expect(await openTeamAdmin(dba, workspace).setRoles(ana.member, ['view'])).toEqual({
      ok: false,
      error: 'last-admin',
    });
    expect(await openTeamAdmin(dba, workspace).setRoles(9, ['view', 'admin'])).toEqual({
      ok: false,
      error: 'no-member',
    });
  });

  test('numbers of rows never meet, and come back from a computer that leaves', async () => {
    const { workspace, client, ana } = await aTeam();
    const { joined, client: ben } = await aColleague(workspace, 'Ben', ['view', 'edit']);
    expect(joined.firstRow).toBe(ana.firstRow + ana.rows);
    const leave = (unused: string) =>
      ben.query('SELECT adslate.leave_desk_v1($1, $2, $3)', [workspace, joined.team.desk, unused]);
    await expect(leave(`{[${ana.firstRow},${ana.firstRow + 9})}`), 'numbers of another').rejects.toMatchObject({
      code: '22003',
    });
    await leave(`{[${joined.firstRow + 1000},${joined.firstRow + joined.rows})}`);
    const block = async (count: number) =>
      Number(
        (await client.query('SELECT adslate.row_block_v1($1, $2, $3) AS first', [workspace, ana.team.desk, count]))
          .rows[0].first,
      );
    expect(await block(5000)).toBe(joined.firstRow + 1000);
    expect(await block(1_048_576)).toBe(joined.firstRow + joined.rows);
    expect(await block(5000)).toBe(joined.firstRow + 6000);
  });

  test('a snapshot counts once a second computer has found the same, and the log goes on behind it after pruning', async () => {
    const { workspace, client, ana, admin } = await aTeam();
    const { joined, client: ben } = await aColleague(workspace, 'Ben', ['view', 'edit']);
    let place = { seq: 0, hash: '' };
    const log = openTeamLog(client, workspace, ana.team.desk);
    for (let push = 1; push <= 3; push++) {
      expect(await edit(client, ana, push, place)).toBe('ok');
      place = { seq: push, hash: (await log.hashAt(push)) ?? '' };
    }
    const at2 = Buffer.from((await log.hashAt(2)) ?? '', 'hex');
    const same = Buffer.alloc(32, 1);
    const make = async () => {
      await client.query('SELECT adslate.begin_snapshot_v1($1, $2, 2, $3, 1)', [workspace, ana.team.desk, at2]);
      await client.query('SELECT adslate.put_snapshot_part_v1($1, $2, 2, 0, $3)', [
        workspace,
        ana.team.desk,
        Buffer.from('rows'),
      ]);
      await client.query('SELECT adslate.end_snapshot_v1($1, $2, 2, 1, 5, $3)', [workspace, ana.team.desk, same]);
    };
    const confirm = async (by: pg.Client, desk: number, digest: Buffer) =>
      (await by.query('SELECT adslate.confirm_snapshot_v1($1, $2, 2, $3) AS state', [workspace, desk, digest])).rows[0]
        .state;
    await make();
    expect(await confirm(client, ana.team.desk, same), 'its own maker').toBe('made');
    expect(await confirm(ben, joined.team.desk, Buffer.alloc(32, 2)), 'another digest').toBe('refused');
    await make();
    expect(await confirm(ben, joined.team.desk, same)).toBe('usable');
    // Nothing is old enough yet.
    expect((await admin.prune(1)).entries).toBe(0);
    const superuser = await server.connect();
    await superuser.query('ALTER TABLE adslate.change_set DISABLE TRIGGER change_set_is_kept');
    await superuser.query("UPDATE adslate.change_set SET at = at - interval '100 days' WHERE workspace = $1", [
      workspace,
    ]);
    await superuser.query('ALTER TABLE adslate.change_set ENABLE TRIGGER change_set_is_kept');
    expect(await admin.prune(1)).toMatchObject({ entries: 2, prunedTo: 2 });
    expect(await admin.verify()).toMatchObject({ from: 2, head: 3, alarms: 0, unsigned: 1, wrong: 0, problem: null });
    expect(await log.look(0), 'what is gone is taken from the snapshot').toMatchObject({ prunedTo: 2, head: 3 });
    expect(await edit(client, ana, 4, place)).toBe('ok');
    const report = async (by: pg.Client, desk: number, value: number) =>
      (
        await by.query('SELECT adslate.report_digest_v1($1, $2, 3, $3) AS alarm', [
          workspace,
          desk,
          Buffer.alloc(32, value),
        ])
      ).rows[0].alarm;
    expect([await report(client, ana.team.desk, 7), await report(ben, joined.team.desk, 7)]).toEqual([false, false]);
    expect(await report(ben, joined.team.desk, 8)).toBe(true);
    expect((await admin.verify()).alarms).toBe(1);
    const { rows } = await dba.query(
      'SELECT head, desks, digest_alarms, parts_without_push FROM adslate.health WHERE workspace = $1',
      [workspace],
    );
    expect(rows[0]).toEqual({ head: '4', desks: '2', digest_alarms: '2', parts_without_push: '0' });
  });

  test('a large push arrives in parts, and a missing part is told', async () => {
    const { workspace, client, ana } = await aTeam();
    const put = (no: number, push = 1) =>
      client.query('SELECT adslate.put_part_v1($1, $2, $3, $4, $5)', [
        workspace,
        ana.team.desk,
        push,
        no,
        Buffer.alloc(1_048_576, no),
      ]);
    const append = (parts: number) =>
      client.query(
        "SELECT answer FROM adslate.append_v1($1, $2, 1, 0, '', 'edit', 'Import', '{[1,1]}', 9, 1, NULL, $3)",
        [workspace, ana.team.desk, parts],
      );
    await put(0);
    await put(0);
    await put(2);
    await expect(append(3)).rejects.toMatchObject({ code: '22023' });
    await expect(put(0, 5), 'a push that is not the next').rejects.toMatchObject({ code: '22003' });
    await put(1);
    expect((await append(3)).rows).toEqual([{ answer: 'ok' }]);
    const { rows } = await client.query(
      'SELECT parts, octet_length(payload) AS bytes FROM adslate.change_set WHERE workspace = $1',
      [workspace],
    );
    expect(rows).toEqual([{ parts: 3, bytes: 96 }]);
  });

  test('a closed or moved account is read, and neither written nor sent; a restored one has another life', async () => {
    const { client, ana, admin } = await aTeam();
    const heartbeat = async () =>
      (
        await client.query('SELECT incarnation, state, moved_to FROM adslate.heartbeat_v1($1, $2, 0)', [
          ana.team.workspace,
          ana.team.desk,
        ])
      ).rows[0];
    const sender = openSender(client, ana.team.workspace, ana.team.desk);
    const turn = await sender.take();
    if (turn.is !== 'taken') throw new Error(turn.is);
    expect(await sender.renew(turn.key)).toBe(true);
    expect(await admin.restored()).toBe(2);
    await admin.move({ hosts: ['db.example'], database: 'team' });
    expect(await heartbeat()).toEqual({
      incarnation: 2,
      state: 'moved',
      moved_to: { hosts: ['db.example'], database: 'team' },
    });
    await expect(edit(client, ana, 1)).rejects.toMatchObject({ code: 'AD001' });
    expect(await sender.renew(turn.key)).toBe(false);
    await expect(sender.take()).rejects.toMatchObject({ code: 'AD001' });
    await admin.close(false);
    expect(await edit(client, ana, 1)).toBe('ok');
  });

  test('a computer that was retired is not waited for after a restore', async () => {
    const { workspace, admin } = await aTeam();
    const { joined } = await aColleague(workspace, 'Ben', ['view', 'edit']);
    const superuser = await server.connect();
    await superuser.query('UPDATE adslate.lease SET unreported = $2 WHERE workspace = $1', [
      workspace,
      [joined.team.desk],
    ]);
    expect((await admin.health()).unreported).toEqual(['desktop']);
    await admin.revokeDesk(joined.team.desk);
    expect((await admin.health()).unreported).toEqual([]);
  });

  test('presence names whoever said a place in the last 30 seconds, and nobody else', async () => {
    const { workspace, client, ana } = await aTeam();
    const seen = async () =>
      (await client.query('SELECT desk, place FROM adslate.presence WHERE workspace = $1', [workspace])).rows;
    const beat = (place: string | null) =>
      client.query('SELECT adslate.heartbeat_v1($1, $2, 0, $3)', [workspace, ana.team.desk, place]);
    await beat('campaign 7');
    expect(await seen()).toEqual([{ desk: ana.team.desk, place: 'campaign 7' }]);
    await dba.query("UPDATE adslate.presence SET at = at - interval '31 s'");
    expect(await seen()).toEqual([]);
    await beat('campaign 8');
    await beat(null);
    expect(await seen()).toEqual([]);
  });

  test('an advertiser has one team in a database', async () => {
    const team = newTeam();
    done(await createTeam(place(), own, team, 'laptop', deps()));
    const second = await createTeam(place(), own, team, 'laptop', deps());
    expect(second).toEqual({ ok: false, error: { code: 'HAS_TEAM', data: { where: 'database' } } });
  });

  test('a schema moves on in one transaction, and never under an older computer', async () => {
    const { workspace, ana } = await aTeam();
    const steps = [
      {
        version: 3,
        needsFormat: CHANGE_SET_FORMAT + 1,
        sql: 'CREATE FUNCTION heartbeat_v2() RETURNS int LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$ SELECT 2 $$',
      },
    ];
    const found = await migrateTeamDatabase(dba, steps);
    expect(found).toMatchObject({
      is: 'older-desks',
      desks: expect.arrayContaining([{ name: 'laptop', member: 'Ana' }]),
    });
    expect(await openTeamAdmin(dba, workspace).leftBehind(CHANGE_SET_FORMAT + 1)).toEqual([
      { no: ana.team.desk, name: 'laptop', member: 'Ana', format: CHANGE_SET_FORMAT },
    ]);
    await dba.query('UPDATE adslate.desk SET revoked = true');
    expect(
      await migrateTeamDatabase(dba, [
        { ...steps[0], version: 3, needsFormat: CHANGE_SET_FORMAT + 1, sql: 'SELECT 1/0' },
      ]).catch((error) => error.code),
    ).toBe('22012');
    await dba.query('ROLLBACK');
    expect(await schemaVersion(dba)).toBe(2);
    expect(await migrateTeamDatabase(dba, steps)).toEqual({ is: 'done', from: 2, to: 3 });
    expect(await migrateTeamDatabase(dba), 'by an older Adslate').toEqual({ is: 'newer' });
  });
});

test('the words are 8 bits each and no two are alike', () => {
  expect(new Set(WORDS).size).toBe(256);
  fc.assert(fc.property(fc.integer({ min: 0, max: 255 }), (at) => /^[a-z]{3,10}$/u.test(WORDS[at] ?? '')));
});
