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
import { createPreparedView } from '../grid/window.ts';
import { createActions, type Toasts } from './actions.ts';
import { type AppContext, AppContextProvider, useApi, useAppContext, useView } from './app-context.ts';
import { COMMANDS } from './commands.ts';
import { followLink, handOverLink, listenForLinks } from './deep-links.ts';
import { errorText } from './error-text.ts';
import { lockWhenIdle } from './idle-lock.ts';
import { changeLocale, localeTag, onLocale } from './locale/current.ts';
import { nativeMenu } from './native-menu.ts';
import { focusNextPane } from './pane-focus.ts';
import { createApi, createQueryClient, type Events, listenToMain, renewAnswers } from './queries.ts';
import { saveLayout } from './save-layout.ts';
import { type AppStore, createAppStore } from './store/app-store.ts';
import { appTexts } from './texts.ts';
import type { Client, Connection } from './transport/connection.ts';
import { useCommandContext, useSetColorScheme, useShortcuts } from './use-shortcuts.ts';

const SettingsScreen = lazyComponent(
  async () => (await import('../features/settings/SettingsScreen.tsx')).SettingsScreen,
);

/** Nothing is said before something was done, so it comes once the window has started. */
const ToastArea = lazyComponent(async () => (await import('../components/ToastArea.tsx')).ToastArea);

/** The button of a message. */
const ToastOffer = lazyComponent(async () => (await import('../components/ToastArea.tsx')).ToastOffer);

/** Shown once a file was written. */
const DraggableFile = lazyComponent(async () => (await import('../features/shell/DraggableFile.tsx')).DraggableFile);

/** Seen once, by those who have no account yet. */
const Welcome = lazyComponent(async () => (await import('../features/accounts/Welcome.tsx')).Welcome);

interface AppProps {
  readonly connection: Connection;
  /** The layout that the page before could not send. */
  readonly left?: Layout | null;
}

