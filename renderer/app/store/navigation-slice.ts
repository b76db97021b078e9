import type { StateCreator } from 'zustand';
import type { CompareSide } from '../../../shared/api/compare.ts';
import type { EditedCaptions } from '../../../shared/api/files.ts';
import type { SavedView } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { currentKey, metricOfField } from '../../../shared/reports/account-metrics.ts';
import type { Dialog } from './dialog.ts';
import type { OpenTool } from './layout-slice.ts';
import type { MoveSlice } from './move-slice.ts';
import { FIRST_CELL, type SelectionSlice } from './selection-slice.ts';

export type QuickFilter = ViewSpec['only'];
export type Sort = readonly { readonly column: string; readonly descending: boolean }[];

/** Rows to show and select for a tool, as soon as they are loaded. */
export interface PendingSelection {
  readonly kind: Kind;
  readonly filter: string;
  /** The tool that opens beside them; null opens none. */
  readonly tool: OpenTool | null;
}

/** Rows of a kind, as a view filters and sorts them, and the cell of them to make active. */
export type NarrowedRows = Pick<NavigationSlice, 'kind'> &
  Partial<Pick<NavigationSlice, 'campaignId' | 'filter' | 'only' | 'sort' | 'target'>>;

/** The screens in the middle of the window, with their names. */
export const PLACE_NAMES = {
  overview: 'Overview',
  inbox: 'Inbox',
  suggestions: 'Suggestions',
  rows: 'Rows',
  sync: 'Sync plan',
  'new-campaign': 'New campaign',
  'add-rows': 'Add rows',
  launch: 'Launch',
  reports: 'Reports',
  compare: 'Compare',
  'time-machine': 'Time machine',
  video: 'Edit video',
  overlap: 'Keyword overlap',
  settings: 'Settings',
} as const;
export type Place = keyof typeof PLACE_NAMES;

/** The edited video, with its captions once they differ from its file. */
export interface EditedVideo {
  readonly mediaId: number;
  readonly edited: EditedCaptions | null;
}

export interface ComparedSides {
  readonly left: CompareSide;
  readonly right: CompareSide;
}

/** The place of the user: account, campaign, kind of row, filter and order of the rows. */
export interface NavigationSlice {
  readonly workspaceId: string | null;
  readonly place: Place;
  /** Whether keywords and multipliers of one campaign are shown as a matrix. */
  readonly matrix: boolean;
  readonly kind: Kind;
  readonly campaignId: number | null;
  readonly filter: string;
  readonly only: QuickFilter;
  readonly sort: Sort;
  /** The saved view that was opened; a change of the filter does not close it. */
  readonly savedView: number | null;
  readonly openSavedView: (saved: SavedView) => void;
  /** Whether the filter is shown as chips, or as the text that is stored. */
  readonly filterAs: 'chips' | 'text';
  readonly showFilterAs: (filterAs: 'chips' | 'text') => void;
  /** The chip whose form is open, by its index; `new` for the form of a new chip. */
  readonly filterForm: number | 'new' | null;
  readonly openFilterForm: (form: number | 'new' | null) => void;
  /** The row to show and make active once its view is loaded. */
  readonly target: { readonly id: number; readonly field: string | null } | null;
  /** The state shown by the time machine, by the ID of the step before it; null until one is selected. */
  readonly moment: number | null;
  readonly chooseMoment: (moment: number | null) => void;
  readonly video: EditedVideo | null;
  /** Edited captions are kept if the video is the same. */
  readonly editVideo: (mediaId: number) => void;
  readonly changeCaptions: (edited: EditedCaptions | null) => void;
  /** The two sides of the present or last comparison. */
  readonly compared: ComparedSides;
  readonly chooseSides: (compared: ComparedSides) => void;
  /** The selected entry of the inbox; null selects the first one. */
  readonly inboxEntry: string | null;
  readonly chooseInboxEntry: (id: string | null) => void;
  /** Opens the inbox with this entry selected. */
  readonly openInbox: (id: string | null) => void;
  readonly pendingSelection: PendingSelection | null;
  /** Opens the rows of a filter in the whole account, selects all of them and opens the tool beside them. */
  readonly goToRows: (pendingSelection: PendingSelection) => void;
  readonly selectionDone: () => void;
  /** Opens rows with the filter that a number elsewhere was counted with. */
  readonly showRows: (rows: NarrowedRows) => void;
  readonly openWorkspace: (workspaceId: string | null) => void;
  readonly goTo: (place: { readonly kind: Kind; readonly campaignId: number | null }) => void;
  /** Opens a row wherever it is. Filters are removed, because they might hide the row. */
  readonly reveal: (kind: Kind, campaignId: number | null, id: number, field: string | null) => void;
  readonly openPlace: (place: Place) => void;
  readonly showMatrix: (matrix: boolean) => void;
  readonly setFilter: (filter: string) => void;
  readonly setOnly: (only: QuickFilter) => void;
  /** `add` keeps the present order and appends the column to it. */
  readonly sortBy: (column: string, add?: boolean) => void;
  readonly setSort: (sort: Sort) => void;
  readonly arrived: () => void;
}

/** The whole account, compared with its state on the service. */
const COMPARED: ComparedSides = { left: { is: 'now', campaignId: null }, right: { is: 'service', campaignId: null } };

const UNNARROWED = { savedView: null, filterAs: 'chips', filterForm: null } as const;
const EVERYTHING = {
  place: 'rows',
  filter: '',
  only: 'all',
  sort: [],
  target: null,
  pendingSelection: null,
  ...UNNARROWED,
} as const;
/** Another list starts at its first cell. */
const TOP = { active: FIRST_CELL, anchor: FIRST_CELL, wholeRows: false, all: null, activeGroup: null } as const;

