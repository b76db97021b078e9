import { MantineProvider } from '@mantine/core';
import type { NotificationData } from '@mantine/notifications';
import { ORPCError } from '@orpc/client';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Layout } from '../../shared/api/scalars.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { Empty } from '../components/Empty.tsx';
import { ErrorBoundary } from '../components/ErrorBoundary.tsx';
import { afterFirstPaint, lazyComponent } from '../components/lazy-component.tsx';
import { theme, variables } from '../components/theme.ts';
import ui from '../components/ui.module.css';
import { Dialogs } from '../features/shell/Dialogs.tsx';
import { MainScreen } from '../features/shell/MainScreen.tsx';
import { createPrefetchedView } from '../grid/window.ts';
import { createActions, type Toasts } from './actions.ts';
import { type AppContext, AppContextProvider, useApi, useAppContext, useView } from './app-context.ts';
import { COMMANDS } from './commands.ts';
import { followLink, handOverLink, listenForLinks } from './deep-links.ts';
import { errorText } from './error-text.ts';
import { lockWhenIdle } from './idle-lock.ts';
import { keepFocus } from './keep-focus.ts';
import { changeLocale, localeTag, onLocale } from './locale/current.ts';
import { nativeMenu } from './native-menu.ts';
import { focusNextPane } from './pane-focus.ts';
import { createApi, createQueryClient, type Events, listenToMain, renewAnswers } from './queries.ts';
import { keepForms, saveLayout } from './save-layout.ts';
import { type AppStore, createAppStore } from './store/app-store.ts';
import { appTexts } from './texts.ts';
import type { Client, Connection } from './transport/connection.ts';
import { useCommandContext, useSetColorScheme, useShortcuts } from './use-shortcuts.ts';

const SettingsScreen = lazyComponent(
  async () => (await import('../features/settings/SettingsScreen.tsx')).SettingsScreen,
);

/** Loaded once the window has started: no message is shown before the first action. */
const ToastArea = lazyComponent(async () => (await import('../components/ToastArea.tsx')).ToastArea);

/** The button of a message. */
const ToastOffer = lazyComponent(async () => (await import('../components/ToastArea.tsx')).ToastOffer);

/** Loaded after the first file was written. */
const DraggableFile = lazyComponent(async () => (await import('./DraggableFile.tsx')).DraggableFile);

/** Shown only while there is no account. */
const Welcome = lazyComponent(async () => (await import('../features/accounts/Welcome.tsx')).Welcome);

interface AppProps {
  readonly connection: Connection;
  /** The layout that the page could not send before its reload. */
  readonly left?: Layout | null;
}

/** The whole window. `withCssVariables` is off because the variables come from `components/theme-variables.css`. */
export function App({ connection, left = null }: AppProps) {
  const [app, setApp] = useState<AppContext | null>(null);
  const [hasToasts, setHasToasts] = useState(false);
  const link = useSyncExternalStore(connection.onState, connection.state);
  useEffect(() => {
    const showToasts = (): void => setHasToasts(true);
    const opened = createApp(connection, createToasts(connection, showToasts), left);
    setApp(opened);
    const cancel = afterFirstPaint(showToasts);
    return () => {
      cancel();
      opened.close();
    };
  }, [connection, left]);

  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <ErrorBoundary>
        {hasToasts && <ToastArea />}
        {link === 'signed-out' ? (
          <main className={ui['page']}>
            <SignedOut connection={connection} />
          </main>
        ) : (
          app !== null && (
            <QueryClientProvider client={app.queries}>
              <AppContextProvider value={app}>
                <Window />
              </AppContextProvider>
            </QueryClientProvider>
          )
        )}
      </ErrorBoundary>
    </MantineProvider>
  );
}

