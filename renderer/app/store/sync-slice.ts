import type { StateCreator } from 'zustand';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import type { Dialog } from './dialog.ts';
import type { NavigationSlice, Place } from './navigation-slice.ts';

/** Options of the sync page; without any, all changes that are ready are planned. */
export interface SyncOptions {
  /** The rows to send; null for all. */
  readonly chosen: ChosenRows | null;
  /** The ID of a change request: its rows are shown to be signed off, and nothing is sent. */
  readonly request: string | null;
  /** A campaign whose open review is canceled first. */
  readonly restart: RowRef['id'] | null;
  /** A saved plan to read first: the file, or `choose` to ask the user for one. */
  readonly file: File | 'choose' | null;
  /** Whether an earlier sync is rolled back. */
  readonly isRollback: boolean;
  /** Whether the results of the last sync are shown again. */
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
  /** The page that the sync page returns to. */
  readonly syncFrom: Place;
  /** The run whose results the user has seen or left: the page shows the next plan instead. */
  readonly seenRun: string | null;
  readonly openSync: (options?: Partial<SyncOptions>) => void;
  readonly closeSync: (seenRun: string | null) => void;
}

/** Campaigns with all changes in them. */
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