/** The whole window. `withCssVariables` is off because they come from a file, see `components/theme-variables.css`. */
export function App({ connection, left = null }: AppProps) {
  const [desk, setDesk] = useState<AppContext | null>(null);
  const [hasNotes, setHasNotes] = useState(false);
  const link = useSyncExternalStore(connection.onState, connection.state);
  useEffect(() => {
    const showNotes = (): void => setHasNotes(true);
    const opened = createApp(connection, createToasts(connection, showNotes), left);
    setDesk(opened);
    const takeBack = afterFirstPaint(showNotes);
    return () => {
      takeBack();
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
        {hasNotes && <ToastArea />}
        {link === 'signed-out' ? (
          <main className={ui['page']}>
            <SignedOut connection={connection} />
          </main>
        ) : (
          desk !== null && (
            <QueryClientProvider client={desk.queries}>
              <AppContextProvider value={desk}>
                <Window />
              </AppContextProvider>
            </QueryClientProvider>
          )
        )}
      </ErrorBoundary>
    </MantineProvider>
  );
}

/** Locks credentials that a passphrase opens again. @returns false while a sync needs them */
async function lockIdle({ connection, notes, store }: AppContext): Promise<boolean> {
  const { client } = connection;
  const isSyncing = Object.values(store.getState().syncs).some(({ phase }) => phase !== 'done');
  const { storage, state } = await client.credentials.status();
  if (storage !== 'passphrase' || state !== 'open') return true;
  if (isSyncing) return false;
  await client.credentials.lock();
  notes.tell(appTexts.idleLocked);
  return true;
}

/** A page without a session; one that was opened by a link hands it to the page that has one. */
function SignedOut({ connection }: { readonly connection: Connection }) {
  const [isLink, setLink] = useState(false);
  useEffect(() => setLink(handOverLink(connection)), [connection]);
  const { title, text } = appTexts.signedOut;
  return <Empty title={title} text={isLink ? appTexts.links.elsewhere : text} heading />;
}

/** Welcome or desk, once main has said which accounts there are. */
function Window() {
  const api = useApi();
  const desk = useAppContext();
  const { store, layout, connection } = desk;
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
    return lockWhenIdle(window, lockAfter, () => lockIdle(desk));
  }, [lockAfter, desk]);

  // What the browser itself remembers goes with the address, and the web host has another at every start.
  const setColorScheme = useSetColorScheme();
  const colours = stored?.colorScheme;
  const show = useEffectEvent(setColorScheme);
  useEffect(() => {
    if (colours !== undefined) show(colours === 'system' ? 'auto' : colours);
  }, [colours]);
  const motion = useView((s) => s.motion);
  useEffect(() => {
    document.documentElement.dataset['motion'] = motion ? 'system' : 'none';
  }, [motion]);
  const writtenAs = stored?.locale;
  useEffect(() => {
    if (writtenAs !== undefined) changeLocale(writtenAs ?? navigator.language);
  }, [writtenAs]);
  // Texts ask for the locale while they are drawn, so a change draws all of them again.
  const tag = useSyncExternalStore(onLocale, localeTag);

  useEffect(() => place?.showing(workspaceId), [place, workspaceId]);
  // An account is open by then, which a link may leave for another.
  const isOpen = workspaceId !== null;
  useEffect(
    () => (isOpen ? listenForLinks(connection, (link) => void followLink(desk, link)) : undefined),
    [isOpen, connection, desk],
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

/** So long as there is something to press. */
const OFFER_MS = 8000;

/** So long a file stays at hand after it was saved. */
const FILE_MS = 20_000;

/**
 * Short messages. Failures stay until they are closed or 12 seconds have passed; good news goes sooner.
 *
 * @param onFirst called before anything is shown: what shows messages is no part of the script to begin with
 */
function createToasts({ filesOut }: Connection, onFirst: () => void): Toasts {
  const shown = new Map<string, string>();
  const show = async (kind: string, note: NotificationData): Promise<void> => {
    onFirst();
    const { notifications } = await import('@mantine/notifications');
    const before = shown.get(kind);
    if (before !== undefined) notifications.hide(before);
    shown.set(kind, notifications.show(note));
  };
  return {
    // What was undone is told of the last step alone.
    tell: (text, next) => {
      if (next === undefined) return void show(`told: ${text}`, { message: text, autoClose: NOTE_MS, color: 'blue' });
      const message = <ToastOffer text={text} {...next} />;
      void show('offered', { message, autoClose: OFFER_MS, color: 'blue' });
    },
    // Another text is another fact; the same one again is said once.
    fail: (text) => void show(`failed: ${text}`, { message: text, autoClose: 12_000, color: 'red' }),
    offer: (file) =>
      void show('file', {
        title: appTexts.filesOut.ready,
        message: <DraggableFile file={file} filesOut={filesOut} />,
        autoClose: FILE_MS,
        color: 'blue',
      }),
  };
}

/** What can be done changes with every selection; the menu follows when that has rested for so long. */
const REST_MS = 150;

/** Keeps the system's menu true to the table of commands, and runs what is chosen there. Does nothing in a browser. */
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
      timer ??= setTimeout(show, REST_MS);
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
 * Puts a window together around its line to main.
 *
 * @param left the layout that the page before could not send (`read-layout.ts`)
 */
function createApp(
  connection: Connection,
  notes: Toasts,
  left: Layout | null = null,
): AppContext & { readonly close: () => void } {
  const store = createAppStore();
  const events = listenToMain(connection);
  const queries = createQueryClient((error) => notes.fail(errorText(error)));
  const stopRenewing = renewAnswers(queries, events);
  const doing = { connection, api: createApi(connection.client), queries, store, notes, inOrder: createSerialQueue() };
  const actions = createActions(doing);

  events.on((event) => {
    if (event.type === 'sync.progress') store.getState().noteSync(event);
    if (event.type === 'task.progress') store.getState().noteTask(event);
    if (event.type === 'upload.progress') store.getState().noteUpload(event);
    if (event.type === 'open.row') {
      const { type: _, ...link } = event;
      void followLink(doing, link);
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
    if (event.type === 'notice' && event.severity === 'error') notes.fail(event.message);
    else if (event.type === 'notice') notes.tell(event.message);
  });

  // What was begun with a key or a click and waited for by nobody.
  const tellFailed = ({ reason }: PromiseRejectionEvent): void => {
    if (reason instanceof ORPCError) notes.fail(errorText(reason));
  };
  window.addEventListener('unhandledrejection', tellFailed);
  const stopNews = saveNotifications(connection.client, events, store);
  const panes = focusNextPane(document);
  const layout = saveLayout({ store, left, send: (wanted) => actions.remember({ layout: wanted }) });

  return {
    ...doing,
    events,
    preparedView: createPreparedView(connection.client, events),
    actions,
    layout,
    panes,
    openView: { current: null },
    openGrid: { current: null },
    close: () => {
      layout.close();
      panes.close();
      window.removeEventListener('unhandledrejection', tellFailed);
      stopNews();
      stopRenewing();
      events.close();
    },
  };
}

/** Main could not be asked: what happened is on screen all the same, and goes with the window. */
const onlyHere = (): void => {};

/**
 * Lists what main has written down of an account when it is opened, and what it writes from then on. What main cannot
 * keep, because the account is away or read-only, stays for as long as the window.
 *
 * @returns ends the watching
 */
function saveNotifications(client: Client, events: Events, store: AppStore): () => void {
  const bringBack = (workspaceId: string | null): void => {
    if (workspaceId === null) return;
    client.notifications
      .list({ workspaceId })
      .then((kept) => store.getState().bringBackNews(workspaceId, kept), onlyHere);
  };
  bringBack(store.getState().workspaceId);
  const stop = store.subscribe((now, before) => {
    if (now.workspaceId !== before.workspaceId) bringBack(now.workspaceId);
    if (now.news.length > 0 || before.news.length === 0) return;
    const accounts = new Set(before.news.flatMap(({ workspaceId }) => workspaceId ?? []));
    for (const workspaceId of accounts) client.notifications.clear({ workspaceId }).catch(onlyHere);
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
