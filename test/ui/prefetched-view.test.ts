import { expect, test } from 'vitest';
import type { WindowEvent } from '../../renderer/app/queries.ts';
import { createPrefetchedView, wholeList } from '../../renderer/grid/window.ts';
import { aSharedPractice } from '../core/a-core.ts';
import { aCampaignOfKettles } from './an-account.ts';
import { deskEvents } from './desk-events.ts';

const { client, workspaceId } = await aSharedPractice('prefetched');
await aCampaignOfKettles(client, workspaceId, 250);

function aPreparedView() {
  const { events, tell } = deskEvents();
  return { prepared: createPrefetchedView(client, events), tell };
}
const keywords = wholeList('keyword', null);

test('the list that was pressed is handed over once, with its rows', async () => {
  const { prepared } = aPreparedView();
  prepared.prepare(workspaceId, keywords);
  const source = prepared.take(workspaceId, { ...keywords, look: null });
  await expect.poll(() => source?.rowAt(99)).toBeDefined();
  expect(source?.length()).toBe(250);
  expect(prepared.take(workspaceId, keywords)).toBeNull();
});

test('another list than the one that was pressed is opened by itself', () => {
  const { prepared } = aPreparedView();
  prepared.prepare(workspaceId, keywords);
  expect(prepared.take(workspaceId, wholeList('campaign', null))).toBeNull();
  expect(prepared.take('practice-2', keywords)).toBeNull();
  expect(prepared.take(workspaceId, { ...keywords, filter: 'kettle' })).toBeNull();
});

test('a list whose rows may have changed since it was pressed is opened anew', () => {
  const { prepared, tell } = aPreparedView();
  for (const event of [
    { type: 'reconnected' },
    { type: 'workspace.changed', workspaceId, revision: 9, kinds: ['keyword'] },
  ] as WindowEvent[]) {
    prepared.prepare(workspaceId, keywords);
    tell(event);
    expect(prepared.take(workspaceId, keywords)).toBeNull();
  }
});
