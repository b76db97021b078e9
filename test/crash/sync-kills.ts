import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { hastyClock, openAccount } from '../sync/an-account.ts';
import { answerTruly, controlOf, countThings, onTheService } from '../sync/control.ts';
import { type Seeded, seeded } from '../sync/simulator/seeded.ts';
import type { Go, Said } from './killed-child.ts';

export interface Kills {
  readonly kills: number;
  /** Processes by what they were doing when they died. */
  readonly opening: number;
  readonly working: number;
  /** Of the latter, those that died the moment they had announced an edit, before it was acknowledged. */
  readonly announcing: number;
  readonly edits: number;
  readonly made: number;
  readonly faults: number;
  readonly requests: number;
  readonly questions: number;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly wrongIds: readonly string[];
  readonly unsettled: readonly string[];
}

const FAULTS = [
  { kind: 'drop-after' },
  { kind: 'drop-before' },
  { kind: 'status', status: 500, body: { error: 'There was an error processing the request' } },
  { kind: 'status', status: 503, body: 'busy' },
  { kind: 'status', status: 429, body: { error: 'Rate limit exceeded' }, headers: { 'retry-after': '2' } },
  { kind: 'truncate' },
  { kind: 'garbage' },
  { kind: 'shorten-results' },
] as const;
export const PATHS = ['campaigns', 'adGroups', 'adItems', 'keywords', 'multipliers/*'].map((path) => `/api/v1/${path}`);

/** A wait of a settle window or two takes a process no time; the next one has to begin after all of them. */
export const APART_MS = 3_600_000;
/** What a killed process had on the wire arrives within this time. */
export const STRAGGLERS_MS = 60;

/**
 * Kills one process after the other (`kill -9`) at a random moment of its work on one growing workspace, in front of
 * the real sandbox over HTTP with faults on. In the end a process that is left alone syncs and a careful person
 * answers; then everything that was acknowledged has to be on the service once, under the id that is known here.
 */