/** Locks credentials that a passphrase unlocks. @returns false while a sync needs them */
async function lockIdle({ connection, toasts, store }: AppContext): Promise<boolean> {
  const { client } = connection;
  const isSyncing = Object.values(store.getState().syncs).some(({ phase }) => phase !== 'done');
  const { storage, state } = await client.credentials.status();
  if (storage !== 'passphrase' || state !== 'open') return true;
  if (isSyncing) return false;
  await client.credentials.lock();
  toasts.tell(appTexts.idleLocked);
  return true;
}

/** A page without a session. If it was opened by a link, it passes the link to a page that has one. */
function SignedOut({ connection }: { readonly connection: Connection }) {
  const [isLink, setLink] = useState(false);
  useEffect(() => setLink(handOverLink(connection)), [connection]);
  const { title, text } = appTexts.signedOut;
  return <Empty title={title} text={isLink ? appTexts.links.elsewhere : text} heading />;
}

/** Shows the welcome page or the app, once the accounts are read. */
function Window() {
  const api = useApi();
  const app = useAppContext();
  const { store, layout, connection } = app;
  const { place } = connection;
  const list = useQuery(api.accounts.list.queryOptions());
  const remembered = useQuery(api.app.preferences.get.queryOptions());
  const workspaceId = useView((s) => s.workspaceId);
  const announcement = useView((s) => s.announcement);
  const inSettings = useView((s) => s.place === 'settings');
  useShortcuts();
  useNativeMenu();

  const stored = remembered.data;
  const { layout: storedLayout, lastWorkspaceId } = stored ?? {};
  useEffect(() => {
    if (storedLayout !== undefined && place?.isPlain !== true) layout.restore(storedLayout);
  }, [storedLayout, layout, place]);

  const known = list.data;
  const name = known?.find((candidate) => candidate.workspaceId === workspaceId)?.name;
  useEffect(() => {
    document.title = name === undefined ? appTexts.app : `${name} – ${appTexts.app}`;
  }, [name]);

  useEffect(() => {
    if (known === undefined || lastWorkspaceId === undefined) return;
    const open = store.getState().workspaceId;
    if (known.some((account) => account.workspaceId === open)) return;
    const first = place?.account ?? lastWorkspaceId;
    const next = known.find((account) => account.workspaceId === first) ?? known[0];
    store.getState().openWorkspace(next?.workspaceId ?? null);
  }, [known, lastWorkspaceId, store, place]);

  const lockAfter = stored?.lockAfterMinutes ?? null;
  useEffect(() => {
    if (lockAfter === null) return undefined;
    return lockWhenIdle(window, lockAfter, () => lockIdle(app));
  }, [lockAfter, app]);

  // The browser stores its color scheme by origin, and the web host has another origin at every start.
  const setColorScheme = useSetColorScheme();
  const storedScheme = stored?.colorScheme;
  const show = useEffectEvent(setColorScheme);
  useEffect(() => {
    if (storedScheme !== undefined) show(storedScheme === 'system' ? 'auto' : storedScheme);
  }, [storedScheme]);
  const motion = useView((s) => s.motion);
  useEffect(() => {
    document.documentElement.dataset['motion'] = motion ? 'system' : 'none';
  }, [motion]);
  const writtenAs = stored?.locale;
  useEffect(() => {
    if (writtenAs !== undefined) changeLocale(writtenAs ?? navigator.language);
  }, [writtenAs]);
  // Texts read the locale while they are rendered, so a change renders the whole window again.
  const tag = useSyncExternalStore(onLocale, localeTag);

  useEffect(() => place?.showing(workspaceId), [place, workspaceId]);
  // Only while an account is open; a link may switch to another one.
  const isOpen = workspaceId !== null;
  useEffect(
    () => (isOpen ? listenForLinks(connection, (link) => void followLink(app, link)) : undefined),
    [isOpen, connection, app],
  );

  const account = known?.find((candidate) => candidate.workspaceId === workspaceId);
  const hasNone = known?.length === 0;
  return (
    <Fragment key={tag}>
      {known === undefined && (
        <main className={ui['page']}>
          <Empty
            title={appTexts.app}
            text={list.error === null ? appTexts.connecting : errorText(list.error)}
            heading
          />
        </main>
      )}
      {hasNone && inSettings && (
        <main>
          <SettingsScreen workspaceId={null} />
        </main>
      )}
      {hasNone && !inSettings && <Welcome />}
      {account !== undefined && <MainScreen key={account.workspaceId} account={account} />}
      <Dialogs account={account ?? (hasNone ? null : undefined)} />
      <div role="status" aria-live="polite" className={ui['spoken-only']}>
        {announcement}
      </div>
    </Fragment>
  );
}

