import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { systemClock } from '../../main/app/clock.ts';
import { readIds } from '../../main/store/db/db.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { openWorkspace, type Workspace } from '../../main/store/workspace.ts';
import { connectTeam } from '../../main/team/connection.ts';
import { createTeamMedia, openMediaDatabase } from '../../main/team/media.ts';
import { openSnapshots, SNAPSHOT_DUE } from '../../main/team/snapshots.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';
import type { TeamEntry } from '../../shared/team/position.ts';
import { aVideo } from '../shared/builders.ts';
import { aView } from '../store/a-view.ts';
import { aTeamAccount, fieldsOf, loginOf, prepareTeamDatabase } from '../team/desks.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../team/postgres.ts';
import { applied, batches } from './big-workspace.ts';
import { said, share, timed } from './figure.ts';
import { openedView } from './keyword-view.ts';

/**
 * What a team costs with a large account: its rows as the first snapshot, a computer that joins, changes of colleagues folded
 * into the rows, and files. Beside each time stands the CPU time of this process, which other work on the machine does not stretch.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const FILE_BYTES = 200 * 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), 'adslate-team-rows-'));
let files = 0;

type OpenWorkspace = Workspace & { readonly file: string };

async function aWorkspace(): Promise<OpenWorkspace> {
  const file = join(folder, `workspace-${++files}.db`);
  const profile = defaultDeploymentSettings('shop.example');
  const opened = await openWorkspace({ file, profile, clock: systemClock, migrated: true });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return Object.assign(opened.value, { file });
}

/** A time, and in another line the CPU time of all threads of this process: both are held to the same limit. */
async function saidTwice(name: string, bar: number, work: () => unknown): Promise<boolean> {
  const before = process.cpuUsage();
  const isInTime = said(name, await timed(work), 'ms', { bar });
  const { user, system } = process.cpuUsage(before);
  return said(`${name}, CPU time`, (user + system) / 1000, 'ms', { bar }) && isInTime;
}

async function measure(postgres: TestPostgres): Promise<boolean> {
  const admin = await postgres.connect();
  await prepareTeamDatabase(admin, ['ana', 'ben']);
  const held = [await media(postgres, admin), await rows(postgres, admin)];
  return held.every(Boolean);
}

async function media(postgres: TestPostgres, admin: pg.Client): Promise<boolean> {
  const account = await aTeamAccount(admin, ['ana', 'ben']);
  const computer = async (user: string) => {
    const library = join(folder, `media-${user}`);
    await mkdir(library);
    const connection = await connectTeam([fieldsOf(user, postgres.port)], {
      ...{ clock: systemClock, random: Math.random, noticed: () => undefined, ended: () => undefined },
    });
    const { rows } = await connection.query("SELECT no FROM adslate.join_desk_v1($1, 'bench', 1, 0)", [account]);
    const db = openMediaDatabase(connection, account, Number(rows[0].no));
    const pathOf = (sha256: string) => join(library, sha256);
    return {
      ...createTeamMedia({ pathOf, ask: async (work) => ok(await work(db)), mayEdit: () => true }),
      pathOf,
      close: connection.close,
    };
  };
  const [ana, ben] = [await computer('ana'), await computer('ben')];
  const bytes = randomBytes(FILE_BYTES);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeFile(ana.pathOf(sha256), bytes);
  const bar = (1000 * FILE_BYTES) / (50 * 1_000_000);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const sent = await saidTwice('share a file of 200 MB', bar, () => ana.share([aVideo({ sha256, fileName: 'a.mp4' })]));
  const fetched = await saidTwice('fetch a file of 200 MB', bar, () => ben.fetch(sha256));
  clearInterval(watch);
  const grown = said('memory for files, in all', (most - before) / 2 ** 20, 'MB', { bar: 64 });
  await ana.close();
  await ben.close();
  return sent && fetched && grown;
}

function keywordIds(file: string): readonly RowId[] {
  const db = openDb(file, { readOnly: true });
  const ids = Array.from(readIds(db, 'SELECT id FROM keyword ORDER BY id'), asRowId);
  db.close();
  return ids;
}

