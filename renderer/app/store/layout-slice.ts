import type { StateCreator } from 'zustand';
import { isKindLayoutKey, isViewLayoutKey } from '../../../shared/api/choices.ts';
import type { Layout } from '../../../shared/api/scalars.ts';
import { currentKey } from '../../../shared/reports/account-metrics.ts';
import { type GridSlice, gridFromStored, gridToStored } from './grid-slice.ts';
import { type PeriodSlice, periodFromStored, periodToStored } from './period-slice.ts';

type Kept = Omit<PaneSlice, 'drawerTab' | 'paneTab' | 'openPane'> &
  ColumnSlice &
  ShortcutSlice &
  GridSlice &
  PeriodSlice;

/** Restores panes, columns and shortcuts from the preferences, or columns from a saved view. */
export interface LayoutSlice {
  /** Restores the columns of one kind from a saved view; other kinds stay as they are. */
  readonly restoreKind: (kind: string, stored: Layout) => void;
  readonly restoreLayout: (stored: Layout) => void;
}

export const createLayoutSlice: StateCreator<LayoutSlice & Kept, [], [], LayoutSlice> = (set) => ({
  restoreKind: (kind, stored) =>
    set((state) => {
      const others = Object.entries(toStored(state)).filter(([key]) => !isKindLayoutKey(key, kind));
      const own = Object.entries(stored).filter(([key]) => isViewLayoutKey(key, kind));
      return fromStored(Object.fromEntries([...others, ...own]), state);
    }),
  restoreLayout: (stored) => set((state) => fromStored(stored, state)),
});

/**
 * The layout as flat preferences: `size.drawer`, `hidden.drawer`, `width.keyword.bid`, `shown.keyword.bid`,
 * `order.keyword` (fields joined by commas), `frozen.keyword`, the user's shortcuts as `keys.sync.plan`, the commands
 * last run from the palette as `recent` (joined by commas), and the `period` of metrics. Keys of metric columns from an
 * earlier version are converted to the present ones.
 */
export function toStored(state: Kept): Layout {
  const stored: Record<string, Layout[string]> = {
    ...periodToStored(state),
    ...gridToStored(state),
  };
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

/** Whether nothing that `toStored` saves has changed. */
export const isSameLayout = (now: Kept, before: Kept): boolean => KEPT.every((key) => now[key] === before[key]);

const KEPT = [
  'sizes',
  'hidden',
  'columnWidths',
  'columnShown',
  'columnOrder',
  'frozen',
  'keys',
  'recentCommands',
  'density',
  'metricColors',
  'impactLens',
  'itemPictures',
  'motion',
  'presence',
  'groupBy',
  'gallery',
  'period',
  'comparison',
  'attribution',
  'settledOnly',
] as const satisfies readonly (keyof Kept)[];

/** The present columns and groups of one kind, and the period: the layout of a saved view. */
export const layoutOfKind = (state: Kept, kind: string): Layout =>
  Object.fromEntries(Object.entries(toStored(state)).filter(([key]) => isViewLayoutKey(key, kind)));

/** `keyword.bid` of `width.keyword.bid`. */
function columnKey(key: string): string {
  const [, kind, ...field] = key.split('.');
  return `${kind}.${currentKey(field.join('.'))}`;
}

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
    if (key.startsWith('width.') && typeof value === 'number') columnWidths[columnKey(key)] = value;
    if (key.startsWith('shown.') && typeof value === 'boolean') columnShown[columnKey(key)] = value;
    if (key.startsWith('order.') && typeof value === 'string')
      columnOrder[key.slice(6)] = value.split(',').map(currentKey);
    if (key.startsWith('keys.') && typeof value === 'string') keys[key.slice(5)] = value;
    if (key.startsWith('frozen.') && typeof value === 'number') frozen[key.slice(7)] = value;
  }
  const recent = stored['recent'];
  const recentCommands = typeof recent === 'string' ? recent.split(',') : [];
  const columns = { columnWidths, columnShown, columnOrder, frozen };
  return {
    sizes,
    hidden,
    keys,
    recentCommands,
    ...periodFromStored(stored),
    ...columns,
    ...gridFromStored(stored),
  };
}

export interface ColumnSlice {
  /** Column widths by `kind.column`, in CSS pixels. */
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Columns whose visibility differs from their default, by `kind.column`. */
  readonly columnShown: Readonly<Record<string, boolean>>;
  /** Fields of a kind in the user's order; kinds without an entry keep the order of the model. */
  readonly columnOrder: Readonly<Record<string, readonly string[]>>;
  /** Number of frozen columns, by kind; 1 without an entry. */
  readonly frozen: Readonly<Record<string, number>>;
  /** Widths by `kind.column`. */
  readonly resizeColumns: (widths: Readonly<Record<string, number>>) => void;
  readonly showColumn: (key: string, shown: boolean) => void;
  readonly orderColumns: (kind: string, fields: readonly string[]) => void;
  readonly freezeColumns: (kind: string, count: number) => void;
}

