import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkIntegrity } from '../../main/store/backup.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { type StoreModel, storeModel } from './store-model.ts';

/** What became of a series of kills. Anything but zero in the last four is a fault. */
interface KillReport {
  readonly seed: number;
  readonly kills: number;
  readonly acknowledged: number;
  /** Actions that were under way when the process died and turned out to be done. */
  readonly doneUnheard: number;
  readonly byAction: Readonly<Record<string, number>>;
  readonly backups: number;
  readonly lost: number;
  readonly half: number;
  readonly unsound: number;
  readonly badBackups: number;
}

/** The most actions a process gets done, and the longest time it lives on after the last of them. */
const ACTIONS_MAX = 8;
const LIFE_MS = 60;

/**
 * Kills a process at random moments of its life on one growing workspace. After each kill the workspace must hold
 * exactly what was acknowledged, or that and the one action that was under way: nothing lost, nothing half.
 */
export async function killStore(
  kills: number,
  seed: number,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-store-kills-'));
  const report = { acknowledged: 0, doneUnheard: 0, backups: 0, lost: 0, half: 0, unsound: 0, badBackups: 0 };
  const byAction: Record<string, number> = {};
  const model = storeModel(seed);
  const random = seeded(seed);
  let next = 0;
  let done = 0;
  try {
    for (; done < kills && Date.now() < deadlineMs; done++) {
      const last = await liveAndDie(folder, seed, next, {
        actions: random.int(ACTIONS_MAX),
        thenMs: random.next() * LIFE_MS,
      });
      for (; next <= last; next++) {
        const action = model.action(next);
        byAction[action.do] = (byAction[action.do] ?? 0) + 1;
        model.play(action);
        report.acknowledged++;
      }
      const verdict = judge(folder, model, next);
      if (verdict === 'one-more') {
        model.play(model.action(next));
        next++;
        report.doneUnheard++;
      }
      if (verdict === 'lost') report.lost++;
      if (verdict === 'half') report.half++;
      if (!isSound(join(folder, 'workspace.db'))) report.unsound++;
      for (let i = 0; i < 5; i++) {
        const backup = join(folder, `backup-${i}.db`);
        if (!existsSync(backup)) continue;
        report.backups++;
        if (!isSound(backup)) report.badBackups++;
      }
      if (verdict === 'lost' || verdict === 'half') break;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { seed, kills: done, byAction, ...report };
}

/** @returns the number of the last action it acknowledged, or the one before its first */
async function liveAndDie(
  folder: string,
  seed: number,
  from: number,
  life: { readonly actions: number; readonly thenMs: number },
): Promise<number> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'store-child.ts'), folder, String(seed), String(from)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Thousands of starts of the same program: what was compiled once is not compiled again.
      env: { NODE_COMPILE_CACHE: join(tmpdir(), 'adslate-compile-cache'), ...process.env },
    },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  let last = from - 1;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'open') last = Number(line);
    if (last - from + 1 === life.actions) setTimeout(() => child.kill('SIGKILL'), life.thenMs);
  }
  const signal = await ended;
  if (signal !== 'SIGKILL') throw new Error(`the process ended by itself: ${complaint}`);
  return last;
}

function judge(folder: string, model: StoreModel, next: number): 'as-acknowledged' | 'one-more' | 'lost' | 'half' {
  const found = contents(join(folder, 'workspace.db'));
  if (found === textOf(model)) return 'as-acknowledged';
  const more = model.copy();
  more.play(more.action(next));
  if (found === textOf(more)) return 'one-more';
  return found.length < textOf(model).length ? 'lost' : 'half';
}

const textOf = (model: StoreModel): string =>
  model.campaigns.map(({ name, bids }) => `${name}: ${bids.join(' ')}`).join('\n');

function contents(file: string): string {
  const db = openDb(file, { readOnly: true });
  try {
    return db
      .all(
        `SELECT c.name || ': ' || group_concat(k.bid, ' ' ORDER BY k.id) FROM campaign c
         JOIN keyword k ON k.campaign_id = c.id GROUP BY c.id ORDER BY c.id`,
      )
      .map(([line]) => String(line))
      .join('\n');
  } catch (error) {
    // Killed before the first tables were made.
    if (error instanceof Error && /no such table/u.test(error.message)) return '';
    throw error;
  } finally {
    db.close();
  }
}

function isSound(file: string): boolean {
  const db = openDb(file, { readOnly: true });
  try {
    if (Number(db.get('SELECT count(*) FROM sqlite_schema')?.[0]) === 0) return true;
    return db.get('PRAGMA integrity_check')?.[0] === 'ok' && checkIntegrity(db).length === 0;
  } finally {
    db.close();
  }
}
