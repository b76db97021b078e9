import { expect, test } from 'vitest';
import { watchNews } from '../../renderer/app/watch-news.ts';
import { listenToMain } from '../../renderer/data/events.ts';
import type { Review } from '../../shared/contract/sync.ts';
import { asRowId, asWorkspaceId } from '../../shared/model/scalars.ts';
import { createMemoryDesk } from './memory-connection.ts';

const ACCOUNT = asWorkspaceId('practice-1');
const review = (status: Review['status']): Review => ({
  campaignId: asRowId(1),
  adGroupId: asRowId(2),
  campaign: 'Paper towels',
  reviewId: '77',
  status,
  components: [],
});

/** A window that watches an account whose only review stands as the test says. */
function aWatch(status: Review['status']) {
  const told: string[] = [];
  let stands = status;
  let open: (workspaceId: string) => void = () => {};
  let looks = 0;
  const { connection, announce } = createMemoryDesk({
    reviews: () => {
      looks += 1;
      return [review(stands)];
    },
  });
  watchNews(connection.client, listenToMain(connection), {
    tell: ({ text }) => void told.push(text),
    openWorkspace: () => ACCOUNT,
    onOpened: (listener) => {
      open = listener;
      return () => {};
    },
    nowMs: () => 0,
  });
  return {
    told,
    looks: () => looks,
    open: () => open(ACCOUNT),
    announce,
    becomes: (next: Review['status']) => {
      stands = next;
      announce({ type: 'workspace.changed', workspaceId: ACCOUNT, revision: 2, kinds: ['adGroup'] });
    },
  };
}

test('a review that is decided as soon as its account is there is news, though nothing had changed before', async () => {
  const { told, looks, open, becomes } = aWatch('pending');
  open();
  await expect.poll(looks).toBe(1);
  becomes('approved');
  await expect.poll(() => told, { timeout: 10_000 }).toEqual([expect.stringContaining('Paper towels')]);
});

test('what stood when the account was opened is no news', async () => {
  const { told, looks, open, becomes } = aWatch('approved');
  open();
  await expect.poll(looks).toBe(1);
  becomes('approved');
  await expect.poll(looks, { timeout: 10_000 }).toBe(2);
  expect(told).toEqual([]);
});

test('a report that came ready in the background is news; one that somebody waits for is not', async () => {
  const { told, announce } = aWatch('pending');
  const job = { type: 'report.job', workspaceId: ACCOUNT, snapshotId: 'S1', state: 'ready', at: 5 } as const;
  // The window may not listen yet.
  await expect
    .poll(() => {
      announce({ ...job, text: 'somebody waits for this', isNews: false });
      announce({ ...job, text: 'the report is ready', isNews: true });
      return [...new Set(told)];
    })
    .toEqual(['the report is ready']);
});
