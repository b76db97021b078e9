import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { TEAM_AREAS, TeamRole } from '../../shared/api/choices.ts';
import type { Person, TeamDesk, TeamMember, TeamStatus } from '../../shared/api/team.ts';
import { databaseProblemText } from '../../shared/error-help/database-problem.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { fail, ok } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import { LOG_START, type TeamEntry } from '../../shared/team/position.ts';
import type { TeamRecord } from '../accounts/account-record.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import type { Workspace } from '../store/workspace.ts';
import { type ConnectionFields, oneRow, type Queries, TeamFailure } from './connection.ts';
import { type Beat, createTeamLink, type LinkProblem } from './link.ts';
import { type RebuildDeps, rebuildRows } from './rebuild-rows.ts';
import { type SharingStore, stopText } from './share-round.ts';
import { registeredAs, type Signing } from './signing.ts';
import { openSnapshots, SNAPSHOT_DUE } from './snapshots.ts';
import { SIGNED_FROM_VERSION } from './sql/schema.ts';
import {
  readTeamFacts,
  signersIn,
  TEAM_FACTS_KEY,
  type TeamFacts,
  TeamFactsShape,
  withKnownKeys,
} from './team-facts.ts';
import { CHANGE_SET_FORMAT } from './team-log.ts';
import { failedStep } from './team-place.ts';

type TeamState = NonNullable<Awaited<ReturnType<Workspace['teamState']>>>;
type Area = (typeof TEAM_AREAS)[number];

/** The team functions of the store, beyond those that sharing needs. */
export type TeamStore = Omit<SharingStore, 'teamState'> &
  Pick<
    Workspace,
    | 'teamState'
    | 'teamJoin'
    | 'teamSnapshot'
    | 'teamTakeSnapshot'
    | 'teamBlock'
    | 'teamPeople'
    | 'getMeta'
    | 'setMeta'
    | 'readRow'
  >;

export interface SessionDeps {
  readonly team: TeamRecord;
  readonly store: TeamStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sleepState: SleepState | undefined;
  /** @throws a `TeamFailure` without the password */
  readonly hosts: () => Promise<readonly ConnectionFields[]>;
  readonly changed: (areas: readonly Area[]) => void;
  readonly edited: (listener: () => void) => () => void;
  /** Called after an exchange, by hosts that stay open. */
  readonly idle: () => Promise<unknown>;
  /** Reports this computer's requests to the database. */
  readonly reportSent: (client: Queries, desk: number) => Promise<unknown>;
  /** The file was restored or copied, so this computer got another number in the team. */
  readonly renumbered: (desk: number) => Promise<void>;
  /** The key that signs for this computer; null if the key would not be stored. Asked again while it is locked. */
  readonly signingKey: () => Promise<KeyObject | null | 'locked'>;
  /** A temporary workspace, to read the team's data again when computers differ. */
  readonly openBeside: RebuildDeps['openBeside'];
  /** When another snapshot is due; for tests, instead of the default. */
  readonly snapshotDue?: typeof SNAPSHOT_DUE;
}

/** Enough row IDs for the largest import; more are requested when a quarter is left. */
const ROWS = 1_048_576;

/** How often computers with different rows read everything again, at most. */
const READ_AGAIN_MS = 3_600_000;
const READ_AGAIN_RETRY_MS = 60_000;

/** A place as reported by another computer; only valid ones are used. */
const Place = z.object({ campaignId: z.int().min(1).nullable(), screen: z.string().max(40) });

/** Sharing of one open account: its connection to the team, and the team facts stored on this computer. */
export type Sharing = Awaited<ReturnType<typeof openSharing>>;

