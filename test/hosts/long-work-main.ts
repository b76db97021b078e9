import { parseArgs } from 'node:util';
import { aDesk, type Desk, type LongWork, PAIRS, race } from './long-work.ts';

/**
 * `npm run test:long-work -- [--calls 50] [--only NAME]`: so many calls at once of each pair of long operations, over the
 * socket of a web host. Writes a line of JSON for each pair; ends with 1 when something is not as it has to be.
 */
const { values } = parseArgs({ options: { calls: { type: 'string', default: '50' }, only: { type: 'string' } } });
const calls = Number(values.calls);
const wanted = PAIRS.filter((pair) => values.only === undefined || pair.includes(values.only as LongWork));
const sum = { pairs: 0, calls: 0, answered: 0, problems: 0 };
let desk: Desk | null = null;
let first = '';
for (const pair of wanted) {
  // A fresh desk for each first of the pair: what earlier pairs brought in would only make the later ones slower.
  if (desk === null || first !== pair[0]) {
    await desk?.close();
    desk = await aDesk();
    [first] = pair;
  }
  const startedAt = performance.now();
  const { answered, refused, problems } = await race(desk, pair, calls);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const shown = problems.slice(0, 5);
  console.log(JSON.stringify({ pair: pair.join(' + '), answered, refused, problems: problems.length, shown, seconds }));
  sum.pairs += 1;
  sum.calls += calls;
  sum.answered += answered;
  sum.problems += problems.length;
}
await desk?.close();
console.log(JSON.stringify(sum));
process.exitCode = sum.problems === 0 ? 0 : 1;