export const createColumnSlice: StateCreator<ColumnSlice> = (set) => ({
  columnWidths: {},
  columnShown: {},
  columnOrder: {},
  frozen: {},
  resizeColumns: (widths) =>
    set((s) => {
      const whole = Object.entries(widths).map(([key, width]) => [key, Math.round(width)] as const);
      return { columnWidths: { ...s.columnWidths, ...Object.fromEntries(whole) } };
    }),
  showColumn: (key, shown) => set((s) => ({ columnShown: { ...s.columnShown, [key]: shown } })),
  orderColumns: (kind, fields) => set((s) => ({ columnOrder: { ...s.columnOrder, [kind]: fields } })),
  freezeColumns: (kind, count) => set((s) => ({ frozen: { ...s.frozen, [kind]: Math.max(1, count) } })),
});

/** The user's shortcuts by command; an empty text means none. Stored in the preferences as `keys.<command>`. */
export interface ShortcutSlice {
  readonly keys: Readonly<Record<string, string>>;
  /** IDs of the commands last run from the palette, the latest first. */
  readonly recentCommands: readonly string[];
  readonly chooseKeys: (chosen: Readonly<Record<string, string>>) => void;
  /** Resets one command, or all (null), to the default shortcuts. */
  readonly resetKeys: (command: string | null) => void;
  readonly noteCommand: (id: string) => void;
}

const RECENT_MAX = 5;

export const createShortcutSlice: StateCreator<ShortcutSlice> = (set) => ({
  keys: {},
  recentCommands: [],
  chooseKeys: (chosen) => set(({ keys }) => ({ keys: { ...keys, ...chosen } })),
  resetKeys: (command) =>
    set(({ keys }) => ({
      keys: command === null ? {} : Object.fromEntries(Object.entries(keys).filter(([id]) => id !== command)),
    })),
  noteCommand: (id) =>
    set(({ recentCommands }) => ({
      recentCommands: [id, ...recentCommands.filter((other) => other !== id)].slice(0, RECENT_MAX),
    })),
});

export type Pane = 'navigation' | 'inspector' | 'drawer';
export const PANES: readonly Pane[] = ['navigation', 'inspector', 'drawer'];
export type DrawerTab = 'issues' | 'changes' | 'sync' | 'history';

/** Limits of each pane in CSS pixels: minimum, maximum, and initial size. */
export const PANE_LIMITS: Readonly<
  Record<Pane, { readonly min: number; readonly max: number; readonly start: number }>
> = {
  navigation: { min: 180, max: 320, start: 212 },
  inspector: { min: 280, max: 560, start: 320 },
  drawer: { min: 120, max: 560, start: 264 },
};

/** The tabs of the right pane: tools that change rows, ideas for more rows, and the details of the active row. */
export type PaneTab = 'change' | 'ideas' | 'details';
export const PANE_TABS: readonly PaneTab[] = ['change', 'ideas', 'details'];

/** The steps of the tab Change. */
export const TOOL_STEPS = ['set', 'amount', 'replace', 'append', 'case', 'paste', 'duplicates', 'copy'] as const;
export type ToolStep = (typeof TOOL_STEPS)[number];

export interface OpenTool {
  readonly step: ToolStep;
  /** The field selected at first; empty for the first one that the tool can change. */
  readonly field: string;
  /** Amounts begin with the suggested ones. */
  readonly isSuggested?: boolean;
}

/**
 * Sizes and visibility of the panes around the rows, and their tabs. The lower panel and the right pane are closed at
 * first; a hidden navigation still shows its icons.
 */
export interface PaneSlice {
  readonly sizes: Readonly<Record<Pane, number>>;
  readonly hidden: Readonly<Record<Pane, boolean>>;
  readonly drawerTab: DrawerTab;
  /** The tab of the right pane. */
  readonly paneTab: PaneTab;
  readonly openPane: (tab: PaneTab) => void;
  readonly resizePane: (pane: Pane, size: number) => void;
  readonly togglePane: (pane: Pane) => void;
  /** Opens the lower panel with a tab. */
  readonly showTab: (tab: DrawerTab) => void;
}

/** The nearest size allowed for the pane, in whole CSS pixels. */
export const fitPane = (pane: Pane, size: number): number =>
  Math.round(Math.min(PANE_LIMITS[pane].max, Math.max(PANE_LIMITS[pane].min, size)));

export const createPaneSlice: StateCreator<PaneSlice> = (set) => ({
  sizes: {
    navigation: PANE_LIMITS.navigation.start,
    inspector: PANE_LIMITS.inspector.start,
    drawer: PANE_LIMITS.drawer.start,
  },
  hidden: { navigation: false, inspector: true, drawer: true },
  drawerTab: 'issues',
  paneTab: 'details',
  openPane: (paneTab) => set(({ hidden }) => ({ paneTab, hidden: { ...hidden, inspector: false } })),
  resizePane: (pane, size) => set(({ sizes }) => ({ sizes: { ...sizes, [pane]: fitPane(pane, size) } })),
  togglePane: (pane) =>
    set(({ hidden, paneTab }) => ({
      hidden: { ...hidden, [pane]: !hidden[pane] },
      // The right pane was closed with the last tool; the key of the details opens the details.
      paneTab: pane === 'inspector' && hidden.inspector ? 'details' : paneTab,
    })),
  showTab: (drawerTab) => set(({ hidden }) => ({ drawerTab, hidden: { ...hidden, drawer: false } })),
});
