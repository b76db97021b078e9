import type { ClientContext, Client as OperationClient } from '@orpc/client';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { type Query, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { AppEvent } from '../../shared/api/app.ts';
import type { Contract } from '../../shared/api/contract.ts';
import type { DeskEvent, Events } from './events.ts';
import type { Client } from './transport/connection.ts';

/*
 * What the window asks of main. A component asks with `useQuery(api.workspace.summary.queryOptions({ input }))`; the key is
 * made of the operation and its input. The table below says which events outdate which answers, and nobody else does:
 *
 *   event --> outdated answers --on screen--> read again, at most every 120 ms
 *                              '-not looked at--> read again when somebody looks
 */

// biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
type AnyOperation = OperationClient<ClientContext, any, any, any>;

/** The operations of a tree by their paths, such as `workspace.summary`. */
type Operations<T, At extends string = ''> = {
  [K in keyof T & string]: T[K] extends AnyOperation
    ? { readonly path: `${At}${K}`; readonly input: Parameters<T[K]>[0] }
    : Operations<T[K], `${At}${K}.`>;
}[keyof T & string];

/** Whether an answer to this input may differ after an event. Events of other accounts are left out before. */
type Cause<Input> = (event: AppEvent, input: Input) => boolean;
type Causes = { readonly [O in Operations<Client> as O['path']]?: readonly Cause<O['input']>[] };

/** Cells, rows, notes, history, or what checks say of rows. */
const changed = (event: AppEvent): boolean => event.type === 'workspace.changed';
/**
 * Anything but what checks say of rows. After a large edit checks go on for a while and are told every now and then; what
 * does not ask for findings need not be read again each time.
 */
const edited = (event: AppEvent): boolean => event.type === 'workspace.changed' && event.only === undefined;
const synced = (event: AppEvent): boolean => event.type === 'sync.progress' || event.type === 'sync.pending';
const accountsChanged = (event: AppEvent): boolean => event.type === 'accounts.changed';
/** A report that the service makes in the background has come further. */
const reportJob = (event: AppEvent): boolean => event.type === 'report.job';
const settings =
  (area: keyof Contract) =>
  (event: AppEvent): boolean =>
    event.type === 'settings.changed' && event.area === area;

/** After which events the answer of an operation is outdated; with no event it is as good as on the first day. */
export const OUTDATED_BY = {
  'accounts.capabilities': [changed, synced, settings('accounts')],
  'accounts.list': [accountsChanged],
  'accounts.profile': [edited, settings('accounts')],
  'afterReview.list': [edited],
  'responses.usage': [edited, synced, settings('responses')],
  'responses.lastRead': [edited, synced],
  'responses.list': [edited, synced],
  'responses.ofRequest': [edited, synced],
  'app.about': [],
  'app.info': [],
  'app.checkForUpdate': [],
  // What one window writes into them is no matter of the others.
  'app.preferences.get': [],
  'app.support': [],
  'backups.condition': [edited, settings('backups')],
  'backups.list': [edited, settings('backups')],
  'backups.preview': [edited],
  'conflictPolicy.get': [edited, settings('conflictPolicy')],
  'exchange.rows': [settings('exchange')],
  'history.log': [edited],
  'items.get': [],
  'campaignIds.list': [edited, synced],
  'campaignIds.lookUp': [edited, synced],
  'launch.list': [changed, synced],
  'media.preview': [],
  'notes.comments': [edited],
  'notes.labels': [edited, settings('notes')],
  'pictures.show': [
    (event, { of }) => event.type === 'workspace.changed' && of.is === 'row' && event.kinds.includes(of.kind),
  ],
  'practice.state': [edited, synced, settings('practice')],
  'reports.list': [edited, synced, reportJob, settings('reports')],
  // A kept report never changes.
  'reports.ofRows': [],
  'reports.view': [],
  'requests.get': [edited, synced],
  'requests.list': [edited, synced],
  'review.list': [edited, synced, settings('practice')],
  'rules.check': [edited, synced, settings('rules')],
  'rules.list': [edited, settings('rules')],
  'rules.muted': [settings('rules')],
  'credentials.status': [accountsChanged],
  'accountStatus.get': [changed, synced],
  'bannerSwaps.state': [changed, synced, settings('bannerSwaps')],
  'sync.conflicts': [edited, synced],
  'sync.openPlan': [changed],
  'sync.outdated': [edited, synced],
  'sync.pending': [edited, synced],
  'sync.plan': [changed],
  // Another plan has another id.
  'sync.planBatches': [],
  'sync.questions': [edited, synced],
  'sync.report': [edited, synced],
  'rollback.preview': [changed, synced],
  'rollback.runs': [changed, synced],
  'templates.list': [settings('templates')],
  'uploadHosts.list': [changed, synced, settings('uploadHosts')],
  'rejections.list': [changed, synced],
  'views.counts': [changed, synced],
  'views.duplicates': [(event, { kind }) => event.type === 'workspace.changed' && event.kinds.includes(kind)],
  'views.saved': [edited, settings('views')],
  'pending.list': [changed, synced, settings('uploadHosts')],
  'workspace.changes': [changed],
  'workspace.findings': [changed],
  'workspace.history': [edited],
  // Rows of one kind carry what checks say of them; a search may look at rows of other kinds, and a count at none.
  'workspace.openView': [
    (event, { view, window }) =>
      event.type === 'workspace.changed' &&
      (event.kinds.includes(view.kind) || isSearch(view)) &&
      (event.only === undefined || window !== undefined || isSearch(view)),
  ],
  'workspace.row': [changed],
  'workspace.summary': [changed, synced],

  // Asked at the moment and remembered nowhere; rows in the grid follow events by themselves.
  'bulk.preview': [],
  'history.compare': [],
  'paste.preview': [],
  'views.groups': [],
  'views.place': [],
  'views.text': [],
  'views.totals': [],
  'workspace.closeView': [],
  'workspace.readWindow': [],
  'workspace.rowFindings': [],
} as const satisfies Causes;

const isSearch = ({ filter = '' }: { readonly filter?: string | undefined }): boolean => filter !== '';

type Read = keyof typeof OUTDATED_BY;
type Reads<T, At extends string = ''> = {
  readonly [K in keyof T & string]: T[K] extends AnyOperation
    ? `${At}${K}` extends Read
      ? RouterUtils<T[K]>
      : never
    : Reads<T[K], `${At}${K}.`>;
};

/** The operations that can be read as queries: those of the table, so that none is read that nothing would renew. */
export type Api = Reads<Client>;

export const createApi = (client: Client): Api => {
  const utils: unknown = createTanstackQueryUtils(client);
  return utils as Api;
};

/** Answers that nobody looks at are kept for so long: going back and forth between screens shows no blank. */
const UNWATCHED_MS = 120_000;

/** Main is not across a network, so an answer is good until an event outdates it, and is asked for whether online or not. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Infinity,
        gcTime: UNWATCHED_MS,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    },
  });

/** During a sync events come in a stream; the same answer is read again this often at most. */
const GROUPED_MS = 120;

/** Reads again what events outdate. @returns ends it */
export function renewAnswers(client: QueryClient, events: Events): () => void {
  const outdated = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function renew(): void {
    timer = undefined;
    if (outdated.size === 0) return;
    // What is on its way may be of before the event, and a stream of events must not cut it off: it is read once more later.
    const ready = new Set([...outdated].filter(({ state }) => state.fetchStatus === 'idle'));
    for (const query of ready) outdated.delete(query);
    timer = setTimeout(renew, GROUPED_MS);
    void client.invalidateQueries({ predicate: (query) => ready.has(query) });
  }
  const stop = events.on((event) => {
    for (const query of client.getQueryCache().getAll()) if (isOutdated(query.queryKey, event)) outdated.add(query);
    if (timer === undefined) renew();
  });
  return () => {
    clearTimeout(timer);
    stop();
    client.clear();
  };
}

function isOutdated(key: QueryKey, event: DeskEvent): boolean {
  // Some events may have been missed.
  if (event.type === 'reconnected') return true;
  const [path, { input = {} } = {}] = key as readonly [
    (readonly string[])?,
    { readonly input?: { workspaceId?: string } }?,
  ];
  if ('workspaceId' in event && input.workspaceId !== event.workspaceId) return false;
  const causes: Partial<Record<string, readonly Cause<unknown>[]>> = OUTDATED_BY as object;
  return causes[path?.join('.') ?? '']?.some((cause) => cause(event, input)) === true;
}
