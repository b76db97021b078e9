import type pg from 'pg';
import type { TestPostgres } from './postgres.ts';

/**
 * Who tries what against a team's database, and what must come of it. Ana edits, Ben syncs, Vic looks, Rob was removed, Eve is a
 * login of the same server without an account, Zoe belongs to another account.
 */
export type Who = 'ana' | 'ben' | 'vic' | 'rob' | 'eve' | 'zoe' | 'owner';

interface SecurityCheck {
  readonly name: string;
  readonly who: Who;
  readonly sql: string;
  /** Refused with a missing right, answered with no row at all, or with false. */
  readonly must: 'refuse' | 'show-nothing' | 'answer-false' | 'answer-fenced';
  /** The first version of PostgreSQL of which it is so. */
  readonly from?: number;
}

const PUSH = (desk: string) => `SELECT adslate.append_v1(:ws, ${desk}, 1, 0, '', 'edit', '', '{[1,1]}', 1, 1, '\\x00')`;
const VERIFIER = 'SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy';
const MAKES = (account: string, login: string) => `SELECT adslate.make_login_v1(${account}, '${login}', '${VERIFIER}')`;
const INVITES = (account: string, login: string) =>
  `${MAKES(`(SELECT ${account}::uuid FROM (SELECT adslate.invite_v1(${account}, '${login}', 'x', '{view}')) AS i)`, login)}`;
const BATCH = `'{"correlation":"c","ops":[],"verb":"update"}'::jsonb`;

/** Every table, so that none is forgotten when one is added: the test compares the list with the schema. */
export const TABLES = [
  'workspace',
  'member',
  'desk',
  'change_set',
  'part',
  'audit',
  'row_block',
  'presence',
  'snapshot',
  'snapshot_part',
  'digest',
  'intent',
  'intent_op',
  'question',
  'receipt',
  'rate',
  'change_request',
  'change_request_row',
  'verdict',
  'signature',
  'made_login',
  'blob',
  'blob_part',
] as const;

const refuse = (name: string, who: Who, sql: string): SecurityCheck => ({ name, who, sql, must: 'refuse' });

