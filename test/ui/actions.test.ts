import { expect, test } from 'vitest';
import { runEdit } from '../../renderer/app/actions.ts';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';

test('an edit that waits for the one before it stays in the account in which it was made', async () => {
  const store = createAppStore();
  const told: string[] = [];
  const toasts = {
    tell: (text: string) => void told.push(text),
    fail: (text: string) => void told.push(text),
    offer: () => {},
  };
  const context = { store, toasts, inOrder: createSerialQueue() };
  store.getState().openWorkspace('pots');
  const first = Promise.withResolvers<string>();
  const edits = [runEdit(context, () => first.promise), runEdit(context, async (workspaceId) => workspaceId)];
  store.getState().openWorkspace('pans');
  first.resolve('typed first');
  expect(await Promise.all(edits)).toEqual(['typed first', 'pots']);
  expect(await runEdit(context, async (workspaceId) => workspaceId)).toBe('pans');
  expect(told).toEqual([]);
});
