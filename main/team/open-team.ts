import type { AppEvent } from '../../shared/api/app.ts';
import type { TeamRole } from '../../shared/api/choices.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result, unreachable } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { TeamRecord } from '../accounts/account-record.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import type { CredentialStore } from '../app/host-ports.ts';
import type { Threads } from '../core/core-options.ts';
import { readSigningKey } from '../files/archive/signature.ts';
import { isOpen } from '../store/outbox/team-intents.ts';
import type { Workspace } from '../store/workspace.ts';
import { readJournal } from '../sync/journal.ts';
import type { Outbox } from '../sync/ports.ts';
import type { SyncService } from '../sync/service.ts';
import { startTimer } from '../sync/service.ts';
import { openTeamAdmin, type PeopleRefusal } from './admin.ts';
import { type AskFailure, openChangeRequests } from './change-requests.ts';
import { type TeamConnection, TeamFailure } from './connection.ts';
import { type IntentMark, openSender } from './intents.ts';
import { sealInvitation } from './invitation.ts';
import { enterTeamPassword, teamPassword, testTeamConnection, withTeamDatabase } from './join.ts';
import { createTeamMedia, openMediaDatabase } from './media.ts';
import { openEmptyWorkspace } from './rebuild-rows.ts';
import { reportSent, takeOrReport, teamTurns, waitsText } from './sender.ts';
import { openSharing, personOf, refusal, rolesOf } from './session.ts';
import type { TeamSession } from './session-types.ts';
import { stopText } from './share-round.ts';
import { openSignOff } from './sign-off.ts';
import { badConnection, connectionFields } from './team-place.ts';
import { openUpkeep } from './upkeep.ts';

export interface OpenTeamDeps {
  readonly team: TeamRecord;
  readonly accountName: string;
  readonly workspaceId: WorkspaceId;
  readonly workspace: Workspace;
  readonly sync: () => Promise<Pick<SyncService, 'offered'>>;
  readonly journalFile: string;
  readonly clock: Clock;
  readonly sleepState: SleepState | undefined;
  readonly secrets: CredentialStore;
  readonly emit: (event: AppEvent) => void;
  readonly renumbered: (desk: number) => Promise<void>;
  /** The folder of the account on this computer. */
  readonly folder: string;
  readonly profile: DeploymentSettings;
  readonly threads: Threads;
  /** The path of the file with this hash; the file may not exist yet. */
  readonly mediaPath: (sha256: string) => string;
}

interface DatabaseLogin {
  readonly login: string;
  readonly password: string;
}

interface Invited {
  readonly display: string;
  readonly roles: readonly TeamRole[];
  readonly admin: DatabaseLogin | null;
}

/** The team of an open account: sharing, people, change requests and the lease, over one connection. */
export type OpenTeam = Awaited<ReturnType<typeof openTeam>>;

const INTENT_MARK_KEY = 'teamIntentMark';

