import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { share } from '../share.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from '../sync/a-draft.ts';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { answerTruly, type Control, controlOf, countThings, onTheService } from '../sync/control.ts';
import type { ChildOrder } from './sync-child.ts';

/*
 * The process dies between the intent and the written outcome of one request of each resource. After the restart
 * everything is on the service once, or a question says what only a person can find out.
 */
let sandbox: RunningSandbox;
let control: Control;
let folder: string;
let account: TestAccount | null;

beforeAll(async () => {
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  return () => sandbox.close();
});
beforeEach(async () => {
  await control.reset();
  folder = await mkdtemp(join(tmpdir(), 'adslate-kill-'));
  account = null;
});
afterEach(async () => {
  await account?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the child that kills itself. @returns the signal it died of; null when the request never came up */
function runChild(kill: ChildOrder['kill']): Promise<string | null> {
  const order: ChildOrder = { folder, ready: sandbox.ready, kill };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sync-child.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (signal !== null || code === 0) resolve(signal);
      else reject(new Error(`the child ended with code ${code}`));
    });
  });
}

const RESOURCES = [
  ['campaign', 'POST', '/api/v1/campaigns'],
  ['ad group', 'POST', '/api/v1/adGroups'],
  ['ad item', 'POST', '/api/v1/adItems'],
  ['keyword', 'POST', '/api/v1/keywords'],
  ['brand profile', 'POST', '/api/v2/sba_profile'],
  ['brand profile update', 'PUT', '/api/v2/sba_profile'],
  ['logo', 'POST', '/api/v2/sba_profile_image_upload'],
  ['placement multiplier', 'POST', '/api/v1/multipliers/placement'],
  ['platform multiplier', 'POST', '/api/v1/multipliers/platform'],
  ['media completion', 'PUT', '/api/v1/media/complete'],
  ['video profile', 'POST', '/api/v1/adGroup/media'],
  ['review', 'POST', '/api/v1/review'],
] as const;
const NO_READ: ReadonlySet<string> = new Set(['campaign', 'ad group', 'keyword']);

/** Dying before the first byte is proven alike for resources that are read alike: one of each sort. */
const ALSO_BEFORE: ReadonlySet<string> = new Set([
  'campaign',
  'keyword',
  'brand profile',
  'media completion',
  'review',
]);
const cases = RESOURCES.flatMap((resource) =>
  (['after', 'before'] as const)
    .filter((when) => when === 'after' || ALSO_BEFORE.has(resource[0]))
    .map((when) => [...resource, when] as const),
);

/** Three of them every day: each starts a process or two. */
const chosen = share('kills between intent and outcome', cases, 6);
test.each(chosen)('%s: killed at %s %s, %s the service carries it out', async (resource, method, path, when) => {
  account = await openAccount({ sandbox, folder });
  const ids = await account.create(sbaDraft(await addLogo(account)));
  await account.create(videoDraft(await addVideo(account)));
  await account.create(autoDraft());
  if (method === 'PUT' && resource.endsWith('update')) {
    await account.run();
    await account.edit('sbaProfile', ids[2] as never, { headline: 'Rolls for all' });
  }
  await account.close();
  account = null;

  let died = await runChild({ method, path, when });
  for (let tries = 0; died === null && tries < 2; tries++) {
    // The video has to become available first, and the campaign a proposal.
    await control.advance('PT31M');
    died = await runChild({ method, path, when });
  }
  expect(died).toBe('SIGKILL');

  // A campaign created a moment ago takes no review yet.
  await control.advance('PT1M');
  account = await openAccount({ sandbox, folder });
  let asked = 0;
  for (let rounds = 0; ; rounds++) {
    const report = await account.run({ submit: true });
    expect(report).toMatchObject({ state: 'finished', refused: [], inDoubt: 0 });
    asked += await answerTruly(account, sandbox);
    const { changed } = await account.workspace.summary();
    if (changed === 0 && report.inReview === 2 && report.questions === 0) break;
    expect(rounds).toBeLessThan(6);
    await control.advance('PT31M');
  }
  const counts = countThings(await onTheService(sandbox));
  expect(Object.entries(counts).filter(([, count]) => count !== 1)).toEqual([]);
  expect(Object.keys(counts)).toHaveLength(17);
  // Requests of other campaigns were under way when the process died, so others may have to be asked about, too.
  if (NO_READ.has(resource)) expect(asked).toBeGreaterThan(0);
  const updated = (await account.workspace.readRow({ kind: 'sbaProfile', id: ids[2] as never }))?.values;
  if (resource === 'brand profile update') expect(updated).toMatchObject({ headline: 'Rolls for all' });
});
