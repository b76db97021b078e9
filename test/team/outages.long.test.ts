import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { connectTeam } from '../../main/team/connection.ts';
import { aFolder, aSmallCampaign, at, edit } from '../store/a-workspace.ts';
import { aTeamAccount, fieldsOf, loginOf, openDesk, prepareTeamDatabase, type SharedDesk } from './desks.ts';
import { hasPostgres, NOBODY, runnable, SERVERS, startPostgres, type TestPostgres } from './postgres.ts';
import { bidOf, hasty as clock, setBid, until } from './shared-bids.ts';

/**
 * What a database does to its clients when something is wrong with it, on real ones: a lock that is not given back, a standby that
 * was promoted without the last commits, a transaction pooler, a full disk. Each time nothing is lost, nothing is in the log twice,
 * the state says what is wrong, and sharing goes on by itself.
 */
const PEOPLE = ['ana', 'ben'];
const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((program) => existsSync(program));
const opened: { close(): unknown }[] = [];

const closeAll = async (): Promise<void> => {
  for (const each of opened.splice(0).toReversed()) await each.close();
};
const problemOf = async ({ sharing }: SharedDesk): Promise<string> => (await sharing.status()).problem ?? '';

async function aDesk(account: string, user: string, port: number | readonly number[]): Promise<SharedDesk> {
  const desk = await openDesk({ account, user, port, clock, file: join(aFolder(), 'workspace.db') });
  opened.push(desk);
  desk.sharing.link.start();
  return desk;
}

/** Ana and Ben with the same campaigns, one of each. */
async function aPair(admin: pg.Client, port: number | readonly number[]) {
  const account = await aTeamAccount(admin, PEOPLE);
  const [ana, ben] = [await aDesk(account, 'ana', port), await aDesk(account, 'ben', port)];
  const anas = at((await edit(ana.workspace, { creates: aSmallCampaign('Tea') })).touched, 3);
  const bens = at((await edit(ben.workspace, { creates: aSmallCampaign('Soap') })).touched, 3);
  await until(async () => [await bidOf(ben, anas), await bidOf(ana, bens)], [100, 100]);
  return { account, ana, ben, anas, bens };
}

/** Both have the same and nothing waits; each push is in the log once. */
async function isWhole(admin: pg.Client, account: string, desks: readonly SharedDesk[]): Promise<void> {
  await until(async () => {
    const states = await Promise.all(desks.map(({ workspace }) => workspace.teamState()));
    const [first] = states;
    const isEqual = states.every((state) => state?.position.seen.hash === first?.position.seen.hash);
    return [isEqual, ...states.map((state) => [state?.notShared, state?.conflicts, state?.position.offered])];
  }, [true, ...desks.map(() => [0, 0, null])]);
  await until(
    async () => Promise.all(desks.map(({ sharing }) => sharing.status().then(({ state }) => state))),
    [...desks.map(() => 'online')],
  );
  const digests = await Promise.all(desks.map(async ({ workspace }) => (await workspace.teamSnapshot())?.digest));
  expect(new Set(digests).size, String(digests)).toBe(1);
  const { rows } = await admin.query(
    'SELECT desk, array_agg(push ORDER BY seq) AS pushes FROM adslate.change_set WHERE workspace = $1 GROUP BY desk',
    [account],
  );
  for (const { pushes } of rows) expect(pushes).toEqual(pushes.map((_: number, i: number) => i + 1));
}

const aPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** A program that ends with the test. */
function aProgram(file: string, args: readonly string[], cwd: string): ChildProcess {
  const program = spawn(file, args, { ...NOBODY, cwd, stdio: 'ignore' });
  opened.push({
    close: async () => {
      if (program.exitCode !== null || program.signalCode !== null) return;
      program.kill('SIGINT');
      await once(program, 'exit');
    },
  });
  return program;
}

function ownedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-outage-'));
  opened.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  return folder;
}

