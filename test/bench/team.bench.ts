import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { systemClock } from '../../main/app/clock.ts';
import { connectTeam, type TeamConnection } from '../../main/team/connection.ts';
import { packChangeSet } from '../../main/team/payload.ts';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
import { CHANGE_SET_FORMAT, openTeamLog } from '../../main/team/team-log.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import type { ChangeSet } from '../../shared/team/change-set.ts';
import { LOG_START, type LogPlace } from '../../shared/team/position.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../team/postgres.ts';
import { inTurns, median, said, share, timed } from './figure.ts';

/**
 * Sharing of a team over a PostgreSQL on this machine, with its disk flushed: `npm run bench -- team`. Each figure stands beside
 * the bare statement that it comes down to.
 */
const FIELDS = Number(process.argv[2] ?? 1_000_000);
const LOGIN = { user: 'ana', password: 'of-the-bench' };

async function measure(postgres: TestPostgres): Promise<boolean> {
  const admin = await postgres.connect();
  await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
  await admin.query(`CREATE ROLE ana LOGIN PASSWORD '${LOGIN.password}'; GRANT adslate_member TO ana`);
  await admin.query(
    'CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload bytea); GRANT ALL ON bare TO PUBLIC',
  );
  const held = [
    await appends(postgres, admin),
    await manyDesks(postgres, admin, EDIT_EVERY_MS, 150),
    await manyDesks(postgres, admin, 0, 500),
    await notices(postgres, admin),
    await behind(postgres, admin),
  ];
  return held.every(Boolean);
}

async function anAccount(admin: pg.Client): Promise<string> {
  const id = randomUUID();
  await admin.query(
    `INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ('${id}', 'Bench', 'bench', '${id}')`,
  );
  await admin.query(
    `INSERT INTO adslate.member (workspace, no, login, display, roles) VALUES ('${id}', 1, 'ana', 'Ana', '{view,edit}')`,
  );
  return id;
}

interface Desk {
  readonly connection: TeamConnection;
  readonly no: number;
  readonly log: ReturnType<typeof openTeamLog>;
  /** Pushes until it is in the log. */
  push(changes: ChangeSet, scopes: readonly number[]): Promise<void>;
}

async function aDesk(
  postgres: TestPostgres,
  account: string,
  noticed: (account: string) => void = () => undefined,
): Promise<Desk> {
  const fields = {
    host: '127.0.0.1',
    port: postgres.port,
    database: 'postgres',
    ssl: false,
    enableChannelBinding: true,
  };
  const connection = await connectTeam([{ ...fields, ...LOGIN }], {
    clock: systemClock,
    random: Math.random,
    noticed,
    ended: () => undefined,
  });
  const { rows } = await connection.query("SELECT no FROM adslate.join_desk_v1($1, 'bench', 1, 0)", [account]);
  const no = Number(rows[0].no);
  const log = openTeamLog(connection, account, no);
  let seen: LogPlace = LOG_START;
  let count = 0;
  const pull = async (): Promise<void> => {
    for (;;) {
      const read = await log.after(seen);
      if (read?.ok !== true) throw new Error('the log cannot be read');
      const last = read.value.at(-1);
      if (last === undefined) return;
      seen = last;
    }
  };
  return {
    connection,
    no,
    log,
    push: async (changes, scopes) => {
      count++;
      for (;;) {
        const push = { desk: no, push: count, based: seen, changes, scopes: scopes.map(asRowId) };
        const answer = await log.append(push, 'Bids');
        if (answer === 'ok' || answer === 'duplicate') return;
        if (answer === 'wait') await systemClock.sleep(20 + 20 * Math.random());
        await pull();
      }
    },
  };
}

const bids = (count: number, from = 1): ChangeSet => ({
  made: [],
  removed: [],
  cells: Array.from({ length: count }, (_, at) => ({
    kind: 'keyword' as const,
    row: asRowId(from + 3 * at),
    field: 'bid',
    value: 30 + ((at * 7919) % 220),
  })),
});

async function appends(postgres: TestPostgres, admin: pg.Client): Promise<boolean> {
  const account = await anAccount(admin);
  const desk = await aDesk(postgres, account);
  let held = true;
  for (const [count, times] of [
    [1, 300],
    [100, 300],
    [10_000, 40],
  ] as const) {
    const changes = bids(count);
    const payload = packChangeSet(changes);
    const { mine, theirs } = await inTurns(
      times,
      () => desk.push(changes, [1]),
      () => desk.connection.query('INSERT INTO bare (payload) VALUES ($1)', [payload]),
    );
    const beside = { peer: 'bare insert', peerValue: median(theirs) };
    const bar = count > 100 ? { bar: 25 } : { ratioBar: 3 };
    held = said(`share ${count} fields, p50`, median(mine), 'ms', { ...beside, ...bar }) && held;
    said(`share ${count} fields, p95`, share(mine, 0.95), 'ms', {
      peer: 'bare insert',
      peerValue: share(theirs, 0.95),
    });
  }
  await desk.connection.close();
  return held;
}

const DESKS = 20;
const DESKS_MS = 10_000;

const EDIT_EVERY_MS = 200;

