import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createRouterClient } from '@orpc/server';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { Core } from '../../main/core/core.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { initTeamDatabase } from '../../main/team/admin.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { onlyAccount, startCore } from '../core/a-core.ts';
import { copyAccount } from '../prepared-account.ts';
import { aFolder, aSmallCampaign, at } from '../store/a-workspace.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

describe.runIf(hasPostgres)('an account of a team', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  const PASSWORD = 'of-the-admin';

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await admin.query(
      `CREATE ROLE dba LOGIN CREATEROLE PASSWORD '${PASSWORD}'; GRANT CREATE ON DATABASE postgres TO dba`,
    );
    const dba = await server.connect({ user: 'dba', password: PASSWORD });
    await initTeamDatabase(dba);
  });
  afterAll(() => server?.stop());

  interface Computer {
    readonly core: Core;
    readonly client: Client;
    readonly dataDir: string;
  }
  const aComputer = async (fill?: (dataDir: string) => void): Promise<Computer> => {
    const dataDir = aFolder();
    fill?.(dataDir);
    const core = await startCore(dataDir);
    onTestFinished(() => core.close());
    return { core, client: createRouterClient(core.router), dataDir };
  };
  const connection = () => ({
    ...{ hosts: [`127.0.0.1:${server.port}`], database: 'postgres', login: 'dba', password: PASSWORD, caGrant: null },
  });
  const keywords = async ({ client }: Computer, workspaceId: WorkspaceId) => {
    const window = { from: 0, count: 10 };
    return (await client.workspace.openView({ workspaceId, view: { kind: 'keyword' }, window })).rows;
  };

  const towels = () => aSmallCampaign().map((row) => ({ ...row, values: { ...row.values } }));

  const bidOf = ({ cells }: Awaited<ReturnType<typeof keywords>>[number]) =>
    cells[fieldNames('keyword').indexOf('bid')];

  test('is made on one computer, joined by an invitation on another, shared, and left with a copy', async () => {
    const [ana, ben] = [await aComputer(copyAccount), await aComputer()];
    const workspaceId = await onlyAccount(ana.client);
    await ana.client.workspace.create({ workspaceId, label: 'Towels', rows: towels() });
    expect(await ana.client.team.status({ workspaceId })).toBeNull();
    const tested = await ana.client.team.testConnection({ workspaceId, connection: connection() });
    expect(tested).toMatchObject({ tls: 'plain', isPrepared: true });
    const made = await ana.client.team.create({
      workspaceId,
      connection: connection(),
      display: 'Ana',
      computer: 'Desktop',
    });
    expect(made).toMatchObject({ member: { no: 1, display: 'Ana' } });
    await expect(
      ana.client.team.create({ workspaceId, connection: connection(), display: 'Ana', computer: 'Desktop' }),
    ).rejects.toMatchObject({ code: 'HAS_TEAM' });
    await expect.poll(async () => (await ana.client.team.status({ workspaceId }))?.notShared).toBe(0);

    const invited = await ana.client.team.invite({ workspaceId, display: 'Ben', roles: ['view', 'edit', 'sync'] });
    expect(invited.words).toHaveLength(6);
    const [, handle = ''] = /([^/]+)$/.exec(invited.file.url) ?? [];
    // The name that the dialog to join asks for.
    expect(ana.core.offered(handle)?.fileName).toBe('Ben.adslate-invite');
    const path = ana.core.offered(handle)?.path ?? '';
    const sealed = readFileSync(path);
    expect(sealed.toString()).not.toContain('127.0.0.1');
    const grant = async (bytes = sealed, { core } = ben) => {
      const file = await core.grants.hold('ben.adslate-invite', Readable.from([bytes]));
      return file.ok ? file.value.grant : '';
    };
    const words = invited.words.join(' ');
    const joining = { words, computer: 'Laptop', name: 'Northwind team' };
    await expect(
      ben.client.team.connect({ ...joining, invitation: await grant(Buffer.from('{}')) }),
    ).rejects.toMatchObject({ code: 'BAD_INVITATION', data: { reason: 'file' } });
    // On Ana's own computer it would replace her password. It is refused, and still holds for Ben.
    await expect(ana.client.team.connect({ ...joining, invitation: await grant(sealed, ana) })).rejects.toMatchObject({
      code: 'ALREADY_CONNECTED',
    });
    expect(await ana.client.team.testConnection({ workspaceId, connection: null })).toMatchObject({ isPrepared: true });
    // What the team begins with is a snapshot, and no entry of the log.
    const begun = await admin.query('SELECT s.seq, s.state, w.head FROM adslate.snapshot s, adslate.workspace w');
    expect(begun.rows).toEqual([{ seq: '0', state: 'usable', head: '0' }]);
    // Canceled while it is loaded: nothing of it stays here.
    const stages = join(ben.dataDir, 'joining');
    const canceling = (async () => {
      await expect.poll(() => existsSync(stages) && readdirSync(stages).length, { interval: 1 }).toBe(1);
      return ben.client.tasks.cancel({ taskId: 'joining' });
    })();
    await expect(
      ben.client.team.connect({ ...joining, invitation: await grant(), taskId: 'joining' }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await canceling).toEqual({ cancelled: true });
    expect([readdirSync(stages), await ben.client.accounts.list()]).toEqual([[], []]);
    // A cancel that comes when the account was added is too late: it stays a computer of the team.
    const late = new AbortController();
    const { forget } = ben.core.grants;
    const cancels = (used: string) => {
      late.abort();
      forget(used);
    };
    Object.assign(ben.core.grants, { forget: cancels });
    const account = await ben.client.team.connect({ ...joining, invitation: await grant() }, { signal: late.signal });
    Object.assign(ben.core.grants, { forget });
    expect(await keywords(ben, account.workspaceId), 'it is whole from the beginning').toHaveLength(2);
    expect(account).toMatchObject({ name: 'Northwind team', hasTeam: true });
    const other = account.workspaceId;
    await ben.client.team.share({ workspaceId: other });
    expect((await keywords(ben, other)).map(({ id }) => id)).toEqual(
      (await keywords(ana, workspaceId)).map(({ id }) => id),
    );

    const keyword = at(await keywords(ben, other), 0);
    const changes = [{ kind: 'keyword' as const, id: keyword.id, field: 'bid', value: 210 }];
    await ben.client.workspace.edit({ workspaceId: other, label: 'Bids', changes });
    expect(await ben.client.team.share({ workspaceId: other })).toMatchObject({ conflicts: 0 });
    await expect.poll(async () => bidOf(at(await keywords(ana, workspaceId), 0))).toBe(210);
    const log = await ana.client.team.log({
      workspaceId,
      from: 0,
      count: 10,
      ref: { kind: 'keyword', id: keyword.id },
    });
    expect(at(log.entries, 0)).toMatchObject({ member: { display: 'Ben' }, desk: 'Laptop', label: 'Bids', rows: 1 });

    await ana.client.team.setRoles({ workspaceId, no: 2, roles: ['view'] });
    await ben.client.workspace.edit({
      workspaceId: other,
      label: 'More',
      changes: [{ ...at(changes, 0), value: 220 }],
    });
    await ben.client.team.share({ workspaceId: other });
    expect(await ben.client.team.status({ workspaceId: other })).toMatchObject({ notShared: 1, state: 'online' });
    // What an admin does about the database, and what was written down of it.
    const { upkeep } = ana.client.team;
    await expect(ben.client.team.upkeep.close({ workspaceId: other, isClosed: true })).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
    });
    await upkeep.close({ workspaceId, isClosed: true });
    await ben.client.team.members({ workspaceId: other });
    expect((await ben.client.team.status({ workspaceId: other }))?.state).toBe('closed');
    await upkeep.close({ workspaceId, isClosed: false });
    expect(await upkeep.verify({ workspaceId })).toMatchObject({ differences: 0, damaged: null, wrong: 0 });
    expect(await upkeep.prune({ workspaceId, days: 90 })).toEqual({ entries: 0, parts: 0 });
    const health = await upkeep.show({ workspaceId });
    expect(health).toMatchObject({ prunedTo: 0, away: 0, unconfirmed: 0, unreported: [] });
    expect(health.snapshots).toMatchObject([{ seq: 0, state: 'usable', rows: 5, computer: 'Desktop' }]);
    expect(health.databaseBytes).toBeGreaterThan(health.logBytes);
    const done = (await upkeep.activity({ workspaceId, from: 0, count: 20 })).entries;
    expect(done.map(({ by, what, member }) => [by, what, member])).toEqual([
      ['Ana', 'pruned', null],
      ['Ana', 'opened', null],
      ['Ana', 'closed', null],
      ['Ana', 'roles', 'Ben'],
      ['Ben', 'joined', 'Ben'],
      ['Ben', 'left', 'Ben'],
      ['Ben', 'joined', 'Ben'],
      ['Ana', 'invited', 'Ben'],
      ['Ana', 'snapshot', null],
      ['Ana', 'joined', 'Ana'],
      ['dba', 'created', 'Ana'],
    ]);

    // Taking over needs the open requests; if they can't be read, a colleague can sync at once.
    const renamed = (from: string, to: string) => admin.query(`ALTER FUNCTION adslate.${from} RENAME TO ${to}`);
    await renamed('what_is_open_v1', 'away');
    await expect(ana.client.team.takeOver({ workspaceId })).rejects.toMatchObject({ code: 'TEAM_OFFLINE' });
    await renamed('away', 'what_is_open_v1');
    expect((await admin.query('SELECT FROM adslate.lease WHERE token IS NOT NULL')).rowCount).toBe(0);
    expect(await ana.client.team.takeOver({ workspaceId })).toEqual({ unconfirmed: 0 });

    expect(await ben.client.team.leave({ workspaceId: other })).toEqual({ notShared: 1 });
    expect(bidOf(at(await keywords(ben, other), 0))).toBe(220);
    expect(await ben.client.accounts.list()).toMatchObject([{ mode: 'read-only', hasTeam: false }]);
    await ana.client.team.members({ workspaceId });
    expect((await ana.client.team.status({ workspaceId }))?.desks.map(({ isRevoked }) => isRevoked)).toContain(true);
    // No password is in a file of either.
    for (const { dataDir } of [ana, ben])
      expect(readFileSync(join(dataDir, 'accounts.json'), 'utf8')).not.toContain(PASSWORD);
  });

  test('a team whose creation breaks off, before its computer joins or while its rows are sent, is created by the next try', async () => {
    await admin.query('UPDATE adslate.workspace SET advertiser_id = id::text');
    const ana = await aComputer(copyAccount);
    const workspaceId = await onlyAccount(ana.client);
    const create = () =>
      ana.client.team.create({ workspaceId, connection: connection(), display: 'Ana', computer: 'Desktop' });
    await ana.client.workspace.create({ workspaceId, label: 'Towels', rows: towels() });
    await admin.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$`);
    for (const table of ['desk', 'snapshot_part']) {
      await admin.query(
        `CREATE TRIGGER full_disk BEFORE INSERT ON adslate.${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`,
      );
      await expect(create()).rejects.toMatchObject({ code: 'BAD_TEAM_CONNECTION', data: { step: 'disk-full' } });
      await admin.query(`DROP TRIGGER full_disk ON adslate.${table}`);
    }
    // Another computer does not have the password of the member who has joined.
    const ben = await aComputer(copyAccount);
    const hers = { connection: connection(), display: 'Ben', computer: 'Laptop' };
    await expect(ben.client.team.create({ workspaceId: await onlyAccount(ben.client), ...hers })).rejects.toMatchObject(
      { code: 'HAS_TEAM', data: { where: 'database' } },
    );
    // Its snapshot is whole and not approved: an edit after it is shared as an entry of the log.
    await admin.query(`CREATE TRIGGER full_disk BEFORE UPDATE ON adslate.snapshot FOR EACH ROW
      WHEN (NEW.state = 'usable') EXECUTE FUNCTION full_disk()`);
    await expect(create()).rejects.toMatchObject({ code: 'BAD_TEAM_CONNECTION', data: { step: 'disk-full' } });
    await admin.query('DROP TRIGGER full_disk ON adslate.snapshot');
    const { id } = at(await keywords(ana, workspaceId), 0);
    const changes = [{ kind: 'keyword' as const, id, field: 'bid', value: 210 }];
    await ana.client.workspace.edit({ workspaceId, label: 'Bid', changes });
    expect(await create()).toMatchObject({ member: { no: 1, display: 'Ana' }, desks: [{ isHere: true }] });
    await expect.poll(async () => (await ana.client.team.status({ workspaceId }))?.state).toBe('online');
    await expect.poll(async () => (await ana.client.team.status({ workspaceId }))?.notShared).toBe(0);
    const log = await ana.client.team.log({ workspaceId, from: 0, count: 10 });
    expect(log.entries.map(({ label, rows }) => [label, rows])).toEqual([['Bid', 1]]);
  });

  test('a team whose last answer is lost is finished by the next try of its own computer alone', async () => {
    await admin.query('UPDATE adslate.workspace SET advertiser_id = id::text');
    const line = await startCuttingProxy(server.port);
    onTestFinished(() => line.close());
    const [ana, ben] = [await aComputer(copyAccount), await aComputer(copyAccount)];
    const workspaceId = await onlyAccount(ana.client);
    const createOn = async ({ client }: Computer, port: number) =>
      client.team.create({
        workspaceId: await onlyAccount(client),
        connection: { ...connection(), hosts: [`127.0.0.1:${port}`] },
        display: 'Ana',
        computer: 'Desktop',
      });
    await ana.client.workspace.create({ workspaceId, label: 'Towels', rows: towels() });
    // The approval of the first rows is the last statement. It waits until the line drops answers.
    await admin.query(`SELECT pg_advisory_lock(7); CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END $$;
      CREATE TRIGGER hold BEFORE UPDATE ON adslate.snapshot FOR EACH ROW WHEN (NEW.state = 'usable') EXECUTE FUNCTION hold()`);
    const lost = expect(createOn(ana, line.port)).rejects.toMatchObject({
      code: 'BAD_TEAM_CONNECTION',
      data: { step: 'unreachable' },
    });
    const isHeld = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await expect.poll(async () => (await admin.query(isHeld)).rowCount, { timeout: 10_000 }).toBe(1);
    line.swallowAnswers();
    await admin.query('SELECT pg_advisory_unlock(7); DROP TRIGGER hold ON adslate.snapshot');
    await lost;
    await expect(createOn(ben, server.port)).rejects.toMatchObject({ code: 'HAS_TEAM', data: { where: 'database' } });
    expect(await createOn(ana, line.port)).toMatchObject({ member: { no: 1 }, desks: [{ isHere: true }] });
    await expect.poll(async () => (await ana.client.team.status({ workspaceId }))?.notShared).toBe(0);
    await expect(createOn(ben, server.port)).rejects.toMatchObject({ code: 'HAS_TEAM', data: { where: 'database' } });
  });

  test('after a crash while leaving, an account starts another team with all its rows', async () => {
    await admin.query('UPDATE adslate.workspace SET advertiser_id = id::text');
    const ana = await aComputer(copyAccount);
    const workspaceId = await onlyAccount(ana.client);
    const create = ({ client }: Pick<Computer, 'client'>) =>
      client.team.create({ workspaceId, connection: connection(), display: 'Ana', computer: 'Desktop' });
    await ana.client.workspace.create({ workspaceId, label: 'Towels', rows: towels() });
    await create(ana);
    // Edits that the old team does not get.
    await ana.client.workspace.create({ workspaceId, label: 'More towels', rows: towels() });
    await ana.core.close();
    // Leaving writes the list of accounts, and the crash comes before the file of the account.
    const list = join(ana.dataDir, 'accounts.json');
    const written = JSON.parse(readFileSync(list, 'utf8'));
    for (const account of written.accounts) delete account.team;
    writeFileSync(list, JSON.stringify(written));
    await admin.query('UPDATE adslate.workspace SET advertiser_id = id::text');
    const core = await startCore(ana.dataDir);
    onTestFinished(() => core.close());
    const again = { core, client: createRouterClient(core.router), dataDir: ana.dataDir };
    expect(await create(again)).toMatchObject({ member: { no: 1, display: 'Ana' } });
    const { snapshots } = await again.client.team.upkeep.show({ workspaceId });
    expect(snapshots).toMatchObject([{ seq: 0, state: 'usable', rows: 10 }]);
  });

  test('a team whose password was in memory goes on after a restart when it is entered, or another login gives a new one', async () => {
    await admin.query('UPDATE adslate.workspace SET advertiser_id = id::text');
    const ana = await aComputer(copyAccount);
    const workspaceId = await onlyAccount(ana.client);
    await ana.client.workspace.create({ workspaceId, label: 'Towels', rows: towels() });
    const of = { connection: connection(), display: 'Ana', computer: 'Desktop' };
    const { login, desk } = await ana.client.team.create({ workspaceId, ...of });
    const restarted = async (before: Core) => {
      await before.close();
      const core = await startCore(ana.dataDir);
      onTestFinished(() => core.close());
      const client: Client = createRouterClient(core.router);
      await expect.poll(async () => (await client.team.status({ workspaceId }))?.state).toBe('no-password');
      return { ...ana, core, client };
    };
    const second = await restarted(ana.core);
    const [keyword] = await keywords(second, workspaceId);
    const changes = [{ kind: 'keyword' as const, id: keyword?.id ?? 0, field: 'bid', value: 230 }];
    await second.client.workspace.edit({ workspaceId, label: 'Bid', changes });
    const enter = ({ client }: Computer, own: { readonly login: string; readonly password: string }) =>
      client.team.enterPassword({ workspaceId, ...own });
    const refused = (step: string) => ({ code: 'BAD_TEAM_CONNECTION', data: { step } });
    await expect(enter(second, { login, password: 'wrong' })).rejects.toMatchObject(refused('login'));
    await admin.query(`CREATE ROLE plain LOGIN PASSWORD '${PASSWORD}'`);
    await expect(enter(second, { login: 'plain', password: PASSWORD })).rejects.toMatchObject(refused('rights'));
    expect((await second.client.team.status({ workspaceId }))?.state).toBe('no-password');
    await enter(second, { login: 'dba', password: PASSWORD });
    await expect
      .poll(() => second.client.team.status({ workspaceId }))
      .toMatchObject({ state: 'online', notShared: 0, desk, login });

    const third = await restarted(second.core);
    await admin.query(`ALTER ROLE ${login} PASSWORD 'set-by-hand'`);
    await enter(third, { login, password: 'set-by-hand' });
    expect(await third.client.team.status({ workspaceId })).toMatchObject({ state: 'online', desk });
    // Kept with a passphrase, it is locked after the next start, and unlocked with the rest.
    await third.client.credentials.setStorage({ storage: 'passphrase', passphrase: 'six plain words of a person' });
    await third.core.close();
    // What waits for a person is not tried again in time for the test.
    const sleep: Clock['sleep'] = (delayMs, signal) =>
      systemClock.sleep(delayMs < 60_000 ? delayMs : 24 * 3_600_000, signal);
    const fourth = await startCore(ana.dataDir, { clock: { ...systemClock, sleep } });
    onTestFinished(() => fourth.close());
    const { team, credentials }: Client = createRouterClient(fourth.router);
    await expect.poll(async () => (await team.status({ workspaceId }))?.state).toBe('locked');
    await expect(team.enterPassword({ workspaceId, login: 'dba', password: PASSWORD })).rejects.toMatchObject(
      refused('secrets'),
    );
    await credentials.unlock({ passphrase: 'six plain words of a person' });
    await expect.poll(async () => (await team.status({ workspaceId }))?.state).toBe('online');

    // The administrator of the database changes the password, and cuts the connections that have the old one.
    await admin.query(`ALTER ROLE ${login} PASSWORD 'set-elsewhere'`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login]);
    await expect
      .poll(() => team.status({ workspaceId }))
      .toMatchObject({ state: 'no-password', problem: expect.stringContaining('It may have been changed') });
    await expect(team.share({ workspaceId })).rejects.toMatchObject({ code: 'TEAM_OFFLINE' });
    await team.enterPassword({ workspaceId, login, password: 'set-elsewhere' });
    expect(await team.status({ workspaceId })).toMatchObject({ state: 'online', problem: null });
  });

  test('whoever joins or syncs is told of a damaged log or a newer Adslate, and not of a database out of reach', async () => {
    // The teams of other tests are of other advertisers.
    await admin.query('UPDATE adslate.workspace SET advertiser_id = id::text');
    const [ana, ben, cleo] = [await aComputer(copyAccount), await aComputer(), await aComputer()];
    const workspaceId = await onlyAccount(ana.client);
    await ana.client.workspace.create({ workspaceId, label: 'Towels', rows: towels() });
    await ana.client.team.create({ workspaceId, connection: connection(), display: 'Ana', computer: 'Desktop' });
    const [team] = (await admin.query('SELECT id FROM adslate.workspace WHERE advertiser_id <> id::text')).rows;
    const invited = async (display: string, { core }: Computer) => {
      const { file, words } = await ana.client.team.invite({ workspaceId, display, roles: ['view', 'edit', 'sync'] });
      const bytes = readFileSync(ana.core.offered(file.url.split('/').at(-1) ?? '')?.path ?? '');
      const held = await core.grants.hold('invitation', Readable.from([bytes]));
      const invitation = held.ok ? held.value.grant : '';
      return { invitation, words: words.join(' '), computer: 'Laptop', name: 'Of the team' };
    };
    const setBid = async (value: number) => {
      const id = at(await keywords(ana, workspaceId), 0).id;
      await ana.client.workspace.edit({
        workspaceId,
        label: 'Bid',
        changes: [{ kind: 'keyword', id, field: 'bid', value }],
      });
      await ana.client.team.share({ workspaceId });
    };
    const relabel = (seq: number, label: string) =>
      admin.query(`BEGIN; SET LOCAL session_replication_role = replica; UPDATE adslate.change_set SET label = ${label}
        WHERE workspace = '${team.id}' AND seq = ${seq}; COMMIT`);
    await setBid(210);
    await relabel(1, "label || '!'");
    const joining = await invited('Ben', ben);
    await expect(ben.client.team.connect(joining)).rejects.toMatchObject({
      code: 'BAD_TEAM_CONNECTION',
      data: { step: 'damaged', detail: 'entry 1 was changed after it was shared' },
    });
    await relabel(1, "rtrim(label, '!')");
    const { workspaceId: other } = await ben.client.team.connect(joining);
    await admin.query(`CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN NEW.label := NEW.label || '!'; RETURN NEW; END $$;
      CREATE TRIGGER forge BEFORE INSERT ON adslate.change_set FOR EACH ROW EXECUTE FUNCTION forge()`);
    await expect(setBid(220)).rejects.toMatchObject({ code: 'TEAM_OFFLINE' });
    const told = (detail: string) => ({ code: 'TEAM_OFFLINE', data: { detail: expect.stringContaining(detail) } });
    const syncs = ({ sync }: Client) => sync.run({ workspaceId: other, submit: false });
    await expect(syncs(ben.client)).rejects.toMatchObject(
      told('Entry 2 in the database of the team was changed after it was shared. Nothing after it is taken'),
    );
    expect((await ben.client.team.status({ workspaceId: other }))?.state).toBe('damaged');
    // Its credentials are in memory alone.
    await ben.core.close();
    const again = await startCore(ben.dataDir);
    onTestFinished(() => again.close());
    await expect(syncs(createRouterClient(again.router))).rejects.toMatchObject(
      told('The password of the team is not on this computer'),
    );
    await admin.query(`UPDATE adslate.workspace SET min_reader = 99 WHERE id = '${team.id}'`);
    await expect(cleo.client.team.connect(await invited('Cleo', cleo))).rejects.toMatchObject({
      code: 'BAD_TEAM_CONNECTION',
      data: { step: 'old-version' },
    });
  });
});
