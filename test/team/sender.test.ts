import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewBatch, OpState } from '../../main/store/outbox/outbox-types.ts';
import type { OpOutcome, TeamIntent } from '../../main/store/outbox/team-intents.ts';
import { takeOutbox } from '../../main/sync/ports.ts';
import { TeamFailure } from '../../main/team/connection.ts';
import {
  type IntentMark,
  type LeaseKey,
  type OpenIntents,
  openSender,
  type SenderDatabase,
} from '../../main/team/intents.ts';
import { teamTurns, waitsText } from '../../main/team/sender.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { runs } from '../share.ts';
import { aWorkspace, pick } from '../store/a-workspace.ts';
import { type Seeded, seeded } from '../sync/simulator/seeded.ts';
import { aTeamAccount, loginOf, prepareTeamDatabase } from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';
import { ModelSender } from './senders/model-sender.ts';

const CALLS = runs(20_000, 300);
/** An account has as many of them: what is compared is all that it knows, which grows with each. */
const CALLS_AN_ACCOUNT = 300;
/** How many lives; `npm run test:team-senders` plays 20,000. A failing seed is printed and can be played alone. */
const LIVES = Number(process.env['SENDER_LIVES'] ?? runs(100, 30));
const run = promisify(execFile);

// Outside the test runner, which makes everything several times as slow.
test('whatever dies, stands still or is forgotten, one computer sends at a time and nothing is sent twice or lost', async () => {
  const main = join(import.meta.dirname, 'senders/main.ts');
  const { stdout } = await run(process.execPath, [main, '--runs', String(LIVES)]);
  const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Readonly<Record<string, number>>;
  expect(figures['lives'], stdout).toBe(LIVES);
  // The lives have to have been hard ones, or the test proves nothing.
  for (const name of ['crashes', 'frozen', 'failovers', 'cuts', 'questions'])
    expect(figures[name], name).toBeGreaterThan(LIVES / 10);
});

