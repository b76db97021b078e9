import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewBatch } from '../../main/store/outbox/outbox-types.ts';
import { type LeaseKey, openSender } from '../../main/team/intents.ts';
import { digestOf, openSignOff, signOffsOf } from '../../main/team/sign-off.ts';
import { registeredAs, type Signing } from '../../main/team/signing.ts';
import { signersInDatabase } from '../../main/team/team-facts.ts';
import { openTeamLog } from '../../main/team/team-log.ts';
import type { Row } from '../../shared/model/row.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { contentOf, offeredRows } from '../../shared/plan/sign-off.ts';
import { aCampaign, aKeyword, anAdGroup, aTree, cents, id, planInput } from '../shared/builders.ts';
import { loginOf, prepareTeamDatabase } from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

const NO_RIGHT = { code: '42501' };
/** The roles of each member. */
const PEOPLE = {
  ana: '{view,edit}',
  ben: '{view,edit,sign-off}',
  carla: '{view,sign-off}',
  pia: '{view,edit,sync,admin}',
};
const NOTHING = {
  mark: '',
  policy: { approvals: 0, authors: 'submitter' as const },
  requests: [],
  asked: [],
  verdicts: [],
};
type Login = keyof typeof PEOPLE;

describe.runIf(hasPostgres)('sign-offs in PostgreSQL', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  const clients = new Map<string, pg.Client>();

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    const people = [...Object.keys(PEOPLE), 'eve'];
    await prepareTeamDatabase(admin, people);
    for (const user of people) clients.set(user, await server.connect(loginOf(user)));
  });
  afterAll(() => server?.stop());

  const clientOf = (login: string): pg.Client => {
    const client = clients.get(login);
    if (client === undefined) throw new Error(`no client of ${login}`);
    return client;
  };

  /** An account of which one sign-off is asked for, with a computer of each member. */
  const anAccount = async (policy = { approvals: 1, authors: 'submitter' as 'submitter' | 'strict' }) => {
    const account = randomUUID();
    await admin.query('INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ($1, $2, $3, $4)', [
      account,
      'Northwind',
      'practice',
      account,
    ]);
    const desks = new Map<string, number>();
    const signings = new Map<string, Signing>();
    let registered: Promise<Signing | null> | undefined;
    for (const [at, [login, roles]] of Object.entries(PEOPLE).entries()) {
      await admin.query(
        "INSERT INTO adslate.member (workspace, no, login, display, roles, state) VALUES ($1, $2, $3::name, initcap($3::text), $4, 'active')",
        [account, at + 1, login, roles],
      );
      const { rows } = await clientOf(login).query("SELECT no FROM adslate.join_desk_v1($1, 'laptop', 1, 1000)", [
        account,
      ]);
      const no = Number(rows[0].no);
      desks.set(login, no);
      const { privateKey: key } = generateKeyPairSync('ed25519');
      signings.set(login, {
        ...{ key, member: at + 1 },
        signerOf: async (of, isSigned) => {
          registered ??= signersInDatabase(admin, account);
          return (await registered)?.signerOf(of, isSigned);
        },
      });
      await clientOf(login).query('SELECT adslate.sign_key_v1($1, $2, $3)', [account, no, registeredAs(key)]);
    }
    const as = (login: Login) => {
      const db = openSignOff(clientOf(login), account, desks.get(login) ?? 0, signings.get(login));
      const read = async () => (await db.read()) ?? NOTHING;
      return { ...db, read };
    };
    await as('pia').setPolicy(policy);
    const pia = openSender(clientOf('pia'), account, desks.get('pia') ?? 0);
    const taken = await pia.take();
    if (taken.is !== 'taken') throw new Error('the lease is held');
    const share = async (login: Login, campaign: number) => {
      const log = openTeamLog(clientOf(login), account, desks.get(login) ?? 0, signings.get(login));
      const { rows } = await admin.query(
        'SELECT head, head_hash, (SELECT last_push FROM adslate.desk d WHERE d.workspace = w.id AND d.no = $2) AS pushed FROM adslate.workspace w WHERE id = $1',
        [account, desks.get(login)],
      );
      const push = {
        desk: desks.get(login) ?? 0,
        push: rows[0].pushed + 1,
        based: { seq: Number(rows[0].head), hash: rows[0].head_hash.toString('hex') },
        changes: { made: [], removed: [], cells: [{ kind: 'keyword' as const, row: id(4), field: 'bid', value: 1 }] },
        scopes: [id(campaign)],
      };
      expect(await log.append(push, 'Bids')).toBe('ok');
    };
    return { account, desks, as, share, send: sender(pia, taken.key) };
  };

  /** Sends rows as a run would: intent, then what the service says. */
  const sender =
    (pia: ReturnType<typeof openSender>, key: LeaseKey) =>
    async (rows: readonly Row[], verb: NewBatch['verb'] = 'update', kind: NewBatch['kind'] = 'keyword') => {
      const ops = rows.map((row) => ({
        kind: row.kind,
        rowId: row.id,
        sent: {},
        base: null,
        digest: digestOf(contentOf(row as Row<'keyword'>, [])),
      }));
      const batch: NewBatch = {
        kind,
        verb,
        method: 'PUT',
        path: '/api/v1/keywords',
        campaignId: id(1),
        adGroupId: null,
        attempt: 1,
        correlationId: randomUUID(),
        body: '[]',
        preImage: null,
        ops,
      };
      const answer = await pia.intend(key, batch, 1000);
      if (answer.is === 'ok') {
        const done = ops.map((_, idx) => ({ idx, state: 'DONE' as const, remoteId: null, reason: null }));
        expect(
          await pia.settle(key, { correlation: batch.correlationId, class: 'ELEMENTS', detail: '', ops: done }),
        ).toBe('ok');
      }
      return answer.is === 'needs-sign-off' ? answer.names : answer.is;
    };

  /** Two campaigns on the service, each with a keyword whose bid is changed. */
  const bid = (campaign: number, to = 150) =>
    aKeyword(
      { bid: cents(to) },
      { id: 10 * campaign, campaignId: campaign, remote: `${campaign}9`, was: { bid: cents(100) } },
    );
  const offered = (...keywords: readonly Row<'keyword'>[]) => {
    const trees = keywords.map((keyword) => {
      const campaignId = Number(keyword.campaignId);
      return aTree({
        campaign: aCampaign({}, { id: campaignId, remote: `${campaignId}` }),
        adGroups: [anAdGroup({}, { remote: '2', campaignId })],
        keywords: [keyword],
      });
    });
    return offeredRows(planChanges(planInput(trees, { capabilities: WITH_EXTENSIONS, submit: false })), trees);
  };

  test('a row is sent when a colleague has signed off exactly that, and the last one sent ends the request', async () => {
    const { as, send, account } = await anAccount();
    expect(await send([bid(1)])).toEqual(['keyword:10']);
    const request = (await as('ana').submit('Spring bids', '', 0, offered(bid(1), bid(2)))) ?? 0;
    expect(await send([bid(1)])).toEqual(['keyword:10']);
    expect(await as('carla').judge({ request, says: 'sign-off', note: 'Fine', campaigns: [id(1)], without: [] })).toBe(
      'ok',
    );
    expect(await send([bid(1), bid(2)]), 'the other campaign').toEqual(['keyword:20']);
    expect(await send([bid(1, 160)]), 'changed since').toEqual(['keyword:10']);
    // The plan of every computer says the same.
    const before = await as('pia').read();
    const signOffs = signOffsOf(before);
    expect([bid(1), bid(1, 160), bid(2)].map((row) => signOffs?.of(row, []))).toEqual([
      'signed-off',
      'changed-since-sign-off',
      'needs-sign-off',
    ]);
    expect(await send([bid(1)])).toBe('ok');
    expect(await send([bid(1)]), 'twice').toEqual(['keyword:10']);
    expect(await as('carla').judge({ request, says: 'sign-off', note: '', campaigns: null, without: [] })).toBe('ok');
    expect((await as('pia').read()).requests).toMatchObject([
      { id: request, state: 'open', rows: 2, sent: 1, campaigns: 2, submitter: 1 },
    ]);
    expect(await send([bid(2)])).toBe('ok');
    const { requests, verdicts, asked } = await as('ana').read();
    expect([requests[0]?.state, requests[0]?.sent, asked]).toEqual(['closed', 2, []]);
    expect(verdicts.map(({ member, says, note, campaigns }) => [member, says, note, campaigns])).toEqual([
      [3, 'sign-off', 'Fine', [1]],
      [3, 'sign-off', '', null],
    ]);
    const { rows } = await admin.query('SELECT ended_by, intents FROM adslate.change_request WHERE workspace = $1', [
      account,
    ]);
    expect(rows).toEqual([{ ended_by: 4, intents: ['1', '2'] }]);
    // Reviews and files are no changes of rows.
    expect(await send([bid(2)], 'submit', 'review')).toBe('ok');
  });

  test('an administrator of the database can change no sign-off, and none of what was signed off', async () => {
    const { as, account } = await anAccount();
    const request = (await as('ana').submit('Spring bids', '', 0, offered(bid(1), bid(2)))) ?? 0;
    const row = { kind: 'keyword', id: id(20) } as const;
    await as('carla').judge({ request, says: 'sign-off', note: 'Fine', campaigns: [id(1), id(2)], without: [row] });
    await as('ben').judge({ request, says: 'changes', note: 'Too high', campaigns: null, without: [] });
    const stateOf = async () => (await as('pia').verdicts()).map(({ signature }) => signature);
    expect(await stateOf()).toEqual(['signed', 'signed']);
    const forge = async (sql: string): Promise<void> =>
      void (await admin.query(`BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL search_path = adslate;
        ${sql.replaceAll(':ws', `'${account}'`)}; COMMIT`));
    const first = ['wrong', 'signed'];
    const forgeries: readonly (readonly [sql: string, back: string, becomes: readonly string[]])[] = [
      [
        "UPDATE verdict SET note = 'x' WHERE workspace = :ws AND no = 1",
        "UPDATE verdict SET note = 'Fine' WHERE workspace = :ws AND no = 1",
        first,
      ],
      [
        "UPDATE verdict SET without = '[]' WHERE workspace = :ws AND no = 1",
        `UPDATE verdict SET without = '[["keyword", 20]]' WHERE workspace = :ws AND no = 1`,
        first,
      ],
      [
        'UPDATE verdict SET campaigns = NULL WHERE workspace = :ws AND no = 1',
        "UPDATE verdict SET campaigns = '{1,2}' WHERE workspace = :ws AND no = 1",
        first,
      ],
      [
        'UPDATE verdict SET member = 2 WHERE workspace = :ws AND no = 1',
        'UPDATE verdict SET member = 3 WHERE workspace = :ws AND no = 1',
        first,
      ],
      [
        "UPDATE verdict SET says = 'sign-off' WHERE workspace = :ws AND no = 2",
        "UPDATE verdict SET says = 'changes' WHERE workspace = :ws AND no = 2",
        ['signed', 'wrong'],
      ],
      [
        `INSERT INTO verdict SELECT workspace, 3, request, member, desk, at, says, note, NULL, '[]', NULL FROM verdict WHERE workspace = :ws AND no = 1`,
        'DELETE FROM verdict WHERE workspace = :ws AND no = 3',
        ['signed', 'signed', 'wrong'],
      ],
      [
        `UPDATE change_request_row SET digests = '{"\\x01"}' WHERE workspace = :ws AND row_id = 10`,
        'SELECT',
        ['wrong', 'wrong'],
      ],
    ];
    for (const [sql, back, becomes] of forgeries) {
      await forge(sql);
      expect(await stateOf(), sql).toEqual(becomes);
      if (becomes.length === 2 && becomes[1] === 'signed') {
        const { asked } = await as('pia').read();
        expect(
          asked.map(({ given }) => given),
          'nothing counts as signed off',
        ).toEqual([0, 0]);
      }
      await forge(back);
    }
  });

  test('what one request leaves of a row is signed off with it, and nothing more', async () => {
    const { as, send } = await anAccount();
    const paused = aKeyword({ state: 'paused' }, { id: 10 });
    const request = (await as('ana').submit('New keyword', '', 0, offered(paused))) ?? 0;
    expect(await as('ben').judge({ request, says: 'sign-off', note: '', campaigns: null, without: [] })).toBe('ok');
    const pause = aKeyword({ state: 'paused' }, { id: 10, remote: '5', was: { state: 'enabled' } });
    expect(await send([pause]), 'before it was created').toEqual(['keyword:10']);
    expect(await send([paused], 'create')).toBe('ok');
    const archive = aKeyword({ state: 'archived' }, { id: 10, remote: '5', was: { state: 'enabled' } });
    expect(await send([archive])).toEqual(['keyword:10']);
    expect(await send([pause])).toBe('ok');
    expect((await as('ana').read()).requests[0]?.state).toBe('closed');
  });

  test('nobody signs off what they submitted, or under the strict rule what they changed since it was sent', async () => {
    const { as, send, share } = await anAccount({ approvals: 1, authors: 'strict' });
    const signOff = (request: number | null, campaigns: number[] | null = null) => ({
      request: request ?? 0,
      says: 'sign-off' as const,
      note: '',
      campaigns: campaigns?.map(id) ?? null,
      without: [],
    });
    const own = await as('ben').submit('Mine', '', 0, offered(bid(1)));
    expect(await as('ben').judge(signOff(own))).toBe('submitter');
    expect(await as('ben').judge({ ...signOff(own), says: 'changes' }), 'asking for changes').toBe('ok');
    await share('ben', 1);
    const hers = await as('ana').submit('Hers', '', 1, offered(bid(1, 155), bid(2)));
    expect(await as('ben').judge(signOff(hers))).toBe('author');
    expect(await as('ben').judge(signOff(hers, [2])), 'another campaign').toBe('ok');
    expect(await as('carla').judge(signOff(hers, [1]))).toBe('ok');
    expect(await send([bid(1, 155), bid(2)])).toBe('ok');
    const next = await as('ana').submit('Next', '', 1, offered(bid(1, 200)));
    expect(await as('ben').judge(signOff(next)), 'it was sent since').toBe('ok');
    await share('ben', 1);
    expect(await as('ben').judge(signOff(next))).toBe('author');
    expect(await as('ben').judge(signOff(999))).toBe('unknown');
    expect(await as('ben').judge(signOff(hers)), 'sent').toBe('over');
  });

  test('two sign-offs are two people, and who asks for changes holds a campaign back', async () => {
    const { as, send, account } = await anAccount({ approvals: 2, authors: 'submitter' });
    const request = (await as('ana').submit('Bids', '', 0, offered(bid(1), bid(2)))) ?? 0;
    const judge = (
      who: Login,
      says: 'sign-off' | 'changes',
      campaigns: number[] | null,
      without: { kind: 'keyword'; id: Row['id'] }[] = [],
    ) => as(who).judge({ request, says, note: '', campaigns: campaigns?.map(id) ?? null, without });
    await judge('carla', 'sign-off', null);
    await judge('carla', 'sign-off', null);
    expect(await send([bid(1)])).toEqual(['keyword:10']);
    await judge('ben', 'sign-off', null, [{ kind: 'keyword', id: id(20) }]);
    expect(await send([bid(1), bid(2)]), 'a row that Ben saw otherwise').toEqual(['keyword:20']);
    await judge('carla', 'changes', [1]);
    expect(await send([bid(1)])).toEqual(['keyword:10']);
    await judge('carla', 'sign-off', [1]);
    await admin.query("UPDATE adslate.member SET roles = '{view}' WHERE workspace = $1 AND login = 'ben'", [account]);
    expect(await send([bid(1)]), 'Ben may not any more').toEqual(['keyword:10']);
    await admin.query(
      "UPDATE adslate.member SET roles = '{view,edit,sign-off}' WHERE workspace = $1 AND login = 'ben'",
      [account],
    );
    expect(await send([bid(1)])).toBe('ok');
  });

  test('a row that is submitted anew waits in the new request alone', async () => {
    const { as, send } = await anAccount();
    const first = (await as('ana').submit('First', '', 0, offered(bid(1), bid(2)))) ?? 0;
    const signOff = { says: 'sign-off' as const, note: '', campaigns: null, without: [] };
    await as('carla').judge({ ...signOff, request: first });
    expect(await as('ben').submit('The same', '', 0, offered(bid(1), bid(2))), 'nothing is left to ask').toBeNull();
    const second = (await as('ana').submit('Second', '', 0, offered(bid(1, 170), bid(2)))) ?? 0;
    expect((await as('ana').read()).asked.map(({ request, id: row }) => [request, row])).toEqual([
      [first, 20],
      [second, 10],
    ]);
    expect(await send([bid(1, 170), bid(2)])).toEqual(['keyword:10']);
    await as('carla').judge({ ...signOff, request: second });
    expect(await send([bid(1, 170)])).toBe('ok');
    expect(await as('ben').withdraw(first)).toBe('submitter');
    expect(await as('ana').withdraw(first)).toBe('ok');
    expect(await as('ana').withdraw(first)).toBe('over');
    expect(await send([bid(2)])).toEqual(['keyword:20']);
    await as('pia').setPolicy({ approvals: 0, authors: 'submitter' });
    expect(await send([bid(2)]), 'nobody has to sign off').toBe('ok');
    expect(signOffsOf(await as('ana').read())).toBeNull();
  });

  test('all rows of a request that were sent are read, however many they are', async () => {
    const { account, as } = await anAccount();
    const request = await as('ana').submit('Bids', '', 0, offered(bid(1)));
    const most = 10_001;
    await admin.query(
      `INSERT INTO adslate.change_request_row (workspace, request, kind, row_id, campaign, digests, steps, state)
       SELECT $1, $2, 'keyword', 100 + at, 1 + at % 3, $3, 1, 'sent' FROM generate_series(1, $4) AS at`,
      [account, request, [Buffer.from('a')], most],
    );
    expect(await as('ben').endedRows(request ?? 0)).toHaveLength(most);
  });

  test('a missing role, another account and the computer of a colleague get nothing', async () => {
    const { as, account, desks } = await anAccount();
    const request = (await as('ana').submit('Bids', '', 0, offered(bid(1)))) ?? 0;
    const signOff = { request, says: 'sign-off' as const, note: '', campaigns: null, without: [] };
    await expect(as('ana').judge(signOff)).rejects.toMatchObject(NO_RIGHT);
    await expect(as('carla').submit('Hers', '', 0, offered(bid(2)))).rejects.toMatchObject(NO_RIGHT);
    await expect(as('ben').setPolicy({ approvals: 0, authors: 'submitter' })).rejects.toMatchObject(NO_RIGHT);
    const theirs = openSignOff(clientOf('ben'), account, desks.get('carla') ?? 0);
    await expect(theirs.judge(signOff)).rejects.toMatchObject(NO_RIGHT);
    const eve = openSignOff(clientOf('eve'), account, desks.get('carla') ?? 0);
    await expect(eve.judge(signOff)).rejects.toMatchObject(NO_RIGHT);
    await expect(eve.read()).rejects.toMatchObject(NO_RIGHT);
    const other = await anAccount();
    expect(await other.as('carla').judge(signOff), 'a number of another account').toBe('unknown');
    for (const statement of [
      `SELECT adslate.row_was_sent('${account}', 'keyword', 10, 'update', 1, 1)`,
      `SELECT adslate.not_signed_off('${account}', '{}')`,
      'UPDATE adslate.change_request_row SET sent = 1',
      'INSERT INTO adslate.verdict SELECT * FROM adslate.verdict',
      "UPDATE adslate.workspace SET policy = '{}'",
    ])
      await expect(clientOf('ben').query(statement), statement).rejects.toMatchObject(NO_RIGHT);
    await as('carla').judge(signOff);
    await expect(admin.query('DELETE FROM adslate.verdict')).rejects.toMatchObject(NO_RIGHT);
    const { rows } = await admin.query(
      "SELECT login, what, detail FROM adslate.audit WHERE workspace = $1 AND what <> 'joined' ORDER BY no",
      [account],
    );
    expect(rows).toMatchObject([
      { login: 'pia', what: 'policy', detail: { approvals: 1, authors: 'submitter' } },
      { login: 'carla', what: 'sign-off', detail: { request } },
    ]);
  });
});
