import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { DeskEvent } from '../../renderer/app/events.ts';
import { createApi, createQueryClient, OUTDATED_BY, renewAnswers } from '../../renderer/app/queries.ts';
import type { Client } from '../../renderer/app/transport/connection.ts';
import { contract } from '../../shared/api/contract.ts';
import type { OperationMeta } from '../../shared/api/operation.ts';

interface Declared {
  readonly path: string;
  readonly meta: OperationMeta;
}

function declaredIn(tree: object, path: readonly string[] = []): readonly Declared[] {
  return Object.entries(tree).flatMap(([name, found]) => {
    const at = [...path, name];
    return '~orpc' in found ? [{ path: at.join('.'), meta: found['~orpc'].meta }] : declaredIn(found, at);
  });
}
const DECLARED = declaredIn(contract);

afterEach(() => void vi.useRealTimers());

/** A window on a main that counts how often it is asked, and answers when it is told to. */
function aWindow() {
  vi.useFakeTimers();
  let asked = 0;
  const waiting: (() => void)[] = [];
  const read = () =>
    new Promise((resolve) => {
      asked += 1;
      const answer = asked;
      waiting.push(() => resolve({ answer }));
    });
  const operations: unknown = new Proxy({}, { get: () => new Proxy({}, { get: () => read }) });
  const listeners = new Set<(event: DeskEvent) => void>();
  const events = {
    on: (listener: (event: DeskEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
  const client = createQueryClient();
  renewAnswers(client, events);
  return {
    api: createApi(operations as Client),
    asked: () => asked,
    look: (options: { readonly queryKey: readonly unknown[] }) =>
      new QueryObserver(client, client.defaultQueryOptions(options)).subscribe(() => {}),
    answered: async () => {
      for (const answer of waiting.splice(0)) answer();
      await vi.advanceTimersByTimeAsync(0);
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    tell: (event: Partial<DeskEvent>) => {
      for (const listener of listeners) listener({ workspaceId: 'acme', ...event } as DeskEvent);
    },
    /** What is asked again after an event, once every question has been answered. */
    renewedBy: async (event: Partial<DeskEvent>) => {
      for (const listener of listeners) listener({ workspaceId: 'acme', ...event } as DeskEvent);
      await vi.advanceTimersByTimeAsync(200);
      return client.getQueryCache().findAll({ fetchStatus: 'fetching' }).length;
    },
  };
}
const input = { workspaceId: 'acme' };
const edit: Partial<DeskEvent> = { type: 'workspace.changed', revision: 1, kinds: ['keyword'] };
const check: Partial<DeskEvent> = { ...edit, only: 'findings' };

test('every operation that reads says by which events it is outdated', () => {
  const reads = DECLARED.filter(({ meta }) => meta.runs === 'reader').map(({ path }) => path);
  expect(reads.length).toBeGreaterThan(20);
  expect(reads.filter((path) => !(path in OUTDATED_BY))).toEqual([]);
});

test('every area that main announces outdates some answer', () => {
  const areas = [...new Set(DECLARED.filter(({ meta }) => meta.announced).map(({ path }) => path.split('.')[0] ?? ''))];
  const outdates = (area: string): boolean =>
    Object.values(OUTDATED_BY).some((causes) =>
      (causes as readonly ((event: object, input: object) => boolean)[]).some((cause) =>
        cause({ type: 'settings.changed', ...input, area }, { of: {}, view: {} }),
      ),
    );
  expect(areas.length).toBeGreaterThan(8);
  expect(areas.filter((area) => !outdates(area))).toEqual([]);
});

test('an operation that is not in the table cannot be read as a query', () => {
  const { api } = aWindow();
  // @ts-expect-error: an edit is no query
  expect(() => api.workspace.edit.queryOptions({ input })).not.toThrow();
});

test.each([
  ['an edit', 'workspace.history', edit, true],
  ['a check', 'workspace.history', check, false],
  ['a check', 'workspace.summary', check, true],
  ['an edit of another account', 'workspace.summary', { ...edit, workspaceId: 'other' }, false],
  ['a sync', 'workspace.summary', { type: 'sync.progress' }, true],
  ['a sync that is paused', 'sync.pending', { type: 'sync.pending' }, true],
  ['a report that has come further', 'reports.list', { type: 'report.job' }, true],
  ['a template that was kept', 'templates.list', { type: 'settings.changed', area: 'templates' }, true],
  ['a rule that was kept', 'templates.list', { type: 'settings.changed', area: 'rules' }, false],
  ['a gap', 'templates.list', { type: 'reconnected' }, true],
] as const)('after %s, %s is read again or left alone', async (_, path, event: object, isRead) => {
  const { api, look, answered, renewedBy } = aWindow();
  const [area, name] = path.split('.') as ['workspace', 'summary'];
  look(api[area][name].queryOptions({ input }));
  await answered();
  expect(await renewedBy(event as Partial<DeskEvent>)).toBe(isRead ? 1 : 0);
});

test('rows are read again by their kind, a search by any, and a count when rows come and go', async () => {
  const { api, look, answered, renewedBy } = aWindow();
  const view = (kind: 'keyword' | 'campaign', more: object = {}) =>
    look(api.workspace.openView.queryOptions({ input: { workspaceId: 'acme', view: { kind, ...more } } }));
  view('keyword');
  view('campaign');
  view('campaign', { filter: 'name:kettle' });
  await answered();
  expect(await renewedBy(edit)).toBe(2);
  await answered();
  expect(await renewedBy(check)).toBe(1);
});

test('a stream of events reads an answer again once it is here, and neither oftener nor never', async () => {
  const { api, look, answered, asked, pass, tell } = aWindow();
  look(api.workspace.summary.queryOptions({ input }));
  for (let i = 0; i < 50; i += 1) {
    tell(edit);
    await pass(20);
  }
  expect(asked()).toBe(1);
  await answered();
  await pass(200);
  expect(asked()).toBe(2);
  await answered();
  await pass(1000);
  expect(asked()).toBe(2);
});

test('an answer that nobody looks at is read again when somebody does', async () => {
  const { api, look, answered, asked, pass, tell } = aWindow();
  const leave = look(api.workspace.summary.queryOptions({ input }));
  await answered();
  leave();
  look(api.workspace.summary.queryOptions({ input }))();
  expect(asked()).toBe(1);
  tell(edit);
  await pass(200);
  expect(asked()).toBe(1);
  look(api.workspace.summary.queryOptions({ input }));
  expect(asked()).toBe(2);
});
