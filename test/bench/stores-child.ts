import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import Datastore from '@seald-io/nedb';
import { campaignsFor, KEYWORDS_A_CAMPAIGN, keywordValues } from './big-workspace.ts';

/**
 * The same account in two stores that programs of this kind often use: one JSON file that is rewritten whole, and a
 * document database (NeDB: documents in memory, an append-only file). Prints a line of JSON per work, in milliseconds.
 */
interface Keyword {
  readonly _id: number;
  readonly campaign: number;
  readonly text: string;
  readonly match: string;
  bid: number;
}

const [store = 'json', file = '', count = '1000000'] = process.argv.slice(2);
const total = Number(count);

function* keywords(): Generator<Keyword> {
  let id = 0;
  for (let c = 0; c < campaignsFor(total); c++) {
    for (let i = 0; i < KEYWORDS_A_CAMPAIGN && id < total; i++) {
      const { text, matchType, bid } = keywordValues(c, i);
      yield { _id: ++id, campaign: c, text: String(text), match: String(matchType), bid: Number(bid) };
    }
  }
}

async function say(work: string, run: () => unknown): Promise<void> {
  const start = performance.now();
  await run();
  process.stdout.write(`${JSON.stringify({ work, ms: performance.now() - start })}\n`);
}

async function jsonFile(): Promise<void> {
  const save = (rows: readonly Keyword[]): void => {
    writeFileSync(`${file}.tmp`, JSON.stringify(rows), { flush: true });
    renameSync(`${file}.tmp`, file);
  };
  let rows = [...keywords()];
  await say('create', () => save(rows));
  await say('open', () => {
    rows = JSON.parse(readFileSync(file, 'utf8'));
  });
  await say('sort', () => rows.toSorted((a, b) => a.bid - b.bid || a._id - b._id));
  await say('filter', () => rows.filter((row) => row.bid < 250 && row.match === 'exact').length);
  await say('edit', () => {
    const [row] = rows;
    if (row !== undefined) row.bid++;
    save(rows);
  });
  await say('bulk', () => {
    for (const row of rows.slice(0, 100_000)) row.bid = row.bid + 1 + Math.floor(row.bid / 10);
    save(rows);
  });
}

async function documents(): Promise<void> {
  const open = async (): Promise<Datastore<Keyword>> => {
    const db = new Datastore<Keyword>({ filename: file });
    await db.loadDatabaseAsync();
    await db.ensureIndexAsync({ fieldName: 'bid' });
    return db;
  };
  let db = await open();
  const rows = [...keywords()];
  await say('create', () => db.insertAsync(rows));
  await say('open', async () => {
    db = await open();
  });
  await say('sort', () => db.findAsync({}).sort({ bid: 1 }));
  await say('filter', () => db.countAsync({ bid: { $lt: 250 }, match: 'exact' }));
  await say('edit', () => db.updateAsync({ _id: 1 }, { $inc: { bid: 1 } }, {}));
  await say('bulk', () => db.updateAsync({ _id: { $lte: 100_000 } }, { $inc: { bid: 7 } }, { multi: true }));
}

await (store === 'json' ? jsonFile() : documents());
process.stdout.write(`${JSON.stringify({ work: 'memory', ms: process.memoryUsage().rss / 2 ** 20 })}\n`);
