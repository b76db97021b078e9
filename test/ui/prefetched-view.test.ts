import { expect, test } from 'vitest';
import type { WindowEvent } from '../../renderer/app/queries.ts';
import { createPrefetchedView, wholeList } from '../../renderer/grid/window.ts';
import { aCoreWithPractice } from '../core/a-core.ts';
import { aCampaignOfKettles } from './an-account.ts';
import { deskEvents } from './desk-events.ts';

async function aPreparedView() {
  const core = await aCoreWithPractice();
  const { workspaceId } = core;
  const client = core.client();
  await aCampaignOfKettles(client, workspaceId, 250);
  const { events, tell } = deskEvents();
  return { workspaceId, prepared: createPrefetchedView(client, events), tell };
}
const keywords = wholeList('keyword', null);

test('the list that was pressed is handed over once, with its rows', async () => {
  const { prepared, workspaceId } = await aPreparedView();
  prepared.prepare(workspaceId, keywords);
  const source = prepared.take(workspaceId, { ...keywords, look: null });
  await expect.poll(() => source?.rowAt(99)).toBeDefined();
  expect(source?.length()).toBe(250);
  expect(prepared.take(workspaceId, keywords)).toBeNull();
});

test('another list than the one that was pressed is opened by itself', async () => {
  const { prepared, workspaceId } = await aPreparedView();
  prepared.prepare(workspaceId, keywords);
  expect(prepared.take(workspaceId, wholeList('campaign', null))).toBeNull();
  expect(prepared.take('practice-2', keywords)).toBeNull();
  expect(prepared.take(workspaceId, { ...keywords, filter: 'kettle' })).toBeNull();
});

test('a list whose rows may have changed since it was pressed is opened anew', async () => {
  const { prepared, tell, workspaceId } = await aPreparedView();
  for (const event of [
    { type: 'reconnected' },
    { type: 'workspace.changed', workspaceId: workspaceId, revision: 9, kinds: ['keyword'] },
  ] as WindowEvent[]) {
    prepared.prepare(workspaceId, keywords);
    tell(event);
    expect(prepared.take(workspaceId, keywords)).toBeNull();
  }
});
