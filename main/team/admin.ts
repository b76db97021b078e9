import { randomBytes } from 'node:crypto';
import { TEAM_ROLES, type TeamRole } from '../../shared/api/choices.ts';
import type { Person, TeamActivity, TeamUpkeep } from '../../shared/api/team.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { errorCode } from '../app/system.ts';
import { oneRow, type Queries, TeamFailure } from './connection.ts';
import { newPassword, scramVerifier } from './scram.ts';
import { openSignOff } from './sign-off.ts';
import type { Signing } from './signing.ts';
import { MIGRATIONS, migrationSql, TEAM_SCHEMA, TEAM_SCHEMA_VERSION, type TeamMigration } from './sql/schema.ts';
import { type EntryError, openTeamLog } from './team-log.ts';

/**
 * Administration of a team's database. Roles of PostgreSQL are created and dropped with the rights of the connected
 * login; everything else goes through functions that check the caller. Database failures are thrown as `TeamFailure`.
 */
export type TeamAdmin = ReturnType<typeof openTeamAdmin>;

export interface TeamPerson {
  readonly no: number;
  readonly display: string;
  readonly login: string;
  readonly roles: readonly TeamRole[];
  readonly state: 'invited' | 'active' | 'removed';
  readonly invitedBy: Person | null;
  readonly invitedAt: number;
}

/** A login created for a member. The password is temporary: the member's computer replaces it when it joins. */
export interface NewLogin {
  readonly no: number;
  readonly login: string;
  readonly password: string;
}

/** How much of a removal PostgreSQL allowed. The functions and policies refuse the member in any case. */
export interface Removal {
  readonly login: string;
  /** Also false when the login is a member of another account of this database. */
  readonly isLoginOff: boolean;
  readonly areConnectionsEnded: boolean;
}

export type PeopleRefusal = 'no-member' | 'last-admin' | 'name-taken' | 'cannot-make-logins';

