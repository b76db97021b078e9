import type { StateCreator } from 'zustand';
import type { CompareSide } from '../../../shared/api/compare.ts';
import type { SavedView } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Caption, CaptionFormat } from '../../../shared/media/captions.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { metricOfField } from '../../../shared/reports/account-metrics.ts';
import { currentKey } from '../../../shared/reports/metric-columns.ts';
import type { OpenTool } from './layout-slice.ts';
import type { SelectionSlice } from './selection-slice.ts';

export type QuickFilter = ViewSpec['only'];
export type Sort = readonly { readonly column: string; readonly descending: boolean }[];

/** Rows that are shown and selected for something that is done with them as soon as they are there. */
export interface PendingSelection {
  readonly kind: Kind;
  readonly filter: string;
  /** The tool that opens beside them; null leaves it to the user. */
  readonly tool: OpenTool | null;
}

/** Rows of a kind as a view narrows and sorts them. */
export type NarrowedRows = Pick<NavigationSlice, 'kind'> &
  Partial<Pick<NavigationSlice, 'campaignId' | 'filter' | 'only' | 'sort'>>;

/** What fills the middle of the desk. */
export type Place =
  | 'overview'
  | 'inbox'
  | 'suggestions'
  | 'rows'
  | 'sync'
  | 'new-campaign'
  | 'add-rows'
  | 'launch'
  | 'reports'
  | 'compare'
  | 'time-machine'
  | 'video'
  | 'overlap'
  | 'settings';

/** A video that is edited, with its captions once they differ from its file. */
export interface EditedVideo {
  readonly mediaId: number;
  readonly captions: readonly Caption[] | null;
  readonly format: CaptionFormat;
}

export interface ComparedSides {
  readonly left: CompareSide;
  readonly right: CompareSide;
}

/** Where the user is: which account, which campaign, which kind of row, and how the rows are narrowed and sorted. */
export interface NavigationSlice {
  readonly workspaceId: string | null;
  readonly place: Place;
  /** Keywords and multipliers of one campaign can be looked at as a matrix. */
  readonly matrix: boolean;
  readonly kind: Kind;
  readonly campaignId: number | null;
  readonly filter: string;
  readonly only: QuickFilter;
  readonly sort: Sort;
  /** The saved view that was opened here; what was narrowed since does not close it. */
  readonly savedView: number | null;
  readonly openSavedView: (saved: SavedView) => void;
  /** The filter is shown as chips, or as the text it is stored as. */
  readonly filterAs: 'chips' | 'text';
  readonly showFilterAs: (filterAs: 'chips' | 'text') => void;
  /** The chip whose form is open, by its place; `new` is the form of a further one. */
  readonly filterForm: number | 'new' | null;
  readonly openFilterForm: (form: number | 'new' | null) => void;
  /** A row that is to be shown and made active as soon as its view is there. */
  readonly target: { readonly id: number; readonly field: string | null } | null;
  /** The moment that the time machine shows, by the step before it; null until one is chosen. */
  readonly moment: number | null;
  readonly chooseMoment: (moment: number | null) => void;
  readonly video: EditedVideo | null;
  /** Edited captions of the same video stay. */
  readonly editVideo: (mediaId: number) => void;
  readonly changeCaptions: (captions: readonly Caption[] | null, format: CaptionFormat) => void;
  /** What is compared, or was last. */
  readonly compared: ComparedSides;
  readonly chooseSides: (compared: ComparedSides) => void;
  /** Which entry of the inbox is in front; null shows the first one. */
  readonly inboxEntry: string | null;
  readonly chooseInboxEntry: (id: string | null) => void;
  /** Goes to the inbox, with this entry in front. */
  readonly openInbox: (id: string | null) => void;
  readonly pendingSelection: PendingSelection | null;
  /** Goes to the rows of a filter in the whole account, selects them all and opens the tool beside them. */
  readonly goToRows: (pendingSelection: PendingSelection) => void;
  readonly selectionDone: () => void;
  /** Goes to rows narrowed in the way in which a number elsewhere has counted them. */
  readonly showRows: (rows: NarrowedRows) => void;
  readonly openWorkspace: (workspaceId: string | null) => void;
  readonly goTo: (place: { readonly kind: Kind; readonly campaignId: number | null }) => void;
  /** Goes to a row wherever it is; narrows are lifted, because they might hide it. */
  readonly reveal: (kind: Kind, campaignId: number | null, id: number, field: string | null) => void;
  readonly openPlace: (place: Place) => void;
  readonly showMatrix: (matrix: boolean) => void;
  readonly setFilter: (filter: string) => void;
  readonly setOnly: (only: QuickFilter) => void;
  /** `add` keeps what the rows are sorted by already and appends the column to it. */
  readonly sortBy: (column: string, add?: boolean) => void;
  readonly setSort: (sort: Sort) => void;
  readonly arrived: () => void;
}

/** The whole account, with what the service has of it. */
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
const TOP = { active: { row: 0, col: 0 }, anchor: { row: 0, col: 0 }, wholeRows: false, activeGroup: null } as const;

export const createNavigationSlice: StateCreator<NavigationSlice & SelectionSlice, [], [], NavigationSlice> = (
  set,
) => ({
  workspaceId: null,
  matrix: false,
  kind: 'campaign',
  campaignId: null,
  moment: null,
  chooseMoment: (moment) => set({ moment, place: 'time-machine' }),
  video: null,
  editVideo: (mediaId) =>
    set(({ video }) => ({
      video: video?.mediaId === mediaId ? video : { mediaId, captions: null, format: 'vtt' },
      place: 'video',
    })),
  changeCaptions: (captions, format) =>
    set(({ video }) => (video === null ? {} : { video: { ...video, captions, format } })),
  compared: COMPARED,
  chooseSides: (compared) => set({ compared, place: 'compare' }),
  inboxEntry: null,
  chooseInboxEntry: (inboxEntry) => set({ inboxEntry }),
  openInbox: (inboxEntry) => set({ inboxEntry, place: 'inbox' }),
  ...EVERYTHING,
  openWorkspace: (workspaceId) =>
    set({
      workspaceId,
      kind: 'campaign',
      campaignId: null,
      compared: COMPARED,
      moment: null,
      video: null,
      ...EVERYTHING,
      place: 'overview',
      ...TOP,
    }),
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
      // A view of the whole account narrows what is looked at: the open campaign stays open.
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
 * Where other rows come into the places of those selected, the selection is the first of its rows alone: a range is one
 * of places, and whoever deleted it would delete rows that were never chosen.
 */
const oneRow = ({ active, anchor }: Pick<SelectionSlice, 'active' | 'anchor'>) => {
  const first = { row: Math.min(active.row, anchor.row), col: active.col };
  return { active: first, anchor: first, wholeRows: false, activeGroup: null };
};

/** Columns rows can be sorted by at once, as the contract takes them. */
const SORT_MAX = 5;

/**
 * First click ascending, second descending, third back to what it was without this column. With figures of reports it
 * is the largest that are looked for, so they begin descending.
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
