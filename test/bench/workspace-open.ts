import { execFileSync, spawn } from 'node:child_process';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { readIds } from '../../main/store/db/db.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { allTables } from '../../main/store/schema/tables.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import { aView } from '../store/a-view.ts';
import { applied, batches, campaignsFor, ROWS_A_CAMPAIGN } from './big-workspace.ts';
import { median, repeated, said, timed } from './figure.ts';
import { openedView, WINDOW } from './keyword-view.ts';
import { createRawInsert } from './raw-insert.ts';

export type Open = (migrated?: boolean | null) => Promise<Workspace>;

/** Bar 1: rows created through the store, in turns with the same rows written raw. */
export async function benchCreation(open: Open, folder: string, keywords: number): Promise<boolean[]> {
  const workspace = await open();
  const raw = createRawInsert(`${folder}/raw.db`);
  let mine = 0;
  let theirs = 0;
  for (const { first, creates } of batches(keywords)) {
    mine += await timed(() => applied(workspace, first, creates));
    theirs += await timed(() => raw.campaigns(first, first + creates.length / ROWS_A_CAMPAIGN));
  }
  const checked = await timed(() => workspace.rowsWithErrors());
  raw.db.close();
  await workspace.close();
  const rows = campaignsFor(keywords) * ROWS_A_CAMPAIGN;
  return [
    said(`1 ${rows} rows created through the store`, mine, 'ms', {
      bar: 20_000 * Math.max(1, keywords / 1_000_000),
      peer: 'raw prepared insert, same tables',
      peerValue: theirs,
      ratioBar: 2,
    }),
    said('  the checks that this left', checked, 'ms'),
  ];
}

/**
 * Makes the account one that the service knows, as after a sync: editing a clean row costs a copy of its base, and the
 * issues are those of rows that are there, so that an edit writes down no more of them than its own.
 */
export async function makeKnown(open: Open, file: string, floorFile: string): Promise<void> {
  const made = openDb(file);
  for (const { name, kind } of allTables()) {
    if (kind !== 'media') made.run(`UPDATE ${name} SET dirty = 0, remote_id = 1000000000 + id`);
  }
  made.exec('DELETE FROM step_row; DELETE FROM step_cell; DELETE FROM step');
  made.close();
  // Another answer to "are item ids migrated?" has everything checked again, and so has the way back.
  for (const migrated of [false, true]) {
    const workspace = await open(migrated);
    await workspace.rowsWithErrors();
    await workspace.close();
  }
  const db = openDb(file);
  db.get('PRAGMA wal_checkpoint(TRUNCATE)');
  db.exec('VACUUM');
  db.get('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  cpSync(file, floorFile);
}

export function benchSize(file: string): boolean {
  const db = openDb(file, { readOnly: true });
  const rows = allTables().reduce((sum, { name }) => sum + Number(db.get(`SELECT count(*) FROM ${name}`)?.[0]), 0);
  db.close();
  return said('19 file size of a clean row, indexes included', statSync(file).size / rows, 'bytes', { bar: 300 });
}

/** Bar 2: from nothing to the first rows on screen; the peer opens the file and makes the same order. */
export async function benchOpen(open: Open, floorFile: string): Promise<boolean[]> {
  const first: number[] = [];
  const opened = await repeated(
    7,
    async () => {
      const workspace = await open();
      first.push(
        await timed(async () => {
          const { viewId } = await openedView(workspace, aView());
          await workspace.readWindow(viewId, 0, WINDOW);
        }),
      );
      return workspace.close;
    },
    (close) => close(),
  );
  const byCampaign: number[] = [];
  for (let i = 0; i < 7; i++) {
    const workspace = await open();
    const view = aView({ group: 'campaign' });
    byCampaign.push(await timed(() => workspace.openView(view, { window: { from: 0, count: WINDOW } })));
    await workspace.close();
  }
  const raw = await repeated(7, () => {
    const db = openDb(floorFile, { readOnly: true });
    readIds(db, 'SELECT id FROM keyword ORDER BY id');
    db.close();
  });
  const peer = { peer: 'open the file and make one order', peerValue: median(raw) };
  return [
    said('2 open to first window, start of the threads included', median(opened), 'ms', { bar: 300, ...peer }),
    said('2 first rows grouped by campaign, once it is open', median(byCampaign.toSorted((a, b) => a - b)), 'ms', {
      bar: 200,
    }),
    said('2 first window once it is open', median(first.toSorted((a, b) => a - b)), 'ms', {
      bar: 300,
      ...peer,
      ratioBar: 3,
    }),
  ];
}

/** Bar 14: all rules over all rows; another answer to "are item ids migrated?" makes everything be checked again. */
export async function benchFullCheck(open: Open, floor: OpenDb, keywords: number): Promise<boolean[]> {
  const durations: number[] = [];
  for (const migrated of [false, true, null]) {
    const workspace = await open(migrated);
    durations.push(await timed(() => workspace.rowsWithErrors()));
    await workspace.close();
  }
  durations.sort((a, b) => a - b);
  const raw = await repeated(3, () => {
    for (const { name, columns } of allTables()) {
      const list = columns.map(({ sql }) => sql).join(', ');
      for (let after = 0; ; ) {
        const sql = `SELECT id, campaign_id, ad_group_id, dirty, ${list} FROM ${name} WHERE id > ? ORDER BY id LIMIT 20000`;
        const found = floor.all(sql, after);
        if (found.length === 0) break;
        after = Number(found.at(-1)?.[0]);
      }
    }
  });
  return [
    said('14 all rules over all rows', median(durations), 'ms', {
      bar: 2500 * Math.max(1, keywords / 1_000_000),
      peer: 'raw read of the same columns, in chunks',
      peerValue: median(raw),
      ratioBar: 3,
    }),
  ];
}

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

/** The store as the program ships it. */
export const bundledStore = (folder: string) =>
  bundled<typeof import('../../main/store/workspace.ts')>(folder, 'main/store/workspace.ts');

/** A core with an account, for files in and out, as the program ships it. */
export const bundledExchange = (folder: string) =>
  bundled<typeof import('../files/an-exchange.ts')>(folder, 'test/files/an-exchange.ts');

/**
 * Loads a part as the program is bundled: started from its sources, a thread would spend most of a second on translating
 * TypeScript, which nobody who uses Adslate waits for.
 */
async function bundled<Part>(folder: string, entry: string): Promise<Part> {
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle-child.ts'), folder, entry], { stdio: 'inherit' });
  const module: unknown = await import(pathToFileURL(join(folder, 'part.js')).href);
  return module as Part;
}
