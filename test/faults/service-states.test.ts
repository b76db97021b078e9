import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { probeFile } from '../../main/files/probe/probe-file.ts';
import { listPending } from '../../main/sync/pending.ts';
import { createUploadHosts } from '../../main/sync/uploader.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { findingText } from '../../shared/rules/messages.ts';
import { aFilm } from '../media/builders.ts';
import { addLogo, sbaDraft } from '../sync/a-draft.ts';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { controlOf } from '../sync/control.ts';
import { freshAccount } from '../sync/fresh-account.ts';

/** What the state of a campaign refuses, and what a file is refused for, each with the way that leads on. */
let sandbox: RunningSandbox;
let account: TestAccount;

beforeEach(async () => {
  ({ sandbox, account } = await freshAccount());
});

const findings = async (kind: string): Promise<readonly string[]> =>
  (await account.workspace.findings(0, 500, null)).findings.filter((one) => one.kind === kind).map(findingText);
async function waitReasons(): Promise<readonly string[]> {
  const { workspace, sync, clock } = account;
  const nowMs = (): number => clock.nowMs();
  const hosts = createUploadHosts(workspace, nowMs);
  const found = await listPending({
    workspace,
    sync,
    hosts,
    profile: defaultDeploymentSettings('shop.example'),
    nowMs,
  });
  return found.map(({ reason }) => reason);
}

test('fault 38: what a review refuses is told in its words, then with the way out: cancel, send, submit again', async () => {
  const [campaign, group] = await account.create(sbaDraft(await addLogo(account)));
  if (campaign === undefined || group === undefined) throw new Error('no draft');
  await account.run();
  // A moment later the campaign is a proposal, which a review can be asked for.
  await controlOf(sandbox).advance('PT1M');
  // A colleague asks for the review elsewhere; this workspace has not heard of it.
  const colleague = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS });
  await colleague.sync.refresh();
  const [tree] = await colleague.workspace.readTrees('all');
  await colleague.sync.reviews.submit([tree?.campaign.id as RowId]);
  expect((await colleague.sync.idle())?.reviews).toBe(1);
  await colleague.close();

  const word = { text: 'napkin', matchType: 'exact', bid: 200, state: 'enabled' };
  const [keyword] = await account.create([{ kind: 'keyword', parent: { id: group }, values: word }]);
  const report = await account.run();
  expect(report.refused.map(({ id }) => id)).toContain(keyword);
  expect(report.refused.find(({ id }) => id === keyword)?.message).toContain('Under review, adding is not allowed');
  const detail = await account.workspace.rowDetail({ kind: 'keyword', id: keyword as RowId });
  expect(detail?.refusal?.message).toContain('Under review');

  await account.sync.refresh();
  expect((await findings('keyword')).join(' ')).toContain('or cancel the review');
  expect(await account.run()).toMatchObject({ refused: [] });
  expect(await waitReasons()).toContain('review-open');

  await account.sync.reviews.cancel([campaign]);
  await account.sync.idle();
  expect(await account.run({ submit: true })).toMatchObject({ done: 2, reviews: 1, refused: [] });
});

test.each([
  ['0', 0, 'does not say how long it is'],
  ['4.9', 4_900, 'lasts 4.9 s; at least 5 s are required'],
  ['45.1', 45_100, 'lasts 45.1 s; at most 45 s are allowed'],
  ['5', 5_000, null],
  ['45', 45_000, null],
])('fault 99: a film of %s s is told with what is allowed', async (_seconds, durationMs, words) => {
  const path = join(account.folder, 'film.mp4');
  const bytes = aFilm({ durationMs });
  await writeFile(path, bytes);
  const probed = probeFile(path);
  if (!probed.ok) throw new Error(`refused: ${JSON.stringify(probed.error)}`);
  const facts = JSON.stringify(probed.value);
  const values = { mediaType: 'video', mediaName: 'Film', fileName: 'film.mp4', sha256: 'a'.repeat(64), facts };
  await account.create([{ kind: 'media', parent: null, values: { ...values, bytes: bytes.byteLength } }]);
  const texts = (await findings('media')).filter((text) => /lasts|how long/.test(text));
  if (words === null) expect(texts).toEqual([]);
  else expect(texts.join(' ')).toContain(words);
});