export function openTeamAdmin(client: Queries, workspace: string) {
  const ask = async <Row extends object>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> =>
    (await client.query<Row>(sql, [workspace, ...values])).rows;
  const members = () =>
    ask<TeamPerson>(
      `SELECT m.no, m.display, m.login, m.roles, m.state, floor(extract(epoch FROM m.invited_at) * 1000)::float8 AS "invitedAt",
         CASE WHEN i.no IS NOT NULL THEN json_build_object('no', i.no, 'display', i.display) END AS "invitedBy"
       FROM adslate.member m LEFT JOIN adslate.member i ON i.workspace = m.workspace AND i.no = m.invited_by
       WHERE m.workspace = $1 ORDER BY m.no`,
    );
  const call = async <T>(sql: string, ...values: readonly unknown[]): Promise<T | undefined> =>
    (await ask<{ value: T }>(`SELECT ${sql} AS value`, ...values))[0]?.value;

  return {
    members,
    /**
     * Creates a login for a new member, or a new password for an invited one that has not joined yet.
     *
     * @param existing a login created by hand, for admins who can't create logins; its password is not changed
     */
    invite: async (
      display: string,
      roles: readonly TeamRole[],
      existing: { readonly login: string; readonly password: string } | null = null,
    ): Promise<Result<NewLogin, PeopleRefusal>> => {
      const same = (await members()).find(
        (one) => one.state !== 'removed' && one.display.toLowerCase() === display.toLowerCase(),
      );
      if (same?.state === 'active') return err('name-taken');
      if (existing !== null) {
        const no = await call<number>('adslate.invite_v1($1, $2, $3, $4)', existing.login, display, roles);
        return ok({ no: no ?? 0, ...existing });
      }
      return withNewLogin(client, display, same?.login ?? null, (text, login) => {
        const list = `ARRAY[${roles.map(text).join(', ')}]::text[]`;
        return {
          member: `adslate.invite_v1(${text(workspace)}, ${login}, ${text(display)}, ${list})`,
          of: text(workspace),
        };
      });
    },
    setRoles: (no: number, roles: readonly TeamRole[]) =>
      people(() => call('adslate.change_roles_v1($1, $2, $3)', no, roles)),
    /**
     * Removes the member in the functions first, which takes effect at once. Disabling the login may fail after that.
     */
    remove: async (no: number): Promise<Result<Removal, PeopleRefusal>> => {
      const removed = await people(() =>
        ask<{ login: string; elsewhere: boolean }>(
          'SELECT member_login AS login, is_elsewhere AS elsewhere FROM adslate.remove_member_v1($1, $2)',
          no,
        ),
      );
      if (!removed.ok) return removed;
      const { login = '', elsewhere = true } = removed.value[0] ?? {};
      if (elsewhere) return ok({ login, isLoginOff: false, areConnectionsEnded: false });
      const ended = await ask<{ off: boolean; ended: boolean }>(
        'SELECT is_off AS off, is_ended AS ended FROM adslate.end_login_v1($1, $2)',
        no,
      ).catch(ifNotByFunction);
      if (ended?.[0]?.off === true) return ok({ login, isLoginOff: true, areConnectionsEnded: ended[0].ended });
      const { escapeIdentifier } = (await import('pg')).default;
      const isLoginOff = await whereAllowed(() => client.query(`ALTER ROLE ${escapeIdentifier(login)} NOLOGIN`));
      const areConnectionsEnded = await whereAllowed(() =>
        client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login]),
      );
      return ok({ login, isLoginOff, areConnectionsEnded });
    },
    revokeDesk: (desk: number) => people(() => call('adslate.revoke_desk_v1($1, $2)', desk)),
    /** A usable snapshot replaces all log entries before it. */
    snapshots: () =>
      ask<TeamUpkeep['snapshots'][number] & { digest: string }>(
        `SELECT s.seq::float8, s.state, s.bytes::float8, s.row_count::float8 AS rows, encode(s.digest, 'hex') AS digest,
           floor(extract(epoch FROM s.at) * 1000)::float8 AS at, d.name AS computer
         FROM adslate.snapshot s JOIN adslate.desk d ON d.workspace = s.workspace AND d.no = s.desk
         WHERE s.workspace = $1 ORDER BY s.seq DESC`,
      ),
    approveSnapshot: (seq: number) => people(() => call('adslate.approve_snapshot_v1($1, $2)', seq)),
    prune: (keepDays: number) =>
      oneRow<{ entries: number; parts: number; snapshots: number; prunedTo: number }>(
        client,
        `SELECT entries::float8, parts::float8, snapshots::float8, pruned_to::float8 AS "prunedTo" FROM adslate.prune_v1($1, $2)`,
        [workspace, keepDays],
      ),
    restored: async (): Promise<number> => (await call<number>('adslate.restored_v1($1)')) ?? 0,
    close: (isClosed: boolean) => call('adslate.close_v1($1, $2)', isClosed),
    /** Tells computers the account's new database. Nothing can be shared in this copy any more. */
    move: (place: { readonly hosts: readonly string[]; readonly database: string }) =>
      call('adslate.move_v1($1, $2)', JSON.stringify(place)),
    health: () => oneRow<Health>(client, HEALTH, [workspace]),
    /** The audit log of the team, newest first. */
    activity: async (from: number, count: number) => {
      const entries = await ask<Written>(
        `SELECT a.no::float8, floor(extract(epoch FROM a.at) * 1000)::float8 AS at, coalesce(m.display, a.login) AS by, a.what, a.detail
         FROM adslate.audit a LEFT JOIN adslate.member m ON m.workspace = a.workspace AND m.login = a.login
         WHERE a.workspace = $1 ORDER BY a.no DESC LIMIT $3 OFFSET $2`,
        from,
        count,
      );
      const [all] = await ask<{ n: number }>('SELECT count(*)::int AS n FROM adslate.audit WHERE workspace = $1');
      return { total: all?.n ?? 0, entries };
    },
    /** Computers that could no longer read or write if this format were required. */
    leftBehind: (format: number) =>
      ask<{ no: number; name: string; member: string; format: number }>(
        `SELECT d.no, d.name, m.display AS member, d.format FROM adslate.desk d
         JOIN adslate.member m ON m.workspace = d.workspace AND m.no = d.member
         WHERE d.workspace = $1 AND NOT d.revoked AND d.format < $2 ORDER BY d.no`,
        format,
      ),
    requireFormat: (reader: number, writer: number, own: number) =>
      call('adslate.require_format_v1($1, $2, $3, $4)', reader, writer, own),
    /**
     * Reads the whole log and the digests that computers reported. Continues after a wrong entry.
     *
     * @param signing null in a database without signatures
     */
    verify: async (signing: Signing | null = null) => {
      const log = openTeamLog(client, workspace, 0, signing);
      const found = await oneRow<{ head: number; hash: string; from: number; fromHash: string; alarms: number }>(
        client,
        `SELECT head::float8, encode(head_hash, 'hex') AS hash, pruned_to::float8 AS from, encode(pruned_hash, 'hex') AS "fromHash",
           (SELECT count(DISTINCT seq)::int FROM (SELECT seq FROM adslate.digest WHERE workspace = $1
             GROUP BY seq HAVING count(DISTINCT value) > 1) AS odd) AS alarms
         FROM adslate.workspace WHERE id = $1`,
        [workspace],
      );
      let place = { seq: found.from, hash: found.fromHash };
      let problem: { readonly seq: number; readonly is: EntryError['is'] } | null = null;
      const counts = { signed: 0, unsigned: 0, wrong: 0 };
      for (;;) {
        const entries = await log.check(place);
        const last = entries.at(-1);
        if (last === undefined) break;
        for (const { seq, problem: is, signature } of entries) {
          counts[is === 'wrong-hash' || is === 'forged' ? 'wrong' : signature]++;
          if (is !== null) problem ??= { seq, is };
        }
        place = last;
      }
      // An entry may have been appended meanwhile; a missing entry at the end means that the log is not whole.
      const isWhole = place.seq > found.head || (place.seq === found.head && place.hash === found.hash);
      if (!isWhole) problem ??= { seq: place.seq, is: 'wrong-hash' };
      const verdicts = { signed: 0, unsigned: 0, wrong: 0 };
      for (const { signature } of await openSignOff(client, workspace, 0, signing).verdicts()) verdicts[signature]++;
      return { from: found.from, head: found.head, alarms: found.alarms, ...counts, verdicts, problem };
    },
  };
}

