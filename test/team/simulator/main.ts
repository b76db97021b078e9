import { parseArgs } from 'node:util';
import { playLife } from './life.ts';

/** `npm run test:team -- --runs N --seed S`: plays lives of a team; ends with 1 and the seed when a promise was broken. */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '300000' }, seed: { type: 'string', default: '1' } },
});
const from = Number(values.seed);
const totals = { edits: 0, pushes: 0, conflicts: 0, failovers: 0 };
const started = performance.now();
let lives = 0;
for (let seed = from; seed < from + Number(values.runs); seed++) {
  const { broken, totals: own } = playLife(seed);
  lives++;
  totals.edits += own.edits;
  totals.pushes += own.pushes;
  totals.conflicts += own.conflicts;
  totals.failovers += own.failovers;
  if (broken === null) continue;
  console.log(`seed ${seed}: ${broken}`);
  process.exitCode = 1;
  break;
}
const seconds = (performance.now() - started) / 1000;
console.log(
  `${lives} lives in ${seconds.toFixed(1)} s: ${totals.edits} edits, ${totals.pushes} pushes, ${totals.conflicts} answers, ${totals.failovers} failovers`,
);
