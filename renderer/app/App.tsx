import { MantineProvider } from '@mantine/core';
import { Fragment, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Layout } from '../../shared/contract/layout.ts';
import { accounts, preferences } from '../data/questions.ts';
import { useQuery } from '../data/use-query.ts';
import { changeLocale, localeTag, onLocale } from '../locale/current.ts';
import { en } from '../messages/en.ts';
import { errorText } from '../messages/errors.ts';
import { Welcome } from '../screens/accounts/Welcome.tsx';
import { MainScreen } from '../screens/frame/DeskScreen.tsx';
import { Dialogs } from '../screens/frame/Dialogs.tsx';
import type { Connection } from '../transport/connection.ts';
import { afterFirstPaint } from '../ui/after-start.ts';
import { ErrorBoundary } from '../ui/Boundary.tsx';
import { Empty } from '../ui/Empty.tsx';
import { lazyComponent } from '../ui/later.tsx';
import { theme, variables } from '../ui/theme.ts';
import { createApp } from './create-desk.ts';
import { type AppContext, AppContextProvider, useAppContext, useView } from './desk.ts';
import { createToasts } from './notes.tsx';
import { useNativeMenu } from './use-native-menu.ts';
import { useSetColorScheme, useShortcuts } from './use-shortcuts.ts';

/** Nothing is said before something was done, so it comes once the window has started. */
const ToastArea = lazyComponent(async () => (await import('../ui/NoteArea.tsx')).ToastArea);

interface AppProps {
  readonly connection: Connection;
  /** The layout that the page before could not send. */
  readonly left?: Layout | null;
}

/** The whole window. `withCssVariables` is off because they come from a file, see `ui/theme.ts`. */
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
          <main className="page">
            <Empty title={en.signedOut.title} text={en.signedOut.text} heading />
          </main>
        ) : (
          desk !== null && (
            <AppContextProvider value={desk}>
              <Window />
            </AppContextProvider>
          )
        )}
      </ErrorBoundary>
    </MantineProvider>
  );
}

/** Welcome or desk, once main has said which accounts there are. */
function Window() {
  const { store, actions, layout, connection } = useAppContext();
  const { place } = connection;
  const list = useQuery(accounts);
  const remembered = useQuery(preferences);
  const workspaceId = useView((s) => s.workspaceId);
  const announcement = useView((s) => s.announcement);
  useShortcuts();
  useNativeMenu();

  const stored = remembered.data;
  useEffect(() => {
    if (stored !== undefined && place?.isPlain !== true) layout.restore(stored.layout);
  }, [stored, layout, place]);

  const known = list.data;
  const name = known?.find((candidate) => candidate.workspaceId === workspaceId)?.name;
  useEffect(() => {
    document.title = name === undefined ? en.app : `${name} – ${en.app}`;
  }, [name]);

  useEffect(() => {
    if (known === undefined || stored === undefined) return;
    const open = store.getState().workspaceId;
    if (known.some((account) => account.workspaceId === open)) return;
    const first = place?.account ?? stored.lastWorkspaceId;
    const next = known.find((account) => account.workspaceId === first) ?? known[0];
    store.getState().openWorkspace(next?.workspaceId ?? null);
  }, [known, stored, store, place]);

  // What the browser itself remembers goes with the address, and the web host has another at every start.
  const setColorScheme = useSetColorScheme();
  const colours = stored?.colorScheme;
  const show = useEffectEvent(setColorScheme);
  useEffect(() => {
    if (colours !== undefined) show(colours === 'system' ? 'auto' : colours);
  }, [colours]);
  const writtenAs = stored?.locale;
  useEffect(() => {
    if (writtenAs !== undefined) changeLocale(writtenAs ?? navigator.language);
  }, [writtenAs]);
  // Texts ask for the locale while they are drawn, so a change draws all of them again.
  const tag = useSyncExternalStore(onLocale, localeTag);

  useEffect(() => place?.showing(workspaceId), [place, workspaceId]);

  const account = known?.find((candidate) => candidate.workspaceId === workspaceId);
  const hasNone = known?.length === 0;
  return (
    <Fragment key={tag}>
      {known === undefined && (
        <main className="page">
          <Empty title={en.app} text={list.error === null ? en.connecting : errorText(list.error)} heading />
        </main>
      )}
      {hasNone && <Welcome onPractice={() => actions.addPractice(en.welcome.practiceName)} />}
      {account !== undefined && <MainScreen key={account.workspaceId} account={account} />}
      <Dialogs account={account ?? (hasNone ? null : undefined)} />
      <div role="status" aria-live="polite" className="spoken-only">
        {announcement}
      </div>
    </Fragment>
  );
}
