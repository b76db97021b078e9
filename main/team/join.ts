import type { Failure } from '../../shared/api/operation.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { type TeamRecord, teamSecretId } from '../accounts/account-record.ts';
import type { CredentialStore } from '../app/host-ports.ts';
import { createWorkspace, type NewTeam, schemaVersion } from './admin.ts';
import { type ConnectionDeps, connectTeam, type TeamConnection, TeamFailure } from './connection.ts';
import type { Invitation } from './invitation.ts';
import { newPassword, scramVerifier } from './scram.ts';
import { TEAM_SCHEMA_VERSION } from './sql/schema.ts';
import { CHANGE_SET_FORMAT } from './team-log.ts';
import { badConnection, connectionFields, failedStep, type TeamPlace } from './team-place.ts';

/** What joining needs: the keychain for the password, and the clock and random numbers of the connection. */
export interface JoinDeps {
  readonly secrets: CredentialStore;
  readonly clock: ConnectionDeps['clock'];
  readonly random: () => number;
  /** This computer's number from an earlier try, if that try can be continued. */
  readonly known?: number | null;
  /** The team that the account's file names, by its ID: the last answer to an earlier try may be lost. */
  readonly mine?: string | null;
}

/** The state of a computer that has just joined. */
export interface Joined {
  readonly team: TeamRecord;
  readonly member: number;
  readonly incarnation: number;
  /** The range of row IDs that this computer may assign. */
  readonly firstRow: number;
  readonly rows: number;
  readonly account: { readonly name: string; readonly deployment: string; readonly advertiserId: string };
}

type NoConnection = Failure<'BAD_TEAM_CONNECTION'>;
type NotJoined = NoConnection | Failure<'BAD_INVITATION'>;

/** Enough row IDs for the largest import. */
const ROWS = 1_048_576;

/** Null while the credentials are locked, or if the password was only in memory. */
export const teamPassword = async (secrets: CredentialStore, { workspace }: TeamRecord): Promise<string | null> =>
  (await secrets.get(teamSecretId(workspace)))?.token ?? null;

export const forgetTeamPassword = (secrets: CredentialStore, { workspace }: TeamRecord): Promise<void> =>
  secrets.forget(teamSecretId(workspace));

/**
 * Stores the password of the account's login again. Another login gives it a new one, if its rights allow that: the
 * password of a member is random, so that nobody knows it.
 */
export const enterTeamPassword = async (
  team: TeamRecord,
  own: { readonly login: string; readonly password: string },
  deps: JoinDeps,
): Promise<Result<null, NoConnection>> => {
  const password = own.login === team.login ? own.password : newPassword();
  const set = await withTeamDatabase(team, own, deps, async (client) => {
    if (own.login === team.login) return;
    const { escapeIdentifier, escapeLiteral } = (await import('pg')).default;
    await client.query(`ALTER ROLE ${escapeIdentifier(team.login)} PASSWORD ${escapeLiteral(scramVerifier(password))}`);
  });
  if (!set.ok) return set;
  const kept = await deps.secrets.put(teamSecretId(team.workspace), { token: password, privateKeyPem: '' });
  return kept.ok ? ok(null) : badConnection('secrets');
};

/** Opens a connection for one task. Expected failures are values. */
export async function withTeamDatabase<T>(
  place: TeamPlace,
  { login, password }: { readonly login: string; readonly password: string },
  { clock, random }: Pick<JoinDeps, 'clock' | 'random'>,
  work: (client: TeamConnection) => Promise<T>,
): Promise<Result<T, NoConnection>> {
  const fields = connectionFields(place, login, password);
  if (!fields.ok) return fields;
  try {
    const client = await connectTeam(fields.value, { clock, random, noticed: () => {}, ended: () => {} });
    try {
      return ok(await work(client));
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof TeamFailure)) throw error;
    return fail('BAD_TEAM_CONNECTION', failedStep(error));
  }
}

/**
 * Accepts an invitation, or the first login of a new team, and adds this computer to the team.
 *
 * @param isOwnLogin a login that is also used elsewhere: its password is not changed
 */
export async function joinTeam(
  { password, account: _account, ...invited }: Invitation,
  computer: string,
  deps: JoinDeps,
  isOwnLogin = false,
): Promise<Result<Joined, NotJoined>> {
  const { hosts, database, ca, login, workspace } = invited;
  const join = (known: string, next: string) =>
    withTeamDatabase(invited, { login, password: known }, deps, (client) =>
      joinWith(client, { workspace, computer, known, next }, deps),
    );
  let joined = await join(password, isOwnLogin ? password : newPassword());
  if (!joined.ok && joined.error.data.step === 'login') {
    // An earlier try may have changed the password and lost the answer.
    const kept = (await deps.secrets.get(teamSecretId(workspace)))?.token;
    if (kept === undefined) return fail('BAD_INVITATION', { reason: 'used' });
    joined = await join(kept, kept);
  }
  if (!joined.ok) return joined;
  if (!joined.value.ok) return joined.value;
  const { desk, ...facts } = joined.value.value;
  return ok({ ...facts, team: { hosts, database, ca, login, workspace, desk } });
}

