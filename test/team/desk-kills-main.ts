import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTeamLog } from '../../main/team/team-log.ts';
import { LOG_START, type LogPlace, type TeamEntry } from '../../shared/team/position.ts';
import { aTeamAccount, openDesk, prepareTeamDatabase } from './desks.ts';
import { startPostgres } from './postgres.ts';

/**
 * `npm run test:team-desk-kills -- --kills N`: computers share what they edit while they, and the connections of the server, are
 * killed at any moment. At the end every edit that was written down is there, none is in the log twice, the chain is whole and
 * all computers have the same.
 */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '60' } } });
const KILLS = Number(values.kills);
const PEOPLE = ['ana', 'ben', 'pia'];
const folder = mkdtempSync(join(tmpdir(), 'adslate-team-kills-'));
const server = await startPostgres([]);
const admin = await server.connect();
await prepareTeamDatabase(admin, PEOPLE);
const account = await aTeamAccount(admin, PEOPLE);
const fileOf = (user: string): string => join(folder, `${user}.db`);
const notesOf = (user: string): string => join(folder, `${user}.txt`);
const start = (user: string): ChildProcess =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, 'desk-kills-child.ts'), account, user, fileOf(user), String(server.port), notesOf(user)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
const kills = { desks: 0, connections: 0 };
const broken: string[] = [];

// The first run of each makes its campaign.
for (const user of PEOPLE) await once(start(user), 'exit');
const running = new Map(PEOPLE.map((user) => [user, start(user)]));
while (kills.desks + kills.connections < KILLS) {
  await new Promise((resolve) => setTimeout(resolve, 200 + 1500 * Math.random()));
  const user = PEOPLE[Math.floor(Math.random() * PEOPLE.length)] ?? 'ana';
  if (Math.random() < 0.5) {
    const child = running.get(user);
    child?.kill('SIGKILL');
    if (child?.exitCode === null) await once(child, 'exit');
    kills.desks++;
    running.set(user, start(user));
  } else {
    const { rowCount } = await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
      [user],
    );
    kills.connections += rowCount ?? 0;
  }
}
for (const child of running.values()) {
  child.kill('SIGKILL');
  if (child.exitCode === null) await once(child, 'exit');
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
for (const [key, count] of times)
  if (count > 1 && !key.endsWith(' 100')) broken.push(`${key} is in the log ${count} times`);
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
const bids = contents.map((trees) =>
  JSON.stringify(
    trees
      .flatMap(({ keywords }) => keywords)
      .toSorted((one, other) => one.id - other.id)
      .map(({ id, values: cells }) => [id, cells.bid]),
  ),
);
if (new Set(bids).size !== 1) broken.push('the computers differ');
for (const desk of desks) {
  const state = await desk.workspace.teamState();
  if (state?.notShared !== 0 || state.conflicts !== 0) broken.push(`${desk.no}: ${JSON.stringify(state)}`);
  if ((await desk.workspace.verify()).length > 0) broken.push(`${desk.no}: the workspace breaks a promise`);
  await desk.close();
}
await server.stop();
rmSync(folder, { recursive: true, force: true });
console.log(
  `${kills.desks} computers and ${kills.connections} connections killed; ${edits} edits, ${entries.length} entries: ${
    broken.length === 0 ? '0 lost, 0 twice, chain whole, computers equal' : broken.slice(0, 10).join('; ')
  }`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
