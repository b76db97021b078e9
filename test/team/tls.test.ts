import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { TeamFailure } from '../../main/team/connection.ts';
import { withTeamDatabase } from '../../main/team/join.ts';
import { connectionFields, failedStep } from '../../main/team/team-place.ts';
import { databaseProblemText } from '../../shared/error-help/database-problem.ts';
import { testFolder } from '../folder.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

const folder = testFolder('team-tls');
const openssl = (...args: readonly string[]) => spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
const hasOpenssl = openssl('version').status === 0;

/** An authority, and a server that it vouches for under one name. */
function certificates(authority: string): { readonly ca: string; readonly cert: string; readonly key: string } {
  const newKey = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  const made = [
    `${newKey} -subj /CN=${authority} -keyout ${authority}.key -out ${authority}.pem`,
    `${newKey} -subj /CN=localhost -addext subjectAltName=DNS:localhost -CA ${authority}.pem -CAkey ${authority}.key -keyout ${authority}-server.key -out ${authority}-server.pem`,
  ].map((command) => openssl(...command.split(' ')));
  const failed = made.find(({ status }) => status !== 0);
  if (failed !== undefined) throw new Error(failed.stderr);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ca: read(`${authority}.pem`), cert: read(`${authority}-server.pem`), key: read(`${authority}-server.key`) };
}

test('each problem of a database says what happened, to which server, and the next step', () => {
  const problems = [
    'unreachable',
    'busy',
    'read-only',
    'not-trusted',
    'login',
    'no-access',
    'too-old',
    'disk-full',
    'closed',
    'schema',
    'refused',
  ] as const;
  const failures = [
    ...problems.map((problem) => new TeamFailure(problem, 'EPROTO', 'as the system says it')),
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', ''].map(
      (code) => new TeamFailure('not-trusted', code, 'as the system says it'),
    ),
    new TeamFailure('schema', '3D000', 'no such database'),
  ];
  const said = failures.map((failure) => {
    failure.host = 'db.example.com';
    return databaseProblemText(failedStep(failure));
  });
  for (const text of said) {
    expect(text).toContain('db.example.com');
    expect(text).toMatch(/\. (Check|Ask|Enter|Wait|Try|Adslate sends nothing)\b.*\.$/u);
  }
  // What was refused and what may not be done are one to the user.
  expect(new Set(said).size).toBe(said.length);
});

describe.runIf(hasPostgres && hasOpenssl)('a connection to the database of a team', () => {
  let encrypted: TestPostgres;
  let plain: TestPostgres;
  let ca: string;
  let otherCa: string;

  beforeAll(async () => {
    const own = certificates('own');
    ca = own.ca;
    otherCa = certificates('other').ca;
    encrypted = await startPostgres(['fsync=off'], undefined, own);
    plain = await startPostgres();
  });
  afterAll(async () => {
    await encrypted?.stop();
    await plain?.stop();
  });

  const ask = (
    host: string,
    authority: string | null,
    server = encrypted,
    login = 'admin',
    password = server.password,
    database = 'postgres',
  ) =>
    withTeamDatabase(
      { hosts: [`${host}:${server.port}`], database, ca: authority },
      { login, password },
      { clock: systemClock, random: Math.random },
      async (client) => {
        const { rows } = await client.query('SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
        return rows[0]?.ssl === true ? String(rows[0].version) : 'plain';
      },
    );

  test('is encrypted, and its server has proved its name to our authority', async () => {
    const got = await ask('localhost', ca);
    expect(got).toEqual({ ok: true, value: expect.stringMatching(/^TLSv1\.[23]$/u) });
  });

  test.each([
    ['another name', () => ask('127.0.0.1', ca), 'tls-name', 'encrypted'],
    ['another authority', () => ask('localhost', otherCa), 'tls-authority', 'encrypted'],
    ['a server without encryption', () => ask('localhost', ca, plain), 'tls-off', 'plain'],
    ['a wrong password', () => ask('localhost', ca, encrypted, 'admin', 'wrong'), 'login', 'encrypted'],
    ['a login that is not there', () => ask('localhost', ca, encrypted, 'nobody'), 'login', 'encrypted'],
    [
      'a database that is not there',
      () => ask('localhost', ca, encrypted, 'admin', encrypted.password, 'none'),
      'database',
      'encrypted',
    ],
  ] as const)('is refused for %s, with the server', async (_what, connect, step, server) => {
    const { port } = server === 'plain' ? plain : encrypted;
    const host = expect.stringMatching(new RegExp(`^(localhost|127\\.0\\.0\\.1):${port}$`, 'u'));
    expect(await connect()).toEqual({
      ok: false,
      error: { code: 'BAD_TEAM_CONNECTION', data: { step, host, detail: '' } },
    });
  });

  test('is plain on this machine alone, and asks no variable of the environment', async () => {
    const names = [
      'PGHOST',
      'PGPORT',
      'PGDATABASE',
      'PGUSER',
      'PGPASSWORD',
      'PGSSLMODE',
      'PGOPTIONS',
      'PGREPLICATION',
      'PGAPPNAME',
    ];
    for (const name of names) process.env[name] = name === 'PGSSLMODE' ? 'no-verify' : 'wrong';
    try {
      expect(await ask('localhost', null, plain)).toEqual({ ok: true, value: 'plain' });
      expect((await ask('localhost', otherCa)).ok).toBe(false);
    } finally {
      for (const name of names) delete process.env[name];
    }
    const far = (host: string) => {
      const fields = connectionFields({ hosts: [host], database: 'team', ca: null }, 'ana', 'x');
      return fields.ok ? fields.value[0] : fields.error.data.step;
    };
    for (const host of ['db.example', 'localhost.example:6000', '10.0.0.1', '[2001:db8::1]:5433', '2001:db8::1'])
      expect(far(host), host).toMatchObject({
        enableChannelBinding: true,
        ssl: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
      });
    expect(far('[::1]:6000')).toMatchObject({ host: '::1', port: 6000, ssl: false });
    for (const host of ['postgres://team@db.example/x', 'a b', 'db:99999', ''])
      expect(far(host), host).toBe('bad-host');
  });
});