/** What names rows of the open account by numbers, which are those of other rows in another account. */
interface OfAccount extends Pick<MoveSlice, 'rowsToMove'> {
  readonly goalFor: string | null;
  readonly dialog: Dialog | null;
  /** What was last said of the open account. */
  readonly announcement: string;
}

const OF_ACCOUNT: ReadonlySet<Dialog['name']> = new Set(['confirm', 'name', 'media', 'sheet', 'paste', 'views']);

export const createNavigationSlice: StateCreator<
  NavigationSlice & SelectionSlice & OfAccount,
  [],
  [],
  NavigationSlice
> = (set) => ({
  workspaceId: null,
  matrix: false,
  kind: 'campaign',
  campaignId: null,
  moment: null,
  chooseMoment: (moment) => set({ moment, place: 'time-machine' }),
  video: null,
  editVideo: (mediaId) =>
    set(({ video }) => ({
      video: video?.mediaId === mediaId ? video : { mediaId, edited: null },
      place: 'video',
    })),
  changeCaptions: (edited) => set(({ video }) => (video === null ? {} : { video: { ...video, edited } })),
  compared: COMPARED,
  chooseSides: (compared) => set({ compared, place: 'compare' }),
  inboxEntry: null,
  chooseInboxEntry: (inboxEntry) => set({ inboxEntry }),
  openInbox: (inboxEntry) => set({ inboxEntry, place: 'inbox' }),
  ...EVERYTHING,
  openWorkspace: (workspaceId) =>
    set(({ dialog, workspaceId: before }) => ({
      workspaceId,
      // These act on the account that was open. A link can open another one behind them; a file may wait for the first.
      dialog: before !== null && dialog !== null && OF_ACCOUNT.has(dialog.name) ? null : dialog,
      kind: 'campaign',
      campaignId: null,
      compared: COMPARED,
      moment: null,
      video: null,
      rowsToMove: null,
      goalFor: null,
      announcement: '',
      ...EVERYTHING,
      place: 'overview',
      ...TOP,
    })),
  goTo: ({ kind, campaignId }) => set({ kind, campaignId, ...EVERYTHING, ...TOP }),
  reveal: (kind, campaignId, id, field) =>
    set((state) => {
      const within = kind === 'campaign' || kind === 'media' ? null : campaignId;
      const here = state.kind === kind && (state.campaignId === within || state.campaignId === null);
      const keep = here && state.filter === '' && state.only === 'all';
      return {
        matrix: false,
        ...(keep ? { place: 'rows' } : { kind, campaignId: within, ...EVERYTHING }),
        target: { id, field },
      };
    }),
  goToRows: (pendingSelection) =>
    set({
      matrix: false,
      kind: pendingSelection.kind,
      campaignId: null,
      ...EVERYTHING,
      filter: pendingSelection.filter,
      ...TOP,
      pendingSelection,
    }),
  selectionDone: () => set({ pendingSelection: null }),
  showRows: (rows) => set({ matrix: false, campaignId: null, ...EVERYTHING, ...rows, ...TOP }),
  openPlace: (place) => set({ place }),
  showMatrix: (matrix) => set({ matrix }),
  openSavedView: ({ id, view: { kind, campaignId, filter, only, sort } }) =>
    set((state) => ({
      kind,
      // A view of the whole account keeps the open campaign: its filter then applies within the campaign.
      campaignId: campaignId ?? (kind === state.kind ? state.campaignId : null),
      ...EVERYTHING,
      ...TOP,
      filter,
      only,
      sort: sort.map((each) => ({ ...each, column: currentKey(each.column) })),
      savedView: id,
    })),
  showFilterAs: (filterAs) => set({ filterAs, filterForm: null }),
  openFilterForm: (filterForm) => set({ filterForm, filterAs: 'chips' }),
  setFilter: (filter) => set((state) => (filter === state.filter ? {} : { filter, ...oneRow(state) })),
  setOnly: (only) => set((state) => (only === state.only ? {} : { only, ...oneRow(state) })),
  sortBy: (column, add = false) => set((state) => ({ sort: sortedBy(state.sort, column, add), ...oneRow(state) })),
  setSort: (sort) => set((state) => ({ sort, ...oneRow(state) })),
  arrived: () => set({ target: null }),
});

/**
 * When other rows take the places of the selected ones, only the first place stays selected: a selection is a range of
 * places, and a delete would otherwise remove rows that the user never selected.
 */
const oneRow = ({ active, anchor }: Pick<SelectionSlice, 'active' | 'anchor'>) => {
  const first = active === FIRST_CELL ? active : { row: Math.min(active.row, anchor.row), col: active.col };
  return { active: first, anchor: first, wholeRows: false, all: null, activeGroup: null };
};

/** The most columns that rows can be sorted by at once; the limit of the contract. */
const SORT_MAX = 5;

/**
 * The first click sorts in one direction, the second in the other, the third removes the column. The first direction is
 * ascending, but descending for metrics, where users look for the largest.
 */
export function sortedBy(sort: Sort, column: string, add: boolean): Sort {
  const first = { column, descending: metricOfField(column) !== null };
  const second = { column, descending: !first.descending };
  const now = sort.find((each) => each.column === column);
  const isSecond = now?.descending === second.descending;
  if (!add) {
    if (now === undefined || sort.length > 1) return [first];
    return isSecond ? [] : [second];
  }
  if (now === undefined) return [...sort, first].slice(0, SORT_MAX);
  if (isSecond) return sort.filter((each) => each !== now);
  return sort.map((each) => (each === now ? second : each));
}
