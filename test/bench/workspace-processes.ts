import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDb } from '../../main/store/db/open-db.ts';
import { median, said, timed } from './figure.ts';

const child = (name: string, ...args: readonly string[]) =>
  spawn(process.execPath, [join(import.meta.dirname, name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

/** Bar 18: memory of a process of its own. */
export async function benchMemory(file: string, folder: string): Promise<boolean> {
  const process_ = child('memory-child.ts', file, folder);
  let megabytes = 0;
  for await (const line of createInterface({ input: process_.stdout })) megabytes = Number(line);
  if (megabytes === 0) throw new Error('the process said nothing');
  return said('18 memory after two views and 5,000 windows, whole process', megabytes, 'MB', { bar: 450 });
}

const KILLS = 20;

/**
 * Bar 20: `kill -9` at random moments of bulk edits. Each edit gives all rows one bid, so a half edit shows as two bids,
 * and a lost one as a bid below the last that was acknowledged.
 */
export async function benchKills(file: string, rows: number): Promise<boolean[]> {
  let lost = 0;
  let halves = 0;
  let inside = 0;
  let bid = 500;
  const reopened: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const writer = child('kill-child.ts', file, String(bid + 1), String(rows));
    let acknowledged = bid;
    const lines = createInterface({ input: writer.stdout });
    const said_ = (async () => {
      for await (const line of lines) acknowledged = Number(line);
    })();
    await once(lines, 'line');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500));
    writer.kill('SIGKILL');
    await Promise.all([once(writer, 'close'), said_]);
    let found: readonly (readonly unknown[])[] = [];
    reopened.push(
      await timed(() => {
        const db = openDb(file);
        found = db.all(`SELECT DISTINCT bid FROM (SELECT bid FROM keyword ORDER BY id LIMIT ${rows})`);
        db.close();
      }),
    );
    const bids = found.map(([value]) => Number(value));
    const lowest = Math.min(...bids);
    if (bids.length !== 1) halves++;
    if (lowest < acknowledged) lost++;
    if (lowest === acknowledged) inside++;
    bid = Math.max(...bids);
  }
  const integrity = openDb(file);
  const sound = integrity.get('PRAGMA integrity_check')?.[0] === 'ok';
  integrity.close();
  reopened.sort((a, b) => a - b);
  return [
    said(`20 edits lost in ${KILLS} kills (${inside} of them inside an edit)`, lost, 'edits', { bar: 0 }),
    said('20 half edits seen', halves, 'edits', { bar: 0 }),
    said('20 damage found by the integrity check', sound ? 0 : 1, 'files', { bar: 0 }),
    said('20 opened again after a kill, median', median(reopened), 'ms', { bar: 1000 }),
  ];
}
