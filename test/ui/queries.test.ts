import { ORPCError } from '@orpc/client';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createApi,
  createQueryClient,
  OUTDATED_BY,
  renewAnswers,
  type WindowEvent,
} from '../../renderer/app/queries.ts';
import type { Client } from '../../renderer/app/transport/connection.ts';
import { contract } from '../../shared/api/contract.ts';
import type { OperationMeta } from '../../shared/api/operation.ts';
import { aWindowRow } from './a-window-row.ts';
import { deskEvents } from './desk-events.ts';

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
  const { events, tell } = deskEvents();
  const client = createQueryClient();
  renewAnswers(client, events);
  return {
    api: createApi(operations as Client),
    asked: () => asked,
    kept: () => client.getQueryCache().getAll().length,
    known: (queryKey: readonly unknown[], answer?: unknown) =>
      answer === undefined ? client.getQueryData(queryKey) : client.setQueryData(queryKey, answer),
    look: (options: { readonly queryKey: readonly unknown[] }) =>
      new QueryObserver(client, client.defaultQueryOptions(options)).subscribe(() => {}),
    answered: async () => {
      for (const answer of waiting.splice(0)) answer();
      await vi.advanceTimersByTimeAsync(0);
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    tell,
    /** What is asked again after an event, once every question has been answered. */
    renewedBy: async (event: Partial<WindowEvent>) => {
      tell(event);
      await vi.advanceTimersByTimeAsync(200);
      return client.getQueryCache().findAll({ fetchStatus: 'fetching' }).length;
    },
  };
}
const input = { workspaceId: 'acme' };
const edit: Partial<WindowEvent> = { type: 'workspace.changed', revision: 1, kinds: ['keyword'] };
const check: Partial<WindowEvent> = { ...edit, only: 'issues' };

test('every operation that reads says by which events it is outdated', () => {
  const reads = DECLARED.filter(({ meta }) => meta.runs === 'reader').map(({ path }) => path);
  expect(reads.length).toBeGreaterThan(20);
  expect(reads.filter((path) => !(path in OUTDATED_BY))).toEqual([]);
});

/** What is asked for at a moment and shown by whoever asked, beside what changes something. */
const ASKED_ONCE = [
  'app.events',
  'bulk.previewSpread',
  'copyToAccount.preview',
  'exchange.export',
  'exchange.exportErrors',
  'exchange.preview',
  'itemIds.report',
  'itemIds.scan',
  'items.search',
  'metrics.previewFile',
  'notifications.list',
  'reports.csv',
  'suggestions.csv',
  'reports.raw',
  'storyboard.export',
  'sync.savePlan',
  'team.log',
  'team.testConnection',
  'team.upkeep.verify',
];
/** What changes something, and is told by an event of its own. */
const TOLD_BY_EVENTS = [
  ...[
    'accounts.addPractice',
    'accounts.addSample',
    'accounts.connect',
    'accounts.remove',
    'accounts.rename',
    'accounts.setMode',
  ],
  ...[
    'app.update.check',
    'app.update.restart',
    'app.preferences.set',
    'exchange.dismiss',
    'itemIds.repairFile',
    'tasks.cancel',
  ],
  ...['credentials.setStorage', 'credentials.remove', 'credentials.lock', 'credentials.unlock'],
  ...['sync.cancel', 'sync.pause', 'sync.resume'],
  ...['team.connect', 'team.invite', 'team.remove', 'team.setPlace', 'team.setPolicy', 'team.setRoles'],
  ...['retire', 'approve', 'prune', 'restored', 'close'].map((name) => `team.upkeep.${name}`),
];

test('an operation says what outdates its answer, or changes something, or is asked at a moment', () => {
  const changes = ({ runs, access, announced, task }: OperationMeta): boolean =>
    runs === 'writer' || access !== null || announced || task === 'change' || task === 'copy' || task === 'import';
  const known = new Set([...Object.keys(OUTDATED_BY), ...ASKED_ONCE, ...TOLD_BY_EVENTS]);
  expect(DECLARED.filter(({ path, meta }) => !known.has(path) && !changes(meta)).map(({ path }) => path)).toEqual([]);
  const paths = new Set(DECLARED.map(({ path }) => path));
  expect([...known].filter((path) => !paths.has(path))).toEqual([]);
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
  ['an edit of cells', 'workspace.summary', { ...edit, patch: { rows: [], reread: [] } }, true],
  ['an edit of cells', 'views.saved', { ...edit, patch: { rows: [], reread: [] } }, false],
  ['an edit of cells', 'notes.labels', { ...edit, patch: { rows: [], reread: [] } }, false],
  ['rows that came', 'notes.labels', { ...edit, patch: { rows: [], reread: ['keyword'] } }, true],
  ['another bound of what is kept', 'responses.list', { type: 'settings.changed', area: 'responses' }, true],
  ['a report that was asked for', 'responses.list', { type: 'settings.changed', area: 'reports' }, true],
  ['a capability that was set', 'sync.plan', { type: 'settings.changed', area: 'accounts' }, true],
  ['a moved practice clock', 'sync.plan', { type: 'settings.changed', area: 'practice' }, true],
  ['a moved practice clock', 'launch.list', { type: 'settings.changed', area: 'practice' }, true],
  ['a moved practice clock', 'reports.list', { type: 'settings.changed', area: 'practice' }, true],
  ['a refused access', 'accountStatus.get', { type: 'access.refused' }, true],
  ['a team that was left', 'team.members', { type: 'settings.changed', area: 'team' }, true],
  ['a team that is connected again', 'team.members', { type: 'team.changed', areas: ['status'] }, true],
  ['a team that is connected again', 'team.policy', { type: 'team.changed', areas: ['status'] }, true],
  ['a colleague who moved', 'team.presence', { type: 'team.changed', areas: ['presence'] }, true],
  ['a colleague who moved', 'team.members', { type: 'team.changed', areas: ['presence'] }, false],
  ['a gap', 'templates.list', { type: 'reconnected' }, true],
] as const)('after %s, %s is read again or left alone', async (_, path, event: object, isRead) => {
  const { api, look, answered, renewedBy } = aWindow();
  const [area, name] = path.split('.') as ['workspace', 'summary'];
  look(api[area][name].queryOptions({ input }));
  await answered();
  expect(await renewedBy(event as Partial<WindowEvent>)).toBe(isRead ? 1 : 0);
});

