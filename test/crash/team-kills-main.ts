import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { saveResult } from '../reliability/render.ts';
import { autoDraft, sbaDraft } from '../sync/a-draft.ts';
import { openAccount } from '../sync/an-account.ts';
import { answerTruly, controlOf, countThings, onTheService } from '../sync/control.ts';
import { type Seeded, seeded } from '../sync/simulator/seeded.ts';
import { startPostgres } from '../team/postgres.ts';
import { APART_MS, PATHS, STRAGGLERS_MS } from './sync-kills.ts';
import { MOMENTS, openTeamAccount, type TeamGo } from './team-kills-child.ts';

/**
 * `npm run test:team-kills -- --kills N --seed S [--save NAME]`: two computers of a team sync one draft against a real PostgreSQL
 * and the practice service with faults. One after the other is killed (`kill -9`) in the middle of it, or its connection, or the
 * server (N of each). Then both are left alone and a careful person answers; in the end everything has to be on the service once.
 * Ends with 1 otherwise.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    save: { type: 'string' },
  },
});
/** Of processes; each has its connection and the server killed before it is killed itself. */
const PER_DRAFT = 5;

const FAULTS = [
  { kind: 'drop-after' },
  { kind: 'drop-before' },
  { kind: 'status', status: 500, body: { error: 'There was an error processing the request' } },
  { kind: 'truncate' },
  { kind: 'shorten-results' },
] as const;

/** From a moment that is said to the kill, and how long a moment is waited for. */
const MOMENT_MS = 8;
const AWAITED_MS = 1000;

const server = await startPostgres([]);
let admin = await server.connect();
await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
await admin.query(`CREATE ROLE ana LOGIN PASSWORD 'of-the-test'; GRANT adslate_member TO ana`);
// A dead computer keeps its lease for a minute, which nobody wants to wait for.
await admin.query("CREATE TABLE adslate.ahead (by interval); INSERT INTO adslate.ahead VALUES (interval '0 s')");
await admin.query('GRANT SELECT ON adslate.ahead TO adslate_owner');
await admin.query(`CREATE OR REPLACE FUNCTION adslate.moment() RETURNS timestamptz LANGUAGE sql VOLATILE
  SET search_path = pg_catalog, pg_temp AS 'SELECT clock_timestamp() + by FROM adslate.ahead'`);

const counts = {
  computers: 0,
  connections: 0,
  servers: 0,
  opening: 0,
  working: 0,
  taken: 0,
  waiting: 0,
  drafts: 0,
  things: 0,
  requests: 0,
  questions: 0,
};
const bad = { lost: 0, twice: 0, unsettled: 0 };
const random = seeded(Number(values.seed));
const started = performance.now();
while (Math.min(counts.computers, counts.connections, counts.servers) < Number(values.kills)) {
  await playDraft(counts.drafts % 2 === 1);
  counts.drafts++;
  console.error(`${Math.round((performance.now() - started) / 1000)} s: ${JSON.stringify({ ...counts, ...bad })}`);
}
await server.stop();
const seconds = Math.round((performance.now() - started) / 1000);
const figures = { seed: Number(values.seed), seconds, ...counts, ...bad };
console.log(JSON.stringify(figures));
if (values.save !== undefined) saveResult(values.save, figures);
process.exit(Object.values(bad).every((count) => count === 0) ? 0 : 1);

