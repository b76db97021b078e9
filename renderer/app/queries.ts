import { type ClientContext, type Client as OperationClient, ORPCError } from '@orpc/client';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { type Query, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { AppEvent } from '../../shared/api/app.ts';
import type { TEAM_AREAS } from '../../shared/api/choices.ts';
import type { Contract } from '../../shared/api/contract.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Client, Connection } from './transport/connection.ts';

/*
 * Queries of the window. A component reads with `useQuery(api.workspace.summary.queryOptions({ input }))`; the key is
 * made of the operation and its input. The table below lists the events that make a response outdated; nothing else
 * does:
 *
 *   event --> outdated responses --on screen--> read again, at most every 120 ms
 *                                '-not on screen--> read again when shown
 */

// biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
type AnyOperation = OperationClient<ClientContext, any, any, any>;

/** The operations of a tree by their paths, such as `workspace.summary`. */
type Operations<T, At extends string = ''> = {
  [K in keyof T & string]: T[K] extends AnyOperation
    ? { readonly path: `${At}${K}`; readonly input: Parameters<T[K]>[0] }
    : Operations<T[K], `${At}${K}.`>;
}[keyof T & string];

/** Whether an event may change the response to this input. Events of other accounts are filtered out before. */
type Cause<Input> = (event: AppEvent, input: Input) => boolean;
type Causes = { readonly [O in Operations<Client> as O['path']]?: readonly Cause<O['input']>[] };

/** Cells, rows, notes, history or rule check results changed. */
const changed = (event: AppEvent): boolean => event.type === 'workspace.changed';
/**
 * Anything but rule check results changed. Checks run on for a while after a large edit and report several times;
 * queries without issues need not be read again each time.
 */
const edited = (event: AppEvent): boolean => event.type === 'workspace.changed' && event.only === undefined;
/**
 * More than cells changed: rows were added or removed, or read from the service. Edits of cells deliver their rows with
 * the event, and data that does not depend on cells is unchanged.
 */
const remade = (event: AppEvent): boolean =>
  event.type === 'workspace.changed' &&
  event.only === undefined &&
  (event.patch === undefined || event.patch.reread.length > 0);
const synced = (event: AppEvent): boolean => event.type === 'sync.progress' || event.type === 'sync.pending';
const accountsChanged = (event: AppEvent): boolean => event.type === 'accounts.changed';
/** A report that the service creates in the background has progressed. */
const reportJob = (event: AppEvent): boolean => event.type === 'report.job';
const settings =
  (area: keyof Contract) =>
  (event: AppEvent): boolean =>
    event.type === 'settings.changed' && event.area === area;

/** Also when the account joins or leaves a team, which is a setting of the account. */
const team =
  (...areas: readonly (typeof TEAM_AREAS)[number][]) =>
  (event: AppEvent): boolean =>
    (event.type === 'team.changed' && event.areas.some((area) => areas.includes(area))) || settings('team')(event);

const SUGGESTED_BY = [
  edited,
  synced,
  settings('suggestions'),
  settings('metrics'),
  settings('notes'),
  settings('practice'),
] as const;

/** The events that make the response of an operation outdated. A response without events never becomes outdated. */
export const OUTDATED_BY = {
  'accounts.capabilities': [remade, synced, settings('accounts')],
  'accounts.list': [accountsChanged],
  'accounts.profile': [remade, settings('accounts')],
  'afterReview.list': [edited],
  'responses.usage': [remade, synced, settings('responses'), settings('reports')],
  'responses.lastRead': [remade, synced, settings('responses')],
  'responses.list': [remade, synced, settings('responses'), settings('reports')],
  'responses.ofRequest': [remade, synced, settings('responses'), settings('reports')],
  'app.about': [],
  'app.info': [],
  'app.update.get': [(event) => event.type === 'update.changed'],
  // Preferences of one window do not affect the others.
  'app.preferences.get': [],
  'app.support': [],
  'backups.condition': [remade, settings('backups')],
  'backups.safety': [changed, synced, settings('backups')],
  'backups.list': [remade, settings('backups')],
  'backups.preview': [edited],
  'checklist.get': [settings('checklist')],
  'compare.open': [edited],
  'compare.page': [],
  'conflictPolicy.get': [remade, settings('conflictPolicy')],
  'exchange.rows': [settings('exchange')],
  'history.rowsAt': [edited],
  'history.log': [edited, team('log')],
  // The search box queries the service itself.
  'items.find': [],
  // Besides rows and syncs: snoozed entries, upload hosts, reports, and the day of the practice clock.
  'inbox.list': [
    changed,
    synced,
    reportJob,
    (event) => event.type === 'notification.added',
    team('requests'),
    settings('inbox'),
    settings('uploadHosts'),
    settings('overview'),
    settings('reports'),
    settings('practice'),
  ],
  'items.get': [],
  'items.ideas': [remade, settings('reports')],
  'bulk.preview': [edited],
  'campaignIds.list': [remade, synced],
  'campaignIds.lookUp': [remade, synced],
  // The day comes from the practice clock, and the steps depend on what the service supports.
  'launch.list': [changed, synced, settings('accounts'), settings('practice')],
  'media.editedCaptions': [],
  'media.keyFrames': [],
  'media.preview': [],
  'metrics.days': [settings('metrics')],
  'metrics.grouped': [edited, synced, settings('metrics'), settings('notes'), settings('practice')],
  'metrics.ofRows': [remade, synced, settings('metrics'), settings('practice')],
  'metrics.ofView': [edited, synced, settings('metrics'), settings('practice')],
  'metrics.settings': [settings('metrics')],
  'notes.comments': [remade],
  'notes.labels': [remade, settings('notes')],
  'pictures.show': [
    (event, { of }) =>
      event.type === 'workspace.changed' &&
      of.is !== 'item' &&
      event.kinds.includes(of.is === 'row' ? of.kind : 'media'),
  ],
  // Totals of reports. Of the rows, only names, budgets, dates and states count.
  'overview.get': [
    (event) => event.type === 'workspace.changed' && event.only === undefined && event.kinds.includes('campaign'),
    synced,
    reportJob,
    settings('overview'),
    settings('reports'),
    settings('practice'),
  ],
  'pictures.ofCampaigns': [(event) => event.type === 'workspace.changed' && event.kinds.includes('adItem')],
  'watchedFolder.state': [settings('watchedFolder'), accountsChanged],
  'watchedFolder.test': [edited],
  'practice.state': [remade, synced, settings('practice')],
  'reports.list': [remade, synced, reportJob, settings('reports'), settings('practice')],
  // A saved report never changes.
  'reports.ofRows': [],
  'reports.view': [],
  'requests.get': [remade, synced],
  'requests.list': [remade, synced],
  'review.list': [edited, synced, settings('practice')],
  'rules.check': [edited, synced, settings('rules')],
  'rules.list': [remade, settings('rules')],
  'rules.muted': [remade, settings('rules')],
  'credentials.status': [accountsChanged],
  'accountStatus.get': [remade, synced, (event) => event.type === 'access.refused'],
  'bannerSwaps.log': SUGGESTED_BY,
  'bannerSwaps.state': [changed, synced, settings('bannerSwaps')],
  'sync.conflicts': [edited, synced, team('status')],
  'sync.openPlan': [changed, settings('accounts'), settings('practice')],
  'sync.outdated': [edited, synced, settings('notes'), settings('practice')],
  'sync.pending': [edited, synced],
  'sync.plan': [changed, team('requests'), settings('accounts'), settings('practice')],
  // Computed from metrics and goals, for rows as they are here and on the service.
  'suggestions.countBids': SUGGESTED_BY,
  'suggestions.explain': SUGGESTED_BY,
  'suggestions.goals': [settings('suggestions')],
  'suggestions.list': SUGGESTED_BY,
  'suggestions.ofRows': SUGGESTED_BY,
  'suggestions.pace': SUGGESTED_BY,
  // A new plan has a new ID.
  'sync.planBatches': [],
  // The lines show the result of each row during a run.
  'sync.planLines': [remade, (event, { planId }) => event.type === 'sync.progress' && event.runId === planId],
  'sync.questions': [edited, synced],
  'sync.report': [remade, synced],
  'rollback.preview': [changed, synced, settings('accounts')],
  'rollback.runs': [changed, synced],
  'team.members': [team('members', 'status')],
  'team.policy': [team('members', 'requests', 'status')],
  'team.upkeep.activity': [team('members', 'requests', 'status')],
  'team.upkeep.show': [team('members', 'status')],
  'team.presence': [team('presence')],
  'team.requests.list': [edited, team('requests')],
  'team.requests.show': [edited, team('requests')],
  'team.status': [edited, synced, accountsChanged, team('status', 'members', 'log')],
  'templates.list': [remade, settings('templates')],
  'uploadHosts.list': [changed, synced, settings('uploadHosts')],
  'rejections.list': [changed, synced],
  'views.counts': [changed, synced],
  'views.keywordOverlap': [(event) => event.type === 'workspace.changed' && event.kinds.includes('keyword')],
  'views.sharedKeywords': [(event) => event.type === 'workspace.changed' && event.kinds.includes('keyword')],
  'views.duplicates': [(event, { kind }) => event.type === 'workspace.changed' && event.kinds.includes(kind)],
  'views.sizes': [changed, synced],
  'views.values': [(event, { view }) => event.type === 'workspace.changed' && event.kinds.includes(view.kind)],
  'views.saved': [remade, settings('views')],
  'pending.list': [changed, synced, settings('uploadHosts')],
  'workspace.campaignChanges': [changed, synced],
  'workspace.changes': [changed],
  // Custom rules may use metrics, which are not part of the rows.
  'workspace.issues': [
    changed,
    settings('rules'),
    settings('suggestions'),
    settings('metrics'),
    settings('notes'),
    settings('practice'),
  ],
  'workspace.history': [edited],
  // Rows of a kind include their issues. A search may depend on rows of other kinds, a count does not depend on cells.
  'workspace.openView': [
    (event, { view, window }) =>
      event.type === 'workspace.changed' &&
      (event.kinds.includes(view.kind) || isSearch(view)) &&
      (isSearch(view) || (window === undefined ? remade(event) : !takesPatch(event, view))),
  ],
  'workspace.impacts': [edited, synced],
  'workspace.row': [changed],
  'workspace.summary': [changed, synced],

  // Read on demand and not cached; rows in the grid follow events in their own code.
  'paste.preview': [],
  'views.outline': [],
  'views.groups': [],
  'views.place': [],
  'views.text': [],
  'views.totals': [],
  'workspace.closeView': [],
  'workspace.readWindow': [],
  'workspace.rowIssues': [],
} as const satisfies Causes;

type View = Parameters<Client['workspace']['openView']>[0]['view'];
const isSearch = ({ filter = '' }: View): boolean => filter !== '';

/** Whether the event of an edit has everything that changed in the rows of a view. */
const takesPatch = (event: AppEvent, { kind, only = 'all', sort = [] }: View): boolean =>
  event.type === 'workspace.changed' &&
  Array.isArray(event.patch?.rows) &&
  !event.patch.reread.includes(kind) &&
  only === 'all' &&
  sort.length === 0;

type Read = keyof typeof OUTDATED_BY;
type Reads<T, At extends string = ''> = {
  readonly [K in keyof T & string]: T[K] extends AnyOperation
    ? `${At}${K}` extends Read
      ? RouterUtils<T[K]>
      : never
    : Reads<T[K], `${At}${K}.`>;
};

/** The operations that can be read as queries: only those of the table, because no other response would be renewed. */
export type Api = Reads<Client>;

export const createApi = (client: Client): Api => {
  const utils: unknown = createTanstackQueryUtils(client);
  return utils as Api;
};

/** How long unused responses stay cached, in milliseconds, so that switching between screens shows no empty screen. */
const UNUSED_MS = 120_000;

/** Many queries may fail for one reason, which is reported at most once in this many milliseconds. */
const REPORT_MS = 12_000;

/**
 * Main is not across a network, so a response is valid until an event outdates it, and queries run online and offline.
 *
 * @param onDefect called with a failure that its operation does not declare: screens show only declared failures,
 *   and the status bar shows that main is away
 */
export function createQueryClient(onDefect: (error: unknown) => void = () => {}): QueryClient {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        const now = performance.now();
        if (!(error instanceof ORPCError) || error.defined || now - reportedAt < REPORT_MS) return;
        reportedAt = now;
        onDefect(error);
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Infinity,
        gcTime: UNUSED_MS,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    },
  });
}

