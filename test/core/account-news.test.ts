import { expect, test } from 'vitest';
import type { NewsEntry } from '../../shared/contract/news.ts';
import { NEWS_MAX } from '../../shared/contract/news.ts';
import { aCoreWithPractice } from './a-core.ts';

const entry = (at: number, text: string): NewsEntry => ({ at, tone: 'good', text, place: 'reviews' });

test('news of an account survive a restart, newest first, until they are cleared', async () => {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  await shop.client().news.note({ workspaceId, entry: entry(1_000_000, 'Review of Spring: approved') });
  await shop.client().news.note({ workspaceId, entry: entry(2_000_000, 'Review of Autumn: rejected') });
  await shop.reopen();
  const kept = await shop.client().news.list({ workspaceId });
  expect(kept.map(({ text }) => text)).toEqual(['Review of Autumn: rejected', 'Review of Spring: approved']);
  expect(await shop.client().news.clear({ workspaceId })).toEqual([]);
  expect(await shop.client().news.list({ workspaceId })).toEqual([]);
});

test('what several windows tell of at once is kept once; the same thing a day later, or of another place, again', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  const tell = (at: number) => client().news.note({ workspaceId, entry: entry(at, 'Sync ended: 3 done') });
  await Promise.all([tell(1_000_000), tell(1_000_040), tell(1_030_000)]);
  expect(await tell(90_000_000)).toHaveLength(2);
  const elsewhere: NewsEntry = { ...entry(90_000_000, 'Sync ended: 3 done'), place: 'sync' };
  expect(await client().news.note({ workspaceId, entry: elsewhere })).toHaveLength(3);
});

test('the oldest news go when there are too many', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  for (let i = 0; i <= NEWS_MAX; i++) {
    await client().news.note({ workspaceId, entry: entry(i * 100_000, `News ${i}`) });
  }
  const kept = await client().news.list({ workspaceId });
  expect([kept.length, kept[0]?.text, kept.at(-1)?.text]).toEqual([NEWS_MAX, `News ${NEWS_MAX}`, 'News 1']);
});
