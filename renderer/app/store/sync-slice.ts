import type { StateCreator } from 'zustand';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import type { Dialog } from './dialog.ts';
import type { NavigationSlice, Place } from './navigation-slice.ts';

/** What the sync page is opened for; nothing named means everything that is ready. */
export interface SyncOptions {
  /** The rows that are sent; null for all. */
  readonly chosen: ChosenRows | null;
  /** A change request whose rows these are: it is signed off here, and nothing is sent. */
  readonly request: string | null;
  /** A campaign whose open review is canceled first. */
  readonly restart: RowRef['id'] | null;
  /** A saved plan that is read first: the file, or `choose` to ask for one. */
  readonly file: File | 'choose' | null;
  /** Whether an earlier sync is rolled back instead. */
  readonly isRollback: boolean;
  /** Whether the results of the last sync are shown once more. */
  readonly isResult: boolean;
}

const EVERYTHING: SyncOptions = {
  chosen: null,
  request: null,
  restart: null,
  file: null,
  isRollback: false,
  isResult: false,
};

export interface SyncSlice {
  readonly syncOptions: SyncOptions;
  /** Where the page was opened from, and goes back to. */
  readonly syncFrom: Place;
  /** The run whose results were read or left behind: the page shows the next plan instead. */
  readonly seenRun: string | null;
  readonly openSync: (options?: Partial<SyncOptions>) => void;
  readonly closeSync: (seenRun: string | null) => void;
}

/** Campaigns with everything that was changed in them. */
export const wholeCampaigns = (ids: readonly number[]): ChosenRows => ({
  rows: [{ kind: 'campaign', ids: ids.map(asRowId) }],
  below: true,
});

interface Others {
  readonly dialog: Dialog | null;
  readonly syncs: Readonly<Record<string, { readonly runId: string; readonly phase: string }>>;
}

export const createSyncSlice: StateCreator<SyncSlice & NavigationSlice & Others, [], [], SyncSlice> = (set) => ({
  syncOptions: EVERYTHING,
  syncFrom: 'rows',
  seenRun: null,
  openSync: (options = {}) =>
    set(({ place, syncFrom, syncs, workspaceId, seenRun }) => {
      const last = syncs[workspaceId ?? ''];
      return {
        place: 'sync',
        dialog: null,
        syncFrom: place === 'sync' ? syncFrom : place,
        syncOptions: { ...EVERYTHING, ...options },
        seenRun: last?.phase === 'done' ? last.runId : seenRun,
      };
    }),
  closeSync: (seenRun) =>
    set((state) => ({ place: state.syncFrom, syncOptions: EVERYTHING, seenRun: seenRun ?? state.seenRun })),
});