export type Health = Omit<TeamUpkeep, 'snapshots'>;

/** The columns of the view `health`, for one team and readable by its members. */
const HEALTH = `SELECT pg_database_size(current_database())::float8 AS "databaseBytes", w.head::float8, w.pruned_to::float8 AS "prunedTo",
  coalesce((SELECT sum(octet_length(c.payload) + c.parts * 1048576::bigint) FROM adslate.change_set c WHERE c.workspace = w.id), 0)::float8
    AS "logBytes",
  (SELECT floor(extract(epoch FROM c.at) * 1000)::float8 FROM adslate.change_set c WHERE c.workspace = w.id AND c.seq = w.head)
    AS "lastSharedAt",
  (SELECT count(*)::int FROM adslate.intent_op o WHERE o.workspace = w.id AND o.state IN ('IN_DOUBT', 'NEEDS_USER')) AS unconfirmed,
  (SELECT count(*)::int FROM adslate.part p WHERE p.workspace = w.id AND NOT EXISTS (SELECT FROM adslate.change_set c
    WHERE c.workspace = w.id AND c.desk = p.desk AND c.push = p.push)) AS "unusedParts",
  (SELECT count(*)::int FROM adslate.desk d WHERE d.workspace = w.id AND NOT d.revoked AND d.seen < w.head
    AND d.at < now() - interval '14 days') AS away,
  (SELECT count(*)::int FROM adslate.audit a WHERE a.workspace = w.id AND a.what = 'digest-alarm'
    AND a.at > now() - interval '30 days') AS differences,
  (SELECT coalesce(json_agg(d.name ORDER BY d.no), '[]') FROM adslate.desk d JOIN adslate.lease l ON l.workspace = w.id
    WHERE d.workspace = w.id AND d.no = ANY (l.unreported) AND NOT d.revoked) AS unreported
  FROM adslate.workspace w WHERE w.id = $1`;

/** A line of the audit log with the details that its function wrote. */
type Written = Pick<TeamActivity, 'no' | 'at' | 'by' | 'what'> & { readonly detail: unknown };

/** Refusals of the functions about people, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, PeopleRefusal>> = { '02000': 'no-member', AD005: 'last-admin' };

async function people<T>(ask: () => Promise<T>): Promise<Result<T, PeopleRefusal>> {
  try {
    return ok(await ask());
  } catch (error) {
    const refusal = REFUSALS[errorCode(error) ?? ''];
    if (refusal === undefined) throw error;
    return err(refusal);
  }
}

const NOT_ALLOWED = '42501';

/** False if the login lacks the right. */
async function whereAllowed(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (errorCode(error) !== NOT_ALLOWED) throw error;
    return false;
  }
}

/**
 * For `.catch`: the function is missing in an older database or lacks the right, so the login's own rights are tried
 * next.
 */
function ifNotByFunction(error: unknown): null {
  const isOwnRefusal = error instanceof Error && error.message === 'not allowed';
  if (isOwnRefusal || ![NOT_ALLOWED, NO_FUNCTION, THERE_ALREADY].includes(errorCode(error) ?? '')) throw error;
  return null;
}
const NO_FUNCTION = '42883';
/** SQLSTATE "role already exists": the login was not created by the function. */
const THERE_ALREADY = '42710';

