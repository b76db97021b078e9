import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTeamMedia, openMediaDatabase } from '../../main/team/media.ts';
import { ok } from '../../shared/result.ts';
import { testFolder } from '../folder.ts';
import { aVideo } from '../shared/builders.ts';
import { aTeamAccount, loginOf, prepareTeamDatabase } from './desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.ts';

const MIB = 1_048_576;
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe.runIf(hasPostgres)('files of a team in PostgreSQL', () => {
  const folder = testFolder('team-media');
  let server: TestPostgres;
  let admin: pg.Client;
  let account: string;

  beforeAll(async () => {
    server = await startPostgres();
    admin = await server.connect();
    await prepareTeamDatabase(admin, ['ana', 'vic', 'eve']);
    account = await aTeamAccount(admin, ['ana view,edit', 'vic view']);
  });
  afterAll(() => server?.stop());

  /** A computer with a library; its connection is cut after as many queries as are left. */
  const aComputer = async (login: string) => {
    const client = await server.connect(loginOf(login));
    const { rows } =
      login === 'eve'
        ? { rows: [{ no: 1 }] }
        : await client.query("SELECT no FROM adslate.join_desk_v1($1, 'laptop', 1, 10)", [account]);
    const library = join(folder, randomUUID());
    await mkdir(library);
    const left = { queries: Number.POSITIVE_INFINITY };
    const query = (...args: unknown[]) => {
      if (left.queries-- <= 0) throw new Error('cut');
      return Reflect.apply(client.query, client, args);
    };
    const db = openMediaDatabase({ query } as Pick<pg.Client, 'query'>, account, Number(rows[0].no));
    const pathOf = (sha256: string): string => join(library, sha256);
    return {
      ...createTeamMedia({ pathOf, ask: async (work) => ok(await work(db)), mayEdit: () => login === 'ana' }),
      db,
      left,
      pathOf,
    };
  };

  test('a file goes to the team and comes to a colleague, over connections that are cut at any part', async () => {
    const [ana, vic] = [await aComputer('ana'), await aComputer('vic')];
    const bytes = randomBytes(3 * MIB + 17);
    const sha256 = hashOf(bytes);
    await writeFile(ana.pathOf(sha256), bytes);
    const row = aVideo({ sha256, fileName: 'spring.mp4' });
    expect(await vic.fetch(sha256)).toEqual(ok('nowhere'));
    let cuts = 0;
    for (ana.left.queries = 3; ; ana.left.queries = 3, cuts++) {
      const shared = await ana.share([row]).catch(() => null);
      if (shared !== null) break;
      expect(await vic.fetch(sha256), 'not whole yet').toEqual(ok('nowhere'));
    }
    expect(cuts).toBeGreaterThan(2);
    ana.left.queries = 99;
    expect(await ana.share([row]), 'again').toEqual(ok({ sent: 0, tooMuch: [], unreadable: [] }));
    for (vic.left.queries = 2; ; vic.left.queries = 2) if ((await vic.fetch(sha256).catch(() => null)) !== null) break;
    expect(await readFile(vic.pathOf(sha256))).toEqual(bytes);
    vic.left.queries = 0;
    expect(await vic.fetch(sha256), 'it is here').toEqual(ok('here'));
  });

  test('bytes that are not those of the name are dropped, and nobody but an editor writes', async () => {
    const [ana, vic, eve] = [await aComputer('ana'), await aComputer('vic'), await aComputer('eve')];
    const sha256 = hashOf(Buffer.from('the real one'));
    await ana.db.begin(sha256, 5, 'a.mp4');
    await expect(ana.db.put(sha256, 0, Buffer.from('too long'))).rejects.toMatchObject({ code: '22023' });
    expect(await ana.db.end(sha256), 'nothing is there').toBe(false);
    await ana.db.put(sha256, 0, Buffer.from('false'));
    expect(await ana.db.end(sha256)).toBe(true);
    await expect(ana.db.put(sha256, 1, Buffer.from('x')), 'behind its end').rejects.toMatchObject({ code: '22023' });
    const colleague = await aComputer('ana');
    expect(await colleague.fetch(sha256)).toEqual(ok('damaged'));
    expect(await stat(colleague.pathOf(sha256)).catch(() => null)).toBeNull();
    expect(await colleague.fetch(sha256)).toEqual(ok('nowhere'));
    const refused = { code: '42501' };
    await expect(vic.db.begin(sha256, 5, 'a.mp4')).rejects.toMatchObject(refused);
    await expect(eve.db.begin(sha256, 5, 'a.mp4')).rejects.toMatchObject(refused);
    expect(await eve.db.have([sha256])).toEqual(new Set());
  });

  test('a file that cannot be read is named, and the others are sent', async () => {
    const ana = await aComputer('ana');
    const bytes = randomBytes(MIB);
    await writeFile(ana.pathOf(hashOf(bytes)), bytes);
    const sha256 = hashOf(Buffer.from('a folder'));
    await mkdir(ana.pathOf(sha256));
    const rows = [aVideo({ sha256, fileName: 'folder.mp4' }), aVideo({ sha256: hashOf(bytes), fileName: 'good.mp4' })];
    expect(await ana.share(rows)).toEqual(
      ok({ sent: 1, tooMuch: [], unreadable: [{ name: 'folder.mp4', why: expect.stringContaining('EISDIR') }] }),
    );
  });

  test('the space of a team has an end', async () => {
    const ana = await aComputer('ana');
    await admin.query(`UPDATE adslate.workspace SET policy = policy || '{"mediaQuota": ${4 * MIB}}'`);
    const bytes = randomBytes(MIB);
    await writeFile(ana.pathOf(hashOf(bytes)), bytes);
    expect(await ana.share([aVideo({ sha256: hashOf(bytes), fileName: 'more.mp4' })])).toEqual(
      ok({ sent: 0, tooMuch: ['more.mp4'], unreadable: [] }),
    );
  });
});