export const CHECKS: readonly SecurityCheck[] = [
  refuse('a viewer appends', 'vic', PUSH(':vic')),
  refuse('a viewer puts parts of a push', 'vic', "SELECT adslate.put_part_v1(:ws, :vic, 1, 0, '')"),
  refuse('a viewer takes numbers of rows', 'vic', 'SELECT adslate.row_block_v1(:ws, :vic, 10)'),
  refuse('a viewer makes a snapshot', 'vic', "SELECT adslate.begin_snapshot_v1(:ws, :vic, 0, '', 1)"),
  refuse('a viewer confirms a snapshot', 'vic', "SELECT adslate.confirm_snapshot_v1(:ws, :vic, 0, '')"),
  refuse('an editor takes the lease', 'ana', 'SELECT adslate.lease_take_v1(:ws, :ana)'),
  refuse('a viewer takes the lease', 'vic', 'SELECT adslate.lease_take_v1(:ws, :vic)'),
  refuse('an editor invites', 'ana', "SELECT adslate.invite_v1(:ws, 'eve', 'Eve', '{view}')"),
  refuse('an editor makes a login', 'ana', MAKES(':ws', 'adslate_new')),
  refuse('an editor ends a login', 'ana', 'SELECT adslate.end_login_v1(:ws, 4)'),
  refuse('an admin makes a login for nobody', 'zoe', MAKES(':other', 'adslate_new')),
  refuse('an admin gives itself another password past its own computer', 'zoe', MAKES(':other', 'zoe')),
  refuse('an admin takes over a login of another account', 'zoe', INVITES(':other', 'adslate_made')),
  refuse('an admin takes over a login of somebody who is no member', 'zoe', INVITES(':other', 'eve')),
  refuse('an admin sets the password of a login itself', 'zoe', "ALTER ROLE adslate_made PASSWORD 'x'"),
  refuse('an admin becomes a login that it had made', 'zoe', 'SET ROLE adslate_own'),
  refuse('an admin makes a role', 'zoe', 'CREATE ROLE mine LOGIN'),
  refuse('an admin acts as the role that makes logins', 'zoe', 'SET ROLE adslate_inviter'),
  refuse('an admin makes itself one that makes logins', 'zoe', 'GRANT adslate_inviter TO zoe'),
  refuse(
    "a colleague's computer gets a key",
    'ana',
    "SELECT adslate.sign_key_v1(:ws, :ben, decode(repeat('00', 32), 'hex'))",
  ),
  refuse('an editor makes itself admin', 'ana', "SELECT adslate.change_roles_v1(:ws, 1, '{view,admin}')"),
  refuse('an editor removes a colleague', 'ana', 'SELECT adslate.remove_member_v1(:ws, 2)'),
  refuse("an editor revokes a colleague's computer", 'ana', 'SELECT adslate.revoke_desk_v1(:ws, :ben)'),
  refuse('an editor prunes', 'ana', 'SELECT adslate.prune_v1(:ws, 0)'),
  refuse('an editor approves a snapshot', 'ana', 'SELECT adslate.approve_snapshot_v1(:ws, 0)'),
  refuse('an editor says restored', 'ana', 'SELECT adslate.restored_v1(:ws)'),
  refuse('an editor closes the team', 'ana', 'SELECT adslate.close_v1(:ws, true)'),
  refuse('an editor moves the team', 'ana', "SELECT adslate.move_v1(:ws, '{}')"),
  refuse('an editor shuts others out by a format', 'ana', 'SELECT adslate.require_format_v1(:ws, 1, 1, 9)'),
  refuse('an editor changes the policy', 'ana', "SELECT adslate.policy_v1(:ws, 0, 'submitter')"),
  refuse('a member makes an account', 'ana', "SELECT adslate.create_workspace_v1('x', 'y', 'z', 'ana', 'Ana')"),
  refuse("a push under a colleague's computer", 'ana', PUSH(':ben')),
  refuse("a heartbeat for a colleague's computer", 'ana', 'SELECT adslate.heartbeat_v1(:ws, :ben, 0)'),
  refuse("a colleague's computer leaves", 'ana', "SELECT adslate.leave_desk_v1(:ws, :ben, '{}')"),
  refuse("a digest for a colleague's computer", 'ana', "SELECT adslate.report_digest_v1(:ws, :ben, 0, '')"),
  refuse('a computer of another account', 'ana', PUSH(':zoe')),
  refuse('a computer that was revoked', 'ana', PUSH(':lost')),
  {
    name: 'a guessed token renews the lease',
    who: 'ben',
    must: 'answer-false',
    sql: 'SELECT adslate.lease_renew_v1(:ws, :ben, 1, gen_random_uuid())',
  },
  {
    name: 'a guessed token releases the lease',
    who: 'ben',
    must: 'answer-false',
    sql: 'SELECT adslate.lease_release_v1(:ws, :ben, 1, gen_random_uuid(), 0)',
  },
  {
    name: 'a guessed token writes an intent',
    who: 'ben',
    must: 'answer-fenced',
    sql: `SELECT answer FROM adslate.intend_v1(:ws, :ben, 1, gen_random_uuid(), ${BATCH}, '', 100)`,
  },
  refuse('the token of the lease is read', 'ben', 'SELECT token FROM adslate.lease'),
  refuse('a removed member appends', 'rob', PUSH(':rob')),
  refuse('a removed member joins again', 'rob', "SELECT adslate.join_desk_v1(:ws, 'x', 1, 0)"),
  refuse('a stranger joins', 'eve', "SELECT adslate.join_desk_v1(:ws, 'x', 1, 0)"),
  refuse('a stranger appends', 'eve', PUSH(':ana')),
  refuse('a stranger calls an inner function', 'eve', "SELECT adslate.noted(:ws, 'x', '{}')"),
  refuse('a member forges the audit', 'ana', "SELECT adslate.noted(:ws, 'x', '{}')"),
  refuse('a member takes rows by the inner function', 'ana', 'SELECT adslate.take_rows(:ws, :ana, 9)'),
  refuse('a member asks own_desk', 'ana', "SELECT adslate.own_desk(:ws, :ana, 'edit')"),
  refuse('SET ROLE to the owner', 'ana', 'SET ROLE adslate_owner'),
  refuse('SET ROLE to a colleague', 'ana', 'SET ROLE ben'),
  refuse('SET SESSION AUTHORIZATION', 'ana', 'SET SESSION AUTHORIZATION ben'),
  refuse('a table in the schema', 'ana', 'CREATE TABLE adslate.mine (a int)'),
  refuse(
    'a function in the schema',
    'ana',
    'CREATE FUNCTION adslate.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  ),
  refuse('a temporary table', 'ana', 'CREATE TEMP TABLE member (no int)'),
  refuse('row security off', 'ana', 'ALTER TABLE adslate.change_set DISABLE ROW LEVEL SECURITY'),
  refuse('the trigger of the log off', 'ana', 'ALTER TABLE adslate.change_set DISABLE TRIGGER ALL'),
  refuse('a policy of its own', 'ana', 'CREATE POLICY mine ON adslate.member USING (true)'),
  refuse(
    'a function of the schema is replaced',
    'ana',
    "CREATE OR REPLACE FUNCTION adslate.moment() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
  ),
  refuse('the health of every account', 'ana', 'SELECT * FROM adslate.health'),
  refuse("a colleague's password", 'ana', "ALTER ROLE ben PASSWORD 'x'"),
  refuse(
    "a colleague's connections",
    'ana',
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ben'",
  ),
  refuse('a role of its own', 'ana', 'CREATE ROLE mine LOGIN'),
  refuse('verifiers of passwords', 'ana', 'SELECT rolpassword FROM pg_authid'),
  refuse('a file of the server', 'ana', "SELECT pg_read_file('PG_VERSION')"),
  refuse('a program of the server', 'ana', "COPY (SELECT 1) TO PROGRAM 'cat'"),
  ...(
    [
      'UPDATE adslate.change_set SET cells = 0',
      'DELETE FROM adslate.change_set',
      'TRUNCATE adslate.change_set CASCADE',
      'UPDATE adslate.signature SET push = push',
      'DELETE FROM adslate.signature',
      'UPDATE adslate.desk SET sign_key = NULL',
      'DELETE FROM adslate.made_login',
      'UPDATE adslate.audit SET what = what',
      'DELETE FROM adslate.audit',
      'TRUNCATE adslate.audit',
      'TRUNCATE adslate.receipt',
    ] as const
  ).map((sql) => refuse(`even the owner: ${sql}`, 'owner', sql)),
  ...TABLES.flatMap((table): readonly SecurityCheck[] => [
    refuse(`a member writes to ${table}`, 'ana', `INSERT INTO adslate.${table} DEFAULT VALUES`),
    refuse(`a member deletes from ${table}`, 'ana', `DELETE FROM adslate.${table}`),
    {
      name: `${table} of another account`,
      who: 'zoe',
      must: 'show-nothing',
      sql: `SELECT 1 FROM adslate.${table} WHERE ${table === 'workspace' ? 'id' : 'workspace'} = :ws`,
    },
    { name: `${table} for who was removed`, who: 'rob', must: 'show-nothing', sql: `SELECT 1 FROM adslate.${table}` },
    { name: `${table} for a stranger`, who: 'eve', must: 'show-nothing', sql: `SELECT 1 FROM adslate.${table}` },
  ]),
];

/** What a check asks for, with the names of accounts and computers filled in. */
export async function prepare(server: TestPostgres, admin: pg.Client) {
  const password = 'of-the-test';
  const users = ['ana', 'ben', 'vic', 'rob', 'eve', 'zoe'] as const;
  for (const user of users)
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'; GRANT adslate_member TO ${user}`);
  // The schema takes temporary tables away; those of `public` are no matter of ours.
  const account = async (advertiser: string, people: readonly string[]) => {
    const { rows } = await admin.query(
      "INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES (gen_random_uuid(), 'A', 'practice', $1) RETURNING id",
      [advertiser],
    );
    for (const [at, one] of people.entries()) {
      const [login, roles] = one.split(' ');
      await admin.query(
        'INSERT INTO adslate.member (workspace, no, login, display, roles) VALUES ($1, $2, $3::text, $3::text, $4)',
        [rows[0].id, at + 1, login, `{${roles}}`],
      );
    }
    return String(rows[0].id);
  };
  const ws = await account('1', ['ana view,edit', 'ben view,edit,sync', 'vic view', 'rob view,edit,sync,admin']);
  const other = await account('2', ['zoe view,edit,sync,admin']);
  const clients = new Map<Who, pg.Client>();
  for (const user of users) clients.set(user, await server.connect({ user, password }));
  const clientOf = (who: Who): pg.Client => clients.get(who) ?? admin;
  const join = async (who: Who, of: string) =>
    String((await clientOf(who).query("SELECT no FROM adslate.join_desk_v1($1, 'pc', 9, 100)", [of])).rows[0].no);
  const names = new Map([['ws', `'${ws}'`]]);
  for (const who of ['ana', 'ben', 'vic', 'rob'] as const) names.set(who, await join(who, ws));
  names.set('lost', await join('ana', ws));
  // Numbers of computers differ between the accounts, so that one cannot stand for the other.
  for (let joined = 0; joined < 20; joined++) names.set('zoe', await join('zoe', other));
  names.set('other', `'${other}'`);
  const ana = Number(names.get('ana'));
  await clientOf('ana').query("SELECT adslate.sign_key_v1($1, $2, decode(repeat('01', 32), 'hex'))", [ws, ana]);
  const signed = `SELECT adslate.append_v2($1, $2, 1, 0, '', 'edit', '', '{[1,1]}', 1, 1, '\\x00', 0, decode(repeat('02', 64), 'hex'))`;
  await clientOf('ana').query(signed, [ws, ana]);
  await admin.query(INVITES(`'${ws}'`, 'adslate_made'));
  await clientOf('zoe').query(INVITES(`'${other}'`, 'adslate_own'));
  await clientOf('ana').query('SELECT adslate.revoke_desk_v1($1, $2)', [ws, Number(names.get('lost'))]);
  await clientOf('ben').query('SELECT adslate.lease_take_v1($1, $2)', [ws, Number(names.get('ben'))]);
  await admin.query("UPDATE adslate.member SET state = 'removed' WHERE workspace = $1 AND login = 'rob'", [ws]);
  const owner = await server.connect({ user: 'admin', password: server.password });
  await owner.query('SET ROLE adslate_owner');
  clients.set('owner', owner);
  return {
    ws,
    clientOf,
    sqlOf: ({ sql }: SecurityCheck) => sql.replaceAll(/(?<!:):([a-z]+)/gu, (whole, name) => names.get(name) ?? whole),
  };
}
