import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrateTeamDatabase, openTeamAdmin } from '../../main/team/admin.ts';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
import { SIGNATURES_SQL } from '../../main/team/sql/signatures.ts';
import { signersInDatabase } from '../../main/team/team-facts.ts';
import { SERVERS, startPostgres, type TestPostgres } from './postgres.ts';
import { CHECKS, prepare, TABLES } from './security-checks.ts';

/** `npm run test:team-security` asks every server that it finds; otherwise the newest is enough. */
const servers = process.env['TEAM_SERVERS'] === 'all' ? SERVERS : SERVERS.slice(0, 1);

describe.each(servers)('the database of a team on %s', (programs) => {
  let server: TestPostgres;
  let admin: pg.Client;
  let team: Awaited<ReturnType<typeof prepare>>;
  const version = () => Number(server.version.split('.')[0]);

  beforeAll(async () => {
    server = await startPostgres(['fsync=off'], programs);
    admin = await server.connect();
    await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
    team = await prepare(server, admin);
  });
  afterAll(() => server?.stop());

  test('keeps each of its rules, whoever asks', async () => {
    const broken: string[] = [];
    for (const check of CHECKS) {
      const got = await team
        .clientOf(check.who)
        .query(team.sqlOf(check))
        .then(
          ({ rows }) => (rows.length === 0 ? 'show-nothing' : `answer-${String(Object.values(rows[0])[0])}`),
          ({ code, message }) => (code === '42501' ? 'refuse' : `${code} ${message}`),
        );
      if (got !== check.must) broken.push(`${check.name}: ${got}`);
    }
    expect(broken).toEqual([]);
    expect(CHECKS.length).toBeGreaterThanOrEqual(48);
    // Those who may see it, see it: the rules above refuse no empty tables.
    const { rowCount } = await team.clientOf('vic').query('SELECT FROM adslate.change_set');
    expect(rowCount).toBe(1);
  });

  test('has row security on every table, and a fixed search path in every function', async () => {
    const { rows } = await admin.query(
      `SELECT relname, relrowsecurity FROM pg_class WHERE relnamespace = 'adslate'::regnamespace AND relkind = 'r'`,
    );
    const open = rows.filter(({ relrowsecurity }) => !relrowsecurity).map(({ relname }) => relname);
    expect(open, 'shown to everybody: the version alone').toEqual(['schema_version']);
    const known: readonly string[] = [...TABLES, 'lease', 'schema_version'];
    expect(rows.map(({ relname }) => relname).filter((name) => !known.includes(name))).toEqual([]);
    const functions = await admin.query(
      `SELECT proname FROM pg_proc WHERE pronamespace = 'adslate'::regnamespace
         AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)
       UNION ALL SELECT 'public: ' || proname FROM pg_proc
         WHERE pronamespace = 'adslate'::regnamespace AND has_function_privilege('public', oid, 'EXECUTE')`,
    );
    expect(functions.rows).toEqual([]);
    const owners = await admin.query(
      "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'adslate' UNION SELECT rolname FROM pg_roles WHERE rolname = 'adslate_owner' AND rolcanlogin",
    );
    expect(owners.rows).toEqual([{ tableowner: 'adslate_owner' }]);
  });

  test("shadows and a search path of the client's own put nothing between a function and its tables", async () => {
    await admin.query('GRANT TEMP ON DATABASE postgres TO eve, ana');
    for (const who of ['ana', 'eve'] as const) {
      const client = team.clientOf(who);
      await client.query("CREATE TEMP TABLE member AS SELECT 'admin'::text AS roles, session_user::name AS login");
      await client.query("CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$");
      await client.query('SET search_path = pg_temp, adslate, public');
      const invites = "SELECT adslate.invite_v1($1, 'eve', 'Eve', '{view}')";
      await expect(client.query(invites, [team.ws]), who).rejects.toMatchObject({ code: '42501' });
    }
    const ana = team.clientOf('ana');
    const push = `SELECT answer, length(hash) FROM adslate.append_v2($1, 1, 2, 0, '', 'edit', '', '{[1,1]}', 1, 1, '\\x00', 0,
      decode(repeat('02', 64), 'hex'))`;
    expect((await ana.query(push, [team.ws])).rows).toEqual([{ answer: 'ok', length: 32 }]);
  });

  test('lets an admin invite and remove whose login may make no roles, and gives that right to no login', async () => {
    await admin.query("UPDATE adslate.member SET roles = '{view,admin}' WHERE workspace = $1 AND no = 1", [team.ws]);
    const people = openTeamAdmin(team.clientOf('ana'), team.ws);
    const invite = async (display: string) => {
      const made = await people.invite(display, ['view']);
      if (!made.ok) throw new Error(made.error);
      return made.value;
    };
    const first = await invite('Cid');
    const { login, no, password } = await invite('cid');
    expect([login, no]).toEqual([first.login, first.no]);
    await expect(server.connect({ user: login, password: first.password })).rejects.toMatchObject({ code: '28P01' });
    const cid = await server.connect({ user: login, password });
    const makers = await admin.query(
      `SELECT rolname, rolcanlogin FROM pg_roles WHERE (rolcreaterole OR rolname = 'adslate_inviter') AND NOT rolsuper`,
    );
    expect(makers.rows).toEqual([{ rolname: 'adslate_inviter', rolcanlogin: false }]);
    const { rows } = await admin.query(
      `SELECT m.member::regrole::text FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member
       WHERE m.roleid = 'adslate_inviter'::regrole AND NOT r.rolsuper`,
    );
    expect(rows, 'nobody is a member of it').toEqual([]);
    const ended = new Promise((resolve) => cid.once('end', resolve));
    expect(await people.remove(no)).toEqual({
      ok: true,
      value: { login, isLoginOff: true, areConnectionsEnded: version() >= 16 },
    });
    // Before PostgreSQL 16 only a superuser may end them; the functions and policies refuse at once.
    if (version() < 16) await cid.end();
    await ended;
    await expect(server.connect({ user: login, password })).rejects.toMatchObject({ code: '28000' });
  });

  test('ends what older databases gave the first member: the right to make roles', async () => {
    const second = await startPostgres(['fsync=off'], programs);
    onTestFinished(() => second.stop());
    const older = await second.connect();
    const [before] = TEAM_SCHEMA.split(SIGNATURES_SQL);
    await older.query(`BEGIN; ${before}; COMMIT`);
    const [id, login] = ['11111111-1111-4111-8111-111111111111', 'adslate_first_abc123'];
    await older.query(`CREATE ROLE ${login} LOGIN CREATEROLE; GRANT adslate_member TO ${login} WITH ADMIN OPTION;
      INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ('${id}', 'A', 'practice', '1');
      INSERT INTO adslate.member (workspace, no, login, display, roles) VALUES ('${id}', 1, '${login}', 'First', '{view,admin}')`);
    expect(await migrateTeamDatabase(older)).toEqual({ is: 'done', from: 1, to: 2 });
    const { rows } = await older.query(
      `SELECT rolcreaterole, pg_has_role(rolname, 'adslate_member', 'MEMBER') AS member,
         pg_has_role(rolname, 'adslate_member', 'MEMBER WITH ADMIN OPTION') AS gives FROM pg_roles WHERE rolname = $1`,
      [login],
    );
    expect(rows).toEqual([{ rolcreaterole: false, member: true, gives: false }]);
    expect(await openTeamAdmin(older, id).verify(await signersInDatabase(older, id))).toMatchObject({ problem: null });
  });
});
