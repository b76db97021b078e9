import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Arm, BARS, coverage, DENSE, type Experiment, type Lift, liftOf, runArm, THIN } from './experiment.ts';

/** `npm run backtest`: plays all shops, writes docs/figures/backtest.md, and ends with 1 when a bar is missed. Takes minutes. */
const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1);
const UPSIDE_DOWN_SEEDS = SEEDS.slice(0, 10);

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const percent = (share: number): string => `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)}%`;
const range = (numbers: readonly number[], show = percent): string =>
  `${show(mean(numbers))} (${show(Math.min(...numbers))} to ${show(Math.max(...numbers))})`;
const whole = (number: number): string => Math.round(number).toLocaleString('en-US');

function play(base: Omit<Experiment, 'seed'>) {
  const lifts: Record<Exclude<Arm, 'nothing'>, Lift[]> = { suggestions: [], truth: [], 'upside-down': [] };
  const nothing = SEEDS.map((seed) => {
    const before = runArm({ ...base, seed }, 'nothing');
    for (const arm of ['suggestions', 'truth', 'upside-down'] as const) {
      if (arm === 'upside-down' && !UPSIDE_DOWN_SEEDS.includes(seed)) continue;
      lifts[arm].push(liftOf(runArm({ ...base, seed }, arm), before));
    }
    process.stdout.write(`${base.days} days, shop ${seed}: ${percent(lifts.suggestions.at(-1)?.roas ?? 0)}\n`);
    return before;
  });
  return { lifts, nothing };
}

const roasOf = (lifts: readonly Lift[]) => lifts.map(({ roas }) => roas);
const cell = (lifts: readonly Lift[]): string =>
  `${range(roasOf(lifts))}, spend ${range(lifts.map(({ spend }) => spend))}, ${whole(mean(lifts.map(({ edits }) => edits)))} edits`;

const dense = play(DENSE);
const thin = play(THIN);
const intervals = SEEDS.map((seed) => coverage({ ...DENSE, seed }));

const misses = [
  ...(
    [
      ['dense', dense],
      ['thin', thin],
    ] as const
  ).flatMap(([name, { lifts }]) => {
    const roas = roasOf(lifts.suggestions);
    return [
      mean(roas) >= BARS[name].mean ? [] : [`${name}: the mean is below ${percent(BARS[name].mean)}`],
      Math.min(...roas) >= BARS[name].least ? [] : [`${name}: a shop is below ${percent(BARS[name].least)}`],
      lifts.suggestions.every(({ spend }) => Math.abs(spend) <= BARS.spend) ? [] : [`${name}: spend is not held`],
    ].flat();
  }),
  ...(mean(roasOf(dense.lifts.suggestions)) >= mean(roasOf(dense.lifts.truth)) * BARS.ofTruth
    ? []
    : ['dense: less than half of what is possible']),
  ...(Math.max(...roasOf(dense.lifts['upside-down'])) <= BARS.upsideDown
    ? []
    : ['the formula upside down does no harm']),
  ...(mean(intervals) >= BARS.intervals[0] && mean(intervals) <= BARS.intervals[1]
    ? []
    : ['the intervals do not hold']),
];

const clicks = ({ nothing }: typeof dense) => whole(mean(nothing.map((outcome) => outcome.clicks)));
const roas = ({ nothing }: typeof dense) => `ROAS ${mean(nothing.map((outcome) => outcome.roas)).toFixed(2)}`;
writeFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'figures', 'backtest.md'),
  `# Backtest of suggested bids

Written by \`npm run backtest\`. Each shop has ${DENSE.campaigns} campaigns with ${DENSE.keywords} keywords. For 28 days nobody edits. Then one account accepts every
suggested bid once a week, with the goal to hold the spend of these days, and another one edits nothing. Both meet the same shoppers. The last 28 days are judged by the
sales that their clicks bring in the long run. A cell shows the mean of ${SEEDS.length} shops (least to most; ${UPSIDE_DOWN_SEEDS.length} shops upside down): change of ROAS and of spend.

**The simulator is ours. So this proves the arithmetic, not the market.** Rivals of the simulator do not react, and bids of the account that edits nothing
were set without knowledge of what a click is worth. Expect less from a well-kept account. The shops are played on the sandbox's demand directly;
\`test/core/backtest.long.test.ts\` plays a small one through the client, the sync and the saved metrics.

| account | ${DENSE.days} days, ${clicks(dense)} clicks in the last 28 | ${THIN.days} days, a quarter of the searches, ${clicks(thin)} clicks |
|---|---|---|
| edits nothing | ${roas(dense)} | ${roas(thin)} |
| **accepts the suggestions** | ${cell(dense.lifts.suggestions)} | ${cell(thin.lifts.suggestions)} |
| knows the truth | ${cell(dense.lifts.truth)} | ${cell(thin.lifts.truth)} |
| formula upside down | ${cell(dense.lifts['upside-down'])} | ${cell(thin.lifts['upside-down'])} |

| bar | value |
|---|---|
| ROAS, mean and least | at least ${percent(BARS.dense.mean)} and ${percent(BARS.dense.least)}; with a quarter of the searches ${percent(BARS.thin.mean)} and ${percent(BARS.thin.least)} |
| spend | within ${(BARS.spend * 100).toFixed(0)}% in each shop |
| part of what the truth gives | at least half; here ${((mean(roasOf(dense.lifts.suggestions)) / mean(roasOf(dense.lifts.truth))) * 100).toFixed(0)}% |
| formula upside down | ${percent(BARS.upsideDown)} or worse in each shop |
| 80% intervals of conversion | hold the true rate in 75% to 85% of rows; here ${range(intervals, (share) => `${(share * 100).toFixed(0)}%`)} |

${misses.length === 0 ? 'All bars are met.' : `Missed: ${misses.join('; ')}.`}
`,
);
process.stdout.write(misses.length === 0 ? 'All bars are met.\n' : `Missed: ${misses.join('; ')}\n`);
process.exitCode = misses.length === 0 ? 0 : 1;
