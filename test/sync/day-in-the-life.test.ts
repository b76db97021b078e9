import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { Review } from '../../shared/api/reviews.ts';
import { addDays, dateInZone } from '../../shared/model/plain-date.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/*
 * A week of an account that is not migrated yet, with documented calls alone: three campaigns, an upload whose
 * address is over, a token that runs out, a second editor in the retailer's console, two rejections, and the item ids
 * changing their form under it. In the end every campaign is live, and the ledger explains how.
 */
const ADVERTISER = 900002;
/** A week before the item ids of everybody change their form. */
const MONDAY = '2026-07-20T12:00:00Z';
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let isTokenOver = false;

let folder: string;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', now: MONDAY, extensions: true });
  control = controlOf(sandbox);
  folder = await mkdtemp(join(tmpdir(), 'adslate-week-'));
  isTokenOver = false;
  account = await open(false);
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (migrated: boolean): Promise<TestAccount> =>
  openAccount({
    sandbox,
    folder,
    advertiserId: ADVERTISER,
    migrated,
    capabilities: DOCUMENTED_ONLY,
    clock: hastyClock(Date.parse(MONDAY) - Date.now()),
    fetch: (input, init) => {
      const request = new Request(input, init);
      if (isTokenOver) request.headers.set('Authorization', 'Bearer over');
      return fetch(request);
    },
  });

async function itemIds(text: string): Promise<readonly string[]> {
  const found = await account.sync.searchItems({ text });
  if (!found.ok || found.value.length < 3) throw new Error(`no items: ${JSON.stringify(found)}`);
  return found.value.map(({ itemId }) => itemId);
}

/** The drafts of the other tests, with items of this account and a start in five days. */
async function make(draft: ReturnType<typeof autoDraft>, items: readonly string[]): Promise<readonly RowId[]> {
  const start = addDays(dateInZone(Date.parse(MONDAY), 'America/Los_Angeles'), 5);
  let next = 0;
  const rows = draft.map((row) => {
    if (row.kind === 'campaign') return { ...row, values: { ...row.values, startDate: start } };
    return row.kind === 'adItem' ? { ...row, values: { ...row.values, itemId: items[next++] ?? '' } } : row;
  });
  return account.create(rows);
}

const openReviews = async (): Promise<readonly Review[]> => {
  const polled = await account.sync.reviews.poll();
  if (!polled.ok) throw new Error(JSON.stringify(polled.error));
  return polled.value.filter(({ status }) => status === 'pending' || status === 'in-progress');
};