describe.runIf(hasPostgres)('the lease and the intents of a team in PostgreSQL', () => {
  let server: TestPostgres;
  let admin: pg.Client;

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await prepareTeamDatabase(admin, ['ana', 'eve', 'pia', 'vic']);
  });
  afterAll(() => server?.stop());

  /** A new account, which Ana may sync, and Vic may edit. */
  const anAccount = (): Promise<string> => aTeamAccount(admin, ['ana view,edit,sync', 'vic view,edit']);
  const joined = async (client: pg.Client, account: string): Promise<SenderDatabase> => {
    const { rows } = await client.query("SELECT no FROM adslate.join_desk_v1($1, 'laptop', 1, 1000)", [account]);
    return openSender(client, account, Number(rows[0].no));
  };

  test('nobody but the holder of the lease writes, whatever they know of it, and receipts are kept', async () => {
    const account = await anAccount();
    const clients = await Promise.all(['ana', 'vic', 'eve'].map((user) => server.connect(loginOf(user))));
    const [ana, vic, eve] = pick(clients, 0, 1, 2);
    const [first, second] = [await joined(ana, account), await joined(ana, account)];
    const taken = await first.take();
    if (taken.is !== 'taken') throw new Error(taken.is);
    const { key } = taken;
    const refused = { code: '42501' };
    expect(await second.take()).toMatchObject({ is: 'held', member: 'ana' });
    const batch = batchOf(seeded(1), 'a');
    expect(await second.intend(key, batch, 100), 'the key of another computer').toEqual({ is: 'fenced' });
    expect(await first.intend({ ...key, token: randomUUID() }, batch, 100), 'a guess').toEqual({ is: 'fenced' });
    expect(await first.intend(key, batch, 100)).toEqual({ is: 'ok' });
    const outcome = { correlation: 'a', class: 'ELEMENTS', detail: '', ops: [] };
    expect(await second.receipt(outcome), "a late answer to a colleague's request").toBe(false);
    expect(await first.receipt(outcome)).toBe(true);
    await expect(openSender(vic, account, first.desk).take(), 'who may not sync').rejects.toMatchObject(refused);
    await expect(openSender(eve, account, first.desk).open(null, []), 'a stranger').rejects.toMatchObject(refused);
    for (const statement of [
      'SELECT token FROM adslate.lease',
      "UPDATE adslate.intent_op SET state = 'DONE'",
      'DELETE FROM adslate.receipt',
      `SELECT adslate.settled('${account}', 1, 'a', '', '', '[]')`,
    ])
      await expect(ana.query(statement), statement).rejects.toMatchObject(refused);
    await expect(admin.query('DELETE FROM adslate.receipt')).rejects.toMatchObject(refused);
    expect((await eve.query('SELECT epoch FROM adslate.lease')).rowCount).toBe(0);
    expect((await vic.query('SELECT epoch FROM adslate.lease WHERE workspace = $1', [account])).rowCount).toBe(1);
  });

  test('eight computers that want a free lease at the same moment give it to one of them', async () => {
    const account = await anAccount();
    const clients = await Promise.all(Array.from({ length: 8 }, () => server.connect(loginOf('ana'))));
    const desks = [];
    for (const client of clients) desks.push(await joined(client, account));
    const answers = await Promise.all(desks.map((desk) => desk.take()));
    expect(answers.map(({ is }) => is).toSorted()).toEqual([...Array(7).fill('held'), 'taken']);
  });

  test('after a failover nobody sends before each computer has said what it knows, and whom that waits for is told', async () => {
    const account = await anAccount();
    const [ana, pia] = [await server.connect(loginOf('ana')), await server.connect(loginOf('pia'))];
    await admin.query(
      `INSERT INTO adslate.member (workspace, no, login, display, roles) VALUES ($1, 3, 'pia', 'Pia', '{view,edit,sync}')`,
      [account],
    );
    const [first, second] = [await joined(ana, account), await joined(pia, account)];
    const taken = await first.take();
    if (taken.is !== 'taken') throw new Error(taken.is);
    const batch = { ...batchOf(seeded(1), 'a'), ops: batchOf(seeded(1), 'a').ops.slice(0, 1) };
    expect(await first.intend(taken.key, batch, 100)).toEqual({ is: 'ok' });
    await admin.query('UPDATE adslate.workspace SET incarnation = incarnation + 1 WHERE id = $1', [account]);
    await second.take();
    await second.importIntents([]);
    const waits = await second.take();
    expect(waits).toEqual({ is: 'waits', computers: 'ana (laptop)' });
    expect(waits.is === 'waits' && waitsText(waits.computers)).toBe(
      "The team's database was restored. Before the next sync, these computers must connect once: ana (laptop). If one is lost, an admin can retire it in Settings > Team.",
    );
    // What became of it is told without the lease, and nobody is asked about it.
    const ops = [{ idx: 0, state: 'DONE', remoteId: '900', reason: null }] as const;
    expect(await first.receipt({ correlation: 'a', class: 'RECALLED', detail: 'known here', ops })).toBe(true);
    await first.importIntents([]);
    expect(await second.take()).toMatchObject({ is: 'taken' });
    expect((await second.open(null, [])).intents).toMatchObject([{ correlation: 'a', ops: [{ state: 'DONE' }] }]);
  });

  const throwing = (thrown: unknown) => async () => {
    throw thrown;
  };

  /** A turn of Ana whose catching up fails. */
  async function turnThatFails(catchUp: () => Promise<string>) {
    const ana = await server.connect(loginOf('ana'));
    const account = await anAccount();
    const [first, second] = [await joined(ana, account), await joined(ana, account)];
    const timers = new Set<() => void>();
    const turn = teamTurns(
      {
        database: async () => first,
        catchUp,
        mark: { read: async () => null, write: async () => undefined },
        journaled: async () => new Set(),
        clock: {
          nowMs: () => Date.now(),
          monotonicMs: () => performance.now(),
          sleep: async () => undefined,
          startTimer: (fire) => {
            timers.add(fire);
            return () => timers.delete(fire);
          },
        },
      },
      await takeOutbox((await aWorkspace()).outbox),
    );
    return { turn, timers, second };
  }

  test('a turn whose catching up fails renews the lease no longer, and after a defect a colleague can sync', async () => {
    const defect = await turnThatFails(throwing(new TypeError('a defect')));
    await expect(defect.turn()).rejects.toThrow('a defect');
    expect(defect.timers).toHaveLength(0);
    expect(await defect.second.take()).toMatchObject({ is: 'taken' });
    const away = await turnThatFails(throwing(new Error('out of reach')));
    expect(await away.turn()).toMatchObject({ error: { code: 'TEAM_OFFLINE' } });
    expect(away.timers).toHaveLength(0);
  });

  test('a full disk of this computer at the start of a turn is told as that, and not as a database out of reach', async () => {
    const { turn } = await turnThatFails(throwing(fullDisk()));
    expect(await turn()).toMatchObject({
      error: {
        code: 'TEAM_OFFLINE',
        data: {
          detail:
            "Can't write to the disk of this computer (database or disk is full). When it can be written again, sync again.",
        },
      },
    });
  });

  test('what stops the log or locked credentials are told as that at the start of a turn, and a stop frees the lease', async () => {
    const told = (detail: string) => ({ error: { code: 'TEAM_OFFLINE', data: { detail } } });
    const stopped = await turnThatFails(async () => 'Your team uses a newer Adslate.');
    expect(await stopped.turn()).toMatchObject(told('Your team uses a newer Adslate.'));
    expect(stopped.timers).toHaveLength(0);
    expect(await stopped.second.take()).toMatchObject({ is: 'taken' });
    const locked = await turnThatFails(throwing(new TeamFailure('locked', '', 'the credentials are locked')));
    expect(await locked.turn()).toMatchObject(told('Credentials are locked. Unlock them in Settings, then try again.'));
  });

  test('every random call gets the answer that the model gives', async () => {
    const ana = await server.connect(loginOf('ana'));
    // The tests tell the time.
    await admin.query(
      'CREATE TABLE adslate.told (at timestamptz); INSERT INTO adslate.told VALUES (clock_timestamp())',
    );
    await admin.query('GRANT SELECT ON adslate.told TO adslate_owner');
    await admin.query(`CREATE OR REPLACE FUNCTION adslate.moment() RETURNS timestamptz LANGUAGE sql VOLATILE
      SET search_path = pg_catalog, pg_temp AS 'SELECT at FROM adslate.told'`);
    const answers = new Map<string, number>();
    for (let calls = 0; calls < CALLS; calls += CALLS_AN_ACCOUNT) await compareCalls(ana, calls, answers);
    for (const each of [
      'take taken',
      'take held',
      'take waits',
      'intend ok',
      'intend fenced',
      'intend live',
      'settle ok',
      'settle otherwise',
    ])
      expect(answers.get(each) ?? 0, `${each} of ${JSON.stringify([...answers])}`).toBeGreaterThan(CALLS / 300);
  }, 1_800_000);

  /** Makes random calls on a new account, in the database and in the model. */
  async function compareCalls(ana: pg.Client, seed: number, answers: Map<string, number>): Promise<void> {
    const account = await anAccount();
    const random = seeded(22 + seed);
    const desks = [await joined(ana, account), await joined(ana, account), await joined(ana, account)];
    let now = (
      await admin.query<{ at: Date }>("UPDATE adslate.told SET at = date_trunc('second', at) RETURNING at")
    ).rows[0]?.at.getTime();
    if (now === undefined) throw new Error('no time');
    const model = new ModelSender(
      () => now ?? 0,
      desks.map(({ desk }) => desk),
    );
    const keys: { readonly real: LeaseKey; readonly model: LeaseKey }[] = [];
    const correlations: string[] = ['none'];
    let marks: { real: IntentMark | null; model: IntentMark | null } = { real: null, model: null };
    for (let call = 0; call < CALLS_AN_ACCOUNT; call++) {
      now += 100 * random.int(random.chance(0.1) ? 700 : 20);
      await admin.query('UPDATE adslate.told SET at = $1', [new Date(now)]);
      const desk = desks[random.int(desks.length)] as SenderDatabase;
      const twin = model.desk(desk.desk);
      const key = random.chance(0.8) ? keys.at(-1) : keys[random.int(keys.length)];
      // What was sent lately is settled most.
      const lately = Math.max(0, correlations.length - 4);
      const correlation = correlations[random.chance(0.7) ? lately + random.int(4) : random.int(lately + 1)] ?? 'none';
      const what = key === undefined ? 'take' : random.chance(0.01) ? 'failover' : random.pick(WHATS);
      const both = async <T>(of: (db: SenderDatabase, its: 'real' | 'model') => Promise<T>) =>
        ({ real: await of(desk, 'real'), model: await of(twin, 'model') }) as const;
      const holder = desks.find(({ desk: no }) => no === model.state.desk) ?? desk;
      const asHolder = async <T>(of: (db: SenderDatabase, key: LeaseKey) => Promise<T>) => {
        const who = random.chance(0.85) ? holder : desk;
        if (key === undefined) throw new Error('no key');
        return { real: await of(who, key.real), model: await of(model.desk(who.desk), key.model) };
      };
      let said: { readonly real: unknown; readonly model: unknown };
      switch (what) {
        case 'take': {
          const taken = await both((db) => db.take());
          if (taken.real.is === 'taken' && taken.model.is === 'taken')
            keys.push({ real: taken.real.key, model: taken.model.key });
          said = { real: leaseFacts(taken.real), model: leaseFacts(taken.model) };
          break;
        }
        case 'renew':
          said = await asHolder((db, own) => db.renew(own));
          break;
        case 'release': {
          const after = random.chance(0.5) ? null : 60_000;
          said = await asHolder((db, own) => db.release(own, after));
          break;
        }
        case 'intend': {
          const batch = batchOf(random, random.chance(0.9) ? `c${call}` : correlation);
          correlations.push(batch.correlationId);
          said = await asHolder((db, own) => db.intend(own, batch, 36));
          break;
        }
        case 'dateAnew':
          said = await asHolder((db, own) => db.dateAnew(own, correlation));
          break;
        case 'settle': {
          const outcome = { correlation, class: 'ELEMENTS', detail: 'random', ops: outcomesOf(random) };
          said = await asHolder((db, own) => db.settle(own, outcome));
          break;
        }
        case 'receipt': {
          const outcome = { correlation, class: 'ELEMENTS', detail: 'random', ops: outcomesOf(random) };
          said = await both((db) => db.receipt(outcome));
          break;
        }
        case 'import': {
          const intents = [intentOf(random, `i${call}`)];
          correlations.push(`i${call}`);
          said = await both((db) => db.importIntents(random.chance(0.5) ? intents : intents));
          break;
        }
        case 'failover':
          model.failover(0);
          await admin.query('UPDATE adslate.workspace SET incarnation = incarnation + 1 WHERE id = $1', [account]);
          said = { real: null, model: null };
          break;
        case 'open': {
          const known = [correlation, 'never seen'];
          const from = random.chance(0.03) ? { real: null, model: null } : marks;
          const open = await both((db, its) => db.open(from[its], known));
          marks = {
            real: { server: open.real.server, changes: open.real.changes },
            model: { server: open.model.server, changes: open.model.changes },
          };
          const facts = (of: OpenIntents) => ({ ...of, server: '', unknown: of.unknown.toSorted() });
          said = { real: facts(open.real), model: facts(open.model) };
        }
      }
      expect(said.real, `call ${call}: ${what}`).toEqual(said.model);
      const { real } = said;
      const is = typeof real !== 'object' ? real : real !== null && 'is' in real ? real.is : '';
      const answer = `${what} ${String(is)}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  }
});

/** What SQLite throws when there is no room. */
function fullDisk(): unknown {
  const disk = new DatabaseSync(':memory:');
  try {
    disk.exec('PRAGMA max_page_count = 1; CREATE TABLE row (id INTEGER)');
  } catch (error) {
    return error;
  } finally {
    disk.close();
  }
  throw new Error('the disk had room');
}

const WHATS = [
  ...(['take', 'take', 'renew', 'release', 'intend', 'intend', 'intend', 'intend', 'dateAnew'] as const),
  ...(['settle', 'settle', 'settle', 'receipt', 'import', 'import', 'open', 'open'] as const),
] as const as readonly [
  'take',
  ...('take' | 'renew' | 'release' | 'intend' | 'dateAnew' | 'settle' | 'receipt' | 'import' | 'open')[],
];

/** A token is of its own side; who has the lease is named there alone. */
function leaseFacts(answer: Awaited<ReturnType<SenderDatabase['take']>>) {
  if (answer.is === 'taken') return { is: answer.is, epoch: answer.key.epoch, pollInMs: answer.pollInMs };
  return answer.is === 'held' ? { is: answer.is, since: answer.since, leftMs: answer.leftMs } : { is: answer.is };
}

const STATES = ['IN_DOUBT', 'NEEDS_USER', 'DONE', 'REJECTED', 'RETURNED'] as const satisfies readonly OpState[];

const outcomesOf = (random: Seeded): readonly OpOutcome[] =>
  Array.from({ length: 1 + random.int(2) }, (_, idx) => {
    const state = random.pick(STATES);
    return { idx, state, remoteId: state === 'DONE' ? String(random.int(9)) : null, reason: null };
  });

const rowsOf = (random: Seeded): readonly number[] =>
  random.chance(0.5) ? [1 + random.int(12)] : [1 + random.int(6), 7 + random.int(6)];

const batchOf = (random: Seeded, correlationId: string): NewBatch => ({
  ...{ kind: 'keyword', verb: random.chance(0.5) ? 'create' : 'update', method: 'POST', path: '/api/v1/keywords' },
  ...{
    campaignId: asRowId(1),
    adGroupId: asRowId(2),
    attempt: 1,
    correlationId,
    body: `{"of":"${correlationId} \\u0000"}`,
  },
  preImage: random.chance(0.5) ? null : ['1'],
  ops: rowsOf(random).map((row) => ({
    ...{ kind: 'keyword', rowId: asRowId(row), sent: { text: `a "b" \u0000 ${row}` }, base: null },
  })),
});

const intentOf = (random: Seeded, correlation: string): TeamIntent => ({
  ...{ correlation, kind: 'keyword', verb: random.chance(0.5) ? 'create' : 'update', campaign: 1, adGroup: null },
  ...{ preImage: null, body: '[]', sentInMs: -1000, lastInMs: 64_000 },
  ops: rowsOf(random).map((row, idx) => ({
    ...{
      idx,
      kind: 'keyword',
      row,
      sent: '{}',
      base: '{"bid":1}',
      state: random.pick(STATES),
      remoteId: null,
      reason: null,
    },
  })),
});