/** SQL expressions that make a login a member: its number, and the account that is created or named. */
type Membership = (text: (value: string) => string, login: string) => { readonly member: string; readonly of: string };

/**
 * Creates a login role and its member row in one transaction: through the function for it, or else with the rights of
 * the connected login. Statements about roles take no parameters, so values are quoted here.
 *
 * @param again an existing login that only gets another password
 */
async function withNewLogin(
  client: Queries,
  display: string,
  again: string | null,
  membership: Membership,
): Promise<Result<NewLogin, PeopleRefusal>> {
  const { escapeIdentifier, escapeLiteral } = (await import('pg')).default;
  const login = again ?? loginFor(display);
  const password = newPassword();
  const secret = escapeLiteral(scramVerifier(password));
  const { member, of } = membership(escapeLiteral, escapeLiteral(login));
  const run = async (statements: readonly string[]): Promise<NewLogin> => {
    const answers: unknown = await client.query(statements.join(';\n'));
    const answer: unknown = Array.isArray(answers) ? answers.find((each) => scalarOf(each) !== undefined) : answers;
    return { no: Number(scalarOf(answer)), login, password };
  };
  const made = await run([
    `SELECT ${member} AS value`,
    `SELECT adslate.make_login_v1(${of}, ${escapeLiteral(login)}, ${secret})`,
  ]).catch(ifNotByFunction);
  if (made !== null) return ok(made);
  const name = escapeIdentifier(login);
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  const makes = [
    `CREATE ROLE ${name} LOGIN CONNECTION LIMIT 4 PASSWORD ${secret}`,
    `ALTER ROLE ${name} SET statement_timeout = '30s'`,
    `GRANT adslate_member TO ${name}`,
    // Lets a role that is no superuser end connections of the login without acting as it.
    ...((rows[0]?.version ?? 0) >= 160_000 ? [`GRANT ${name} TO CURRENT_USER WITH INHERIT TRUE, SET FALSE`] : []),
  ];
  try {
    return ok(
      await run([...(again === null ? makes : [`ALTER ROLE ${name} PASSWORD ${secret}`]), `SELECT ${member} AS value`]),
    );
  } catch (error) {
    // The member may be no admin, or the admin's login may not create roles. Only the second case has a workaround.
    if (errorCode(error) !== NOT_ALLOWED || !(error instanceof Error) || error.message === 'not allowed') throw error;
    return err('cannot-make-logins');
  }
}

function scalarOf(answer: unknown): unknown {
  const rows: unknown = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : null;
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  return typeof row === 'object' && row !== null && 'value' in row ? row.value : undefined;
}

/** The name has a random suffix: the server may have logins of this name from other databases. */
function loginFor(display: string): string {
  const readable = display
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '_')
    .replace(/^_+|_+$/gu, '')
    .slice(0, 30);
  return `adslate_${readable === '' ? 'member' : readable}_${randomBytes(3).toString('hex')}`;
}

/** Prepares an empty database, in one transaction. */
export async function initTeamDatabase(client: Queries): Promise<'made' | 'there'> {
  if ((await schemaVersion(client)) !== null) return 'there';
  await client.query(`BEGIN;\n${TEAM_SCHEMA}\nCOMMIT`);
  return 'made';
}

/** Whether members may create temporary tables. PostgreSQL allows it by default; the owner's setup revokes it. */
export async function allowsTempTables(client: Queries): Promise<boolean> {
  const { rows } = await client.query<{ temp: boolean }>(
    "SELECT has_database_privilege('adslate_member', current_database(), 'TEMP') AS temp",
  );
  return rows[0]?.temp === true;
}

/** The schema version; null for a database that is not prepared. */
export async function schemaVersion(client: Queries): Promise<number | null> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('adslate.schema_version') IS NOT NULL AS there",
  );
  if (rows[0]?.there !== true) return null;
  const found = await client.query<{ version: number }>('SELECT max(version) AS version FROM adslate.schema_version');
  return found.rows[0]?.version ?? null;
}

export type Migrated =
  | { readonly is: 'done'; readonly from: number; readonly to: number }
  /** Computers whose version of Adslate can't use the newer functions. */
  | { readonly is: 'older-desks'; readonly desks: readonly { readonly name: string; readonly member: string }[] }
  | { readonly is: 'newer' }
  | { readonly is: 'not-prepared' };

/**
 * Migrates the schema to the newest version in one transaction. Each step keeps the last two versions of every
 * function, so only computers older than `needsFormat` of a step stop working.
 */
