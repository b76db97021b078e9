import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTeamAdmin } from '../../main/team/admin.ts';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
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
  }, 120_000);
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
    const push =
      "SELECT answer, length(hash) FROM adslate.append_v1($1, 1, 2, 0, '', 'edit', '', '{[1,1]}', 1, 1, '\\x00')";
    expect((await ana.query(push, [team.ws])).rows).toEqual([{ answer: 'ok', length: 32 }]);
  });

  test('ends the connections of who was removed for an administrator without superuser', async (context) => {
    if (version() < 16) return context.skip('before PostgreSQL 16 only a superuser may');
    await admin.query("CREATE ROLE dba LOGIN CREATEROLE PASSWORD 'of-the-test' IN ROLE adslate_owner");
    await admin.query('GRANT adslate_member TO dba WITH ADMIN TRUE');
    const dba = await server.connect({ user: 'dba', password: 'of-the-test' });
    const people = openTeamAdmin(dba, team.ws);
    const made = await people.invite('Cid', ['view']);
    if (!made.ok) throw new Error(made.error);
    const { login, no, password } = made.value;
    const cid = await server.connect({ user: login, password });
    const ended = new Promise((resolve) => cid.once('end', resolve));
    await admin.query("UPDATE adslate.member SET roles = '{view,admin}' WHERE workspace = $1 AND no = 1", [team.ws]);
    expect(await people.remove(no)).toEqual({
      ok: true,
      value: { login, isLoginOff: true, areConnectionsEnded: true },
    });
    await ended;
    await expect(server.connect({ user: login, password })).rejects.toMatchObject({ code: '28000' });
    await expect(dba.query(`SET ROLE ${login}`), 'it cannot act as the member').rejects.toMatchObject({
      code: '42501',
    });
  });
});