interface DeskRow {
  readonly no: number;
  readonly first_row: string;
  readonly member: number;
  readonly incarnation: number;
  readonly name: string;
  readonly deployment: string;
  readonly advertiser_id: string;
}

async function joinWith(
  client: TeamConnection,
  { workspace, computer, known, next }: Readonly<Record<'workspace' | 'computer' | 'known' | 'next', string>>,
  { secrets, known: desk = null }: JoinDeps,
): Promise<Result<Omit<Joined, 'team'> & { readonly desk: number }, NotJoined>> {
  const version = await schemaVersion(client);
  if (version === null || version > TEAM_SCHEMA_VERSION) return badConnection('schema');
  // Stored before the server has it, so that a crash in between loses only this password.
  const kept = await secrets.put(teamSecretId(workspace), { token: next, privateKeyPem: '' });
  if (!kept.ok) return badConnection('secrets');
  const { escapeLiteral } = (await import('pg')).default;
  try {
    const again = desk === null ? null : await ownDesk(client, workspace, desk);
    const change = next === known ? '' : `ALTER ROLE CURRENT_USER PASSWORD ${escapeLiteral(scramVerifier(next))};`;
    const joins = `SELECT adslate.join_desk_v1(${escapeLiteral(workspace)}, ${escapeLiteral(computer)}, ${CHANGE_SET_FORMAT}, ${ROWS})`;
    await client.query(`${change} ${again === null ? joins : ''}`);
    if (again !== null) return ok(again);
  } catch (error) {
    if (error instanceof TeamFailure && error.code === 'AD002') return fail('BAD_INVITATION', { reason: 'expired' });
    throw error;
  }
  const made = await ownDesk(client, workspace);
  if (made === null) throw new TeamFailure('no-access', '42501', 'not a member of this account');
  return ok(made);
}

/** The given computer of the connected login, or its newest one; null if there is none. */
async function ownDesk(client: TeamConnection, workspace: string, no: number | null = null) {
  const { rows } = await client.query<DeskRow>(
    `SELECT d.no, b.first_row, d.member, w.incarnation, w.name, w.deployment, w.advertiser_id
     FROM adslate.workspace w JOIN adslate.member m ON m.workspace = w.id AND m.login = session_user
     JOIN adslate.desk d ON d.workspace = w.id AND d.member = m.no AND NOT d.revoked
     JOIN adslate.row_block b ON b.workspace = w.id AND b.desk = d.no
     WHERE w.id = $1 AND d.no = coalesce($2, d.no) ORDER BY d.no DESC, b.first_row LIMIT 1`,
    [workspace, no],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    desk: row.no,
    member: row.member,
    incarnation: row.incarnation,
    firstRow: Number(row.first_row),
    rows: ROWS,
    account: { name: row.name, deployment: row.deployment, advertiserId: row.advertiser_id },
  };
}

/** Makes an account that of a team, with this computer as the first one. Continues where an earlier try broke off. */
export async function createTeam(
  place: TeamPlace,
  own: { readonly login: string; readonly password: string },
  team: NewTeam,
  computer: string,
  deps: JoinDeps,
): Promise<Result<Joined, NotJoined | Failure<'HAS_TEAM'>>> {
  const made = await withTeamDatabase(place, own, deps, async (client) => {
    const version = await schemaVersion(client);
    return version === null ? null : createWorkspace(client, team, own, deps.mine);
  });
  if (!made.ok) return made;
  if (made.value === null) return badConnection('schema', place.hosts[0]);
  if (!made.value.ok) return fail('HAS_TEAM', { where: 'database' });
  const { desk: known, ...first } = made.value.value;
  const password = first.password ?? (await deps.secrets.get(teamSecretId(first.workspace)))?.token;
  if (password === undefined) return fail('HAS_TEAM', { where: 'database' });
  const isKept = first.password === null || first.login === own.login;
  return joinTeam({ ...place, ...first, password, account: team.account }, computer, { ...deps, known }, isKept);
}

/** Connects and reports the result. */
export function testTeamConnection(
  place: TeamPlace,
  login: { readonly login: string; readonly password: string },
  clock: ConnectionDeps['clock'],
) {
  return withTeamDatabase(place, login, { clock, random: Math.random }, async (client) => {
    const before = clock.monotonicMs();
    const { rows } = await client.query<{ version: string; ssl: boolean }>(
      `SELECT current_setting('server_version') AS version,
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS ssl`,
    );
    const roundTripMs = clock.monotonicMs() - before;
    const isPrepared = (await schemaVersion(client)) !== null;
    const tls = rows[0]?.ssl === true ? ('verified' as const) : ('plain' as const);
    return { version: rows[0]?.version ?? '', tls, roundTripMs, isPrepared };
  });
}