describe.runIf(hasPostgres)('a database of a team that fails', () => {
  let server: TestPostgres;
  let admin: pg.Client;

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await prepareTeamDatabase(admin, PEOPLE);
  });
  afterEach(closeAll);
  afterAll(() => server?.stop());

  const rolledBack = async (): Promise<number> =>
    Number(
      (await admin.query("SELECT xact_rollback FROM pg_stat_database WHERE datname = 'postgres'")).rows[0]
        .xact_rollback,
    );
  const isWaiting = async (user: string): Promise<boolean> => {
    const sql = "SELECT 1 FROM pg_stat_activity WHERE usename = $1 AND wait_event_type = 'Lock'";
    return ((await admin.query(sql, [user])).rowCount ?? 0) > 0;
  };
  const LOCK = 'UPDATE adslate.workspace SET name = name WHERE id = $1';

  /** `lasts`: longer than the call is repeated, so that the state has to say it. */
  const LOCKS = [
    { code: '40001', setting: "default_transaction_isolation = 'repeatable read'", lasts: null },
    // It looks for a deadlock once, after this wait: the other has to have met it by then.
    { code: '40P01', setting: "deadlock_timeout = '3s'", lasts: null },
    { code: '55P03', setting: "lock_timeout = '30ms'", lasts: /is busy/ },
    { code: '57014', setting: "statement_timeout = '400ms'", lasts: /is busy/ },
  ];
  test.each(LOCKS)(
    '$code is tried again until the lock is free',
    async ({ code, setting, lasts }) => {
      await admin.query(`ALTER ROLE ana SET ${setting}`);
      try {
        const { account, ana, ben, anas } = await aPair(admin, server.port);
        const other = await server.connect();
        const before = await rolledBack();
        await other.query("SET deadlock_timeout = '60s'");
        await other.query('BEGIN');
        const desk = 'UPDATE adslate.desk SET at = at WHERE workspace = $1 AND no = $2';
        if (code === '40P01') await other.query(desk, [account, ana.no]);
        else await other.query(LOCK, [account]);
        await setBid(ana, anas, 210);
        if (lasts === null) await until(() => isWaiting('ana'));
        else await until(async () => lasts.test(await problemOf(ana)));
        expect(await bidOf(ben, anas)).toBe(100);
        if (code === '40P01') await other.query(LOCK, [account]);
        await other.query('COMMIT');
        await until(() => bidOf(ben, anas), 210);
        await isWhole(admin, account, [ana, ben]);
        await closeAll();
        // A backend reports what it rolled back when it ends.
        await until(async () => (await rolledBack()) > before);
      } finally {
        await admin.query(`ALTER ROLE ana RESET ${setting.split(' ')[0]}`);
      }
    },
    60_000,
  );

  test('53300 is told, and sharing goes on when a connection is free', async () => {
    const { account, ana, ben, anas } = await aPair(admin, server.port);
    await admin.query('ALTER ROLE ana CONNECTION LIMIT 1');
    try {
      // The program may be back first: it is thrown out until the one connection is the other's.
      const takeOnlyConnection = async () => {
        await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ana'");
        return server.connect(loginOf('ana')).catch(() => null);
      };
      await expect.poll(takeOnlyConnection, { interval: 20 }).not.toBeNull();
      const taken = await admin.query(
        "SELECT pid FROM pg_stat_activity WHERE usename = 'ana' AND application_name = ''",
      );
      expect(taken.rowCount).toBe(1);
      await setBid(ana, anas, 220);
      await until(async () => /is busy/.test(await problemOf(ana)));
      expect((await ana.sharing.status()).notShared).toBe(1);
      await admin.query('SELECT pg_terminate_backend($1)', [taken.rows[0].pid]);
      await until(() => bidOf(ben, anas), 220);
    } finally {
      await admin.query('ALTER ROLE ana CONNECTION LIMIT -1');
    }
    await isWhole(admin, account, [ana, ben]);
  });

  test.runIf(PGBOUNCER !== undefined)(
    'behind a transaction pooler the log is asked every few seconds, because notices are lost there',
    async () => {
      const folder = ownedFolder();
      const port = await aPort();
      const ini = `[databases]\npostgres = host=127.0.0.1 port=${server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
auth_type = scram-sha-256\nauth_file = ${folder}/users\npool_mode = transaction\ndefault_pool_size = 2\nunix_socket_dir =\n`;
      writeFileSync(join(folder, 'pgbouncer.ini'), ini);
      writeFileSync(join(folder, 'users'), PEOPLE.map((user) => `"${user}" "${loginOf(user).password}"\n`).join(''));
      aProgram(PGBOUNCER ?? '', [join(folder, 'pgbouncer.ini')], folder);
      const deps = { clock: systemClock, random: Math.random, noticed: () => undefined, ended: () => undefined };
      const connect = () => connectTeam([fieldsOf('ana', port)], deps).catch(() => null);
      await expect.poll(connect).not.toBeNull();
      const line = await connect();
      expect(line?.hasNotices).toBe(false);
      await line?.close();
      const { account, ana, ben, anas, bens } = await aPair(admin, port);
      for (const value of [230, 231, 232]) {
        await Promise.all([setBid(ana, anas, value), setBid(ben, bens, value + 10)]);
        await until(async () => [await bidOf(ben, anas), await bidOf(ana, bens)], [value, value + 10]);
      }
      await isWhole(admin, account, [ana, ben]);
    },
    90_000,
  );

  test('a promoted standby that lost the last commits gets them again from the computers', async () => {
    const { port: standbyPort, promote } = await aStandby(admin, server.port);
    const { account, ana, ben, anas, bens } = await aPair(admin, [server.port, standbyPort]);
    await until(async () => {
      const { rows } = await admin.query(
        'SELECT replay_lsn >= pg_current_wal_lsn() AS is_there FROM pg_stat_replication',
      );
      return rows[0]?.is_there;
    });
    // From here on the standby gets nothing more.
    await admin.query('ALTER ROLE replica NOLOGIN');
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_replication');
    await until(async () => (await admin.query('SELECT FROM pg_stat_replication')).rowCount, 0);
    await Promise.all([setBid(ana, anas, 240), setBid(ben, bens, 250)]);
    await until(async () => [await bidOf(ben, anas), await bidOf(ana, bens)], [240, 250]);
    await server.stop();
    // A standby that answers no queries says 57P03.
    await until(async () => /is busy/.test(await problemOf(ana)));
    await setBid(ana, anas, 241);
    await promote();
    await until(async () => [await bidOf(ben, anas), await bidOf(ana, bens)], [241, 250]);
    const { default: library } = await import('pg');
    const promoted = new library.Client({ ...fieldsOf('ana', standbyPort) });
    promoted.on('error', () => {});
    await promoted.connect();
    opened.push({ close: () => promoted.end() });
    await isWhole(promoted, account, [ana, ben]);
  });
});