export async function openSharing(deps: SessionDeps) {
  const { team, store, clock } = deps;
  let facts: TeamFacts = TeamFactsShape.catch(NO_FACTS).parse(jsonOrNull((await store.getMeta(TEAM_FACTS_KEY)) ?? ''));
  let place: string | null = null;
  const upkeep = { due: deps.snapshotDue ?? SNAPSHOT_DUE, measureAtMs: 0 };
  let mayEdit = false;
  let differs: boolean | null = null;
  let readAgainAtMs = 0;

  const learn = async (client: Queries): Promise<boolean> => {
    const read = await readTeamFacts(client, team.workspace);
    if (read === null) return false;
    const before = facts;
    facts = withKnownKeys(read, before);
    const areas = areasOf(before, facts);
    // Changes of heartbeat times alone are not stored.
    if (areas.includes('members')) {
      await store.setMeta(TEAM_FACTS_KEY, JSON.stringify(facts));
      await store.teamPeople(facts.members);
    }
    if (areas.length > 0) deps.changed(areas);
    return true;
  };
  let ownKey: KeyObject | null | undefined;
  /** Cached while the account is open: credentials may be locked again while the connection stays. */
  const signingKey = async (): Promise<KeyObject | null> => {
    if (ownKey !== undefined) return ownKey;
    const read = await deps.signingKey();
    if (read === 'locked') throw new TeamFailure('locked', '', 'the credentials are locked');
    ownKey = read;
    return read;
  };
  const find = signersIn(
    () => facts,
    () => learn(link.queries),
  );
  const signing = async (): Promise<Signing | null> => {
    if (facts.schema < SIGNED_FROM_VERSION) return null;
    const { member = 0 } = (await store.teamState()) ?? {};
    return { key: await signingKey(), member, signerOf: find };
  };
  /** If another key is registered for this computer, its entries would count as forged, so it gets another number. */
  const withOwnKey = async (client: Queries, state: TeamState): Promise<TeamState> => {
    if (facts.schema < SIGNED_FROM_VERSION) return state;
    const known = facts.desks.find(({ no }) => no === state.desk)?.signs ?? null;
    const key = await signingKey();
    const own = key === null ? null : registeredAs(key);
    if ((known?.key ?? null) === (own?.toString('base64') ?? null)) return state;
    if (known !== null) {
      const renumbered = await renumber(client, state);
      await client.query('SELECT adslate.revoke_desk_v1($1, $2)', [team.workspace, state.desk]);
      await learn(client);
      return withOwnKey(client, renumbered);
    }
    await client.query('SELECT adslate.sign_key_v1($1, $2, $3)', [team.workspace, state.desk, own]);
    await learn(client);
    return state;
  };
  /** A copied file would share under the original's number, so it gets its own. */
  const renumber = async (client: Queries, state: TeamState): Promise<TeamState> => {
    const name = facts.desks.find(({ no }) => no === state.desk)?.name ?? hostname();
    const { no, first_row, incarnation } = await oneRow<{ no: number; first_row: string; incarnation: number }>(
      client,
      `SELECT d.no, d.first_row, w.incarnation FROM adslate.join_desk_v1($1, $2, $3, $4) d, adslate.workspace w WHERE w.id = $1`,
      [team.workspace, name, CHANGE_SET_FORMAT, ROWS],
    );
    const { workspace, member } = state;
    const renumbered = { ...state, desk: Number(no), isCopy: false };
    await store.teamJoin({
      workspace,
      member,
      incarnation,
      desk: renumbered.desk,
      firstRow: Number(first_row),
      rows: ROWS,
    });
    await deps.renumbered(renumbered.desk);
    return renumbered;
  };
  const beat = async (client: Queries): Promise<Beat> => {
    const known = await store.teamState();
    if (known === null) throw new Error('the account has left its team');
    const numbered = known.isCopy ? await renumber(client, known) : known;
    await learn(client);
    const state = await withOwnKey(client, numbered);
    const row = await oneRow<{ head: string; min_reader: number; min_writer: number; state: string }>(
      client,
      'SELECT head, min_reader, min_writer, state FROM adslate.heartbeat_v1($1, $2, $3, $4, $5)',
      [team.workspace, state.desk, state.position.seen.seq, place, CHANGE_SET_FORMAT],
    );
    await learn(client);
    if (facts.unreported.includes(state.desk) && rolesOf(facts).includes('sync'))
      await deps.reportSent(client, state.desk);
    mayEdit = row.state === 'open' && rolesOf(facts).includes('edit');
    if (mayEdit && state.rowsLeft < ROWS / 4) {
      const more = 'SELECT adslate.row_block_v1($1, $2, $3) AS first';
      const { first } = await oneRow<{ first: string }>(client, more, [team.workspace, state.desk, ROWS]);
      await store.teamBlock(Number(first), ROWS);
    }
    return { head: Number(row.head), minReader: row.min_reader, minWriter: row.min_writer, mayEdit };
  };
  const snapshots = async (client: Queries) => {
    const { desk = team.desk } = (await store.teamState()) ?? {};
    return openSnapshots(client, { account: team.workspace, desk, store, nowMs: clock.monotonicMs, upkeep });
  };
  const compare = async (client: Queries): Promise<void> => {
    const seen = (await store.teamState())?.position.seen.seq ?? 0;
    if (seen === 0) return;
    const before = differs;
    differs = await (await snapshots(client)).keep(seen, mayEdit);
    if (differs === true && clock.monotonicMs() >= readAgainAtMs) {
      const wasWrong = await rebuildRows(client, {
        account: team.workspace,
        store,
        openBeside: deps.openBeside,
        signing: await signing(),
      });
      readAgainAtMs = clock.monotonicMs() + (wasWrong === null ? READ_AGAIN_RETRY_MS : READ_AGAIN_MS);
      if (wasWrong === true) differs = await (await snapshots(client)).keep(seen, mayEdit);
    }
    if (differs !== before) deps.changed(['status']);
  };
  const link = createTeamLink({
    account: team.workspace,
    store: Object.assign(Object.create(store) as TeamStore, {
      teamFold: async (entries: readonly TeamEntry[]) => {
        // Reads the members again, so that the history also names computers that have joined since the last heartbeat.
        const isKnown = ({ desk }: TeamEntry): boolean => facts.desks.some(({ no }) => no === desk);
        if (!entries.every(isKnown)) await learn(link.queries);
        return store.teamFold(entries);
      },
    }),
    clock,
    random: deps.random,
    sleepState: deps.sleepState,
    hosts: deps.hosts,
    beat,
    signing,
    takeSnapshot: async (client) => {
      const { position, isNew } = (await store.teamState()) ?? { position: { seen: LOG_START }, isNew: false };
      return (await snapshots(client)).take({ seen: position.seen.seq, isNew });
    },
    keepSnapshots: compare,
    changed: deps.changed,
    edited: deps.edited,
    idle: deps.idle,
  });

  const senderView = async ({ sender, desks }: TeamFacts): Promise<TeamStatus['sender']> => {
    if (sender === null) return null;
    const { desk, member, since, until, isOver, unconfirmed, first } = sender;
    const firstUnconfirmed = [];
    for (const { kind, id } of first) {
      const ref = { kind, id: asRowId(id) };
      const row = await store.readRow(ref);
      firstUnconfirmed.push({ ...ref, label: row === null ? `${kind} ${id}` : rowLabel(row) });
    }
    const computer = desks.find(({ no }) => no === desk)?.name ?? '';
    return { member: personOf(facts, member), computer, desk, since, until, isOver, unconfirmed, firstUnconfirmed };
  };
  const status = async (): Promise<TeamStatus> => {
    const state = await store.teamState();
    const { is, since, problem, head } = link.state();
    const seen = state?.position.seen.seq ?? 0;
    return {
      workspace: team.workspace,
      desk: state?.desk ?? team.desk,
      member: { ...personOf(facts, facts.me), roles: [...rolesOf(facts)] },
      login: team.login,
      // While online, the team's state in the database takes precedence.
      state: is === 'online' && facts.state !== 'open' ? facts.state : is,
      since,
      problem,
      seen,
      head: Math.max(head, seen),
      notShared: state?.notShared ?? 0,
      conflicts: state?.conflicts ?? 0,
      sender: await senderView(facts),
      desks: facts.desks.map((desk) => deskView(desk, facts, state?.desk ?? team.desk)),
      digest: differs === null ? null : differs ? 'differs' : 'same',
      approvals: facts.approvals,
      movedTo: facts.movedTo,
    };
  };

  return {
    link,
    facts: () => facts,
    signing,
    status,
    /** Sends a heartbeat and reads whether rows of computers differ, without sharing anything. */
    look: async () => {
      await link.look();
      if (link.state().is !== 'online') return;
      const read = await link.ask(async () => (await snapshots(link.queries)).differs());
      if (read.ok) differs = read.value;
    },
    members: async () => {
      const read = await link.ask(() => learn(link.queries));
      if (!read.ok) return refusal(read.error, link.state().since);
      return ok(facts.members.map((member) => memberView(member, facts)));
    },
    share: async () => {
      const done = await link.exchange();
      if (!done.ok) return refusal(done.error, link.state().since);
      return ok({ ...done.value, conflicts: (await store.teamState())?.conflicts ?? 0 });
    },
    presence: async () => {
      const here = (await store.teamState())?.desk ?? team.desk;
      return ok(
        facts.places.flatMap(({ desk: no, place: told }) => {
          const desk = facts.desks.find((each) => each.no === no);
          const read = Place.safeParse(jsonOrNull(told));
          if (desk === undefined || no === here || !read.success) return [];
          const { campaignId, screen } = read.data;
          const at = { campaignId: campaignId === null ? null : asRowId(campaignId), screen };
          return [{ member: personOf(facts, desk.member), computer: desk.name, place: at }];
        }),
      );
    },
    setPlace: async (to: { readonly place: z.infer<typeof Place> | null }) => {
      place = to.place === null ? null : JSON.stringify(to.place);
      link.beatSoon();
      return ok({});
    },
  };
}

