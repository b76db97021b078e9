import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { aHostOfShop, type WebHost } from './a-web-host.ts';
import { CALLS, type Facts } from './calls.ts';
import {
  type Client,
  callAt,
  formOf,
  LINE_NAMES,
  type Line,
  type LineName,
  type Outcome,
  openLine,
  operations,
} from './lines.ts';
import { prepare } from './prepared.ts';

/** Whether the next call finds such a run still under way would be a matter of luck. */
const STARTS_A_RUN = new Set(['sync.run', 'review.submit', 'review.cancel']);
async function runEnded({ sync }: Client, workspaceId: string): Promise<void> {
  while ((await sync.report({ workspaceId }))?.state === 'running') await systemClock.sleep(20);
}

test('the list of calls knows every operation of the contract', () => {
  const named = new Set([...CALLS.map(({ path }) => path), 'app.events']);
  expect([...named].sort()).toEqual([...operations()].sort());
});

describe('every operation is answered, or refused with an error of its list, over every line alike', () => {
  const outcomes = new Map<LineName, readonly Outcome[]>();
  beforeAll(async () => {
    for (const name of LINE_NAMES) {
      const host = await aHostOfShop();
      const facts = await prepare(host.core, name);
      const line = await openLine[name](host);
      const results: Outcome[] = [];
      for (const { path, input } of CALLS) {
        results.push(await callAt(line.client, path, input(facts)));
        if (STARTS_A_RUN.has(path)) await runEnded(line.client, facts.workspaceId);
      }
      outcomes.set(name, results);
      await line.close();
      await host.close();
    }
  });

  test.each(CALLS.map(({ path }, at) => ({ path, at })))('$path (call $at)', ({ at }) => {
    const [first, ...others] = LINE_NAMES.map((name) => outcomes.get(name)?.[at]);
    if (first === undefined) throw new Error('This call was never made.');
    if ('code' in first) expect(first).toMatchObject({ declared: true });
    expect(others.map(formOf)).toEqual([formOf(first), formOf(first)]);
  });
});

describe('what only looks is answered the same, to the last value, over every line', () => {
  let host: WebHost;
  let facts: Facts;
  let lines: readonly Line[];
  beforeAll(async () => {
    host = await aHostOfShop();
    facts = await prepare(host.core, 'nobody');
    lines = await Promise.all(LINE_NAMES.map((name) => openLine[name](host)));
  });
  afterAll(async () => {
    for (const line of lines) await line.close();
    await host.close();
  });

  const looks = CALLS.map((call, at) => ({ ...call, at })).filter((call) => call.looks);
  test.each(looks)('$path (call $at)', async ({ path, input }) => {
    const [first, ...others] = await Promise.all(lines.map(({ client }) => callAt(client, path, input(facts))));
    expect(others).toEqual([first, first]);
  });
});