const NOTE_MS = 5000;

/** How long a message with a button is shown, in milliseconds. */
const OFFER_MS = 8000;

/** How long a saved file is offered for dragging, in milliseconds. */
const FILE_MS = 20_000;

/**
 * Short messages. Failures close after 12 seconds, others sooner.
 *
 * @param onFirst called before each message. It loads the toast area, which is not part of the first script
 */
function createToasts({ filesOut }: Connection, onFirst: () => void): Toasts {
  const shown = new Map<string, string>();
  const hide = async (kind: string) => {
    const { notifications } = await import('@mantine/notifications');
    const isReplaced = (before: string) => before === kind || (kind === 'offered' && before.startsWith('told: '));
    for (const [before, id] of shown) if (isReplaced(before)) notifications.hide(id);
    return notifications;
  };
  const show = async (kind: string, note: NotificationData): Promise<void> => {
    onFirst();
    const notifications = await hide(kind);
    shown.set(kind, notifications.show(note));
  };
  return {
    // A message with a button replaces those before it, so that only the last step offers its undo.
    tell: (text, next) => {
      if (next === undefined) return void show(`told: ${text}`, { message: text, autoClose: NOTE_MS, color: 'blue' });
      const message = <ToastOffer text={text} {...next} />;
      void show('offered', { message, autoClose: OFFER_MS, color: 'blue' });
    },
    // The text is the key: a repeated failure replaces its message, another failure is added. A next step ends it.
    fail: (text, next) => {
      const kind = `failed: ${text}`;
      const run = (): void => {
        void hide(kind);
        next?.run();
      };
      const message = next === undefined ? text : <ToastOffer text={text} name={next.name} run={run} />;
      void show(kind, { message, autoClose: 12_000, color: 'red' });
    },
    offer: (file) =>
      void show('file', {
        title: appTexts.filesOut.ready,
        message: <DraggableFile file={file} filesOut={filesOut} />,
        autoClose: FILE_MS,
        color: 'blue',
      }),
  };
}

/** Commands change with every selection. The menu is updated once they have not changed for this many milliseconds. */
const MENU_DELAY_MS = 150;

