import { createStore, type StoreApi } from 'zustand';
import { type AnnouncementSlice, createAnnouncementSlice } from './announcement-slice.ts';
import { type MoveSlice, createCarrySlice } from './carry-slice.ts';
import { type ColumnSlice, createColumnSlice } from './column-slice.ts';
import { type CommentSlice, createCommentSlice } from './comment-slice.ts';
import { createDialogSlice, type DialogSlice } from './dialog-slice.ts';
import { createFigureSlice, type FigureSlice } from './figure-slice.ts';
import { createLayoutSlice, type LayoutSlice } from './layout-slice.ts';
import { createMenuSlice, type MenuSlice } from './menu-slice.ts';
import { createNavigationSlice, type NavigationSlice } from './navigation-slice.ts';
import { createNewsSlice, type NotificationSlice } from './news-slice.ts';
import { createPaletteSlice, type PaletteSlice } from './palette-slice.ts';
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
