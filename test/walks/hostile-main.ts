import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beHostile } from './hostile.ts';

/** `npm run test:hostile -- [REQUESTS] [SEED]`; ends with 1 when anything failed or memory grew. */
const GROWTH_MAX_MB = 30;

/** Without a collection the heap says how long ago the last one was, and nothing about what is kept. */
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const [count = 10_000, seed = 20_260_505] = process.argv.slice(2).map(Number);
const { statuses, failures, megabytes, isWell, seconds } = await beHostile(seed, count, collect);
const [early, late] = megabytes;
for (const failure of failures.slice(0, 20)) process.stdout.write(`${JSON.stringify({ failure })}\n`);
const summary = {
  seed,
  requests: count,
  seconds: Math.round(seconds),
  statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
  failures: failures.length,
  megabytesEarly: Math.round(early),
  megabytesLate: Math.round(late),
  isWell,
};
process.stdout.write(`${JSON.stringify(summary)}\n`);
process.exitCode = failures.length === 0 && isWell && late - early < GROWTH_MAX_MB ? 0 : 1;
