import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { THREADS } from '../../main/core/core-options.ts';
import { runs, SEED } from '../share.ts';
import { HERE } from '../store/without-threads.ts';
import { aHostOfShop, type WebHost } from './a-web-host.ts';
import { CALLS, type Facts } from './calls.ts';
import { callAt, isFair, openLine } from './lines.ts';
import { prepare } from './prepared.ts';

/**
 * What several windows may ask in the same moment, while the account is set up anew, restored from a backup and salvaged:
 * each of these closes it under the calls of the others. A call is answered, or refused with an error of its list.
 */
const RUNS = runs(12, 3);
let host: WebHost;
let facts: Facts;
let backupId: string;
beforeAll(async () => {
  host = await aHostOfShop({ ...THREADS, practice: HERE.practice });
  facts = await prepare(host.core, 'nobody');
  const { client } = await openLine['direct call'](host);
  backupId = (await client.backups.make({ workspaceId: facts.workspaceId })).backupId;
  console.log(`seed ${SEED}`);
  return () => host.close();
});

interface Asked {
  readonly path: string;
  input(facts: Facts): unknown;
}
const CLOSING: readonly Asked[] = [
  { path: 'accounts.setProfile', input: ({ workspaceId }) => ({ workspaceId, text: '' }) },
  { path: 'backups.restore', input: ({ workspaceId }) => ({ workspaceId, backupId }) },
  { path: 'backups.recover', input: ({ workspaceId }) => ({ workspaceId }) },
];
/** Other accounts, and updates of the program, are nothing to the one that is closed. */
const APART = new Set(['accounts.addPractice', 'accounts.addSample', 'accounts.connect']);
const OTHERS: readonly Asked[] = CALLS.filter(({ path }) => !APART.has(path) && !path.startsWith('app.update.'));

test('what is asked while an account is closed and opened again is answered, or refused as declared', async () => {
  const { client } = await openLine['direct call'](host);
  const answered = new Set<string>();
  const asked = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...OTHERS) },
      { weight: 1, arbitrary: fc.constantFrom(...CLOSING) },
    ),
    { minLength: 20, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(asked, async (calls) => {
      const outcomes = await Promise.all(calls.map(({ path, input }) => callAt(client, path, input(facts))));
      calls.forEach(({ path }, at) => {
        const outcome = outcomes[at];
        if (outcome === undefined || !isFair(outcome)) throw new Error(`${path}: ${JSON.stringify(outcome)}`);
        if ('answer' in outcome) answered.add(path);
      });
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  expect(answered.size, 'operations that were answered').toBeGreaterThan(6 * RUNS);
  // A run that was begun ends with the first of them.
  for (const { path, input } of CLOSING)
    expect(await callAt(client, path, input(facts)), path).toHaveProperty('answer');
  expect(host.logged.filter(({ event }) => event === 'unexpected failure')).toEqual([]);
});
