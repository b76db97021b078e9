import { parseArgs } from 'node:util';
import { saveResult } from '../reliability/render.ts';
import { type Kills, playKills } from './sync-kills.ts';

/**
 * `npm run test:sync-kills -- --kills N --seed S [--save NAME]`: N times `kill -9`, a hundred to a workspace, every second
 * workspace with the documented calls alone. Ends with 1 when anything was lost, is there twice, has a wrong id or
 * is not settled.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    save: { type: 'string' },
  },
});
const PER_WORKSPACE = 100;
const wanted = Number(values.kills);
const started = performance.now();
const sum = {
  kills: 0,
  opening: 0,
  working: 0,
  announcing: 0,
  edits: 0,
  made: 0,
  faults: 0,
  requests: 0,
  questions: 0,
};
const bad = { lost: 0, twice: 0, wrongIds: 0, unsettled: 0 };

const add = (kills: Kills): void => {
  for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += kills[name];
  for (const name of Object.keys(bad) as (keyof typeof bad)[]) {
    bad[name] += kills[name].length;
    for (const line of kills[name]) console.log(`${name}: ${line}`);
  }
};
for (let n = 0; sum.kills < wanted; n++) {
  const kills = Math.min(PER_WORKSPACE, wanted - sum.kills);
  add(await playKills({ kills, seed: Number(values.seed) + n, extensions: n % 2 === 1 }));
  console.error(`${sum.kills} kills, ${Math.round((performance.now() - started) / 1000)} s`);
}
const figures = {
  seed: Number(values.seed),
  seconds: Math.round((performance.now() - started) / 1000),
  ...sum,
  ...bad,
};
console.log(JSON.stringify(figures));
const isClean = Object.values(bad).every((count) => count === 0);
// A run that failed is kept as well: the page tells of all of them.
if (values.save !== undefined) saveResult(values.save, figures);
process.exitCode = isClean ? 0 : 1;