/** Shows the command table as the system's menu, and runs what is selected there. Does nothing in a browser. */
function useNativeMenu(): void {
  const { connection, store, events } = useAppContext();
  const context = useCommandContext();
  const { place } = connection;
  useEffect(() => {
    if (place === undefined) return undefined;
    let shown = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      timer = undefined;
      const menu = nativeMenu(context);
      const text = JSON.stringify(menu);
      if (text === shown) return;
      shown = text;
      place.showMenu(menu);
    };
    const showSoon = (): void => {
      timer ??= setTimeout(show, MENU_DELAY_MS);
    };
    show();
    const stops = [
      store.subscribe(showSoon),
      events.on(showSoon),
      place.onCommand((id) => {
        const command = COMMANDS.find((candidate) => candidate.id === id);
        if (command !== undefined && store.getState().dialog === null && command.when(context)) command.run(context);
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [place, store, events, context]);
}

/**
 * Creates the services of a window for its connection to main.
 *
 * @param left the layout that the page could not send before its reload (`read-layout.ts`)
 */
function createApp(
  connection: Connection,
  toasts: Toasts,
  left: Layout | null = null,
): AppContext & { readonly close: () => void } {
  const store = createAppStore();
  const events = listenToMain(connection);
  const queries = createQueryClient((error) => toasts.fail(errorText(error)));
  const stopRenewing = renewAnswers(queries, events);
  const context = {
    connection,
    api: createApi(connection.client),
    queries,
    store,
    toasts,
    inOrder: createSerialQueue(),
  };
  const actions = createActions(context);

  events.on((event) => {
    if (event.type === 'sync.progress') store.getState().noteSync(event);
    if (event.type === 'task.progress') store.getState().noteTask(event);
    if (event.type === 'upload.progress') store.getState().noteUpload(event);
    if (event.type === 'open.row') {
      const { type: _, ...link } = event;
      void followLink(context, link);
    }
    if (event.type === 'open.place') {
      const { goTo, openInbox, openWorkspace, show, workspaceId } = store.getState();
      if (workspaceId !== event.workspaceId) openWorkspace(event.workspaceId);
      if (event.place === 'reviews') openInbox(null);
      if (event.place === 'media') goTo({ kind: 'media', campaignId: null });
      if (event.place === 'reports') store.getState().openPlace('reports');
      if (event.place === 'alerts') store.getState().openSuggestions('alert');
      if (event.place === 'access') show({ name: 'unlock' });
    }
    if (event.type === 'open.file') {
      const { grant, fileName, bytes } = event;
      store.getState().show({ name: 'sheet', file: { grant, fileName, bytes }, media: [] });
    }
    if (event.type === 'notice' && event.severity === 'error') toasts.fail(event.message);
    else if (event.type === 'notice') toasts.tell(event.message);
  });

  // Calls that a key or a click started and no code awaits.
  const reportFailure = ({ reason }: PromiseRejectionEvent): void => {
    if (reason instanceof ORPCError) toasts.fail(errorText(reason));
  };
  window.addEventListener('unhandledrejection', reportFailure);
  const stopNews = saveNotifications(connection.client, events, store);
  const panes = focusNextPane(document);
  const focus = keepFocus(document);
  const stopForms = keepForms(store);
  const layout = saveLayout({ store, left, send: (wanted) => actions.remember({ layout: wanted }) });

  return {
    ...context,
    events,
    prefetchedView: createPrefetchedView(connection.client, events),
    actions,
    layout,
    panes,
    openView: { current: null },
    openGrid: { current: null },
    close: () => {
      layout.close();
      stopForms();
      panes.close();
      focus.close();
      window.removeEventListener('unhandledrejection', reportFailure);
      stopNews();
      stopRenewing();
      events.close();
    },
  };
}

/** Ignores a failed call: the notification stays on screen until the window closes. */
const ignoreFailure = (): void => {};

/**
 * Lists the notifications that main has stored of an account when it is opened, and those added later. Notifications
 * that main can't store, because the account is closed or read-only, stay until the window closes.
 *
 * @returns ends the subscription
 */
function saveNotifications(client: Client, events: Events, store: AppStore): () => void {
  const bringBack = (workspaceId: string | null): void => {
    if (workspaceId === null) return;
    client.notifications
      .list({ workspaceId })
      .then((kept) => store.getState().restoreNotifications(workspaceId, kept), ignoreFailure);
  };
  bringBack(store.getState().workspaceId);
  const stop = store.subscribe((now, before) => {
    if (now.workspaceId !== before.workspaceId) bringBack(now.workspaceId);
    if (now.notifications.length > 0 || before.notifications.length === 0) return;
    const accounts = new Set(before.notifications.flatMap(({ workspaceId }) => workspaceId ?? []));
    for (const workspaceId of accounts) client.notifications.clear({ workspaceId }).catch(ignoreFailure);
  });
  const stopEvents = events.on((event) => {
    const { noteNews, workspaceId } = store.getState();
    if (event.type === 'notification.added') noteNews({ ...event.entry, workspaceId: event.workspaceId });
    if (event.type === 'reconnected') bringBack(workspaceId);
  });
  return () => {
    stop();
    stopEvents();
  };
}
