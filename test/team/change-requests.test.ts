import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTimer } from '../../main/sync/service.ts';
import { openChangeRequests } from '../../main/team/change-requests.ts';
import { openSender } from '../../main/team/intents.ts';
import { teamTurns } from '../../main/team/sender.ts';
import { openSignOff } from '../../main/team/sign-off.ts';
import type { TeamRole } from '../../shared/api/choices.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { ok } from '../../shared/result.ts';
import { sbaDraft } from '../sync/a-draft.ts';
import type { AccountOptions, TestAccount } from '../sync/an-account.ts';
import { practiceService } from '../sync/practice-service.ts';
import { loginOf, prepareTeamDatabase } from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

const MEMBERS: readonly { readonly no: number; readonly display: string; readonly roles: readonly TeamRole[] }[] = [
  { no: 1, display: 'Ana', roles: ['view', 'edit'] },
  { no: 2, display: 'Carla', roles: ['view', 'sign-off'] },
  { no: 3, display: 'Pia', roles: ['view', 'edit', 'sync', 'admin'] },
];

describe.runIf(hasPostgres)('change requests of an account', () => {
  const sandbox = practiceService();
  let server: TestPostgres;
  const account = randomUUID();

  beforeAll(async () => {
    server = await startPostgres();
    const admin = await server.connect();
    await prepareTeamDatabase(
      admin,
      MEMBERS.map(({ display }) => display.toLowerCase()),
    );
    await admin.query('INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ($1, $2, $3, $4)', [
      account,
      'Northwind',
      'practice',
      '1',
    ]);
    for (const { no, display, roles } of MEMBERS) {
      await admin.query(
        "INSERT INTO adslate.member (workspace, no, login, display, roles, state) VALUES ($1, $2, $3, $4, $5, 'active')",
        [account, no, display.toLowerCase(), display, roles],
      );
    }
  });
  afterAll(() => server?.stop());

  /** The computer of a member; the rows of all are the same, as if they were shared. */
  const aComputer = async (me: number) => {
    const client = await server.connect(loginOf(MEMBERS[me - 1]?.display.toLowerCase() ?? ''));
    const { rows } = await client.query("SELECT no FROM adslate.join_desk_v1($1, 'laptop', 1, 1000)", [account]);
    const desk = Number(rows[0].no);
    const database = openSender(client, account, desk);
    const known: { requests?: Awaited<ReturnType<typeof openChangeRequests>> } = {};
    const turns: NonNullable<NonNullable<AccountOptions['team']>['turns']> = (outbox) => {
      const nothing = async () => undefined;
      const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now(), sleep: nothing, startTimer };
      const mark = { read: async () => null, write: nothing };
      return teamTurns(
        {
          database: async () => database,
          catchUp: async () => null,
          mark,
          journaled: async () => new Set(),
          clock,
        },
        outbox,
      );
    };
    const own: TestAccount = await sandbox.open({
      capabilities: WITH_EXTENSIONS,
      team: { signOffs: async () => (await known.requests?.signOffs()) ?? null, ...(me === 3 ? { turns } : {}) },
    });
    await own.create(sbaDraft(null));
    const db = openSignOff(client, account, desk);
    let treesRead = 0;
    const { getMeta, setMeta, onChanged, callReader } = own.workspace;
    const requests = await openChangeRequests({
      workspace: {
        ...{ getMeta, setMeta, onChanged, callReader },
        readTrees: (which) => {
          treesRead += which.length;
          return own.workspace.readTrees(which);
        },
      },
      ask: async (work) => ok(await work(db)),
      facts: () => ({ me, members: MEMBERS }),
      exchange: async () => ok(null),
      seen: async () => 0,
      offered: (chosen) => own.sync.offered({ submit: false, campaignIds: null, chosen }),
      changed: () => {},
    });
    known.requests = requests;
    return { ...own, requests, treesRead: () => treesRead };
  };
  const answered = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    return result.value;
  };

  test('goes from the computer that asks over the one that signs off to the one that sends', async () => {
    const [ana, carla, pia] = [await aComputer(1), await aComputer(2), await aComputer(3)];
    answered(await pia.requests.setPolicy({ policy: { approvals: 1, authors: 'submitter' } }));
    expect(await pia.run()).toMatchObject({ done: 0, untouched: 0 });
    expect((await pia.sync.plan({ submit: false, campaignIds: null })).leftOut).toMatchObject([
      { reason: 'needs-sign-off', rows: 1 },
      { reason: 'parent-left-out', rows: 5 },
    ]);

    expect(await carla.requests.submit({ title: 'Hers', chosen: null, note: '' })).toMatchObject({
      error: { code: 'NOT_ALLOWED', data: { why: 'edit' } },
    });
    const asked = answered(await ana.requests.submit({ title: 'Rolls', chosen: null, note: '' }));
    expect(asked).toMatchObject({
      state: 'open',
      by: { display: 'Ana' },
      campaigns: 1,
      rows: 6,
      signedOff: 0,
      can: ['withdraw'],
      whyNot: 'role',
    });
    const { id } = asked;
    expect(await ana.requests.submit({ title: 'Again', chosen: null, note: '' })).toMatchObject({
      error: { code: 'NOTHING_TO_DO' },
    });
    expect(await ana.requests.signOff({ id, campaignIds: null, note: '' })).toMatchObject({
      error: { code: 'NOT_ALLOWED', data: { why: 'sign-off' } },
    });

    // Carla asks for another bid first; on her computer one keyword is not as it was submitted.
    expect(await carla.requests.askForChanges({ id, campaignIds: [asRowId(1)], note: 'Too low' })).toMatchObject({
      ok: true,
      value: { state: 'changes-asked' },
    });
    await carla.edit('keyword', asRowId(6), { bid: 190 });
    const signed = answered(await carla.requests.signOff({ id, campaignIds: null, note: 'Fine' }));
    expect(signed).toMatchObject({ signedOff: 5, can: ['sign-off', 'ask-for-changes'], whyNot: null });
    const shown = answered(await carla.requests.show({ id }));
    expect(shown.rows.find(({ id: row }) => row === 6)).toMatchObject({ state: 'changed-since', changedBy: null });
    expect(
      shown.verdicts.map(({ member, says, note, campaigns }) => [
        member.display,
        says,
        note,
        campaigns?.map(({ label }) => label),
      ]),
    ).toEqual([
      ['Carla', 'changes', 'Too low', ['Rolls brand']],
      ['Carla', 'sign-off', 'Fine', undefined],
    ]);

    // A campaign is read again after an edit of its rows, and not for every list.
    const before = carla.treesRead();
    await carla.requests.list();
    await carla.requests.show({ id });
    expect(carla.treesRead() - before).toBe(1);
    expect(shown.rows.map(({ campaignName }) => campaignName)).toEqual(Array(6).fill('Rolls brand'));

    // Pia changes one of the signed-off rows, and sends the rest.
    await pia.edit('keyword', asRowId(5), { bid: 200 });
    answered(await pia.requests.refresh());
    expect(answered(await pia.requests.list())).toMatchObject([{ id, signedOff: 4, changedSince: 1 }]);
    expect(answered(await pia.requests.show({ id })).rows.filter(({ changedBy }) => changedBy !== null)).toMatchObject([
      { kind: 'keyword', id: 5, changedBy: { display: 'Pia' } },
    ]);
    expect(await pia.run({ submit: true })).toMatchObject({ done: 4, refused: [], reviews: 0 });
    const plan = await pia.sync.plan({ submit: true, campaignIds: null });
    expect(plan.leftOut[0]?.first[0]?.label).toMatch(/^kitchen roll.*, changed by ./u);
    expect([plan.reviews, plan.leftOut.map(({ reason, rows }) => [reason, rows])]).toEqual([
      0,
      [
        ['changed-since-sign-off', 1],
        ['needs-sign-off', 1],
      ],
    ]);
    // What was asked for is shown with its values all the same.
    expect((await pia.sync.plan({ submit: false, campaignIds: null, beforeSignOff: true })).changes).toBe(2);
    expect((await pia.sync.plan({ submit: false, campaignIds: null })).changes).toBe(0);

    const again = answered(await pia.requests.submit({ title: 'The rest', chosen: null, note: '' }));
    expect(again).toMatchObject({ rows: 1, campaigns: 1 });
    const rest = answered(await pia.requests.list());
    expect(rest.map(({ title, rows, state }) => [title, rows, state])).toEqual([
      ['The rest', 1, 'open'],
      ['Rolls', 5, 'open'],
    ]);
  });
});
