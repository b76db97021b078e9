import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../main/app/clock.ts';
import { openTeamLog } from '../../main/team/team-log.ts';
import { LOG_START, type LogPlace, type TeamEntry } from '../../shared/team/position.ts';
import { saveResult } from '../reliability/render.ts';
import { aTeamAccount, openDesk, prepareTeamDatabase } from './desks.ts';
import { startPostgres } from './postgres.ts';

/**
 * `npm run test:team-desk-kills -- --kills N [--save NAME]`: computers share what they edit while they, their connections and the
 * server itself are killed (N of each), every other time in mid-push and every other in mid-pull. At the end every edit that was
 * written down is there, none is in the log twice, the chain is whole and all computers have the same. `kill -INT` of
 * this process alone ends the kills early; all of this is checked then too.
 */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, save: { type: 'string' } } });
const KILLS = Number(values.kills);
const PEOPLE = ['ana', 'ben', 'pia'] as const;
const TARGETS = ['computers', 'connections', 'servers'] as const;
const MOMENTS = ['push', 'pull'] as const;
/** A push or a pull takes about as long. */
const MOMENT_MS = 10;
/** A computer that is not there yet, or has nothing to do, is left alone after this time. */
const SILENT_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'adslate-team-kills-'));
const server = await startPostgres([]);
let admin = await server.connect();
await prepareTeamDatabase(admin, PEOPLE);
const account = await aTeamAccount(admin, PEOPLE);
const fileOf = (user: string): string => join(folder, `${user}.db`);
const notesOf = (user: string): string => join(folder, `${user}.txt`);
let starts = 0;
const start = (user: string): ChildProcess => {
  starts++;
  const args = [account, user, fileOf(user), String(server.port), notesOf(user), String(starts)];
  return spawn(process.execPath, [join(import.meta.dirname, 'desk-kills-child.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};
const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) throw new Error(`a computer ended by itself with ${child.exitCode}`);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};
const kills = { computers: 0, connections: 0, servers: 0 };
const inMid = { push: 0, pull: 0 };
const broken: string[] = [];
const started = performance.now();

// The first run of each makes its campaign.
for (const user of PEOPLE) await once(start(user), 'exit');
const running = new Map(PEOPLE.map((user) => [user, start(user)]));
let isEnough = false;
process.once('SIGINT', () => {
  isEnough = true;
});
for (let kill = 0; kill < KILLS * TARGETS.length && !isEnough; kill++) {
  const user = PEOPLE[Math.floor(Math.random() * PEOPLE.length)] ?? 'ana';
  const child = running.get(user);
  const target = TARGETS[kill % TARGETS.length];
  const moment = MOMENTS[Math.floor(kill / TARGETS.length) % MOMENTS.length] ?? 'push';
  if (child === undefined) continue;
  await new Promise((resolve) => setTimeout(resolve, 500 * Math.random()));
  if (await hears(child, moment)) inMid[moment]++;
  await new Promise((resolve) => setTimeout(resolve, MOMENT_MS * Math.random()));
  if (target === 'computers') {
    await end(child);
    running.set(user, start(user));
    kills.computers++;
  } else if (target === 'connections') {
    const ended = await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
      user,
    ]);
    if (ended.rowCount === 0) kill--;
    else kills.connections++;
  } else {
    await server.crash(Math.random() < 0.5 ? 'SIGKILL' : 'SIGQUIT');
    admin = await server.connect();
    kills.servers++;
  }
  if (kill % 30 === 29)
    console.error(`${Math.round((performance.now() - started) / 1000)} s: ${JSON.stringify({ ...kills, ...inMid })}`);
}
for (const child of running.values()) await end(child);

/** @returns whether the computer came to this moment */
async function hears(child: ChildProcess, moment: string): Promise<boolean> {
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  const heard = new AbortController();
  const hear = (words: Buffer): void => {
    if (words.toString().split('\n').includes(moment)) heard.abort();
  };
  stdout.on('data', hear);
  await systemClock.sleep(SILENT_MS, heard.signal);
  stdout.off('data', hear);
  return heard.signal.aborted;
}

const desks = [];
for (const user of PEOPLE) desks.push(await openDesk({ account, user, file: fileOf(user), port: server.port }));
for (let round = 0; round < 2; round++)
  for (const { sharing } of desks) {
    const shared = await sharing.share();
    if (!shared.ok) broken.push(`sharing ended with ${shared.error.code}`);
  }
const [first] = desks;
if (first === undefined) throw new Error('no computer');
const log = openTeamLog(first.sharing.link.queries, account, first.no);
const entries: TeamEntry[] = [];
for (let place: LogPlace = LOG_START; ; ) {
  const read = await log.after(place);
  if (read?.ok !== true) {
    broken.push(`the chain is broken behind entry ${place.seq}`);
    break;
  }
  const last = read.value.at(-1);
  if (last === undefined) break;
  entries.push(...read.value);
  place = last;
}
const times = new Map<string, number>();
for (const { changes } of entries)
  for (const { row, value, field } of changes.cells)
    if (field === 'bid') times.set(`${row} ${value}`, (times.get(`${row} ${value}`) ?? 0) + 1);
for (const [key, count] of times) if (count > 1) broken.push(`${key} is in the log ${count} times`);
let edits = 0;
const contents = await Promise.all(
  desks.map(async ({ workspace }) => workspace.treesOf(await workspace.campaignIds('all'))),
);
for (const [at, user] of PEOPLE.entries()) {
  const lines = existsSync(notesOf(user)) ? readFileSync(notesOf(user), 'utf8').trim().split('\n') : [];
  const notes = lines.map((line) => {
    const [what, row, value] = line.split(' ');
    return { isKept: what === 'kept', row: Number(row), value: Number(value) };
  });
  edits += notes.filter(({ isKept }) => isKept).length;
  const own = new Map(
    (contents[at] ?? []).flatMap(({ keywords }) => keywords).map(({ id, values: cells }) => [id as number, cells.bid]),
  );
  for (const row of new Set(notes.map((note) => note.row))) {
    const ofRow = notes.filter((note) => note.row === row);
    const lastKept = ofRow.findLastIndex(({ isKept }) => isKept);
    const there = own.get(row);
    // A kill between the commit and the note leaves a newer value than the last of which it was written down that it is kept.
    const isThere = ofRow.some(
      ({ value, isKept }, at) => value === there && (at === lastKept || (at > lastKept && !isKept)),
    );
    if (lastKept >= 0 && !isThere)
      broken.push(`${user}: ${ofRow[lastKept]?.value} of row ${row} is lost, ${there} is there`);
  }
}
const digests = new Set<string>();
for (const desk of desks) {
  const state = await desk.workspace.teamState();
  if (state?.notShared !== 0 || state.conflicts !== 0) broken.push(`${desk.no}: ${JSON.stringify(state)}`);
  if ((await desk.workspace.verify()).length > 0) broken.push(`${desk.no}: the workspace breaks a promise`);
  digests.add((await desk.workspace.teamSnapshot())?.digest ?? '');
  await desk.close();
}
if (digests.size !== 1 || digests.has('')) broken.push('the computers differ');
await server.stop();
rmSync(folder, { recursive: true, force: true });
const seconds = Math.round((performance.now() - started) / 1000);
const figures = { seconds, ...kills, ...inMid, edits, entries: entries.length, broken: broken.length };
console.log(JSON.stringify(figures));
for (const each of broken.slice(0, 20)) console.log(each);
if (values.save !== undefined) saveResult(values.save, figures);
process.exit(broken.length === 0 ? 0 : 1);
