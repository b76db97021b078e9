import { readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Failure } from '../../shared/api/operation.ts';
import type { TeamConnection } from '../../shared/api/team.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { LOG_START } from '../../shared/team/position.ts';
import {
  type AccountRecord,
  accountView,
  colorOf,
  practiceFolder,
  profileOf,
  removeAccountFiles,
  type TeamRecord,
  workspaceFolder,
} from '../accounts/account-record.ts';
import type { AccountRegistry } from '../accounts/registry.ts';
import { ACCOUNTS_MAX, isSameName } from '../accounts/registry.ts';
import { fsyncDirectory, makeFolders, nullIfNotFound } from '../app/atomic-write.ts';
import type { FileGrants } from '../app/host-ports.ts';
import type { ActiveAccounts } from '../core/active-accounts.ts';
import type { CoreOptions } from '../core/core-options.ts';
import { startPracticeService } from '../practice/practice-service.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { openTeamAdmin } from './admin.ts';
import { type Queries, TeamFailure } from './connection.ts';
import { INVITATION_BYTES_MAX, openInvitation } from './invitation.ts';
import {
  createTeam,
  forgetTeamPassword,
  type JoinDeps,
  type Joined,
  joinTeam,
  teamPassword,
  testTeamConnection,
  withTeamDatabase,
} from './join.ts';
import type { JoiningTask, TeamSetup } from './session-types.ts';
import { stopStep, takeAll } from './share-round.ts';
import { openSnapshots, SNAPSHOT_DUE } from './snapshots.ts';
import { SIGNED_FROM_VERSION } from './sql/schema.ts';
import { readTeamFacts, signersIn, TEAM_FACTS_KEY, type TeamFacts, withKnownKeys } from './team-facts.ts';
import { openTeamLog } from './team-log.ts';
import { badConnection, type TeamPlace } from './team-place.ts';

export interface TeamSetupDeps {
  readonly options: CoreOptions;
  readonly registry: AccountRegistry;
  readonly open: ActiveAccounts;
  readonly grants: Pick<FileGrants, 'resolve' | 'forget'>;
  readonly changed: () => void;
}

type DatabaseLogin = Parameters<typeof withTeamDatabase>[1];

/** The deployment of practice accounts, each with a simulated service of its own. */
const PRACTICE = 'practice';
const CA_BYTES_MAX = 100_000;

/**
 * How an account joins and leaves a team. Each step writes the list of accounts last, so that a crash leaves no
 * incomplete account.
 */