/** The rows as the snapshot that a team begins with, a computer that joins, and changes of a colleague. */
async function rows(postgres: TestPostgres, admin: pg.Client): Promise<boolean> {
  const workspace = await aWorkspace();
  for (const { first, creates } of batches(ROWS)) await applied(workspace, first, creates);
  const account = await aTeamAccount(admin, ['ana', 'ben']);
  const ana = await aPlace(postgres, account, 'ana');
  await workspace.teamJoin({ ...ana.place, firstRow: 5_000_000, isFirst: true });
  const shared = await saidTwice(`share an account of ${ROWS.toLocaleString('en-US')} keywords`, 20_000, () =>
    ana.snapshots(workspace).begin(),
  );
  const ben = await aPlace(postgres, account, 'ben');
  const joining = await aWorkspace();
  await joining.teamJoin({ ...ben.place, firstRow: 8_000_000 });
  const joined = await saidTwice(`join a team with ${ROWS.toLocaleString('en-US')} keywords`, 20_000, async () => {
    const taken = await ben.snapshots(joining).take({ seen: 0, isNew: true });
    if (!taken.ok || !taken.value) throw new Error('there is no snapshot');
  });
  await joining.close();
  const held = await fold(workspace);
  await workspace.close();
  return shared && joined && held;
}

async function aPlace(postgres: TestPostgres, account: string, user: string) {
  const client = await postgres.connect(loginOf(user));
  const { rows } = await client.query("SELECT no FROM adslate.join_desk_v1($1, 'bench', 2, 0)", [account]);
  const desk = Number(rows[0].no);
  const upkeep = { due: SNAPSHOT_DUE, measureAtMs: 0 };
  return {
    place: { workspace: account, desk, member: desk, incarnation: 1, rows: 1000 },
    snapshots: (store: Workspace) => openSnapshots(client, { account, desk, store, nowMs: () => 0, upkeep }),
  };
}

/** Bids of all keywords by a colleague, while windows of the grid are read. */
async function fold(workspace: OpenWorkspace): Promise<boolean> {
  const rowIds = keywordIds(workspace.file);
  let held = true;
  let seq = 0;
  for (const sets of [200, 10_000]) {
    const each = Math.ceil(rowIds.length / sets);
    const entries = Array.from({ length: sets }, (_, at): TeamEntry => {
      const value = 100 + (sets % 97);
      const cells = rowIds.slice(at * each, (at + 1) * each).map((row, i) => {
        return { kind: 'keyword' as const, row, field: 'bid', value: value + (i % 300) };
      });
      const changes = { made: [], removed: [], cells };
      return {
        seq: ++seq,
        hash: String(seq),
        desk: 2,
        push: seq,
        member: 2,
        at: 0,
        kind: 'edit',
        label: 'Bids',
        changes,
      };
    });
    const windows: number[] = [];
    const reading = { isOver: false };
    const view = await openedView(workspace, aView());
    const reader = (async () => {
      while (!reading.isOver) {
        windows.push(await timed(() => workspace.readWindow(view.viewId, windows.length % 1000, 50)));
        await systemClock.sleep(5);
      }
    })();
    const name = `fold ${rowIds.length.toLocaleString('en-US')} fields of ${sets.toLocaleString('en-US')} entries`;
    const bar = (1000 * rowIds.length) / 40_000;
    // As many as an answer of the database holds.
    const page = Math.min(1000, Math.max(1, Math.floor(10_000 / each)));
    held =
      (await saidTwice(name, bar, async () => {
        for (let at = 0; at < sets; at += page) await workspace.teamFold(entries.slice(at, at + page));
      })) && held;
    reading.isOver = true;
    await reader;
    windows.sort((a, b) => a - b);
    held = said(`${name}: windows meanwhile, p99`, share(windows, 0.99), 'ms', { bar: 20 }) && held;
  }
  return held;
}

if (hasPostgres) {
  const server = await startPostgres([]);
  try {
    process.exitCode = (await measure(server)) ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
} else process.stdout.write('PostgreSQL is not installed here.\n');