/** A copy of a running server that follows it with a delay, as one that is set up by hand. */
async function aStandby(admin: pg.Client, primary: number) {
  await admin.query("CREATE ROLE replica LOGIN REPLICATION PASSWORD 'of-the-test'");
  const { rows } = await admin.query('SHOW data_directory');
  const data = join(ownedFolder(), 'data');
  await admin.query("SELECT pg_backup_start('standby', true)");
  cpSync(rows[0].data_directory, data, {
    recursive: true,
    filter: (source) => !/postmaster\.(?:pid|opts)$/u.test(source),
  });
  const stopped = await admin.query('SELECT labelfile FROM pg_backup_stop(false)');
  writeFileSync(join(data, 'backup_label'), stopped.rows[0].labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  const conninfo = `host=127.0.0.1 port=${primary} user=replica password=of-the-test`;
  writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  if (NOBODY.uid !== undefined)
    for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
      chownSync(join(data, name), NOBODY.uid, NOBODY.gid);
  const port = await aPort();
  const settings = [
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60', 'fsync=off', 'hot_standby=off'],
  ].flatMap((setting) => ['-c', setting]);
  const program = aProgram(
    join(runnable(SERVERS[0] ?? '', ownedFolder()), 'postgres'),
    ['-D', data, '-p', String(port), ...settings],
    data,
  );
  await until(async () => (await admin.query("SELECT FROM pg_stat_replication WHERE state = 'streaming'")).rowCount, 1);
  return {
    port,
    promote: async () => {
      writeFileSync(join(data, 'promote'), '');
      program.kill('SIGUSR1');
    },
  };
}

/** A small disk in memory; null where this user may not mount one. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-disk-'));
  const args = ['-t', 'tmpfs', '-o', 'size=192m,mode=0777', 'none', folder];
  if (NOBODY.uid !== undefined && spawnSync('mount', args).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

function unmountDisk(folder: string): void {
  spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
}

const probe = hasPostgres ? mountDisk() : null;
if (probe !== null) unmountDisk(probe);

describe.runIf(probe !== null)('a database of a team on a full disk', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  let disk = '';

  beforeAll(async () => {
    disk = mountDisk() ?? '';
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk;
    try {
      server = await startPostgres();
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
    admin = await server.connect();
    await prepareTeamDatabase(admin, PEOPLE);
  });
  afterEach(closeAll);
  afterAll(async () => {
    await server?.stop();
    unmountDisk(disk);
  });

  test('nothing is shared until there is room, and then each edit is in the log once', async () => {
    const { account, ana, ben, anas, bens } = await aPair(admin, server.port);
    const full = join(disk, 'full');
    const { bavail, bsize } = statfsSync(disk);
    // The log of the server has its segments; only tables want more room.
    writeFileSync(full, Buffer.alloc(bavail * bsize));
    const name = () => randomBytes(3000).toString('base64').slice(0, 4000);
    const note = (desk: SharedDesk) =>
      desk.workspace.note({ do: 'comment', ref: anas, field: null, author: 'A', text: name() });
    let notes = 0;
    const state = async () => {
      const { problem, notShared } = await ana.sharing.status();
      return { isWaiting: notShared > 0, problem };
    };
    const isFull = /is full\. Ask its administrator to free up space\. Until then, nothing is shared or sent\.$/;
    for (let found = await state(); notes < 100 && !(found.isWaiting && isFull.test(found.problem ?? '')); notes++) {
      await note(ana);
      await ana.sharing.share();
      found = await state();
    }
    expect(await state()).toEqual({ isWaiting: true, problem: expect.stringMatching(isFull) });
    await setBid(ana, anas, 260);
    expect(await ana.sharing.share()).toMatchObject({ ok: false, error: { code: 'TEAM_OFFLINE' } });
    rmSync(full);
    await until(() => bidOf(ben, anas), 260);
    await setBid(ben, bens, 270);
    await until(() => bidOf(ana, bens), 270);
    await isWhole(admin, account, [ana, ben]);
    expect((await ben.workspace.comments(anas, null)).length).toBe(notes);
  });
});