/** A sync emits many events. Each response is read again at most once in this many milliseconds. */
const GROUPED_MS = 120;

/** Events for screens: all events of main, and `reconnected` after a gap in which events may have been missed. */
export type WindowEvent = AppEvent | { readonly type: 'reconnected' };

/** The one subscription of a window to main's event stream, fanned out to all listeners. */
export interface Events {
  on(listener: (event: WindowEvent) => void): () => void;
  close(): void;
}

const RETRY_MS = 500;

/** Subscribes to main's events. When the stream ends or breaks, it is opened again and `reconnected` is emitted. */
export function listenToMain(connection: Connection): Events {
  const listeners = new Set<(event: WindowEvent) => void>();
  const stop = new AbortController();
  const emit = (event: WindowEvent): void => {
    for (const listener of Array.from(listeners)) listener(event);
  };

  async function follow(): Promise<void> {
    let first = true;
    while (!stop.signal.aborted) {
      try {
        const stream = await connection.client.app.events(undefined, { signal: stop.signal });
        if (!first) emit({ type: 'reconnected' });
        first = false;
        for await (const event of stream) emit(event);
      } catch {
        // The connection is lost; the status bar shows it, and the next attempt waits for it.
      }
      if (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  void follow();

  return {
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => stop.abort(),
  };
}

/** Reads outdated responses again. @returns ends it */
export function renewAnswers(client: QueryClient, events: Events): () => void {
  const outdated = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function renew(): void {
    timer = undefined;
    if (outdated.size === 0) return;
    // A running request may have been made before the event, and a stream of events must not restart it each time: it
    // is repeated once it has ended.
    const ready = new Set([...outdated].filter(({ state }) => state.fetchStatus === 'idle'));
    for (const query of ready) outdated.delete(query);
    timer = setTimeout(renew, GROUPED_MS);
    void client.invalidateQueries({ predicate: (query) => ready.has(query) });
  }
  const stop = events.on((event) => {
    for (const query of client.getQueryCache().getAll()) {
      if (isOutdated(query.queryKey, event) || !patchRows(client, query, event)) outdated.add(query);
    }
    if (timer === undefined) renew();
  });
  return () => {
    clearTimeout(timer);
    stop();
    client.clear();
  };
}

/** A query that is no operation, such as the preview of a file, begins with a text. */
type Key = readonly [(readonly string[] | string)?, { readonly input?: KeyInput }?];
interface KeyInput {
  readonly workspaceId?: string;
  readonly left?: { readonly account?: string };
  readonly right?: { readonly account?: string };
}
const pathOf = ([path]: Key): string => [path].flat().join('.');

function isOutdated(key: QueryKey, event: WindowEvent): boolean {
  // Some events may have been missed.
  if (event.type === 'reconnected') return true;
  const [, { input = {} } = {}] = key as Key;
  const { workspaceId, left, right } = input;
  // A comparison has rows of another account too.
  const accounts = [workspaceId, left?.account, right?.account];
  if ('workspaceId' in event && !accounts.some((account) => account === event.workspaceId)) return false;
  const causes: Partial<Record<string, readonly Cause<unknown>[]>> = OUTDATED_BY as object;
  return causes[pathOf(key as Key)]?.some((cause) => cause(event, input)) === true;
}

/**
 * Puts the rows of an edit into a cached response that contains them.
 *
 * @returns false when the query is running and its response may be older than the edit
 */
function patchRows(client: QueryClient, { queryKey, state }: Query, event: WindowEvent): boolean {
  if (event.type !== 'workspace.changed' || !event.patch?.rows) return true;
  const [, { input = {} } = {}] = queryKey as Key;
  if (pathOf(queryKey as Key) !== 'workspace.openView' || input.workspaceId !== event.workspaceId) return true;
  const { view } = input as Parameters<Client['workspace']['openView']>[0];
  const fresh = new Map(event.patch.rows.flatMap(({ kind, row }) => (kind === view.kind ? [[row.id, row]] : [])));
  if (fresh.size > 0 && state.fetchStatus !== 'idle') return false;
  const { rows: held = [] } = (state.data ?? {}) as { readonly rows?: readonly WindowRow[] };
  // A response that is outdated anyway must be read again: setting its data would mark it as up to date.
  if (state.isInvalidated || !held.some(({ id }) => fresh.has(id))) return true;
  client.setQueryData<object>(queryKey, (answer) => ({ ...answer, rows: held.map((row) => fresh.get(row.id) ?? row) }));
  return true;
}
