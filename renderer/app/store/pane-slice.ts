import type { StateCreator } from 'zustand';

export type Pane = 'navigation' | 'inspector' | 'drawer';
export const PANES: readonly Pane[] = ['navigation', 'inspector', 'drawer'];
export type DrawerTab = 'findings' | 'changes' | 'sync' | 'history';

/** Limits of each pane in CSS pixels: least, most, and the size it starts with. */
export const PANE_LIMITS: Readonly<
  Record<Pane, { readonly min: number; readonly max: number; readonly start: number }>
> = {
  navigation: { min: 180, max: 420, start: 232 },
  inspector: { min: 280, max: 560, start: 336 },
  drawer: { min: 120, max: 560, start: 216 },
};

/** What findings are put together by: how grave they are, or the rule that finds them. */
export type FindingsBy = 'severity' | 'rule';

/** Sizes and visibility of the panes around the rows, and what the drawer shows. */
export interface PaneSlice {
  readonly sizes: Readonly<Record<Pane, number>>;
  readonly hidden: Readonly<Record<Pane, boolean>>;
  readonly drawerTab: DrawerTab;
  readonly findingsBy: FindingsBy;
  readonly resizePane: (pane: Pane, size: number) => void;
  readonly togglePane: (pane: Pane) => void;
  readonly showTab: (tab: DrawerTab) => void;
  readonly groupFindings: (by: FindingsBy) => void;
}

/** The nearest size in whole CSS pixels that the pane may have. */
export const fitPane = (pane: Pane, size: number): number =>
  Math.round(Math.min(PANE_LIMITS[pane].max, Math.max(PANE_LIMITS[pane].min, size)));

export const createPaneSlice: StateCreator<PaneSlice> = (set) => ({
  sizes: {
    navigation: PANE_LIMITS.navigation.start,
    inspector: PANE_LIMITS.inspector.start,
    drawer: PANE_LIMITS.drawer.start,
  },
  hidden: { navigation: false, inspector: false, drawer: false },
  drawerTab: 'findings',
  findingsBy: 'severity',
  resizePane: (pane, size) => set(({ sizes }) => ({ sizes: { ...sizes, [pane]: fitPane(pane, size) } })),
  togglePane: (pane) => set(({ hidden }) => ({ hidden: { ...hidden, [pane]: !hidden[pane] } })),
  showTab: (drawerTab) => set(({ hidden }) => ({ drawerTab, hidden: { ...hidden, drawer: false } })),
  groupFindings: (findingsBy) => set({ findingsBy }),
});
