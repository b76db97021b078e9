import { expect, test } from 'vitest';
import type { DeskEvent } from '../../renderer/data/events.ts';
import { createPreparedView, wholeList } from '../../renderer/data/prepared-view.ts';
import { createMemoryDesk } from './memory-connection.ts';

function aPreparedView() {
  const { connection } = createMemoryDesk({ keywords: 250 });
  const listeners = new Set<(event: DeskEvent) => void>();
  const events = {
    on: (listener: (event: DeskEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
  const tell = (event: DeskEvent): void => {
    for (const listener of listeners) listener(event);
  };
  return { prepared: createPreparedView(connection.client, events), tell };
}
const keywords = wholeList('keyword', null);

test('the list that was pressed is handed over once, with its rows', async () => {
  const { prepared } = aPreparedView();
  prepared.prepare('practice-1', keywords);
  const source = prepared.take('practice-1', { ...keywords, report: null });
  await expect.poll(() => source?.rowAt(99)).toBeDefined();
  expect(source?.length()).toBe(250);
  expect(prepared.take('practice-1', keywords)).toBeNull();
});

test('another list than the one that was pressed is opened by itself', () => {
  const { prepared } = aPreparedView();
  prepared.prepare('practice-1', keywords);
  expect(prepared.take('practice-1', wholeList('campaign', null))).toBeNull();
  expect(prepared.take('practice-2', keywords)).toBeNull();
  expect(prepared.take('practice-1', { ...keywords, filter: 'kettle' })).toBeNull();
});

test('a list whose rows may have changed since it was pressed is opened anew', () => {
  const { prepared, tell } = aPreparedView();
  for (const event of [
    { type: 'reconnected' },
    { type: 'workspace.changed', workspaceId: 'practice-1', revision: 9, kinds: ['keyword'] },
  ] as DeskEvent[]) {
    prepared.prepare('practice-1', keywords);
    tell(event);
    expect(prepared.take('practice-1', keywords)).toBeNull();
  }
});
