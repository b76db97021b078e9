import type { StateCreator } from 'zustand';
import type { Preferences } from '../../shared/contract/app.ts';
import type { DeskState } from './desk-store.ts';
import type { ShortcutSlice } from './shortcut-slice.ts';

export type Pane = 'navigation' | 'inspector' | 'drawer';
export type DrawerTab = 'findings' | 'changes' | 'sync' | 'history';
type Stored = Preferences['layout'];

/** Limits of each pane in CSS pixels: least, most, and the size it starts with. */
export const PANE_LIMITS: Readonly<
  Record<Pane, { readonly min: number; readonly max: number; readonly start: number }>
> = {
  navigation: { min: 180, max: 420, start: 232 },
  inspector: { min: 280, max: 560, start: 336 },
  drawer: { min: 120, max: 560, start: 216 },
};

/** Sizes and visibility of panes and columns; kept in the preferences under the same keys. */
export interface LayoutSlice {
  readonly sizes: Readonly<Record<Pane, number>>;
  readonly hidden: Readonly<Record<Pane, boolean>>;
  readonly drawerTab: DrawerTab;
  /** Column widths by `kind.column`, in CSS pixels. */
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Columns shown or hidden against their default, by `kind.column`. */
  readonly columnShown: Readonly<Record<string, boolean>>;
  /** Fields of a kind in the user's order; kinds without an entry keep the order of the model. */
  readonly columnOrder: Readonly<Record<string, readonly string[]>>;
  /** How many columns of a kind stay in view while the rest scrolls sideways; 1 without an entry. */
  readonly frozen: Readonly<Record<string, number>>;
  readonly resizePane: (pane: Pane, size: number) => void;
  readonly togglePane: (pane: Pane) => void;
  readonly showTab: (tab: DrawerTab) => void;
  readonly resizeColumn: (key: string, width: number) => void;
  readonly showColumn: (key: string, shown: boolean) => void;
  readonly orderColumns: (kind: string, fields: readonly string[]) => void;
  readonly freezeColumns: (kind: string, count: number) => void;
  /** Takes over how a saved view had the columns of its kind; other kinds stay as they are. */
  readonly restoreKind: (kind: string, stored: Stored) => void;
  readonly restoreLayout: (stored: Stored) => void;
}

const PANES: readonly Pane[] = ['navigation', 'inspector', 'drawer'];
const clamp = (pane: Pane, size: number): number =>
  Math.round(Math.min(PANE_LIMITS[pane].max, Math.max(PANE_LIMITS[pane].min, size)));

export const createLayoutSlice: StateCreator<DeskState, [], [], LayoutSlice> = (set) => ({
  sizes: { navigation: 232, inspector: 336, drawer: 216 },
  hidden: { navigation: false, inspector: false, drawer: false },
  drawerTab: 'findings',
  columnWidths: {},
  columnShown: {},
  columnOrder: {},
  frozen: {},
  resizePane: (pane, size) => set(({ sizes }) => ({ sizes: { ...sizes, [pane]: clamp(pane, size) } })),
  togglePane: (pane) => set(({ hidden }) => ({ hidden: { ...hidden, [pane]: !hidden[pane] } })),
  showTab: (drawerTab) => set(({ hidden }) => ({ drawerTab, hidden: { ...hidden, drawer: false } })),
  resizeColumn: (key, width) => set((s) => ({ columnWidths: { ...s.columnWidths, [key]: Math.round(width) } })),
  showColumn: (key, shown) => set((s) => ({ columnShown: { ...s.columnShown, [key]: shown } })),
  orderColumns: (kind, fields) => set((s) => ({ columnOrder: { ...s.columnOrder, [kind]: fields } })),
  freezeColumns: (kind, count) => set((s) => ({ frozen: { ...s.frozen, [kind]: Math.max(1, count) } })),
  restoreKind: (kind, stored) =>
    set((state) => {
      const others = Object.entries(toStored(state)).filter(([key]) => !isOfKind(key, kind));
      const own = Object.entries(stored).filter(([key]) => isOfKind(key, kind));
      return fromStored(Object.fromEntries([...others, ...own]), state);
    }),
  restoreLayout: (stored) => set((state) => fromStored(stored, state)),
});

/**
 * The layout as flat preferences: `size.drawer`, `hidden.drawer`, `width.keyword.bid`, `shown.keyword.bid`,
 * `order.keyword` (fields joined by commas), `frozen.keyword`, the user's shortcuts as `keys.sync.plan`, and the commands
 * last run from the palette as `recent` (joined by commas).
 */
export function toStored(state: LayoutSlice & ShortcutSlice): Stored {
  const stored: Stored = {};
  for (const pane of PANES) {
    stored[`size.${pane}`] = state.sizes[pane];
    stored[`hidden.${pane}`] = state.hidden[pane];
  }
  for (const [key, width] of Object.entries(state.columnWidths)) stored[`width.${key}`] = width;
  for (const [key, shown] of Object.entries(state.columnShown)) stored[`shown.${key}`] = shown;
  for (const [kind, fields] of Object.entries(state.columnOrder)) stored[`order.${kind}`] = fields.join();
  for (const [kind, count] of Object.entries(state.frozen)) stored[`frozen.${kind}`] = count;
  for (const [command, keys] of Object.entries(state.keys)) stored[`keys.${command}`] = keys;
  if (state.recentCommands.length > 0) stored['recent'] = state.recentCommands.join();
  return stored;
}

/** Whether a key of the stored layout is about the columns of a kind. */
const isOfKind = (key: string, kind: string): boolean => {
  const [what = '', of = ''] = key.split('.');
  return of === kind && ['width', 'shown', 'order', 'frozen'].includes(what);
};

/** The columns of one kind as they are now, for a saved view. */
export const layoutOfKind = (state: LayoutSlice & ShortcutSlice, kind: string): Stored =>
  Object.fromEntries(Object.entries(toStored(state)).filter(([key]) => isOfKind(key, kind)));

function fromStored(stored: Stored, state: LayoutSlice): Partial<LayoutSlice & ShortcutSlice> {
  const sizes = { ...state.sizes };
  const hidden = { ...state.hidden };
  for (const pane of PANES) {
    const size = stored[`size.${pane}`];
    if (typeof size === 'number') sizes[pane] = clamp(pane, size);
    const isHidden = stored[`hidden.${pane}`];
    if (typeof isHidden === 'boolean') hidden[pane] = isHidden;
  }
  const columnWidths: Record<string, number> = {};
  const columnShown: Record<string, boolean> = {};
  const columnOrder: Record<string, readonly string[]> = {};
  const frozen: Record<string, number> = {};
  const keys: Record<string, string> = {};
  for (const [key, value] of Object.entries(stored)) {
    if (key.startsWith('width.') && typeof value === 'number') columnWidths[key.slice(6)] = value;
    if (key.startsWith('shown.') && typeof value === 'boolean') columnShown[key.slice(6)] = value;
    if (key.startsWith('order.') && typeof value === 'string') columnOrder[key.slice(6)] = value.split(',');
    if (key.startsWith('keys.') && typeof value === 'string') keys[key.slice(5)] = value;
    if (key.startsWith('frozen.') && typeof value === 'number') frozen[key.slice(7)] = value;
  }
  const recent = stored['recent'];
  const recentCommands = typeof recent === 'string' ? recent.split(',') : [];
  return { sizes, hidden, columnWidths, columnShown, columnOrder, frozen, keys, recentCommands };
}