/** The team's members as stored on this computer, and the number of its own member. */
export interface KnownMembers {
  readonly me: number;
  readonly members: readonly (Person & { readonly roles: readonly TeamRole[] })[];
}

const NO_FACTS: TeamFacts = {
  me: 1,
  approvals: 0,
  state: 'open',
  movedTo: null,
  members: [],
  desks: [],
  schema: 1,
  sender: null,
  unreported: [],
  places: [],
};

export const rolesOf = ({ members, me }: KnownMembers): readonly TeamRole[] =>
  members.find(({ no }) => no === me)?.roles ?? [];

export const personOf = ({ members }: KnownMembers, no: number): Person => ({
  no,
  display: members.find((member) => member.no === no)?.display ?? `#${no}`,
});

function deskView(
  { no, member, name, format, seen, at: lastSeenAt, revoked: isRevoked }: TeamFacts['desks'][number],
  facts: TeamFacts,
  here: number,
): TeamDesk {
  return { no, member: personOf(facts, member), name, format, seen, lastSeenAt, isHere: no === here, isRevoked };
}

function memberView({ invitedBy, ...member }: TeamFacts['members'][number], facts: TeamFacts): TeamMember {
  return {
    ...member,
    invitedBy: invitedBy === null ? null : personOf(facts, invitedBy),
    isHere: member.no === facts.me,
  };
}

