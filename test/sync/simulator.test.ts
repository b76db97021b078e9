import { expect, test } from 'vitest';
import { playScenario } from './simulator/scenario.ts';

/** More lives with SYNC_LIVES=20000. A failing seed is printed by the test and can be played alone. */
const LIVES = Number(process.env['SYNC_LIVES'] ?? 150);

test('in every life with faults and crashes, everything is on the service once in the end', async () => {
  const totals = { crashes: 0, requests: 0, questions: 0 };
  for (let seed = 1; seed <= LIVES; seed++) {
    const outcome = await playScenario({ seed, faults: 0.3, crashes: 6 });
    expect({ seed, problems: outcome.problems }).toEqual({ seed, problems: [] });
    totals.crashes += outcome.crashes;
    totals.requests += outcome.requests;
    totals.questions += outcome.questions;
  }
  // The lives have to have been hard ones, or the test proves nothing.
  expect(totals.crashes).toBeGreaterThan(LIVES);
  expect(totals.questions).toBeGreaterThan(LIVES / 2);
});

test('a process may die at any single effect of its first sync', async () => {
  let died = 0;
  for (let at = 1; at <= 200; at++) {
    const when = at % 2 === 0 ? 'before' : 'after';
    const outcome = await playScenario({ seed: 7, faults: 0, crashes: 0, firstCrash: { at, when } });
    expect({ at, when, problems: outcome.problems }).toEqual({ at, when, problems: [] });
    died += outcome.crashes;
    if (outcome.crashes === 0) break;
  }
  expect(died).toBeGreaterThan(30);
});