export function createTeamSetup({ options, registry, open, grants, changed }: TeamSetupDeps): TeamSetup {
  const { clock, secrets } = options;
  const deps: JoinDeps = { secrets, clock, random: Math.random };

  const placeOf = async ({ hosts, database, caGrant }: Pick<TeamConnection, 'hosts' | 'database' | 'caGrant'>) => {
    if (caGrant === null) return ok({ hosts, database, ca: null });
    const ca = await readGrant(grants, caGrant, CA_BYTES_MAX);
    return ca.ok ? ok({ hosts, database, ca: ca.value }) : ca;
  };
  const view = async (record: AccountRecord) => accountView(record, (await secrets.status()).storage);

  /** Removes a canceled join: its files here, and the computer in the team. */
  const giveUpJoining = async (team: TeamRecord): Promise<void> => {
    await rm(stageFolder(options.dataDir, team.workspace), { recursive: true, force: true });
    await inDatabase(team, deps, (client) => leaveDesk(client, team.workspace, team.desk));
  };

  /** The team of an open account that is not syncing. */
  const idleTeam = async (workspaceId: WorkspaceId) => {
    const record = await registry.find(workspaceId);
    const account = await open.get(workspaceId);
    if (record?.team === undefined || !account.ok) return fail('NO_TEAM', {});
    const runId = await account.value.runningSync();
    return runId === null ? ok({ team: record.team, account: account.value }) : fail('SYNC_RUNNING', { runId });
  };

  return {
    testConnection: async ({ connection }) => {
      if (connection === null) return fail('NO_TEAM', {});
      const place = await placeOf(connection);
      return place.ok ? testTeamConnection(place.value, connection, clock) : place;
    },
    create: async ({ workspaceId, connection, display, computer }) => {
      const record = await registry.find(workspaceId);
      const account = await open.get(workspaceId);
      if (record === null || !account.ok) return fail('NO_WORKSPACE', { workspaceId });
      if (record.team !== undefined) return fail('HAS_TEAM', { where: 'here' });
      const { workspace, runningSync } = account.value;
      const runId = await runningSync();
      if (runId !== null) return fail('SYNC_RUNNING', { runId });
      const place = await placeOf(connection);
      if (!place.ok) return place;
      const { advertiserId, name, practice, baseUrl } = record;
      const deployment = practice ? `${PRACTICE} ${workspaceId}` : baseUrl;
      const made = await createTeam(
        place.value,
        connection,
        { account: name, deployment, advertiserId, display },
        computer,
        { ...deps, mine: (await workspace.teamState())?.workspace ?? null },
      );
      // The invitation is the own one of the first admin.
      if (!made.ok) return made.error.code === 'BAD_INVITATION' ? badConnection('login') : err(made.error);
      const { team } = made.value;
      const shared = await inDatabase(team, deps, (client) => shareFirst(client, workspace, made.value));
      // The account stays in the team: edits until the next try may not be in the snapshot, and count as unshared.
      if (!shared.ok) return shared;
      await registry.change(workspaceId, { team });
      await open.close(workspaceId);
      changed();
      const opened = await open.get(workspaceId);
      const status = opened.ok ? await (await opened.value.team())?.status() : undefined;
      return status === undefined ? fail('NO_WORKSPACE', { workspaceId }) : ok(status);
    },
    connect: async ({ invitation, words, computer, name }, workspaceId, task) => {
      const file = await readGrant(grants, invitation, INVITATION_BYTES_MAX);
      if (!file.ok) return file;
      const others = await registry.list();
      if (others.length >= ACCOUNTS_MAX) return fail('TOO_MANY_ACCOUNTS', { max: ACCOUNTS_MAX });
      if (others.some((account) => isSameName(account.name, name))) return fail('NAME_TAKEN', { name });
      const opened = await openInvitation(file.value, words);
      if (!opened.ok) return fail('BAD_INVITATION', { reason: opened.error });
      // A computer stores one password for each team, which a second member would replace.
      const same = others.find(({ team }) => team?.workspace === opened.value.workspace);
      if (same !== undefined) return fail('ALREADY_CONNECTED', { name: same.name });
      const { dataDir } = options;
      const known = await stagedDesk(options, opened.value.workspace);
      const joined = await joinTeam(opened.value, computer, { ...deps, known });
      if (!joined.ok) return joined;
      const { team } = joined.value;
      let isAdded = false;
      try {
        const added = await addJoined(joined.value, { ...task, workspaceId, name }, { options, registry });
        isAdded = added.ok;
        if (!added.ok) return added;
        grants.forget(invitation);
        changed();
        return ok(await view(added.value));
      } finally {
        if (!isAdded) await removeAccountFiles(dataDir, workspaceId);
        // A cancel that comes after the account was added is too late.
        if (!isAdded && task.signal?.aborted === true) await giveUpJoining(team);
      }
    },
    move: async ({ workspaceId, to, admin }) => {
      const idle = await idleTeam(workspaceId);
      if (!idle.ok) return idle;
      const { team } = idle.value;
      // The copy has the certificate of the old place, unless another one is given.
      const chosen = await placeOf(to);
      if (!chosen.ok) return chosen;
      const place = { ...chosen.value, ca: chosen.value.ca ?? team.ca };
      const password = admin?.password ?? (await teamPassword(secrets, team));
      if (password === null) return badConnection('secrets');
      const moved = await moveTeam(team, place, { login: admin?.login ?? team.login, password }, deps);
      if (!moved.ok) return moved;
      if (moved.value === null) return fail('OTHER_HISTORY', {});
      await registry.change(workspaceId, { team: { ...team, ...place, hosts: [...place.hosts] } });
      await open.close(workspaceId);
      changed();
      return ok({ isCompared: moved.value });
    },
    leave: async (workspaceId: WorkspaceId) => {
      const idle = await idleTeam(workspaceId);
      if (!idle.ok) return idle;
      const { team, account } = idle.value;
      const state = await account.workspace.teamState();
      const members = await (await account.team())?.members({});
      if (members?.ok === true && isLastAdmin(members.value)) return fail('LAST_ADMIN', {});
      // Leaving works without the database; an administrator then revokes this computer.
      await inDatabase(team, deps, (client) => leaveDesk(client, team.workspace, state?.desk ?? team.desk));
      await registry.change(workspaceId, { team: undefined, mode: 'read-only' });
      // The session is closed first, because its queries would find no team.
      await (await account.team())?.close();
      await account.workspace.teamLeave();
      await open.close(workspaceId);
      await forgetTeamPassword(secrets, team);
      changed();
      return ok({ notShared: state?.notShared ?? 0 });
    },
  };
}

/**
 * Moves to a copy of the database. An admin closes the old place first, so that nothing is shared there that the copy
 * lacks.
 *
 * @returns whether the old place could be compared; null if the copy lacks some of its entries
 */
