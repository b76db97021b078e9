import type { StateCreator } from 'zustand';
import type { Layout } from '../../../shared/api/scalars.ts';
import type { ColumnSlice } from './column-slice.ts';
import { fitPane, PANES, type PaneSlice } from './pane-slice.ts';
import type { ShortcutSlice } from './shortcut-slice.ts';

type Kept = Omit<PaneSlice, 'drawerTab'> & ColumnSlice & ShortcutSlice;

/** Takes over what was kept of panes, columns and shortcuts in the preferences, or of columns in a saved view. */
export interface LayoutSlice {
  /** Takes over how a saved view had the columns of its kind; other kinds stay as they are. */
  readonly restoreKind: (kind: string, stored: Layout) => void;
  readonly restoreLayout: (stored: Layout) => void;
}

export const createLayoutSlice: StateCreator<LayoutSlice & Kept, [], [], LayoutSlice> = (set) => ({
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
 * `order.keyword` (fields joined by commas), `frozen.keyword`, `findings.by`, the user's shortcuts as `keys.sync.plan`,
 * and the commands last run from the palette as `recent` (joined by commas).
 */
export function toStored(state: Kept): Layout {
  const stored: Record<string, Layout[string]> = { 'findings.by': state.findingsBy };
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

/** What of the state `toStored` is made from; a change of any of it is worth keeping. */
export const isSameLayout = (now: Kept, before: Kept): boolean => KEPT.every((key) => now[key] === before[key]);

const KEPT = [
  'sizes',
  'hidden',
  'findingsBy',
  'columnWidths',
  'columnShown',
  'columnOrder',
  'frozen',
  'keys',
  'recentCommands',
] as const satisfies readonly (keyof Kept)[];

/** Whether a key of the stored layout is about the columns of a kind. */
const isOfKind = (key: string, kind: string): boolean => {
  const [what = '', of = ''] = key.split('.');
  return of === kind && ['width', 'shown', 'order', 'frozen'].includes(what);
};

/** The columns of one kind as they are now, for a saved view. */
export const layoutOfKind = (state: Kept, kind: string): Layout =>
  Object.fromEntries(Object.entries(toStored(state)).filter(([key]) => isOfKind(key, kind)));

function fromStored(stored: Layout, state: Kept): Partial<Kept> {
  const sizes = { ...state.sizes };
  const hidden = { ...state.hidden };
  for (const pane of PANES) {
    const size = stored[`size.${pane}`];
    if (typeof size === 'number') sizes[pane] = fitPane(pane, size);
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
  const findingsBy = stored['findings.by'] === 'rule' ? 'rule' : 'severity';
  return { sizes, hidden, findingsBy, columnWidths, columnShown, columnOrder, frozen, keys, recentCommands };
}