export async function playKills(options: {
  readonly kills: number;
  readonly seed: number;
  readonly extensions: boolean;
}): Promise<Kills> {
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  const folder = await mkdtemp(join(tmpdir(), 'adslate-kills-'));
  const random = seeded(options.seed);
  const control = controlOf(sandbox);
  const heard = new Heard();
  const counts = { kills: 0, opening: 0, working: 0, announcing: 0, faults: 0 };
  let waiting = start(heard);
  try {
    for (let n = 0; n < options.kills; n++) {
      const child = waiting;
      // The next one loads its program while this one works.
      waiting = start(heard);
      for (let f = random.int(3); f > 0; f--) {
        const path = PATHS[random.int(PATHS.length)];
        const method = path?.endsWith('campaigns') ? 'POST' : ['POST', 'PUT', 'GET'][random.int(3)];
        await control.fault({
          match: { method, path },
          times: 1 + random.int(2),
          ...FAULTS[random.int(FAULTS.length)],
        });
        counts.faults++;
      }
      const go = { folder, ready: sandbox.ready, seed: options.seed * 10_000 + n, aheadMs: n * APART_MS };
      const death = await runAndKill(child, { ...go, extensions: options.extensions }, random);
      counts.kills++;
      counts[death.isOpen ? 'working' : 'opening']++;
      if (death.isAnnouncing) counts.announcing++;
      await delay(STRAGGLERS_MS);
      await control.advance('PT30M');
    }
    await control.clearFaults();
    const end = await comeToRest(sandbox, folder, options, heard);
    return { ...counts, edits: heard.edits, made: heard.made.size, ...end };
  } finally {
    waiting.process.kill('SIGKILL');
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Child {
  readonly process: ChildProcess;
  /** Resolves when its program is loaded, and never when it dies before. */
  readonly loaded: Promise<void>;
  /** Resolves when every line it wrote has been heard. */
  readonly drained: Promise<unknown>;
  /** Resolves when it has its workspace open. */
  readonly opened: Promise<void>;
  /** Resolves when it is about to make its first edit. */
  readonly announced: Promise<void>;
  readonly isOpen: () => boolean;
}

function start(heard: Heard): Child {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  let isOpen = false;
  const said = (what: Said['say']) =>
    new Promise<void>((resolve) => {
      lines.on('line', (text) => {
        if ((JSON.parse(text) as Said).say === what) resolve();
      });
    });
  lines.on('line', (text) => {
    const line = JSON.parse(text) as Said;
    if (line.say === 'open') isOpen = true;
    heard.hear(line);
  });
  const [loaded, opened, announced] = [said('loaded'), said('open'), said('will')];
  return { process: child, loaded, opened, announced, drained: once(lines, 'close'), isOpen: () => isOpen };
}

/** Not every draft is edited; such a process is killed at the end of this time. */
const ANNOUNCED_MS = 700;
/** A death in so many comes between the announcement of an edit and its acknowledgement. */
const ANNOUNCING_SHARE = 0.1;

/** @returns whether it had its workspace open when it died, and whether it had just announced an edit */
async function runAndKill(
  child: Child,
  go: Go,
  random: Seeded,
): Promise<{ readonly isOpen: boolean; readonly isAnnouncing: boolean }> {
  const gone = once(child.process, 'exit');
  await Promise.race([child.loaded, gone.then(([code]) => Promise.reject(new Error(`the child ended with ${code}`)))]);
  child.process.stdin?.write(JSON.stringify(go));
  // Most deaths come while it works; some while it opens its workspace and takes the outbox over.
  if (random.chance(0.85)) await Promise.race([child.opened, gone]);
  let isAnnouncing = false;
  if (random.chance(ANNOUNCING_SHARE)) {
    const announced = child.announced.then(() => true);
    isAnnouncing = (await Promise.race([announced, delay(ANNOUNCED_MS), gone])) === true;
  } else {
    await Promise.race([delay(random.int(700)), gone]);
  }
  child.process.kill('SIGKILL');
  const [code, signal] = (await gone) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself with ${code}`);
  await child.drained;
  return { isOpen: child.isOpen(), isAnnouncing };
}

/** What the history knows of the bid of an item, for a report of an edit that is gone. */
function editsOf(folder: string, id: RowId): string {
  const db = new DatabaseSync(join(folder, 'workspace.db'), { readOnly: true });
  try {
    const sql =
      'SELECT c.old, c.new, s.source FROM step_cell c JOIN step s ON s.id = c.step WHERE c.id = ? ORDER BY s.id';
    return JSON.stringify(db.prepare(sql).all(id));
  } finally {
    db.close();
  }
}

async function comeToRest(
  sandbox: RunningSandbox,
  folder: string,
  { kills, extensions }: { readonly kills: number; readonly extensions: boolean },
  heard: Heard,
): Promise<Pick<Kills, 'lost' | 'twice' | 'wrongIds' | 'unsettled' | 'questions' | 'requests'>> {
  const control = controlOf(sandbox);
  const account = await openAccount({
    sandbox,
    folder,
    capabilities: extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY,
    clock: hastyClock(kills * APART_MS),
  });
  try {
    let questions = 0;
    const unsettled: string[] = [];
    for (let rounds = 0; ; rounds++) {
      const report = await account.run();
      questions += await answerTruly(account, sandbox);
      const { changed } = await account.workspace.summary();
      if (changed === 0 && report.inDoubt === 0 && report.questions === 0) break;
      if (rounds >= 12) {
        unsettled.push(JSON.stringify(report));
        break;
      }
      await control.advance('PT1H');
    }
    const things = await onTheService(sandbox);
    const twice = Object.entries(countThings(things)).filter(([, count]) => count !== 1);
    const byId = new Map(things.map((thing) => [`${thing.kind}:${thing.remoteId}`, thing]));
    const lost: string[] = [];
    const wrongIds: string[] = [];
    for (const [id, kind] of heard.made) {
      const row = await account.workspace.readRow({ kind, id });
      const there = row === null ? undefined : byId.get(`${kind}:${row.remoteId}`);
      if (row === null || there === undefined) lost.push(`${kind} ${id}`);
      else if (row.kind === 'adItem' && there.identity !== row.values.itemId) wrongIds.push(`${kind} ${id}`);
      const allowed = heard.allowedBids(id);
      if (row?.kind === 'adItem' && there !== undefined && there.bid !== row.values.bid) {
        lost.push(`the bid of item ${id}: ${row.values.bid} here, ${there.bid} on the service`);
      }
      if (row?.kind === 'adItem' && allowed !== null && !allowed.includes(row.values.bid ?? 0)) {
        const sends = (await account.workspace.outbox.readRequestLog({ after: 0, count: 1_000_000 }))
          .filter(({ rows }) => rows.some((one) => one.kind === 'adItem' && one.id === id))
          .map(({ verb, body, receipts }) => `${verb} ${body} ${receipts.map((one) => one.class).join(' ')}`);
        lost.push(
          `the bid of item ${id}: ${row.values.bid}, not ${allowed.join(' or ')}: ${sends.join('; ')}; edits ${editsOf(folder, id)}`,
        );
      }
    }
    const requests = (await control.requests()).length;
    return { lost, twice: twice.map(([key, count]) => `${count} x ${key}`), wrongIds, unsettled, questions, requests };
  } finally {
    await account.close();
  }
}

/**
 * What the children said: all that a user could have seen, and so all that may be held against the end.
 *
 *   announced      the old bid or the new one: the process may have died before the edit or after it
 *   acknowledged   the new bid and no other, until the next announcement
 */
export class Heard {
  readonly made = new Map<RowId, Kind>();
  edits = 0;
  private readonly bids = new Map<RowId, readonly number[]>();

  hear(line: Said): void {
    if (line.say === 'made') for (const { kind, id } of line.rows) this.made.set(id, kind);
    if (line.say === 'will') this.bids.set(line.id, [...(this.bids.get(line.id) ?? [line.from]), line.bid]);
    if (line.say === 'edited') {
      this.edits++;
      this.bids.set(line.id, [line.bid]);
    }
  }

  /** Bids in cents with which an item may end, or null when nobody edited it. */
  allowedBids(id: RowId): readonly number[] | null {
    return this.bids.get(id) ?? null;
  }
}
