import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread, Worker } from 'node:worker_threads';
import { limitHeaps } from '../../main/hosts/start/start-options.ts';

/**
 * Run as a program: a thread that makes many objects which live for a while, and writes to standard output how many bytes
 * its space for new objects has, which is the median of many looks: while a collection runs on a busy machine, what it could
 * not move yet takes some MB more. With the word `bound` the process is bounded first.
 */
const LIVING = 300_000;
const MADE = 6_000_000;
const LOOK_EVERY = 20_000;

if (isMainThread) {
  if (process.argv[2] === 'bound') limitHeaps();
  new Worker(new URL(import.meta.url));
} else {
  const looks: number[] = [];
  const living: object[] = [];
  for (let made = 0; made < MADE; made += 1) {
    living.push({ made });
    if (living.length > LIVING) living.splice(0, LIVING / 2);
    if (made % LOOK_EVERY === 0) looks.push(youngSpace());
  }
  looks.sort((one, other) => one - other);
  process.stdout.write(String(looks[looks.length >> 1]));
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN;
}
