/** A fault of metrics or suggestions, and the tests that hold the law it breaks. */
interface MetricsMutant {
  /** The promise that the fault takes away. */
  readonly law: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly tests: readonly string[];
  /** The time zone of the computer, where the fault is about it. */
  readonly zone?: string;
}

const CUBE = 'test/workspace/cube-laws.test.ts';
const LAWS = 'test/shared/suggestions/laws.test.ts';
const CASES = 'test/shared/suggestions/suggestions.test.ts';

export const METRICS_MUTANTS: readonly MetricsMutant[] = [
  {
    law: '1 groups and the rest add up to the total',
    file: 'main/service/metrics.ts',
    from: 'const rest = restOf(sum, total);',
    to: 'const rest = restOf(sum, sum);',
    tests: ['test/core/metrics.test.ts'],
  },
  {
    law: '2 a newer answer about a day wins, in any order of files',
    file: 'main/cube/ingest.ts',
    from: 'known.fetchedAt >= fetchedAt && ',
    to: 'known.fetchedAt < fetchedAt && ',
    tests: [CUBE],
  },
  {
    law: '2 a process that is killed leaves every report whole or not at all',
    file: 'main/cube/ingest.ts',
    from: 'await pause();\n    const own = days.get(day);',
    // Slowly, so that a kill meets a report of which some days are there.
    to: "await new Promise((done) => setTimeout(done, 20));\n    db.exec('COMMIT; BEGIN IMMEDIATE');\n    const own = days.get(day);",
    tests: ['test/crash/cube-kills.test.ts'],
  },
  {
    law: '1 a month that replaced its days counts only where the span has all of them',
    file: 'main/cube/days.ts',
    from: 'isWholeMonth(month, own) ? []',
    to: 'own.length > 0 ? []',
    tests: [CUBE],
  },
  {
    law: '3 a segment reads back what was written',
    file: 'main/cube/segment.ts',
    from: 'if (value > most || -value > most) most',
    to: 'if (value > most) most',
    tests: [CUBE],
  },
  {
    law: '3 lines read as bytes have the cells that were written',
    file: 'main/cube/report-rows.ts',
    from: 'line.starts[missing] = line.ends[missing] = 0;',
    to: 'line.starts[missing] = line.starts[missing] ?? 0;',
    tests: [CUBE],
  },
  {
    law: '3 a flipped bit costs one day and is said',
    file: 'main/cube/days.ts',
    from: 'crcOf(content) !== known.crc',
    to: 'content.length === 0',
    tests: [CUBE],
  },
  {
    law: '4 every answer is that of SQL over the same rows',
    file: 'main/cube/segment.ts',
    from: 'const id = ids[at[place] ?? 0] ?? 0;',
    to: 'const id = ids[place] ?? 0;',
    tests: [CUBE],
  },
  {
    law: '4 rows stand in the order of their metric',
    file: 'main/store/reader/row-metrics.ts',
    from: 'order.set(descending ? sorted.reverse() : sorted);',
    to: 'order.set(sorted);',
    tests: ['test/workspace/views.test.ts'],
  },
  {
    law: '4 a settled month is the sum of its days',
    file: 'main/cube/days.ts',
    from: 'for (const id of segment.ids) has[id] = 1;\n    for (const column of columns) {',
    to: 'for (const id of segment.ids) has[id] = 1;\n    for (const column of columns.slice(1)) {',
    tests: [CUBE],
  },
  {
    law: '5 totals are the quotient of sums, cut and not rounded',
    file: 'shared/reports/metric.ts',
    from: 'return (scaled - (scaled % below)) / below + 0;',
    to: 'return Math.round(scaled / below);',
    tests: [CUBE],
  },
  {
    law: '6 a rate lies between its own and that of its campaign',
    file: 'shared/suggestions/shrinkage.ts',
    from: 'const beta = clicks + rowShape / group.theta;',
    to: 'const beta = clicks + rowShape;',
    tests: [LAWS],
  },
  {
    law: '6 80% intervals hold in 75 to 85 of 100 rows',
    file: 'shared/suggestions/statistics.ts',
    from: 'export const Z80 = 1.2816;',
    to: 'export const Z80 = 0.9;',
    tests: ['test/backtest/backtest.test.ts'],
  },
  {
    law: '7 everything accepted makes no error',
    file: 'main/suggestions/accept.ts',
    from: 'values: { text: row.values.text, matchType, bid } },',
    to: 'values: { text: row.values.text, matchType: row.values.matchType, bid } },',
    tests: ['test/core/suggestions.test.ts'],
  },
  {
    law: '7 a step is at most 15%',
    file: 'shared/suggestions/bid.ts',
    from: 'const most = Math.floor((bid * (100 + STEP_PERCENT)) / 100);\n  const cut',
    to: 'const most = Math.floor((bid * (101 + STEP_PERCENT)) / 100);\n  const cut',
    tests: [LAWS],
  },
  {
    law: '7 a wanted bid falls with the share that is paid',
    file: 'shared/suggestions/bid.ts',
    from: '(costShare * perClick) / paid;',
    to: 'costShare * perClick * paid;',
    tests: [LAWS],
  },
  {
    law: '8 predicted spend is never above the goal',
    file: 'shared/suggestions/hold-spend.ts',
    from: 'const bids = bidsAt(low);',
    to: 'const bids = bidsAt(high * 1.01);',
    tests: [LAWS],
  },
  {
    law: '9 the chance of no order falls with clicks',
    file: 'shared/suggestions/shrinkage.ts',
    from: '(beta / (beta + clicks)) ** alpha;',
    to: '(beta / (beta + 1)) ** alpha;',
    tests: [LAWS],
  },
  {
    law: '9 completion never falls',
    file: 'shared/suggestions/exposure.ts',
    from: 'before = Math.max(before, Math.min(1,',
    to: 'before = Math.max(0, Math.min(1,',
    tests: [LAWS],
  },
  {
    law: '9 a plan is met when the days spend what is suggested',
    file: 'shared/suggestions/pacing.ts',
    from: 'Math.max(0, (plan - spent) / left)',
    to: 'Math.max(0, plan / left)',
    tests: [LAWS],
  },
  {
    law: '10 no reason of a suggestion stands in a request',
    file: 'shared/plan/wire.ts',
    from: "return wholeBody('adItem', values, idsOf(campaign, group));",
    to: "const all = wholeBody('adItem', values, idsOf(campaign, group)); return { ...all, body: { ...all.body, evidence: 'firm' } };",
    tests: ['test/cli/suggest.test.ts'],
  },
  {
    law: '10 two accounts share nothing',
    file: 'main/app/account-metrics.ts',
    from: "const file = join(opened.folder, 'cube.db');",
    to: "const file = join(options.dataDir, 'cube.db');",
    tests: ['test/core/metrics.test.ts'],
  },
  {
    law: '11 every number of a sentence is one the value was made of',
    file: 'shared/suggestions/bid.ts',
    from: `a click can cost \${dollars(of.clickCost)}.\`,`,
    to: `a click can cost \${dollars(of.clickCost + 1)}.\`,`,
    tests: [LAWS],
  },
  {
    law: '11 the worked examples are computed as written',
    file: 'shared/suggestions/what-if.ts',
    from: 'const CLICKS_DEVIATION = 0.25;',
    to: 'const CLICKS_DEVIATION = 0.2;',
    tests: [CASES],
  },
  {
    law: '12 another currency is refused',
    file: 'main/cube/read-file-days.ts',
    from: "if (other !== '' && other.toUpperCase() !== currency)",
    to: "if (other === '?' && other.toUpperCase() !== currency)",
    tests: [CUBE],
  },
  {
    law: '12 a day that comes with less than half is held back',
    file: 'main/cube/ingest.ts',
    from: 'const SHRUNK = 0.5;',
    to: 'const SHRUNK = 0;',
    tests: [CUBE],
  },
  {
    law: '13 days are those of the service, whatever the time zone of the computer',
    file: 'shared/model/plain-date.ts',
    from: `const start = Date.parse(\`\${date}T00:00:00Z\`);`,
    to: `const start = Date.parse(\`\${date}T00:00:00\`);`,
    tests: ['test/shared/period.test.ts'],
    zone: 'Pacific/Auckland',
  },
];