/** The areas in which two states of the team differ, as windows show them. */
function areasOf(before: TeamFacts, after: TeamFacts): readonly Area[] {
  const differ = (part: (facts: TeamFacts) => unknown): boolean =>
    JSON.stringify(part(before)) !== JSON.stringify(part(after));
  const names = ({ me, members, desks, schema }: TeamFacts) => [
    me,
    members,
    schema,
    desks.map(({ no, name, revoked, signs }) => [no, name, revoked, signs]),
  ];
  return [
    ...(differ(names) ? (['members', 'status'] as const) : []),
    ...(differ(({ sender, state }) => [sender && { ...sender, until: 0 }, state]) ? (['status'] as const) : []),
    ...(differ(({ approvals }) => approvals) ? (['requests'] as const) : []),
    ...(differ(({ places }) => places) ? (['presence'] as const) : []),
  ];
}

/** Converts a connection problem to the failure that the contract declares. */
export function refusal(problem: LinkProblem, since: number) {
  switch (problem.problem) {
    case 'no-access':
    case 'login':
      return fail('NOT_ALLOWED', { why: 'removed' });
    case 'stopped':
      return fail('TEAM_OFFLINE', { since, detail: stopText(problem.stop) });
    default:
      return fail('TEAM_OFFLINE', { since, detail: databaseProblemText(failedStep(problem)) });
  }
}