test('a comparison is made again after an edit of either account', async () => {
  const { api, look, answered, renewedBy } = aWindow();
  const right = { is: 'account', account: 'other', campaignId: null };
  const both = { ...input, left: { is: 'now', campaignId: null }, right };
  look(api.compare.open.queryOptions({ input: both as never }));
  await answered();
  for (const [workspaceId, count] of [
    ['other', 1],
    ['acme', 1],
    ['third', 0],
  ] as const) {
    expect(await renewedBy({ ...edit, workspaceId } as Partial<WindowEvent>)).toBe(count);
    await answered();
  }
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

test('an edit puts its rows into lists, which are not read again; those of a search and in another order are', async () => {
  const { api, look, answered, renewedBy, known } = aWindow();
  const view = (more: object, window: object = { window: { from: 0, count: 2 } }) => {
    const options = api.workspace.openView.queryOptions({
      input: { workspaceId: 'acme', view: { kind: 'keyword', ...more }, ...window },
    });
    look(options);
    return options.queryKey;
  };
  const list = view({});
  view({}, {});
  view({ kind: 'campaign' });
  await answered();
  known(list, { total: 2, rows: [{ id: 1 }, { id: 2 }] });
  const fresh = aWindowRow('keyword', 2, {}, 1);
  const rows = [
    { kind: 'keyword' as const, row: fresh, issues: null },
    { kind: 'campaign' as const, row: aWindowRow('campaign', 1, {}, 9), issues: null },
  ];
  const typed: Partial<WindowEvent> = { ...edit, patch: { rows, reread: [] } };
  expect(await renewedBy(typed)).toBe(0);
  expect(known(list)).toEqual({ total: 2, rows: [{ id: 1 }, fresh] });
  view({ filter: 'kettle' });
  view({ only: 'errors' });
  view({ sort: [{ column: 'bid', descending: false }] });
  await answered();
  expect(await renewedBy(typed)).toBe(3);
});

test('a list that was asked for before an edit is asked for again', async () => {
  const { api, look, answered, asked, pass, tell } = aWindow();
  const view = { kind: 'keyword' } as const;
  look(api.workspace.openView.queryOptions({ input: { workspaceId: 'acme', view, window: { from: 0, count: 2 } } }));
  const rows = [{ kind: 'keyword' as const, row: aWindowRow('keyword', 1), issues: null }];
  tell({ ...edit, patch: { rows, reread: [] } });
  await answered();
  await pass(300);
  expect(asked()).toBe(2);
});

test('an event is heard by everyone, also while an answer is shown that is no operation of main alone', async () => {
  const { look, tell } = aWindow();
  look({ queryKey: ['report file', 'acme', 'june.csv'], queryFn: () => Promise.resolve(1) } as never);
  expect(() => tell({ ...edit, patch: { rows: [], reread: [] } })).not.toThrow();
});

test('nothing is left of answers that nobody has looked at for two minutes', async () => {
  const { api, look, answered, pass, kept } = aWindow();
  const leave = look(api.workspace.summary.queryOptions({ input }));
  await answered();
  leave();
  await pass(119_000);
  expect(kept()).toBe(1);
  await pass(2000);
  expect(kept()).toBe(0);
});

test('a failure that no operation declares is told once, and neither a declared one nor that main is away', async () => {
  const told: unknown[] = [];
  const client = createQueryClient((error) => told.push(error));
  const failing = (key: string, error: Error) =>
    client.fetchQuery({ queryKey: [key], queryFn: () => Promise.reject(error) }).catch(() => {});
  await failing('declared', new ORPCError('NO_ROW', { defined: true }));
  await failing('away', new Error('the line is down'));
  expect(told).toEqual([]);
  const defect = new ORPCError('INTERNAL_SERVER_ERROR');
  await failing('one', defect);
  await failing('other', new ORPCError('INTERNAL_SERVER_ERROR'));
  expect(told).toEqual([defect]);
});
