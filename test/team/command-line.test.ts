import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Keychain } from '../../main/accounts/credential-store.ts';
import { cliWithKeychain, practiceData, written } from '../cli/cli.ts';
import { testFolder } from '../folder.ts';
import { aKeychain } from '../hosts/a-keychain.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

describe.runIf(hasPostgres)('a team on the command line', () => {
  const folder = testFolder('team-cli');
  let keychain: Keychain | null = null;
  const dba = written(folder, 'dba.txt', 'of-the-test\n');
  let server: TestPostgres;
  let admin: pg.Client;
  let data: string;

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await admin.query(
      "CREATE ROLE dba LOGIN CREATEROLE PASSWORD 'of-the-test'; GRANT CREATE ON DATABASE postgres TO dba",
    );
    data = practiceData(folder);
  });
  afterAll(() => server?.stop());

  const run = async (dataDir: string, ...args: readonly string[]) => {
    const { code, out, err } = await cliWithKeychain(keychain, dataDir, [...args, '--json']);
    const said: unknown = out === '' ? null : JSON.parse(out);
    return { code, said, err };
  };
  const place = () => [
    '--host',
    `127.0.0.1:${server.port}`,
    '--database',
    'postgres',
    '--admin-login',
    'dba',
    '--password-file',
    dba,
  ];
  const asAdmin = ['--admin-login', 'dba', '--password-file', dba];

  test('goes from an empty database over an invitation to a member that is removed', async () => {
    const printed = await cliWithKeychain(keychain, data, ['team', 'init', '--print']);
    expect(printed.out).toMatch(/^BEGIN;[\s\S]*COMMIT;\n$/u);
    expect(await run(data, 'team', 'init', ...place(), '--yes')).toMatchObject({ code: 0, said: { made: true } });
    expect(await run(data, 'team', 'create', ...place()), 'with nowhere to keep the password').toMatchObject({
      code: 1,
      said: { error: { code: 'SECRETS_REFUSED' } },
    });
    keychain = aKeychain();
    expect(await run(data, 'team', 'create', ...place(), '--name', 'Ana')).toMatchObject({
      code: 0,
      said: { member: { display: 'Ana' } },
    });
    const file = join(folder, 'ben.adslate-invite');
    const invited = await run(data, 'team', 'invite', 'Ben', '--roles', 'edit,sync', '--out', file, ...asAdmin);
    expect(invited, JSON.stringify(invited)).toMatchObject({
      code: 0,
      said: { member: 'Ben', roles: ['view', 'edit', 'sync'] },
    });
    expect(readFileSync(file, 'utf8')).not.toContain('127.0.0.1');
    const told = z.object({ words: z.array(z.string()) }).parse(invited.said).words;
    const ben = join(folder, 'ben');
    const joined = await run(
      ben,
      'team',
      'connect',
      file,
      '--words-file',
      written(folder, 'words.txt', told.join(' ')),
      '--name',
      'Shared',
    );
    expect(joined, JSON.stringify(joined)).toMatchObject({ code: 0, said: { account: 'Shared' } });

    const edits = async (who: string, budget: number) => {
      const rows = `Type,Campaign,Campaign type,Targeting,Daily budget\ncampaign,Hose,video,manual,${budget}\n`;
      expect(await run(who, 'import', written(folder, 'hose.csv', rows))).toMatchObject({ code: 0 });
      return run(who, 'team', 'share', '--once');
    };
    await edits(data, 100);
    await run(ben, 'team', 'share', '--once');
    await edits(data, 120);
    expect(await edits(ben, 130)).toMatchObject({ code: 3, said: { conflicts: 1 } });
    const listed = await run(ben, 'conflicts');
    expect(listed).toMatchObject({ code: 3, said: { conflicts: [{ field: 'dailyBudget', by: 'Ana' }] } });
    const plain = await cliWithKeychain(keychain, ben, ['conflicts']);
    expect(plain.out).toContain('mine 130.00, theirs (Ana) 120.00');
    expect(await run(ben, 'resolve', '--policy', 'other=mine')).toMatchObject({ said: { settled: 0, open: 1 } });
    expect(await run(ben, 'resolve', '--policy', 'colleague=mine')).toMatchObject({
      code: 0,
      said: { settled: 1, open: 0 },
    });

    expect(await run(data, 'team', 'role', 'ben', '--roles', 'edit', ...asAdmin)).toMatchObject({
      code: 0,
      said: { roles: ['view', 'edit'] },
    });
    expect(await run(ben, 'team', 'role', 'Ben', '--roles', 'admin')).toMatchObject({
      code: 1,
      said: { error: { code: 'BAD_TEAM_CONNECTION' } },
    });
    const whole = { problem: null, unsigned: 0, wrong: 0, keys: { fromDatabase: 0 } };
    expect(await run(data, 'team', 'verify')).toMatchObject({ code: 0, said: whole });
    expect(await run(data, 'team', 'migrate')).toMatchObject({ code: 0, said: { from: 2, to: 2 } });
    expect(await run(data, 'team', 'prune')).toMatchObject({ code: 0, said: { entries: 0 } });
    expect(await run(data, 'team', 'snapshot')).toMatchObject({
      code: 0,
      said: { snapshots: [{ seq: 0, state: 'usable' }] },
    });
    expect(await run(data, 'team', 'remove', 'Ben', '--yes', ...asAdmin)).toMatchObject({
      code: 0,
      said: { isLoginOff: true },
    });
    expect(await run(ben, 'team', 'members')).toMatchObject({
      code: 1,
      said: { error: { message: expect.stringContaining('did not accept the login') } },
    });
    const { said } = await run(data, 'team', 'members');
    const { members } = z
      .object({ members: z.array(z.object({ display: z.string(), state: z.string() })) })
      .parse(said);
    expect(members).toEqual([
      { display: 'Ana', state: 'active' },
      { display: 'Ben', state: 'removed' },
    ]);
    // Two computers found different rows at one entry, and a sync of Ben broke off.
    await admin.query(`INSERT INTO adslate.digest SELECT id, no, 0, sha256(no::text::bytea)
        FROM adslate.workspace, generate_series(1, 2) AS no ON CONFLICT (workspace, desk, seq) DO UPDATE SET value = excluded.value;
      UPDATE adslate.lease SET desk = 2, member = 2, taken_at = now(), expires_at = now();
      INSERT INTO adslate.intent SELECT workspace, 1, 'a', 1, 2, 2, 'update', 'update', 'POST', '', NULL, NULL, 1, '', '', NULL, now(), now()
        FROM adslate.lease;
      INSERT INTO adslate.intent_op SELECT workspace, 1, 0, 'campaign', 1, 'update', 'IN_DOUBT', '{}', NULL, NULL, NULL, 1
        FROM adslate.lease`);
    expect(await run(data, 'team', 'status')).toMatchObject({ code: 0, said: { digest: 'differs' } });
    const status = (await cliWithKeychain(keychain, data, ['team', 'status'])).out;
    expect(status).toContain('The sync of Ben on ');
    expect(status).toContain('stopped before it had ended, with 1 unconfirmed row.');
    expect(status).toContain('Computers of the team have different rows.');
    expect(await run(data, 'team', 'restored', '--yes')).toMatchObject({ code: 0, said: { incarnation: 2 } });
  });

  test('moves to another address of the same entries, and closes', async () => {
    const missed = await run(data, 'team', 'move', '--host', 'localhost:1');
    expect(missed).toMatchObject({ code: 4, said: { error: { code: 'BAD_TEAM_CONNECTION' } } });
    expect((await admin.query('SELECT state FROM adslate.workspace')).rows, 'still open').toEqual([{ state: 'open' }]);
    const moved = await run(data, 'team', 'move', '--host', `localhost:${server.port}`);
    expect(moved).toMatchObject({ code: 0, said: { database: 'postgres', isCompared: true } });
    const { rows } = await admin.query('SELECT what FROM adslate.audit ORDER BY no DESC LIMIT 2');
    expect(rows).toEqual([{ what: 'opened' }, { what: 'moved' }]);
    expect(await run(data, 'team', 'close', '--yes')).toMatchObject({ code: 0, said: { closed: true } });
  });
});
