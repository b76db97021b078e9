import { parseArgs } from 'node:util';
import { playLife, type SenderFigures } from './life.ts';

/** `npm run test:team-senders -- --runs N --seed S`: plays lives of a team that syncs; ends with 1 and the seed when a promise was broken. */
Error.stackTraceLimit = 0;
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const from = Number(values.seed);
const totals: Partial<SenderFigures> = {};
const started = performance.now();
let lives = 0;
for (let seed = from; seed < from + Number(values.runs); seed++) {
  const { problems, figures } = await playLife(seed).catch((thrown: unknown) => ({
    problems: [String(thrown)],
    figures: {},
  }));
  lives++;
  for (const [name, count] of Object.entries(figures) as [keyof SenderFigures, number][])
    totals[name] = (totals[name] ?? 0) + count;
  if (problems.length === 0) continue;
  console.log(`seed ${seed}: ${problems.slice(0, 3).join('; ')}`);
  process.exitCode = 1;
  break;
}
const seconds = Math.round((performance.now() - started) / 100) / 10;
console.log(JSON.stringify({ lives, seconds, ...totals }));
