import { createStore, type StateCreator, type StoreApi } from 'zustand';
import { type ColumnSlice, createColumnSlice } from './column-slice.ts';
import type { Dialog } from './dialog.ts';
import { createLayoutSlice, type LayoutSlice } from './layout-slice.ts';
import { createMenuSlice, type MenuSlice } from './menu-slice.ts';
import { createCarrySlice, type MoveSlice } from './move-slice.ts';
import { createNavigationSlice, type NavigationSlice } from './navigation-slice.ts';
import { createNewsSlice, type NotificationSlice } from './notification-slice.ts';
import { createPaneSlice, type PaneSlice } from './pane-slice.ts';
import { createProgressSlice, type ProgressSlice } from './progress-slice.ts';
import { createSelectionSlice, type SelectionSlice } from './selection-slice.ts';
import { createShortcutSlice, type ShortcutSlice } from './shortcut-slice.ts';

/** What only this window knows. Rows, plans and outcomes belong to main and are read by queries. */
export type AppState = NavigationSlice &
  SelectionSlice &
  PaneSlice &
  ColumnSlice &
  LayoutSlice &
  DialogSlice &
  PaletteSlice &
  MenuSlice &
  AnnouncementSlice &
  ProgressSlice &
  NotificationSlice &
  ShortcutSlice &
  FigureSlice &
  MoveSlice &
  CommentSlice;
export type AppStore = StoreApi<AppState>;

/** A store of its own for each window and each test. */
export const createAppStore = (): AppStore =>
  createStore<AppState>()((...parts) => ({
    ...createNavigationSlice(...parts),
    ...createSelectionSlice(...parts),
    ...createPaneSlice(...parts),
    ...createColumnSlice(...parts),
    ...createLayoutSlice(...parts),
    ...createDialogSlice(...parts),
    ...createPaletteSlice(...parts),
    ...createMenuSlice(...parts),
    ...createAnnouncementSlice(...parts),
    ...createProgressSlice(...parts),
    ...createNewsSlice(...parts),
    ...createShortcutSlice(...parts),
    ...createFigureSlice(...parts),
    ...createCarrySlice(...parts),
    ...createCommentSlice(...parts),
  }));

/** What a screen reader is told next; changed text is spoken. */
interface AnnouncementSlice {
  readonly announcement: string;
  readonly announce: (text: string) => void;
}

const createAnnouncementSlice: StateCreator<AnnouncementSlice> = (set) => ({
  announcement: '',
  announce: (announcement) => set({ announcement }),
});

/**
 * A comment that is begun away from the form it is written in.
 *
 *   nothing -- beginComment --> begun -- the form has the cursor: commentTaken --> nothing
 */
interface CommentSlice {
  /** The field of the active row it is about; null for the row as a whole. */
  readonly commentBegun: { readonly field: string | null } | null;
  /** Shows the details of the active row alone, where comments are written. */
  readonly beginComment: (field: string | null) => void;
  readonly commentTaken: () => void;
}

const createCommentSlice: StateCreator<CommentSlice & PaneSlice & SelectionSlice, [], [], CommentSlice> = (set) => ({
  commentBegun: null,
  beginComment: (field) =>
    set(({ active, hidden }) => ({
      commentBegun: { field },
      anchor: active,
      wholeRows: false,
      hidden: { ...hidden, inspector: false },
    })),
  commentTaken: () => set({ commentBegun: null }),
});

/** Which dialog is open: one takes the place of another, so that Escape never leads to a dialog behind it. */
interface DialogSlice {
  readonly dialog: Dialog | null;
  readonly show: (dialog: Dialog) => void;
  readonly dismiss: () => void;
}

const createDialogSlice: StateCreator<DialogSlice & PaletteSlice, [], [], DialogSlice> = (set) => ({
  dialog: null,
  show: (dialog) => set({ dialog, palette: NOTHING_TYPED }),
  dismiss: () => set({ dialog: null }),
});

/** Whose figures stand in the grid. */
interface FigureSlice {
  /** The report the user chose, by kind of row; kinds without an entry show the newest. */
  readonly figureReports: Readonly<Record<string, string>>;
  readonly chooseFigureReport: (kind: string, reportId: string) => void;
}

const createFigureSlice: StateCreator<FigureSlice> = (set) => ({
  figureReports: {},
  chooseFigureReport: (kind, reportId) =>
    set(({ figureReports }) => ({ figureReports: { ...figureReports, [kind]: reportId } })),
});

/**
 * What has been done in the palette. Keys come before its list does, and are kept here for it:
 *
 *   typing --Enter, the list is not there--> entered --the list is there--> what is chosen runs, once
 *     ^                                         | nothing matches
 *     '-----------------------------------------'
 */
interface PaletteTyping {
  readonly text: string;
  /** Which entry of the list is chosen, counted on beyond its end, where the first comes again; below 0 from the end. */
  readonly at: number;
  readonly isEntered: boolean;
}

interface PaletteSlice {
  readonly palette: PaletteTyping;
  readonly typeInPalette: (text: string) => void;
  readonly chooseInPalette: (at: number) => void;
  /** Notes that Enter was pressed, or that it has been answered. */
  readonly enterPalette: (isEntered: boolean) => void;
}

const NOTHING_TYPED: PaletteTyping = { text: '', at: 0, isEntered: false };

const createPaletteSlice: StateCreator<PaletteSlice> = (set) => ({
  palette: NOTHING_TYPED,
  typeInPalette: (text) => set({ palette: { text, at: 0, isEntered: false } }),
  chooseInPalette: (at) => set(({ palette }) => ({ palette: { ...palette, at } })),
  enterPalette: (isEntered) => set(({ palette }) => ({ palette: { ...palette, isEntered } })),
});