async function moveTeam(
  from: TeamRecord,
  to: TeamPlace,
  login: DatabaseLogin,
  deps: JoinDeps,
): Promise<Result<boolean | null, Failure<'BAD_TEAM_CONNECTION'>>> {
  // The old place is closed only for a copy that can be read.
  const copy = await withTeamDatabase(to, login, deps, (client) =>
    openTeamLog(client, from.workspace, from.desk, null).look(0),
  );
  if (!copy.ok) return copy;
  const old = await withTeamDatabase(from, login, deps, async (client) => {
    const admin = openTeamAdmin(client, from.workspace);
    const own = (await admin.members()).find((member) => member.login === login.login);
    if (own === undefined || own.roles.includes('admin')) await admin.move({ hosts: to.hosts, database: to.database });
    const log = openTeamLog(client, from.workspace, from.desk, null);
    const { head } = await log.look(0);
    return { head, hash: await log.hashAt(head) };
  });
  return withTeamDatabase(to, login, deps, async (client) => {
    const log = openTeamLog(client, from.workspace, from.desk, null);
    if (!old.ok) return false;
    if ((await log.hashAt(old.value.head)) !== old.value.hash) return null;
    const { rows } = await client.query<{ state: string }>('SELECT state FROM adslate.workspace WHERE id = $1', [
      from.workspace,
    ]);
    if (rows[0]?.state === 'moved') await openTeamAdmin(client, from.workspace).close(false);
    return true;
  });
}

const leaveDesk = (client: Queries, workspace: string, desk: number) =>
  client.query("SELECT adslate.leave_desk_v1($1, $2, '{}')", [workspace, desk]);

const isLastAdmin = (
  members: readonly { readonly state: string; readonly roles: readonly string[]; readonly isHere: boolean }[],
): boolean => {
  const active = members.filter(({ state }) => state === 'active');
  const admins = active.filter(({ roles }) => roles.includes('admin'));
  return active.length > 1 && admins.length === 1 && admins[0]?.isHere === true;
};

const inDatabase = async <T>(
  team: TeamRecord,
  { secrets, clock }: Pick<CoreOptions, 'secrets' | 'clock'>,
  work: (client: Queries) => Promise<T>,
) => {
  const password = (await teamPassword(secrets, team)) ?? '';
  return withTeamDatabase(team, { login: team.login, password }, { clock, random: Math.random }, work);
};

async function readGrant(grants: Pick<FileGrants, 'resolve'>, grant: string, bytesMax: number) {
  const file = await grants.resolve(grant);
  if (file === null) return fail('NO_GRANT', { grant });
  if (!file.ok) return file;
  const { path, fileName, bytes, held } = file.value;
  if (bytes > bytesMax) return fileError(fileName, fileRefusal('above-limit', { limit: bytesMax }));
  return ok(held === null ? await readFile(path, 'utf8') : held.toString('utf8'));
}

/** Shares the rows of the first computer as the start of the log. Row IDs don't change. */
async function shareFirst(
  client: Queries,
  workspace: Workspace,
  { team, member, incarnation, ...block }: Joined,
): Promise<void> {
  const used = await workspace.lastRowNumber();
  let rows = block.rows;
  // The row IDs of a new team start with 1 and are consecutive.
  while (block.firstRow + rows <= used + block.rows / 2) {
    await client.query('SELECT adslate.row_block_v1($1, $2, $3)', [team.workspace, team.desk, block.rows]);
    rows += block.rows;
  }
  const firstRow = Math.max(block.firstRow, used + 1);
  const { workspace: of, desk } = team;
  // A crash while leaving leaves the old team in the file.
  const before = await workspace.teamState();
  if (before !== null && before.workspace !== of) await workspace.teamLeave();
  await workspace.teamJoin({
    workspace: of,
    desk,
    member,
    incarnation,
    isFirst: true,
    firstRow,
    rows: block.firstRow + rows - firstRow,
  });
  await snapshotsOf(client, workspace, of, desk).begin();
}

const snapshotsOf = (client: Queries, store: Workspace, account: string, desk: number) =>
  openSnapshots(client, { account, desk, store, nowMs: () => 0, upkeep: { due: SNAPSHOT_DUE, measureAtMs: 0 } });

interface AddingDeps {
  readonly options: CoreOptions;
  readonly registry: AccountRegistry;
}