/** A team of two computers with the same rows, from the draft to the rest. */
async function playDraft(extensions: boolean): Promise<void> {
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  const control = controlOf(sandbox);
  const root = await mkdtemp(join(tmpdir(), 'adslate-team-kills-'));
  try {
    const folders = [join(root, '1'), join(root, '2')] as const;
    await mkdir(folders[0]);
    const maker = await openAccount({ sandbox, folder: folders[0], capabilities: DOCUMENTED_ONLY });
    for (let n = 0; n < 6; n++)
      await maker.create(n % 2 === 0 ? autoDraft(`Campaign ${n}`) : sbaDraft(null, `Campaign ${n}`));
    await maker.close();
    await cp(folders[0], folders[1], { recursive: true });
    const { account, desks } = await aTeam();
    const goOf = (at: number, processes: number): TeamGo => ({
      ...{ folder: folders[at] ?? '', ready: sandbox.ready, extensions, aheadMs: processes * APART_MS },
      ...{ port: server.port, account, desk: desks[at] ?? 0 },
    });
    let processes = 0;
    let at = 0;
    for (let n = 0; n < PER_DRAFT; n++) {
      for (let f = random.int(3); f > 0; f--) {
        const match = { method: random.chance(0.8) ? 'POST' : 'GET', path: PATHS[random.int(PATHS.length)] };
        await control.fault({ match, times: 1, ...FAULTS[random.int(FAULTS.length)] });
      }
      await killAll(goOf(at, ++processes), random);
      await delay(STRAGGLERS_MS);
      await control.advance('PT30M');
      // The other one now and then comes before the lease has ended, and is told so.
      if (random.chance(0.8)) await admin.query("UPDATE adslate.ahead SET by = by + interval '2 min'");
      at = random.chance(0.7) ? 1 - at : at;
    }
    await control.clearFaults();
    await admin.query("UPDATE adslate.ahead SET by = by + interval '2 min'");
    for (let round = 0; ; round++) {
      let open = 0;
      for (const desk of [0, 1]) open += await calmTurn(goOf(desk, ++processes));
      if (open === 0) break;
      if (round === 8) {
        bad.unsettled += open;
        break;
      }
      await control.advance('PT1H');
    }
    const things = await onTheService(sandbox);
    const twice = Object.entries(countThings(things)).filter(([, count]) => count !== 1);
    for (const [key, count] of twice) console.log(`${count} x ${key}`);
    bad.twice += twice.length;
    counts.things += things.length;
    counts.requests += (await control.requests()).length;
  } finally {
    await sandbox.close();
    await rm(root, { recursive: true, force: true });
  }

  /** @returns what is still open or not on the service */
  async function calmTurn(go: TeamGo): Promise<number> {
    const own = await openTeamAccount(go);
    try {
      const report = await own.run();
      counts.questions += await answerTruly(own, sandbox);
      const { changed } = await own.workspace.summary();
      const rest = await own.workspace.outbox.live();
      if (changed + rest.length > 0) return changed + rest.length + report.questions;
      const there = new Set((await onTheService(sandbox)).map(({ kind, remoteId }) => `${kind} ${remoteId}`));
      for (const tree of await own.workspace.readTrees('all')) {
        const rows = [tree.campaign, ...tree.adGroups, ...tree.adItems, ...tree.keywords, ...tree.sbaProfiles];
        for (const { kind, id, remoteId } of rows) {
          if (there.has(`${kind} ${remoteId}`)) continue;
          console.log(`lost: ${kind} ${id} (${remoteId})`);
          bad.lost++;
        }
      }
      return 0;
    } finally {
      await own.close();
    }
  }
}

async function aTeam(): Promise<{ readonly account: string; readonly desks: readonly number[] }> {
  const account = randomUUID();
  await admin.query('INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ($1, $2, $3, $4)', [
    ...[account, 'Northwind', 'practice', account],
  ]);
  await admin.query(
    `INSERT INTO adslate.member (workspace, no, login, display, roles) VALUES ($1, 1, 'ana', 'Ana', '{view,edit,sync}')`,
    [account],
  );
  const ana: pg.Client = await server.connect({ user: 'ana', password: 'of-the-test' });
  const desks: number[] = [];
  for (const name of ['laptop', 'desktop']) {
    const { rows } = await ana.query('SELECT no FROM adslate.join_desk_v1($1, $2, 1, 1000)', [account, name]);
    desks.push(Number(rows[0].no));
  }
  await ana.end();
  return { account, desks };
}

/** Starts one computer and kills its connection, the server and in the end the computer, each in the middle of a sync. */
async function killAll(go: TeamGo, chance: Seeded): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'team-kills-child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  const heard = new Set<string>();
  lines.on('line', (word) => heard.add(word));
  const gone = once(child, 'exit');
  const comes = (word: string): Promise<void> =>
    new Promise((resolve) => lines.on('line', (each) => each === word && resolve()));
  /** One in four is killed anywhere; what is on its way takes some milliseconds. */
  const aMoment = async (): Promise<void> => {
    const moment = chance.chance(0.75) ? [comes(chance.pick(MOMENTS)), delay(AWAITED_MS)] : [delay(chance.int(500))];
    await Promise.race([...moment, gone]);
    await delay(chance.int(MOMENT_MS));
  };
  const [loaded, opened] = [comes('loaded'), comes('open')];
  await Promise.race([loaded, gone]);
  child.stdin?.write(JSON.stringify(go));
  if (chance.chance(0.95)) {
    await Promise.race([opened, gone]);
    for (const target of chance.chance(0.5)
      ? (['connections', 'servers'] as const)
      : (['servers', 'connections'] as const)) {
      await aMoment();
      if (target === 'servers') {
        await server.crash(chance.chance(0.5) ? 'SIGKILL' : 'SIGQUIT');
        admin = await server.connect();
      } else {
        const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ana'";
        while (child.exitCode === null && (await admin.query(end)).rowCount === 0) await delay(5);
      }
      counts[target]++;
    }
  }
  await aMoment();
  counts[heard.has('open') ? 'working' : 'opening']++;
  if (heard.has('synced')) counts.taken++;
  if (heard.has('COLLEAGUE_SYNCS')) counts.waiting++;
  counts.computers++;
  child.kill('SIGKILL');
  const [code, signal] = (await gone) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself with ${code}`);
}