/** Each edits a campaign of its own, five times a second or without a pause; one touches all of them. */
async function manyDesks(postgres: TestPostgres, admin: pg.Client, everyMs: number, bar: number): Promise<boolean> {
  const account = await anAccount(admin);
  const desks: Desk[] = [];
  for (let at = 0; at < DESKS; at++) desks.push(await aDesk(postgres, account));
  const campaigns = desks.map((_, at) => at + 1);
  const durations: number[] = [];
  const until = performance.now() + DESKS_MS;
  await Promise.all(
    desks.map(async (desk, at) => {
      while (performance.now() < until) {
        const next = performance.now() + everyMs;
        durations.push(await timed(() => desk.push(bids(1, at + 1), at === 0 ? campaigns : [at + 1])));
        await systemClock.sleep(Math.max(0, next - performance.now()));
      }
    }),
  );
  durations.sort((a, b) => a - b);
  const name = `${DESKS} computers${everyMs === 0 ? ' without a pause' : ''}`;
  said(`${name}: pushes a second`, (1000 * durations.length) / DESKS_MS, '1/s');
  said(`${name}: share an edit, p50`, median(durations), 'ms');
  const held = said(`${name}: share an edit, p95`, share(durations, 0.95), 'ms', { bar });
  for (const { connection } of desks) await connection.close();
  return held;
}

async function notices(postgres: TestPostgres, admin: pg.Client): Promise<boolean> {
  const account = await anAccount(admin);
  const latencies: number[] = [];
  let sentAt = 0;
  const heard = (of: string): void => {
    if (of === account) latencies.push(performance.now() - sentAt);
  };
  const listeners: Desk[] = [];
  for (let at = 0; at < DESKS; at++) listeners.push(await aDesk(postgres, account, heard));
  const pusher = await aDesk(postgres, account);
  const TIMES = 100;
  for (let at = 0; at < TIMES; at++) {
    sentAt = performance.now();
    await pusher.push(bids(1), [1]);
    while (latencies.length < (at + 1) * DESKS && performance.now() - sentAt < 5000) await systemClock.sleep(1);
  }
  latencies.sort((a, b) => a - b);
  const missing = TIMES * DESKS - latencies.length;
  const held = said(`notice to ${DESKS} listeners from before the push, p95`, share(latencies, 0.95), 'ms', {
    bar: 50,
  });
  const whole = said('notices that did not arrive', missing, 'notices', { bar: 0 });
  for (const { connection } of [...listeners, pusher]) await connection.close();
  return held && whole;
}

/** A desk that has been away while so many fields were changed. */
async function behind(postgres: TestPostgres, admin: pg.Client): Promise<boolean> {
  let held = true;
  for (const [sets, bar] of [
    [200, 2000],
    [10_000, 2000],
    [100_000, 10_000],
  ] as const) {
    const account = await anAccount(admin);
    const desk = await aDesk(postgres, account);
    const each = Math.max(1, Math.round(FIELDS / sets));
    const before = await size(admin);
    await fill(admin, account, desk.no, sets, packChangeSet(bids(each)));
    let fields = 0;
    const ms = await timed(async () => {
      let seen: LogPlace = LOG_START;
      for (;;) {
        const read = await desk.log.after(seen);
        if (read?.ok !== true) throw new Error('the log cannot be read');
        for (const { changes } of read.value) fields += changes.cells.length;
        const last = read.value.at(-1);
        if (last === undefined) return;
        seen = last;
      }
    });
    const bare = await timed(() =>
      desk.connection.query('SELECT seq, payload FROM adslate.change_set WHERE workspace = $1 ORDER BY seq', [account]),
    );
    const name = `fetch ${fields.toLocaleString('en-US')} fields behind, ${sets.toLocaleString('en-US')} entries`;
    held = said(name, ms, 'ms', { bar: (bar * FIELDS) / 1_000_000, peer: 'bare select', peerValue: bare }) && held;
    const grown = (await size(admin)) - before;
    if (sets === 10_000) held = said('history in the database, a field', grown / fields, 'bytes', { bar: 12 }) && held;
    await desk.connection.close();
  }
  return held;
}

/** Bytes of the log with its indexes. */
const size = async (admin: pg.Client): Promise<number> =>
  Number((await admin.query("SELECT pg_total_relation_size('adslate.change_set') AS bytes")).rows[0].bytes);

/** Writes entries as `append_v1` does, without the way to the server and back for each. */
async function fill(admin: pg.Client, account: string, desk: number, sets: number, body: Buffer): Promise<void> {
  const channel = `f${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE TEMP TABLE ${channel} (body bytea)`);
  await admin.query(`INSERT INTO ${channel} VALUES ($1)`, [body]);
  await admin.query(`DO $$ DECLARE
      before bytea := '';
      body bytea := (SELECT f.body FROM ${channel} f);
    BEGIN
      FOR at IN 1..${sets} LOOP
        before := adslate.chained(before, at, ${desk}, at, 'edit', 'Bids', at - 1, '{[1,1]}', ${CHANGE_SET_FORMAT}, body);
        INSERT INTO adslate.change_set (workspace, seq, desk, push, member, kind, label, at, based, scopes, cells, format,
            payload, hash)
          VALUES ('${account}', at, ${desk}, at, 1, 'edit', 'Bids', now(), at - 1, '{[1,1]}', ${Math.round(FIELDS / sets)}, ${CHANGE_SET_FORMAT},
            body, before);
      END LOOP;
      UPDATE adslate.workspace SET head = ${sets}, head_hash = before WHERE id = '${account}';
    END $$`);
}

if (hasPostgres) {
  const server = await startPostgres([]);
  try {
    process.exitCode = (await measure(server)) ? 0 : 1;
  } finally {
    await server.stop();
  }
} else process.stdout.write('PostgreSQL is not installed here.\n');