test('a week with all that can happen ends with every campaign live and a ledger that explains each step', async () => {
  const items = await itemIds('a');
  const brand = await make(sbaDraft(await addLogo(account)), items);
  const video = await make(videoDraft(await addVideo(account)), items);
  const auto = await make(autoDraft(), items);

  // Monday: the first address for the video is over, and the token runs out in the middle of the first sync.
  await control.fault({ match: { method: 'PUT', path: '/upload/video/*' }, times: 1, kind: 'status', status: 403 });
  isTokenOver = true;
  expect(await account.run({ submit: true })).toMatchObject({ stoppedBy: { cause: 'credentials' }, inDoubt: 0 });
  isTokenOver = false;
  expect(await account.run({ submit: true })).toMatchObject({ state: 'finished', refused: [], uploads: 1 });
  await control.advance('PT31M');
  expect(await account.run({ submit: true })).toMatchObject({ state: 'finished', refused: [], untouched: 0 });

  // Tuesday: somebody else raises a bid in the console that is lowered here as well.
  const item = await account.workspace.readRow({ kind: 'adItem', id: auto[2] as never });
  await control.console(`ad-items/${item?.remoteId}`, { bid: 7.25 });
  await account.edit('adItem', auto[2] as never, { bid: 199 });
  expect(await account.run()).toMatchObject({ done: 0 });
  expect(await account.sync.conflicts()).toMatchObject([{ field: 'bid', mine: 199, theirs: 725 }]);
  await account.sync.resolve([{ ref: { kind: 'adItem', id: auto[2] as never }, field: 'bid', take: 'mine' }]);
  expect(await account.run()).toMatchObject({ done: 1, refused: [] });

  // Wednesday: two rejections. The brand's words are edited, the video's keyword gets another beside it.
  const first = await openReviews();
  expect(first).toHaveLength(2);
  for (const { reviewId, campaign, components } of first) {
    if (campaign === 'Rolls brand') await control.decideAll(reviewId, 'rejected');
    else {
      const verdicts = components.map(({ type, id }) =>
        type === 'keyword' ? { type, id, status: 'rejected', reason: 'Too broad' } : { type, id, status: 'approved' },
      );
      await control.decide(reviewId, verdicts);
    }
  }
  expect(await openReviews()).toEqual([]);
  const rejected = await account.sync.reviews.list();
  expect(rejected.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const reasons = rejected.flatMap(({ components }) => components.map(({ reason }) => reason));
  expect(reasons).toContain('Too broad');
  await account.edit('sbaProfile', brand[2] as never, { headline: 'Rolls for the whole house' });
  const values = { text: 'paper towel', matchType: 'exact', bid: 185 };
  await account.create([{ kind: 'keyword', parent: { id: video[1] as never }, values }]);
  expect(await account.run()).toMatchObject({ done: 2, refused: [] });
  await account.sync.reviews.submit([brand[0] as never, video[0] as never]);
  expect(await account.sync.idle()).toMatchObject({ refused: [], reviews: 2 });

  // Thursday: the item ids of the account change their form; what is there keeps working, new items have new ids.
  await control.migrate(ADVERTISER);
  await account.close();
  account = await open(true);
  const newIds = await itemIds('a');
  expect(newIds[0]).not.toBe(items[0]);
  await account.sync.refresh();
  expect(await account.workspace.summary()).toMatchObject({ conflicts: 0 });
  const bid = { bid: 180, status: 'enabled', itemId: newIds[2] ?? '' };
  await account.create([{ kind: 'adItem', parent: { id: auto[1] as never }, values: bid }]);
  expect(await account.run()).toMatchObject({ done: 1, refused: [] });

  // Friday: approved; the week ends, and everything is live.
  for (const { reviewId } of await openReviews()) await control.decideAll(reviewId, 'approved');
  await openReviews();
  await control.advance('P7D');
  const states = (await control.state()).campaigns.map(({ name, status }) => `${name}: ${status}`);
  expect(states.toSorted()).toEqual(['Rolls auto: live', 'Rolls brand: live', 'Rolls video: live']);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0, questions: 0 });

  const entries = await account.workspace.outbox.ledger({ after: 0, count: 1000 });
  const logged = (await control.requests()).filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'));
  const known = new Set(entries.map(({ correlationId }) => correlationId));
  const unexplained = logged.filter(
    ({ path, correlationId }) => !READS_BY_POST.has(path) && !known.has(correlationId ?? ''),
  );
  expect(unexplained).toEqual([]);
  expect(entries.every(({ receipts, rows }) => receipts.length > 0 && rows.length > 0)).toBe(true);
  const classes = entries.flatMap(({ receipts }) => receipts.map((receipt) => receipt.class));
  // What had its turn after the token ran out was never sent, or was refused; nothing else went wrong.
  expect(new Set(classes.filter((one) => one !== 'AUTH' && one !== 'NOT_SENT'))).toEqual(new Set(['ELEMENTS']));
  expect(classes.length).toBeGreaterThan(classes.filter((one) => one === 'ELEMENTS').length);
});

/** These change nothing, or ask for an address that expires unused. */
const READS_BY_POST: ReadonlySet<string> = new Set(['/api/v1/itemSearch', '/api/v1/media/upload']);