export async function migrateTeamDatabase(
  client: Queries,
  steps: readonly TeamMigration[] = MIGRATIONS,
): Promise<Migrated> {
  const from = await schemaVersion(client);
  if (from === null) return { is: 'not-prepared' };
  const to = steps.at(-1)?.version ?? TEAM_SCHEMA_VERSION;
  if (from > to) return { is: 'newer' };
  const due = steps.filter(({ version }) => version > from);
  if (due.length === 0) return { is: 'done', from, to: from };
  const needs = Math.max(...due.map(({ needsFormat }) => needsFormat));
  const desks = await client.query<{ name: string; member: string }>(
    `SELECT d.name, m.display AS member FROM adslate.desk d JOIN adslate.member m ON m.workspace = d.workspace AND m.no = d.member
     WHERE NOT d.revoked AND d.format < $1 ORDER BY m.display, d.name`,
    [needs],
  );
  if (desks.rows.length > 0) return { is: 'older-desks', desks: desks.rows };
  await client.query(migrationSql(due));
  return { is: 'done', from, to };
}

/** A new team: the account's name and service, and its first member. */
export interface NewTeam {
  readonly account: string;
  readonly deployment: string;
  readonly advertiserId: string;
  readonly display: string;
}

/** The account of a team and its first member. */
export interface BegunTeam {
  readonly workspace: string;
  readonly login: string;
  /** Null if the member has joined before, with a password that only its computer has. */
  readonly password: string | null;
  /** The number of that computer; null without one. */
  readonly desk: number | null;
}

/**
 * Creates a team's account and its first member in a prepared database, or finds one whose creation broke off before
 * the first rows were approved, or before this computer learned of it. If the login can't create others, the first member uses this login.
 *
 * @param own the login of this connection
 * @param mine the team that this computer has begun to share with, by its ID; null without one
 */
export async function createWorkspace(
  client: Queries,
  { account, deployment, advertiserId, display }: NewTeam,
  own: { readonly login: string; readonly password: string },
  mine: string | null = null,
): Promise<Result<BegunTeam, 'has-team'>> {
  const workspaceOf = (login: string) =>
    client.query<{ id: string }>(
      'SELECT id FROM adslate.workspace w JOIN adslate.member m ON m.workspace = w.id WHERE m.login = $1 AND w.advertiser_id = $2 AND w.deployment = $3',
      [login, advertiserId, deployment],
    );
  try {
    const made = await withNewLogin(client, display, null, (text, login) => ({
      member: `adslate.create_workspace_v1(${[account, deployment, advertiserId].map(text).join(', ')}, ${login}, ${text(display)})`,
      of: `(SELECT id FROM adslate.workspace WHERE deployment = ${text(deployment)} AND advertiser_id = ${text(advertiserId)})`,
    }));
    if (!made.ok)
      await client.query('SELECT adslate.create_workspace_v1($1, $2, $3, $4, $5)', [
        account,
        deployment,
        advertiserId,
        own.login,
        display,
      ]);
    const { login, password } = made.ok ? made.value : own;
    const workspace = (await workspaceOf(login)).rows[0]?.id;
    if (workspace === undefined) throw new TeamFailure('no-access', NOT_ALLOWED, 'not allowed');
    return ok({ workspace, login, password, desk: null });
  } catch (error) {
    if (errorCode(error) !== 'AD004') throw error;
  }
  const { rows } = await client.query<Omit<BegunTeam, 'password'> & { readonly state: string }>(
    `SELECT w.id AS workspace, m.login, m.state, (SELECT max(d.no) FROM adslate.desk d WHERE d.workspace = w.id) AS desk
     FROM adslate.workspace w JOIN adslate.member m ON m.workspace = w.id AND m.no = 1
     WHERE w.deployment = $1 AND w.advertiser_id = $2 AND w.head = 0
       AND (w.id = $3 OR NOT EXISTS (SELECT FROM adslate.snapshot s WHERE s.workspace = w.id AND s.state = 'usable'))`,
    [deployment, advertiserId, mine],
  );
  const [begun] = rows;
  if (begun === undefined) return err('has-team');
  const { workspace, login, state, desk } = begun;
  if (login === own.login) return ok({ workspace, ...own, desk });
  if (state !== 'invited') return ok({ workspace, login, password: null, desk });
  const again = await withNewLogin(client, display, login, (text, name) => ({
    member: `adslate.invite_v1(${text(workspace)}, ${name}, ${text(display)}, ARRAY[${TEAM_ROLES.map(text).join(', ')}])`,
    of: text(workspace),
  }));
  return again.ok ? ok({ workspace, login, password: again.value.password, desk }) : err('has-team');
}
