import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { saveResult } from '../../reliability/render.ts';
import {
  addTotals,
  type Batch,
  type BatchOutcome,
  noTotals,
  playBatch,
  playSchedules,
  type StoreName,
} from './batch.ts';

/**
 * `npm run test:simulation -- --runs N --seed S [--store model|real|twin] [--workers N] [--save NAME] [--schedules SEED [--part N/OF]]`: plays lives
 * with the seeds S, S+1, ... and prints how many, in how many seconds, with how many crashes and faults. Ends with 1
 * and the seed when a promise was broken; `--runs 1 --seed S` plays that life alone.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300000' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'model' },
    workers: { type: 'string', default: '2' },
    save: { type: 'string' },
    /** Plays every crash schedule of the draft with this seed instead of random lives. */
    schedules: { type: 'string' },
    /** Which part of them, such as 0/4: every one, when it is not said. */
    part: { type: 'string', default: '0/1' },
  },
});
const STORES: readonly StoreName[] = ['model', 'real', 'twin'];
const store = STORES.find((name) => name === values.store);
if (store === undefined) throw new Error(`--store is one of ${STORES.join(', ')}`);
const runs = Number(values.runs);
const seed = Number(values.seed);
const BATCH = 500;

const started = performance.now();
const totals = noTotals();
let lives = 0;
let compared = 0;
const failures: NonNullable<BatchOutcome['failed']>[] = [];
let next = seed;

let isStopped = false;
// A long run that is ended early says how far it came.
process.once('SIGTERM', () => {
  isStopped = true;
});

const take = (): Batch | null => {
  if (isStopped || failures.length > 0 || next >= seed + runs) return null;
  const batch = { from: next, lives: Math.min(BATCH, seed + runs - next), store };
  next += batch.lives;
  return batch;
};
const count = (outcome: BatchOutcome): void => {
  lives += outcome.lives;
  compared += outcome.compared;
  addTotals(totals, outcome.totals);
  if (outcome.failed !== null) failures.push(outcome.failed);
  if (lives % 100_000 === 0) console.error(`${lives} lives, ${seconds().toFixed(0)} s`);
};
const seconds = (): number => (performance.now() - started) / 1000;

async function inThisThread(): Promise<void> {
  Error.stackTraceLimit = 0;
  for (let batch = take(); batch !== null; batch = take()) count(await playBatch(batch));
}

function inAWorker(): Promise<void> {
  const worker = new Worker(join(import.meta.dirname, 'worker.ts'));
  return new Promise((resolve, reject) => {
    const give = (): void => {
      const batch = take();
      if (batch !== null) worker.postMessage(batch);
      else void worker.terminate().then(() => resolve());
    };
    worker.on('message', (outcome: BatchOutcome) => {
      count(outcome);
      give();
    });
    worker.on('error', reject);
    give();
  });
}

if (values.schedules !== undefined) {
  Error.stackTraceLimit = 0;
  const draft = Number(values.schedules);
  const [part, parts] = values.part.split('/').map(Number);
  const outcome = { draft, ...(await playSchedules(draft, part, parts)) };
  console.log(JSON.stringify({ ...outcome, seconds: Math.round(seconds()) }));
  if (values.save !== undefined) saveResult(values.save, { ...outcome, seconds: Math.round(seconds()) });
  process.exit(outcome.failed === null ? 0 : 1);
}
const workers = Number(values.workers);
if (workers === 0) await inThisThread();
else await Promise.all(Array.from({ length: workers }, inAWorker));

const [found] = failures;
const figures = {
  runs: lives,
  seed,
  store,
  seconds: Math.round(seconds()),
  violations: failures.length,
  compared,
  ...totals,
};
console.log(JSON.stringify(figures));
if (found !== undefined) console.log(`seed ${found.seed}: ${found.problems.slice(0, 3).join('; ')}`);
else if (values.save !== undefined) saveResult(values.save, figures);
process.exitCode = found === undefined ? 0 : 1;
