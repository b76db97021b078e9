import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../folder.ts';
import { cli, keptOpen } from './cli.ts';

const folder = keptOpen(testFolder('cli-metrics'));

test('metrics of a group add up to the total, as plain numbers and the same twice, and wrong words are named', async () => {
  expect((await cli(folder, 'account', 'add', '--name', 'Sample', '--sample')).code).toBe(0);
  const ask = (...more: readonly string[]) => cli(folder, 'metrics', '--group', 'keyword', '--period', '28d', ...more);
  const answer = await ask('--compare', '--json');
  expect((await ask('--compare', '--json')).out).toBe(answer.out);
  const { period, previous, groups, total, previousTotal, coverage } = JSON.parse(answer.out);
  expect([period, previous].every(({ from, to }) => from < to)).toBe(true);
  expect(groups.some(({ key }: { readonly key: string }) => key === 'notInReport')).toBe(true);
  for (const [name, whole] of [
    ['spend', total],
    ['sales', total],
    ['clicks', total],
  ] as const) {
    const sum = groups.reduce(
      (all: number, one: { readonly metrics: Record<string, number> }) => all + (one.metrics[name] ?? 0),
      0,
    );
    expect(sum).toBeCloseTo(whole[name], 6);
  }
  expect(total.roas).toBeCloseTo(Math.floor((100 * total.sales) / total.spend + 1e-9) / 100, 6);
  expect(previousTotal.spend).toBeGreaterThan(0);
  expect(coverage).toBeGreaterThan(50);
  expect((await ask()).out).toMatch(/^keyword +Impressions/m);
  expect(await ask('--window', '7')).toMatchObject({ code: 2, err: expect.stringContaining('3, 14 or 30') });
  expect(await cli(folder, 'metrics', '--group', 'horoscope')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--group must be one of'),
  });
});

test('an alert says that items account for less than 80% of what campaigns spent', async () => {
  const alerts = async () => (await cli(folder, 'suggest', '--kind', 'alert', '--json')).out;
  expect(await alerts()).not.toContain('Item reports cover');
  const { groups, period } = JSON.parse((await cli(folder, 'metrics', '--group', 'campaign', '--json')).out);
  const lines = groups.map(({ key }: { readonly key: string }) => `${period.to},${key},50,90000`);
  const path = join(folder, 'spend.csv');
  writeFileSync(path, `date,campaignId,clicks,adSpend\n${lines.join('\n')}\n`);
  expect((await cli(folder, 'report', 'import', path)).code).toBe(0);
  expect(await alerts()).toMatch(/Item reports cover \d+% of campaign spend\. At least 80% is expected/);
});
