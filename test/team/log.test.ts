import { generateKeyPairSync } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTeamAdmin } from '../../main/team/admin.ts';
import { registeredAs } from '../../main/team/signing.ts';
import { readTeamFacts, signersIn, TeamFactsShape, withKnownKeys } from '../../main/team/team-facts.ts';
import { openTeamLog } from '../../main/team/team-log.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import type { Push } from '../../shared/team/position.ts';
import { runs } from '../share.ts';
import { pick } from '../store/a-workspace.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { aTeamAccount, loginOf, prepareTeamDatabase } from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';
import { ModelServer } from './simulator/model-server.ts';

const CALLS = runs(20_000, 400);

describe.runIf(hasPostgres)('the log of a team in PostgreSQL', () => {
  let server: TestPostgres;
  let admin: pg.Client;

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await prepareTeamDatabase(admin, ['ana', 'eve', 'vic']);
  });
  afterAll(() => server?.stop());

  /** A new account, of which Ana may edit and Vic may look. */
  const anAccount = (): Promise<string> => aTeamAccount(admin, ['ana view,edit', 'vic view']);
  const join = async (client: pg.Client, account: string): Promise<number> =>
    Number((await client.query("SELECT no FROM adslate.join_desk_v1($1, 'laptop', 1, 1000)", [account])).rows[0].no);
  const bid = (row: number, value: number): Push['changes'] => ({
    made: [],
    removed: [],
    cells: [{ kind: 'keyword', row: asRowId(row), field: 'bid', value }],
  });

  test('every random push gets the answer that the model gives', async () => {
    const ana = await server.connect(loginOf('ana'));
    const account = await anAccount();
    const model = new ModelServer();
    const random = seeded(20);
    const logs = [];
    for (let desks = 0; desks < 4; desks++) logs.push(openTeamLog(ana, account, await join(ana, account)));
    const first = logs[0];
    if (first === undefined) throw new Error('no computer joined');
    /** Hashes of the database by those of the model: each computes its own. */
    const hashes = new Map([['', '']]);
    const answers = new Map<string, number>();
    for (let call = 0; call < CALLS; call++) {
      const desk = 1 + random.int(4);
      const seq = Math.max(0, model.head - random.int(6)) + (random.chance(0.03) ? 9 : 0);
      const isWrong = random.chance(0.03);
      const hash = isWrong ? 'ab12' : (model.hashAt(seq) ?? 'ab12');
      const push: Push = {
        desk,
        push: model.lastPushOf(desk) + 1 + (random.chance(0.1) ? random.int(3) - 1 : 0),
        based: { seq, hash },
        changes: bid(1 + random.int(50), call),
        scopes: [...new Set([random.int(8), random.int(8)])]
          .toSorted((a, b) => a - b)
          .map((scope) => asRowId(scope + 1)),
      };
      const said = model.append(push);
      const based = { seq, hash: hashes.get(hash) ?? 'ab12' };
      // Turns are about time, which the model has not: nobody is kept waiting here.
      await admin.query('UPDATE adslate.workspace SET turn_until = NULL WHERE id = $1', [account]);
      const answer = await logs[desk - 1]?.append({ ...push, based }, 'Bids');
      expect(answer, `call ${call}`).toBe(said);
      answers.set(said, (answers.get(said) ?? 0) + 1);
      if (said === 'ok') hashes.set(model.hashAt(model.head) ?? '', (await first.hashAt(model.head)) ?? '');
    }
    for (const each of ['ok', 'duplicate', 'behind', 'gap', 'other-history'])
      expect(answers.get(each), each).toBeGreaterThan(CALLS / 200);
    const read = await first.after({ seq: 0, hash: '' }, model.head + 1);
    expect(read?.ok && read.value.map(({ desk, push, changes }) => ({ desk, push, changes }))).toEqual(
      model.log.map(({ desk, push, changes }) => ({ desk, push, changes })),
    );
  }, 1_800_000);

  test('a computer that was behind four times has the turn, and others wait', async () => {
    const ana = await server.connect(loginOf('ana'));
    const account = await anAccount();
    const [slow, quick] = [await join(ana, account), await join(ana, account)];
    const [slowLog, quickLog] = [openTeamLog(ana, account, slow), openTeamLog(ana, account, quick)];
    const start = { seq: 0, hash: '' };
    const scopes = [asRowId(1)];
    expect(await quickLog.append({ desk: quick, push: 1, based: start, changes: bid(1, 1), scopes }, '')).toBe('ok');
    for (let tries = 0; tries < 4; tries++)
      expect(await slowLog.append({ desk: slow, push: 1, based: start, changes: bid(1, 2), scopes }, '')).toBe(
        'behind',
      );
    const head = { seq: 1, hash: (await slowLog.hashAt(1)) ?? '' };
    const next = { changes: bid(1, 3), based: head, scopes };
    expect(await quickLog.append({ desk: quick, push: 2, ...next }, '')).toBe('wait');
    expect(await slowLog.append({ desk: slow, push: 1, ...next }, '')).toBe('ok');
  });

  test('two pushes at the same moment get two numbers, and the second one sees the first', async () => {
    const account = await anAccount();
    const clients = await Promise.all(Array.from({ length: 6 }, () => server.connect(loginOf('ana'))));
    const pushed = await Promise.all(
      clients.map(async (client, at) => {
        const desk = await join(client, account);
        const push = {
          desk,
          push: 1,
          based: { seq: 0, hash: '' },
          changes: bid(at + 1, at),
          scopes: [asRowId((at % 3) + 1)],
        };
        return openTeamLog(client, account, desk).append(push, '');
      }),
    );
    expect(pushed.toSorted()).toEqual(['behind', 'behind', 'behind', 'ok', 'ok', 'ok']);
  });

  test('an administrator of the database can alter, add and take away nothing in the name of a computer', async () => {
    const ana = await server.connect(loginOf('ana'));
    const account = await anAccount();
    const [desk, other] = [await join(ana, account), await join(ana, account)];
    const { privateKey } = generateKeyPairSync('ed25519');
    const facts = async () => TeamFactsShape.parse(await readTeamFacts(ana, account));
    const place = async (seq: number) => ({ seq, hash: (await openTeamLog(ana, account, desk).hashAt(seq)) ?? '' });
    const push = async (no: number, of = desk) => ({
      ...{ desk: of, push: no, based: await place(no - 1), changes: bid(1, 80 + no), scopes: [2, 3, 7].map(asRowId) },
    });
    // One from before the computer had a key, and more behind it.
    expect(await openTeamLog(ana, account, desk).append(await push(1), 'Before')).toBe('ok');
    const raw = registeredAs(privateKey);
    expect((await ana.query('SELECT adslate.sign_key_v1($1, $2, $3) AS is', [account, desk, raw])).rows).toEqual([
      { is: true },
    ]);
    const known = await facts();
    const signing = {
      key: privateKey,
      member: 1,
      signerOf: signersIn(
        () => known,
        async () => undefined,
      ),
    };
    const log = openTeamLog(ana, account, desk, signing);
    for (let no = 2; no <= 4; no++) expect(await log.append(await push(no), 'Bids\nof Ana')).toBe('ok');
    await expect(
      openTeamLog(ana, account, desk).append(await push(5), ''),
      'by an older version',
    ).rejects.toMatchObject({
      code: 'AD007',
    });
    const start = { seq: 0, hash: '' };
    expect((await log.check(start)).map(({ problem, signature }) => [problem, signature])).toEqual([
      [null, 'unsigned'],
      ...Array.from({ length: 3 }, () => [null, 'signed']),
    ]);
    const pinned = async () => withKnownKeys(await facts(), known);
    /** With a chain that is whole again. */
    const forge = async (sql: string) => {
      await admin.query(`BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL search_path = adslate, pg_catalog;
        ${sql.replaceAll(':ws', `'${account}'`)};
        DO $$ DECLARE c change_set; before bytea := ''; BEGIN
          FOR c IN SELECT * FROM change_set WHERE workspace = '${account}' ORDER BY seq LOOP
            before := chained(before, c.seq, c.desk, c.push, c.kind, c.label, c.based, c.scopes, c.format, c.payload);
            UPDATE change_set SET hash = before WHERE workspace = c.workspace AND seq = c.seq;
            UPDATE workspace SET head = c.seq, head_hash = before WHERE id = c.workspace;
          END LOOP;
        END $$`);
      try {
        const now = await pinned();
        const reader = openTeamLog(admin, account, 0, {
          ...signing,
          signerOf: signersIn(
            () => now,
            async () => undefined,
          ),
        });
        const read = await reader.after(start);
        const counts = await openTeamAdmin(admin, account).verify({
          ...signing,
          signerOf: signersIn(() => now, pinned),
        });
        return [read?.ok === true ? read.value.length : read?.error, counts.wrong > 0, counts.problem?.seq];
      } finally {
        await admin.query('ROLLBACK');
      }
    };
    const label = "UPDATE change_set SET label = 'Forged' WHERE workspace = :ws AND seq =";
    const added = (of: number, no: number, where = '') =>
      `INSERT INTO change_set SELECT workspace, 5, ${of}, ${no}, member, kind, label, at, 4, scopes, cells, format, payload, hash, parts
       FROM change_set WHERE workspace = :ws AND seq = 4; ${where}`;
    const stranger = registeredAs(generateKeyPairSync('ed25519').privateKey).toString('hex');
    // What the reader can take before it, and where the log is found to be wrong.
    const forgeries: readonly (readonly [name: string, sql: string, taken: number, seq: number])[] = [
      ['an entry was altered', `${label} 3`, 2, 3],
      ['one from before the key was altered, on which a signed one is based', `${label} 1`, 1, 2],
      ['another member is named', 'UPDATE change_set SET member = 2 WHERE workspace = :ws AND seq = 4', 3, 4],
      ['a signature is gone', 'DELETE FROM signature WHERE workspace = :ws AND push = 4', 3, 4],
      [
        'a signature is of another entry',
        'UPDATE signature s SET signature = o.signature FROM signature o WHERE s.workspace = :ws AND o.workspace = :ws AND s.push = 4 AND o.push = 3',
        3,
        4,
      ],
      ['an entry was added', added(desk, 5), 4, 5],
      [
        'an entry was added as one from before the key',
        `UPDATE desk SET signs_from_push = 9 WHERE workspace = :ws; ${added(desk, 5)}`,
        4,
        5,
      ],
      ['an entry of a computer that the team does not have', added(99, 1), 4, 5],
      ['the computer has no key any more', `UPDATE desk SET sign_key = NULL WHERE workspace = :ws; ${label} 4`, 3, 4],
      [
        'the computer has another key',
        `UPDATE desk SET sign_key = decode('${stranger}', 'hex') WHERE workspace = :ws; ${label} 4`,
        3,
        4,
      ],
      ['the computer is gone', `DELETE FROM desk WHERE workspace = :ws AND no = ${desk}; ${label} 4`, 3, 4],
      [
        'a signature of a computer that has no key',
        added(
          other,
          1,
          `INSERT INTO signature SELECT workspace, ${other}, 1, based_hash, signature FROM signature WHERE workspace = :ws AND push = 4`,
        ),
        4,
        5,
      ],
      [
        'an entry in between was taken out',
        'DELETE FROM change_set WHERE workspace = :ws AND seq = 3; UPDATE change_set SET seq = 3 WHERE workspace = :ws AND seq = 4',
        2,
        3,
      ],
    ];
    for (const [name, sql, taken, seq] of forgeries) {
      const [read, isWrong, found] = await forge(sql);
      expect([read, isWrong, found], name).toEqual([taken === 0 ? expect.anything() : taken, true, seq]);
    }
    expect(await forge('SELECT'), 'without a forgery').toEqual([4, false, undefined]);
    // The rest of the chain does not fit when it is not worked out again.
    await admin.query(
      "BEGIN; SET LOCAL session_replication_role = replica; UPDATE adslate.change_set SET label = 'Budgets'",
    );
    expect(await openTeamLog(admin, account, desk).after(start)).toMatchObject({
      ok: false,
      error: { seq: 1, is: 'wrong-hash' },
    });
    await admin.query('ROLLBACK');
  });

  test('nobody but a member that may edit gets anything into the log, and nobody changes it', async () => {
    const account = await anAccount();
    const clients = await Promise.all(['ana', 'vic', 'eve'].map((user) => server.connect(loginOf(user))));
    const [ana, vic, eve] = pick(clients, 0, 1, 2);
    const desk = await join(ana, account);
    const push = { desk, push: 1, based: { seq: 0, hash: '' }, changes: bid(1, 80), scopes: [asRowId(1)] };
    const refused = { code: '42501' };
    await expect(openTeamLog(eve, account, desk).append(push, ''), 'a stranger').rejects.toMatchObject(refused);
    await expect(openTeamLog(vic, account, desk).append(push, ''), "a colleague's computer").rejects.toMatchObject(
      refused,
    );
    await expect(
      openTeamLog(vic, account, await join(vic, account)).append(push, ''),
      'who may look',
    ).rejects.toMatchObject(refused);
    await expect(join(eve, account), 'a stranger joins').rejects.toMatchObject(refused);
    expect(await openTeamLog(ana, account, desk).append(push, '')).toBe('ok');
    const shows = async (client: pg.Client) =>
      (await client.query('SELECT seq FROM adslate.change_set WHERE workspace = $1', [account])).rowCount;
    expect([await shows(ana), await shows(vic), await shows(eve)]).toEqual([1, 1, 0]);
    for (const statement of [
      'UPDATE adslate.change_set SET cells = 0',
      'DELETE FROM adslate.change_set',
      'TRUNCATE adslate.change_set',
      "INSERT INTO adslate.member VALUES (gen_random_uuid(), 9, 'ana', 'Ana', '{admin}')",
      "SELECT adslate.own_desk(gen_random_uuid(), 1, 'edit')",
      'CREATE TABLE adslate.mine (a int)',
      'SET ROLE adslate_owner',
      'ALTER TABLE adslate.change_set DISABLE ROW LEVEL SECURITY',
    ])
      await expect(ana.query(statement), statement).rejects.toMatchObject(refused);
    // The owner of the tables cannot rewrite the log either.
    await expect(admin.query('DELETE FROM adslate.change_set')).rejects.toMatchObject(refused);
    await expect(admin.query('TRUNCATE adslate.change_set CASCADE')).rejects.toMatchObject(refused);
    // A search path of the client's own puts nothing between a function and its tables.
    await ana.query('SET search_path = pg_temp, public');
    const head = { seq: 1, hash: (await openTeamLog(ana, account, desk).hashAt(1)) ?? '' };
    expect(await openTeamLog(ana, account, desk).append({ ...push, push: 2, based: head }, '')).toBe('ok');
    await admin.query("UPDATE adslate.member SET state = 'removed' WHERE workspace = $1 AND no = 1", [account]);
    expect(await shows(ana), 'removed, on the open connection').toBe(0);
  });
});