interface Joining extends JoiningTask {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

/**
 * Where a team's rows are loaded until they are complete. Joining again after a crash or a lost connection resumes
 * there.
 */
const stageFolder = (dataDir: string, team: string): string => join(dataDir, 'joining', team);
const stageFile = (dataDir: string, team: string): string => join(stageFolder(dataDir, team), 'workspace.db');

/** The number of the computer that an earlier try added to the team; null without one. */
async function stagedDesk({ dataDir, clock, threads }: CoreOptions, team: string): Promise<number | null> {
  const file = stageFile(dataDir, team);
  if ((await stat(file).catch(nullIfNotFound)) === null) return null;
  const opened = await openWorkspace({ file, profile: defaultDeploymentSettings(''), clock, threads, migrated: null });
  if (!opened.ok) return null;
  const state = await opened.value.teamState();
  await opened.value.close();
  return state?.desk ?? null;
}

/** Adds the joined account. Its folder and its entry in the list are created once all rows are loaded. */
async function addJoined(
  { account, ...joined }: Joined,
  { workspaceId, name, ...task }: Joining,
  { options, registry }: AddingDeps,
) {
  const { dataDir, clock, threads } = options;
  const { team } = joined;
  const record = await recordOf({ team, account, workspaceId, name }, options, (await registry.list()).length);
  if (!record.ok) return record;
  const stage = stageFolder(dataDir, team.workspace);
  await makeFolders(dataDir, dirname(stage), stage);
  const file = stageFile(dataDir, team.workspace);
  const opened = await openWorkspace({ file, profile: profileOf(record.value), clock, threads, migrated: null });
  if (!opened.ok) return opened;
  const workspace = opened.value;
  try {
    const { member, incarnation, firstRow, rows } = joined;
    const place = { workspace: team.workspace, desk: team.desk, member, incarnation, firstRow, rows };
    if ((await workspace.teamState())?.desk !== team.desk) await workspace.teamJoin(place);
    const loaded = await inDatabase(team, options, (client) => load(client, workspace, team, task));
    if (!loaded.ok) return loaded;
    if (!loaded.value.ok)
      return fail('BAD_TEAM_CONNECTION', { ...stopStep(loaded.value.error), host: team.hosts.join(', ') });
  } finally {
    await workspace.close();
  }
  const folder = workspaceFolder(dataDir, workspaceId);
  await makeFolders(dataDir, dirname(folder));
  await rename(stage, folder);
  await fsyncDirectory(dirname(folder));
  return registry.add(record.value);
}

/** Loads the newest snapshot and the log after it. */
async function load(client: Queries, store: Workspace, { workspace, desk }: TeamRecord, task: JoiningTask) {
  const learn = async (before: TeamFacts | null): Promise<TeamFacts> => {
    const read = await readTeamFacts(client, workspace);
    if (read === null) throw new TeamFailure('no-access', '42501', 'nothing of the account is shown');
    const learned = withKnownKeys(read, before);
    await store.setMeta(TEAM_FACTS_KEY, JSON.stringify(learned));
    await store.teamPeople(learned.members);
    return learned;
  };
  let facts = await learn(null);
  const find = signersIn(
    () => facts,
    async () => {
      facts = await learn(facts);
    },
  );
  const signing = facts.schema < SIGNED_FROM_VERSION ? null : { key: null, member: facts.me, signerOf: find };
  const log = openTeamLog(client, workspace, desk, signing);
  return takeAll({
    store,
    log: {
      ...log,
      after: (place) => {
        task.signal?.throwIfAborted();
        return log.after(place);
      },
    },
    pause: async () => undefined,
    takeSnapshot: async () => {
      const { position, isNew } = (await store.teamState()) ?? { position: { seen: LOG_START }, isNew: false };
      return snapshotsOf(client, store, workspace, desk).take({ seen: position.seen.seq, isNew }, task);
    },
    goesBack: () => undefined,
  });
}

/**
 * The record of a joined account. It uses the team's service; its addresses are set when the member enters their own
 * credentials. A practice account has its own simulated service.
 */
async function recordOf(
  {
    team,
    account,
    workspaceId,
    name,
  }: Pick<Joined, 'team' | 'account'> & { readonly workspaceId: WorkspaceId; readonly name: string },
  { dataDir, threads }: CoreOptions,
  others: number,
) {
  const { deployment, advertiserId } = account;
  const shared = {
    workspaceId,
    name,
    team,
    migrated: null,
    color: colorOf(others),
    mode: 'normal',
    keyFingerprint: null,
  } as const;
  if (!deployment.startsWith(PRACTICE))
    return ok<AccountRecord>({
      ...shared,
      advertiserId,
      practice: false,
      baseUrl: deployment,
      consumerId: '',
      keyVersion: '1',
      headerPrefix: 'SVC',
      retailHost: '',
      extensions: false,
      secrets: { kept: 'box' },
    });
  const practice = { advertiserId, start: threads.practice };
  const service = await startPracticeService(practiceFolder(dataDir, workspaceId), practice);
  if (!service.ok) return fail('NOT_WRITABLE', { why: 'failed', detail: service.error.data.detail });
  const { account: own, retailHost, headerPrefix } = service.value;
  await service.value.close();
  const { consumerId, keyVersion } = own;
  return ok<AccountRecord>({
    ...shared,
    advertiserId: own.advertiserId,
    practice: true,
    baseUrl: '',
    consumerId,
    keyVersion,
    headerPrefix,
    retailHost,
    extensions: true,
    migrated: own.migrated,
    secrets: { kept: 'practice' },
  });
}
