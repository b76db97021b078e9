import { createStore, type StateCreator, type StoreApi } from 'zustand';
import type { AppEvent, NotificationEntry } from '../../../shared/api/app.ts';
import type { UserRule } from '../../../shared/api/rules.ts';
import type { SuggestionKind } from '../../../shared/suggestions/suggestion.ts';
import type { CampaignShape, Dialog } from './dialog.ts';
import { createGridSlice, type GridSlice } from './grid-slice.ts';
import { createHistorySlice, type HistorySlice } from './history-slice.ts';
import {
  type ColumnSlice,
  createColumnSlice,
  createLayoutSlice,
  createPaneSlice,
  createShortcutSlice,
  type LayoutSlice,
  type PaneSlice,
  type ShortcutSlice,
} from './layout-slice.ts';
import { createMoveSlice, type MoveSlice } from './move-slice.ts';
import { createNavigationSlice, type NavigationSlice } from './navigation-slice.ts';
import { createPeriodSlice, type PeriodSlice } from './period-slice.ts';
import { createSelectionSlice, type SelectionSlice } from './selection-slice.ts';
import { createSettingsSlice, type SettingsSlice } from './settings-slice.ts';
import { createSyncSlice, type SyncSlice } from './sync-slice.ts';
import { createToolSlice, type ToolSlice } from './tool-slice.ts';

/** State of this window alone. Rows, plans and results belong to main and are read by queries. */
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
  GridSlice &
  PeriodSlice &
  SuggestionsSlice &
  SyncSlice &
  MoveSlice &
  ToolSlice &
  SettingsSlice &
  HistorySlice &
  CommentSlice &
  FormSlice;
export type AppStore = StoreApi<AppState>;

/** Creates a separate store for each window and each test. */
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
    ...createGridSlice(...parts),
    ...createPeriodSlice(...parts),
    ...createSuggestionsSlice(...parts),
    ...createSyncSlice(...parts),
    ...createMoveSlice(...parts),
    ...createToolSlice(...parts),
    ...createSettingsSlice(...parts),
    ...createHistorySlice(...parts),
    ...createCommentSlice(...parts),
    ...createFormSlice(...parts),
  }));

/** The kind of suggestions shown, and whose goal is edited. */
interface SuggestionsSlice {
  /** Null shows the first kind that has suggestions. */
  readonly suggestionKind: SuggestionKind | null;
  readonly chooseSuggestions: (kind: SuggestionKind | null) => void;
  /** `account`, `label:<name>` or `campaign:<id>`; null while goals are not shown. */
  readonly goalFor: string | null;
  readonly showGoals: (goalFor: string | null) => void;
  /** Opens the suggestions page with one kind. */
  readonly openSuggestions: (kind: SuggestionKind | null, goalFor?: string | null) => void;
}

const createSuggestionsSlice: StateCreator<SuggestionsSlice & NavigationSlice, [], [], SuggestionsSlice> = (set) => ({
  suggestionKind: null,
  chooseSuggestions: (suggestionKind) => set({ suggestionKind, goalFor: null }),
  goalFor: null,
  showGoals: (goalFor) => set({ goalFor }),
  openSuggestions: (suggestionKind, goalFor = null) => set({ suggestionKind, goalFor, place: 'suggestions' }),
});

/** The next announcement for screen readers, spoken when the text changes. */
interface AnnouncementSlice {
  readonly announcement: string;
  readonly announce: (text: string) => void;
}

const createAnnouncementSlice: StateCreator<AnnouncementSlice> = (set) => ({
  announcement: '',
  announce: (announcement) => set({ announcement }),
});

/**
 * A comment started outside the form in which it is written.
 *
 *   nothing -- beginComment --> begun -- the form has the cursor: commentTaken --> nothing
 */
interface CommentSlice {
  /** The field of the active row it is about; null for the row as a whole. */
  readonly commentBegun: { readonly field: string | null } | null;
  /** Shows the details of the active row, where comments are written. */
  readonly beginComment: (field: string | null) => void;
  readonly commentTaken: () => void;
  /** Whether labels of the selected rows were begun, in the same way. */
  readonly labelBegun: boolean;
  readonly beginLabel: () => void;
  readonly labelTaken: () => void;
  /** What was typed and not added, by account and row. */
  readonly comments: Readonly<Record<string, TypedComment | undefined>>;
  readonly typeComment: (row: string, typed: TypedComment) => void;
}

interface TypedComment {
  readonly field: string | null;
  readonly text: string;
}

