import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread, Worker } from 'node:worker_threads';
import { boundHeaps } from '../../main/host/start/bound-heaps.ts';

/**
 * Run as a program: a thread that makes many objects which live for a while, and writes to standard output how many bytes
 * its space for new objects came to. With the word `bound` the process is bounded first.
 */
const LIVING = 300_000;
const MADE = 6_000_000;
const LOOK_EVERY = 20_000;

if (isMainThread) {
  if (process.argv[2] === 'bound') boundHeaps();
  new Worker(new URL(import.meta.url));
} else {
  let most = 0;
  const living: object[] = [];
  for (let made = 0; made < MADE; made += 1) {
    living.push({ made });
    if (living.length > LIVING) living.splice(0, LIVING / 2);
    if (made % LOOK_EVERY === 0) most = Math.max(most, youngSpace());
  }
  process.stdout.write(String(most));
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN;
}