export async function openTeam(deps: OpenTeamDeps) {
  const { team, workspace, workspaceId, clock, secrets } = deps;
  const changed = (areas: Extract<AppEvent, { type: 'team.changed' }>['areas']): void =>
    deps.emit({ type: 'team.changed', workspaceId, areas: [...areas] });
  const mark = {
    read: async () => jsonOrNull((await workspace.getMeta(INTENT_MARK_KEY)) ?? '') as IntentMark | null,
    write: async (to: IntentMark) => workspace.setMeta(INTENT_MARK_KEY, JSON.stringify(to)),
  };
  const passwordHere = async (): Promise<Result<string, 'locked' | 'forgotten'>> => {
    const password = await teamPassword(secrets, team);
    if (password !== null) return ok(password);
    return err((await secrets.status()).state === 'open' ? 'forgotten' : 'locked');
  };
  const sharing = await openSharing({
    team,
    store: workspace,
    clock,
    random: Math.random,
    sleepState: deps.sleepState,
    hosts: async () => {
      const password = await passwordHere();
      if (!password.ok) throw new TeamFailure(password.error, '', 'the password of the team is not here');
      const fields = connectionFields(team, team.login, password.value);
      // The list of accounts was validated when it was read, so an error can't occur here.
      return fields.ok ? fields.value : [];
    },
    changed: (areas) => {
      changed([...areas]);
      if (areas.includes('log') || areas.includes('status')) void inTurn(sendFiles);
    },
    edited: (listener) => workspace.onChanged(listener),
    idle: () => requests.refresh(),
    reportSent: (client, desk) =>
      reportSent({ clock, mark }, openSender(client, team.workspace, desk), workspace.outbox),
    renumbered: deps.renumbered,
    openBeside: () => openEmptyWorkspace(deps.folder, { profile: deps.profile, clock, threads: deps.threads }),
    // A key that is only in memory changes with every start, so it is not used for signing.
    signingKey: async () =>
      (await secrets.status()).storage === 'memory' ? null : ((await readSigningKey(secrets)) ?? 'locked'),
  });
  const { link } = sharing;
  const stopListening = secrets.onOpened(link.tryNow);
  const deskNow = async (): Promise<number> => (await workspace.teamState())?.desk ?? team.desk;
  const ask = async <T>(work: () => Promise<T>) => {
    const done = await link.ask(work);
    return done.ok ? done : refusal(done.error, link.state().since);
  };
  const requests = await openChangeRequests({
    workspace,
    ask: async (work) =>
      ask(async () => work(openSignOff(link.queries, team.workspace, await deskNow(), await sharing.signing()))),
    facts: sharing.facts,
    exchange: sharing.share,
    seen: async () => (await workspace.teamState())?.position.seen.seq ?? 0,
    offered: async (chosen) => (await deps.sync()).offered({ submit: false, campaignIds: null, chosen }),
    changed: () => changed(['requests']),
  });
  const media = createTeamMedia<AskFailure>({
    pathOf: deps.mediaPath,
    ask: async (work) => ask(async () => work(openMediaDatabase(link.queries, team.workspace, await deskNow()))),
    mayEdit: () => mayI('edit'),
  });
  /** Files that don't fit or can't be read are reported once per process. */
  const told = new Set<string>();
  const inTurn = createSerialQueue();
  const sendFiles = async (): Promise<void> => {
    if (link.state().is !== 'online') return;
    const sent = await media.share(await workspace.readMedia());
    if (!sent.ok) return;
    const { tooMuch, unreadable } = sent.value;
    const why = "it is over 4 GB, or the team's space for files is full";
    for (const { name, why: reason } of [...tooMuch.map((each) => ({ name: each, why })), ...unreadable]) {
      if (told.has(name)) continue;
      told.add(name);
      const message = `"${name}" was not shared with your team: ${reason}.`;
      deps.emit({ type: 'notice', workspaceId, severity: 'warning', message, params: {} });
    }
  };
  const sender = async () => openSender(link.queries, team.workspace, await deskNow());
  const people = openTeamAdmin(link.queries, team.workspace);
  const asAdmin = async <T>(work: () => Promise<Result<T, PeopleRefusal>>, no: number) => {
    const may = await asksAsAdmin();
    if (!may.ok) return may;
    const done = await ask(work);
    if (!done.ok) return done;
    changed(['members']);
    return done.value.ok ? done.value : refusedPerson(done.value.error, no);
  };
  /** Runs `work` with a database login that has more rights than members need. The login is not stored. */
  const asDatabaseAdmin = <T>(admin: DatabaseLogin, work: (client: TeamConnection) => Promise<T>) =>
    withTeamDatabase(team, admin, { clock, random: Math.random }, work);
  const upkeep = openUpkeep({
    people,
    ask,
    asAdmin: () => asksAsAdmin(),
    facts: sharing.facts,
    signing: sharing.signing,
    changed: () => {
      changed(['members']);
      link.beatSoon();
    },
  });
  const mayI = (role: TeamRole): boolean => rolesOf(sharing.facts()).includes(role);
  /** If the role is not known locally, the database is asked. */
  const asksAsAdmin = async () => {
    const read = mayI('admin') ? ok([]) : await sharing.members();
    return !read.ok || mayI('admin') ? read : fail('NOT_ALLOWED', { why: 'admin' });
  };

  return {
    start: link.start,
    close: async () => {
      stopListening();
      await link.close();
      // Sending files reads the account, which is closed next.
      await inTurn(async () => undefined);
    },
    /** The sign-offs of colleagues. */
    signOffs: requests.signOffs,
    /** Fetches a colleague's file that is missing here. */
    fetchFile: media.fetch,
    /** Creates the function that takes the team's lease for a sync. */
    turns: (outbox: Outbox) =>
      teamTurns(
        {
          database: sender,
          catchUp: async () => {
            const done = await link.exchange();
            if (done.ok) return null;
            if (done.error.problem === 'stopped') return stopText(done.error.stop);
            throw done.error;
          },
          mark,
          journaled: async () =>
            new Set((await readJournal(deps.journalFile)).filter(({ t }) => t === 'intent').map(({ c }) => c)),
          clock: { ...clock, startTimer },
        },
        outbox,
      ),
    status: async () => {
      // A command has not connected yet: it asks the database once.
      if (link.state().is === 'connecting') await sharing.look();
      return sharing.status();
    },
    members: sharing.members,
    testConnection: async () => {
      const password = await passwordHere();
      if (!password.ok) return badConnection(password.error === 'locked' ? 'secrets' : password.error);
      return testTeamConnection(team, { login: team.login, password: password.value }, clock);
    },
    enterPassword: async (own: DatabaseLogin) => {
      const here = await passwordHere();
      if (!here.ok && here.error === 'locked') return badConnection('secrets');
      const entered = await enterTeamPassword(team, own, { secrets, clock, random: Math.random });
      if (!entered.ok) return entered;
      await link.exchange();
      link.beatSoon();
      return ok({});
    },
    invite: async ({ display, roles, admin }: Invited) => {
      const may = await asksAsAdmin();
      if (!may.ok) return may;
      const invited = await (admin === null
        ? ask(() => people.invite(display, roles))
        : asDatabaseAdmin(admin, (client) => openTeamAdmin(client, team.workspace).invite(display, roles)));
      if (!invited.ok) return invited;
      if (!invited.value.ok)
        return invited.value.error === 'name-taken'
          ? fail('NAME_TAKEN', { name: display })
          : badConnection('rights', team.hosts[0], 'to create logins');
      const { no, login, password } = invited.value.value;
      const { hosts, database, ca, workspace: of } = team;
      const sealed = await sealInvitation({
        hosts,
        database,
        ca,
        workspace: of,
        login,
        password,
        account: deps.accountName,
      });
      changed(['members']);
      return ok({ ...sealed, member: { no, display } });
    },
    setRoles: async ({ no, roles }: { readonly no: number; readonly roles: readonly TeamRole[] }) => {
      const set = await asAdmin(() => people.setRoles(no, roles), no);
      if (!set.ok) return set;
      const read = await sharing.members();
      if (!read.ok) return read;
      const member = read.value.find((each) => each.no === no);
      return member === undefined ? fail('NO_MEMBER', { no }) : ok(member);
    },
    remove: async ({ no }: { readonly no: number }) => {
      const before = sharing.facts().members.find((member) => member.no === no);
      const removed = await asAdmin(() => people.remove(no), no);
      return removed.ok ? ok({ couldSync: before?.roles.includes('sync') === true }) : removed;
    },
    upkeep,
    policy: requests.policy,
    setPolicy: requests.setPolicy,
    share: async () => {
      const done = await sharing.share();
      if (done.ok) await inTurn(sendFiles);
      return done;
    },
    log: async (input: Parameters<TeamSession['log']>[0]) => {
      const { total, entries } = await workspace.teamLog(input);
      const facts = sharing.facts();
      return ok({
        total,
        entries: entries.map(({ member, desk, ...entry }) => ({
          ...entry,
          member: personOf(facts, member),
          desk: facts.desks.find(({ no }) => no === desk)?.name ?? `#${desk}`,
        })),
      });
    },
    takeOver: async () => {
      const done = await ask(async () => {
        const db = await sender();
        const taken = await takeOrReport({ clock, mark }, db, workspace.outbox);
        if (taken.is !== 'taken') return taken;
        try {
          const { intents } = await db.open(null, []);
          return {
            is: 'taken' as const,
            unconfirmed: intents.flatMap(({ ops }) => ops).filter((op) => isOpen(op.state)).length,
          };
        } finally {
          await db.release(taken.key, null);
        }
      });
      if (!done.ok) return done;
      link.beatSoon();
      if (done.value.is === 'taken') return ok({ unconfirmed: done.value.unconfirmed });
      if (done.value.is === 'waits')
        return fail('TEAM_OFFLINE', { since: null, detail: waitsText(done.value.computers) });
      const { member, since, leftMs } = done.value;
      return fail('COLLEAGUE_SYNCS', { member, since, until: Math.round(clock.nowMs() + leftMs) });
    },
    presence: sharing.presence,
    setPlace: sharing.setPlace,
    requests: {
      ...requests,
      submit: async (input: Parameters<typeof requests.submit>[0]) => {
        const made = await requests.submit(input);
        // The request was withdrawn at the same moment.
        if (made.ok) return made;
        return made.error.code === 'NO_REQUEST' ? fail('NOTHING_TO_DO', {}) : err(made.error);
      },
    },
  };
}

function refusedPerson(refused: PeopleRefusal, no: number) {
  switch (refused) {
    case 'no-member':
      return fail('NO_MEMBER', { no });
    case 'last-admin':
      return fail('LAST_ADMIN', {});
    case 'name-taken':
    case 'cannot-make-logins':
      return fail('NOT_ALLOWED', { why: 'admin' });
    default:
      return unreachable(refused);
  }
}