const createCommentSlice: StateCreator<CommentSlice & PaneSlice & SelectionSlice, [], [], CommentSlice> = (set) => ({
  commentBegun: null,
  beginComment: (field) =>
    set(({ active, hidden }) => ({
      commentBegun: { field },
      anchor: active,
      wholeRows: false,
      all: null,
      paneTab: 'details',
      hidden: { ...hidden, inspector: false },
    })),
  commentTaken: () => set({ commentBegun: null }),
  labelBegun: false,
  beginLabel: () =>
    set(({ hidden }) => ({ labelBegun: true, paneTab: 'details', hidden: { ...hidden, inspector: false } })),
  labelTaken: () => set({ labelBegun: false }),
  comments: {},
  typeComment: (row, typed) => set(({ comments }) => ({ comments: { ...comments, [row]: typed } })),
});

/** The input of a new campaign by field, and the selected type. */
export interface KeptForm {
  readonly shape: CampaignShape;
  readonly values: Readonly<Record<string, string>>;
  /** The initial values: empty, from a template or from a campaign. Other values were typed. */
  readonly first: Readonly<Record<string, string>>;
}

/** The forms of a new campaign and of a custom rule. Their input is kept while another screen is shown. */
interface FormSlice {
  /** The initial campaign type, and the campaign whose rows fill the form, if any. */
  readonly formOf: { readonly shape: CampaignShape; readonly like: number | null };
  /** One form for each account, by the ID of its workspace. */
  readonly forms: Readonly<Record<string, KeptForm | undefined>>;
  readonly openForm: (shape: CampaignShape, like?: number) => void;
  /** @param form undefined removes it */
  readonly keepForm: (workspaceId: string, form?: KeptForm) => void;
  /** The custom rule in the form of each account. */
  readonly rules: Readonly<Record<string, UserRule | undefined>>;
  /** @param rule undefined closes its form */
  readonly keepRule: (workspaceId: string, rule?: UserRule) => void;
}

const createFormSlice: StateCreator<FormSlice & NavigationSlice, [], [], FormSlice> = (set) => ({
  formOf: { shape: 'manual', like: null },
  forms: {},
  openForm: (shape, like) =>
    set(({ forms, workspaceId }) => {
      const form = forms[workspaceId ?? ''];
      const kept = like === undefined && form !== undefined ? { ...form, shape } : undefined;
      return {
        place: 'new-campaign',
        formOf: { shape, like: like ?? null },
        forms: { ...forms, [workspaceId ?? '']: kept },
      };
    }),
  keepForm: (workspaceId, form) => set(({ forms }) => ({ forms: { ...forms, [workspaceId]: form } })),
  rules: {},
  keepRule: (workspaceId, rule) => set(({ rules }) => ({ rules: { ...rules, [workspaceId]: rule } })),
});

/** The open dialog. A new dialog replaces it, so that Escape never leads to a dialog behind it. */
interface DialogSlice {
  readonly dialog: Dialog | null;
  readonly show: (dialog: Dialog) => void;
  readonly dismiss: () => void;
  /** For work that may end late: closes the dialog that is open now, and no other that is open by then. */
  readonly dismisser: () => () => void;
}

const createDialogSlice: StateCreator<DialogSlice & PaletteSlice, [], [], DialogSlice> = (set, get) => ({
  dialog: null,
  show: (dialog) => set({ dialog, palette: NOTHING_TYPED }),
  dismiss: () => set({ dialog: null }),
  dismisser: () => {
    const begunIn = get().dialog;
    return () => set(({ dialog }) => (dialog === begunIn ? { dialog: null } : {}));
  },
});

/**
 * Input in the palette. Keys may be pressed before its list is loaded, so they are kept here:
 *
 *   typing --Enter, the list is not loaded--> entered --the list is loaded--> the selected entry runs, once
 *     ^                                          | nothing matches
 *     '------------------------------------------'
 */
interface PaletteTyping {
  readonly text: string;
  /** The index of the selected entry. It wraps around: beyond the end the first entry follows, below 0 the last. */
  readonly at: number;
  readonly isEntered: boolean;
}

interface PaletteSlice {
  readonly palette: PaletteTyping;
  readonly typeInPalette: (text: string) => void;
  readonly chooseInPalette: (at: number) => void;
  readonly enterPalette: (isEntered: boolean) => void;
}

const NOTHING_TYPED: PaletteTyping = { text: '', at: 0, isEntered: false };

const createPaletteSlice: StateCreator<PaletteSlice> = (set) => ({
  palette: NOTHING_TYPED,
  typeInPalette: (text) => set({ palette: { text, at: 0, isEntered: false } }),
  chooseInPalette: (at) => set(({ palette }) => ({ palette: { ...palette, at } })),
  enterPalette: (isEntered) => set(({ palette }) => ({ palette: { ...palette, isEntered } })),
});

