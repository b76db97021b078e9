import { createContext, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { GridApi } from '../grid/grid-api.ts';
import type { OpenView, PrefetchedView } from '../grid/window.ts';
import type { ActionContext, Actions } from './actions.ts';
import type { PaneFocus } from './pane-focus.ts';
import type { Api, Events } from './queries.ts';
import type { LayoutSaver } from './save-layout.ts';
import type { AppState } from './store/app-store.ts';

/** Everything a component may use: main, its responses, the view state and the user's actions. */
export interface AppContext extends ActionContext {
  readonly events: Events;
  /** The view whose rows are prefetched when the pointer is pressed on it. */
  readonly prefetchedView: PrefetchedView;
  readonly actions: Actions;
  readonly layout: LayoutSaver;
  readonly panes: PaneFocus;
  /** The view in the grid, for commands that work on selected rows. Set by the screen that shows it. */
  readonly openView: { current: OpenView | null };
  /** The grid on screen, for commands that work on its cells. Set by the grid. */
  readonly openGrid: { current: GridApi | null };
}

export interface CommandContext {
  readonly app: AppContext;
  readonly practice: boolean;
  readonly sample: boolean;
  readonly team: boolean;
  readonly setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void;
}

/** A command that changes nothing but the state of the window. */
export const onState =
  (change: (state: AppState) => void) =>
  ({ app }: CommandContext): void =>
    change(app.store.getState());

const Context = createContext<AppContext | null>(null);
export const AppContextProvider = Context.Provider;

export function useAppContext(): AppContext {
  const app = useContext(Context);
  if (app === null) throw new Error('A component was rendered outside AppContextProvider.');
  return app;
}

export const useApi = (): Api => useAppContext().api;

/** Actions that one dialog alone uses; their code is loaded with the dialog. */
export function useActions<T>(make: (context: ActionContext) => T): T {
  const app = useAppContext();
  return useMemo(() => make(app), [make, app]);
}

export function useView<T>(select: (state: AppState) => T): T {
  return useStore(useAppContext().store, select);
}

/** Subscribes to several values at once, compared one by one. */
export function useViewOf<T>(select: (state: AppState) => T): T {
  return useStore(useAppContext().store, useShallow(select));
}
