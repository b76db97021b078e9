import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import { type ConnectionFields, connectTeam } from '../../main/team/connection.ts';
import { createTeamLink, type TeamLink } from '../../main/team/link.ts';
import type { SharingStore } from '../../main/team/share-round.ts';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { pickCell } from '../../shared/team/fold.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';
import { ModelDesk } from './simulator/model-desk.ts';

/** Pauses are a tenth of what they are. */
const clock: Clock = { ...systemClock, sleep: (delayMs, signal) => systemClock.sleep(delayMs / 10, signal) };
const PASSWORD = 'of-the-test';
const ROW = asRowId(1);

describe.runIf(hasPostgres)('a computer in step with its team', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
    for (const user of ['ana', 'ben'])
      await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'; GRANT adslate_member TO ${user}`);
  }, 120_000);
  afterAll(() => server?.stop());
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  const anAccount = async (): Promise<string> => {
    const id = randomUUID();
    await admin.query('INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ($1, $2, $3, $4)', [
      id,
      'Northwind',
      'practice',
      id,
    ]);
    await admin.query(
      `INSERT INTO adslate.member (workspace, no, login, display, roles)
       VALUES ($1, 1, 'ana', 'Ana', '{view,edit}'), ($1, 2, 'ben', 'Ben', '{view,edit}')`,
      [id],
    );
    return id;
  };
  const fields = (user: string, port = server.port): ConnectionFields => ({
    host: '127.0.0.1',
    port,
    database: 'postgres',
    user,
    password: PASSWORD,
    ssl: false,
    enableChannelBinding: true,
  });
  const aProxy = async (): Promise<CuttingProxy> => {
    const proxy = await startCuttingProxy(server.port);
    opened.push(proxy);
    return proxy;
  };
  const join = async (account: string, user: string): Promise<number> => {
    const client = await server.connect({ user, password: PASSWORD });
    return Number(
      (await client.query("SELECT no FROM adslate.join_desk_v1($1, 'laptop', 1, 1000)", [account])).rows[0].no,
    );
  };

  interface TestDesk {
    readonly model: ModelDesk;
    readonly link: TeamLink;
    edit(value: number): void;
    mine(): unknown;
    isWaiting(): boolean;
  }
  const aDesk = async (account: string, user: string, port?: number): Promise<TestDesk> => {
    const model = new ModelDesk(await join(account, user));
    const store: SharingStore = {
      teamState: async () => ({ position: model.position }),
      teamOffer: async () => {
        const push = model.offer();
        return push === null ? null : { push, label: 'Bids', kind: 'edit' };
      },
      teamAnswer: async (answer) => model.hear(answer),
      teamFold: async (entries) => {
        for (const entry of entries) model.take(entry);
      },
      teamPulled: async () => model.pulled(),
      teamForget: async (toSeq) => model.goBackUntil(({ seq }) => seq <= toSeq),
    };
    const listeners = new Set<() => void>();
    const link = createTeamLink({
      account,
      desk: model.number,
      store,
      clock,
      random: Math.random,
      hosts: async () => [fields(user, port)],
      beat: async (connection, seen) => {
        const { rows } = await connection.query(
          `SELECT h.head, w.min_reader, w.min_writer, 'edit' = ANY (m.roles) AS may_edit
           FROM adslate.heartbeat_v1($1, $2, $3) h, adslate.workspace w, adslate.member m
           WHERE w.id = $1 AND m.workspace = $1 AND m.login = session_user`,
          [account, model.number, seen],
        );
        const [row] = rows;
        return { head: Number(row.head), minReader: row.min_reader, minWriter: row.min_writer, mayEdit: row.may_edit };
      },
      changed: () => undefined,
      edited: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    opened.push(link);
    return {
      model,
      link,
      edit: (value) => {
        model.edit(ROW, 'bid', 'keyword', value);
        for (const listener of listeners) listener();
      },
      mine: () => model.rows.cell(ROW, 'bid').mine,
      isWaiting: () => model.rows.cell(ROW, 'bid').isAhead,
    };
  };
  const withRow = (desk: TestDesk): void =>
    desk.model.rows.saveRow({
      kind: 'keyword',
      row: ROW,
      parent: null,
      isHere: true,
      isShared: true,
      isAhead: false,
      isInConflict: false,
    });
  const until = (what: () => unknown, is: unknown = true) => expect.poll(what, { timeout: 8000 }).toBe(is);
  const aPair = async (port?: number) => {
    const account = await anAccount();
    const [ana, ben] = [await aDesk(account, 'ana', port), await aDesk(account, 'ben')];
    for (const desk of [ana, ben]) {
      withRow(desk);
      desk.link.start();
    }
    await until(() => ana.link.state().is === 'online' && ben.link.state().is === 'online');
    return { account, ana, ben };
  };

  test('an edit is with the colleague a moment later, and one made by both asks the second', async () => {
    const { ana, ben } = await aPair();
    ana.edit(80);
    await until(ben.mine, 80);
    await until(ana.isWaiting, false);
    ana.edit(90);
    ben.edit(95);
    await until(() => [ana, ben].filter(({ model }) => model.rows.cell(ROW, 'bid').isInConflict).length, 1);
    const asked = ana.model.rows.cell(ROW, 'bid').isInConflict ? ana : ben;
    pickCell(asked.model.rows, ROW, 'bid', 'mine');
    asked.edit(asked.mine() as number);
    await until(() => ana.mine() === asked.mine() && ben.mine() === asked.mine());
  });

  test('what is edited offline waits, and is shared when the database is back', async () => {
    const proxy = await aProxy();
    const { ana, ben } = await aPair(proxy.port);
    proxy.shut();
    await until(() => ana.link.state().is, 'offline');
    ana.edit(70);
    ben.edit(75);
    await until(ben.isWaiting, false);
    expect(ana.isWaiting()).toBe(true);
    proxy.open();
    await until(() => ana.link.state().is, 'online');
    await until(() => ana.model.rows.cell(ROW, 'bid').isInConflict);
    expect(ana.mine()).toBe(70);
    expect(ben.mine()).toBe(75);
  });

  test('a line cut at any byte, or behind a push whose answer is lost, loses and repeats nothing', async () => {
    const proxy = await aProxy();
    const { account, ana, ben } = await aPair(proxy.port);
    for (let edit = 1; edit <= 30; edit++) {
      if (edit % 5 === 0) proxy.swallowAnswers();
      else proxy.cutAfter(1 + edit * 37);
      ana.edit(100 + edit);
      await until(ben.mine, 100 + edit);
    }
    await until(ana.isWaiting, false);
    expect(proxy.cuts()).toBeGreaterThan(10);
    const { rows } = await admin.query('SELECT desk, push FROM adslate.change_set WHERE workspace = $1 ORDER BY seq', [
      account,
    ]);
    expect(rows.map(({ push }) => push)).toEqual(rows.map((_row, at) => at + 1));
    expect(ana.model.position.seen).toEqual(ben.model.position.seen);
  }, 60_000);

  test('entries that a failover has forgotten are shared again by who had made them', async () => {
    const { account, ana, ben } = await aPair();
    for (const value of [10, 20, 30]) {
      ana.edit(value);
      await until(ben.mine, value);
    }
    await forget(account, 1);
    ben.edit(40);
    await until(() => ana.model.rows.cell(ROW, 'bid').isInConflict || ben.model.rows.cell(ROW, 'bid').isInConflict);
    const { rows } = await admin.query(
      'SELECT count(*)::int AS n, max(seq)::int AS top FROM adslate.change_set WHERE workspace = $1',
      [account],
    );
    expect(rows[0].n).toBe(rows[0].top);
  });
  /** As a standby that had not got the last entries: what came behind an entry is gone. */
  const forget = async (account: string, toSeq: number): Promise<void> => {
    await admin.query(`BEGIN;
      ALTER TABLE adslate.change_set DISABLE TRIGGER USER;
      DELETE FROM adslate.change_set WHERE workspace = '${account}' AND seq > ${toSeq};
      ALTER TABLE adslate.change_set ENABLE TRIGGER USER;
      UPDATE adslate.workspace w SET head = ${toSeq},
        head_hash = coalesce((SELECT hash FROM adslate.change_set c WHERE c.workspace = w.id AND c.seq = ${toSeq}), '')
        WHERE id = '${account}';
      UPDATE adslate.desk d SET last_push = coalesce((SELECT max(push) FROM adslate.change_set c
        WHERE c.workspace = d.workspace AND c.desk = d.no), 0) WHERE workspace = '${account}';
      COMMIT`);
  };

  test('a member who is removed while connected loses access, and keeps what is not shared', async () => {
    const { account, ana, ben } = await aPair();
    await admin.query("UPDATE adslate.member SET state = 'removed' WHERE workspace = $1 AND no = 1", [account]);
    ana.edit(60);
    await until(() => ana.link.state().is, 'no-access');
    expect(ana.isWaiting()).toBe(true);
    expect(ana.model.position.seen.seq).toBe(ben.model.position.seen.seq);
  });

  test('a team that asks for a newer version to share still tells this one what others did', async () => {
    const { account, ana, ben } = await aPair();
    await admin.query('UPDATE adslate.workspace SET min_writer = 2 WHERE id = $1', [account]);
    ana.edit(60);
    await until(() => ana.link.state().is, 'old-version');
    expect([ana.isWaiting(), ben.mine()]).toEqual([true, null]);
  });

  test('of several hosts the first that can be written is used, and why none can is told', async () => {
    const deps = { clock, random: Math.random, noticed: () => undefined, ended: () => undefined };
    await admin.query('ALTER ROLE ben SET default_transaction_read_only = on');
    const nobody = { ...fields('ana'), port: 9 };
    const connection = await connectTeam([nobody, fields('ben'), fields('ana')], deps);
    const [who] = (await connection.query('SELECT session_user AS who')).rows;
    expect([who.who, connection.hasNotices]).toEqual(['ana', true]);
    await connection.close();
    await expect(connectTeam([nobody, fields('ben')], deps)).rejects.toMatchObject({ problem: 'read-only' });
    await expect(connectTeam([nobody], deps)).rejects.toMatchObject({ problem: 'unreachable' });
    await expect(connectTeam([{ ...fields('ana'), password: 'x' }], deps)).rejects.toMatchObject({ problem: 'login' });
    await admin.query('ALTER ROLE ben RESET default_transaction_read_only');
  });
});