/** The menu of the grid at a point of the window: for cells, for the active column, or for the active cell's issue. */
export interface GridMenu {
  readonly of: 'cells' | 'column' | 'issue';
  readonly x: number;
  readonly y: number;
}

interface MenuSlice {
  readonly menu: GridMenu | null;
  readonly openMenu: (menu: GridMenu) => void;
  readonly closeMenu: () => void;
}

const createMenuSlice: StateCreator<MenuSlice> = (set) => ({
  menu: null,
  openMenu: (menu) => set({ menu }),
  closeMenu: () => set({ menu: null }),
});

export type SyncProgress = Extract<AppEvent, { type: 'sync.progress' }>;
type TaskProgress = Extract<AppEvent, { type: 'task.progress' }>;
type UploadProgress = Extract<AppEvent, { type: 'upload.progress' }>;

interface Copying {
  readonly done: number;
  readonly total: number;
  readonly stop: () => void;
}

/** The newest progress from main, by workspace and by file. A reload loses it, but not the sync report. */
interface ProgressSlice {
  readonly syncs: Readonly<Record<string, SyncProgress>>;
  readonly uploads: Readonly<Record<number, UploadProgress>>;
  /** Unfinished tasks by ID. */
  readonly tasks: Readonly<Record<string, TaskProgress>>;
  readonly noteTask: (progress: TaskProgress) => void;
  /** The accounts that this window refreshes; one that it refreshes twice is named twice. */
  readonly refreshing: readonly string[];
  readonly noteRefresh: (workspaceId: string, isOver: boolean) => void;
  /** A long range being copied to the clipboard, in rows; null when there is none. */
  readonly copying: Copying | null;
  readonly noteCopying: (copying: Copying | null) => void;
  readonly noteSync: (progress: SyncProgress) => void;
  readonly noteUpload: (progress: UploadProgress) => void;
}

const createProgressSlice: StateCreator<ProgressSlice> = (set) => ({
  syncs: {},
  uploads: {},
  copying: null,
  tasks: {},
  noteTask: (progress) =>
    set(({ tasks }) => {
      const { [progress.taskId]: _, ...others } = tasks;
      return { tasks: progress.isOver ? others : { ...others, [progress.taskId]: progress } };
    }),
  refreshing: [],
  noteRefresh: (workspaceId, isOver) =>
    set(({ refreshing }) => ({
      refreshing: isOver ? refreshing.toSpliced(refreshing.indexOf(workspaceId), 1) : [...refreshing, workspaceId],
    })),
  noteCopying: (copying) => set(() => ({ copying })),
  noteSync: (progress) => set(({ syncs }) => ({ syncs: { ...syncs, [progress.workspaceId]: progress } })),
  noteUpload: (progress) => set(({ uploads }) => ({ uploads: { ...uploads, [progress.mediaId]: progress } })),
});

export interface AppNotification extends Readonly<Omit<NotificationEntry, 'campaignId'>> {
  readonly id: number;
  readonly workspaceId: string | null;
}

/** Notifications, newest first. Main stores those about an account for the next window. */
interface NotificationSlice {
  readonly notifications: readonly AppNotification[];
  readonly noteNews: (entry: Omit<AppNotification, 'id'>) => void;
  /** Merges the stored notifications of an account with those of this window. */
  readonly restoreNotifications: (
    workspaceId: string,
    kept: readonly Omit<AppNotification, 'id' | 'workspaceId'>[],
  ) => void;
  readonly clearNotifications: () => void;
}

const NOTIFICATIONS_MAX = 100;
/** An entry may arrive both as an event and in a list. */
const keyOf = ({ workspaceId, at, text }: Omit<AppNotification, 'id'>): string => `${workspaceId} ${at} ${text}`;

const createNewsSlice: StateCreator<NotificationSlice> = (set) => ({
  notifications: [],
  noteNews: (entry) =>
    set(({ notifications }) => {
      if (notifications.some((each) => keyOf(each) === keyOf(entry))) return {};
      return {
        notifications: [{ ...entry, id: (notifications[0]?.id ?? 0) + 1 }, ...notifications].slice(
          0,
          NOTIFICATIONS_MAX,
        ),
      };
    }),
  restoreNotifications: (workspaceId, kept) =>
    set(({ notifications }) => {
      const seen = new Set(notifications.map(keyOf));
      const back = kept.map((entry) => ({ ...entry, workspaceId })).filter((entry) => !seen.has(keyOf(entry)));
      const all = [...notifications, ...back].toSorted((a, b) => b.at - a.at);
      return { notifications: all.slice(0, NOTIFICATIONS_MAX).map((entry, i) => ({ ...entry, id: all.length - i })) };
    }),
  clearNotifications: () => set({ notifications: [] }),
});
