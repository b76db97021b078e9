import type { StateCreator } from 'zustand';
import type { ResponseSummary, SentRequest } from '../../../shared/api/requests.ts';
import type { PaneSlice } from './layout-slice.ts';

/** A step of the history, and the step before it. */
export interface HistoryStep {
  readonly id: number;
  readonly previous: number;
  readonly label: string;
  readonly who: string;
  readonly at: number;
}

/** The entry shown in detail below the list of the history. */
export type HistoryDetail =
  | { readonly of: 'steps'; readonly step: HistoryStep }
  | { readonly of: 'requests'; readonly request: SentRequest }
  | { readonly of: 'answers'; readonly answer: ResponseSummary };

export interface HistorySlice {
  /** The list of the history that is shown. */
  readonly historyOf: HistoryDetail['of'];
  readonly historyDetail: HistoryDetail | null;
  readonly chooseHistory: (of: HistoryDetail['of']) => void;
  /** Shows one entry in the lower panel; null closes it. */
  readonly showHistory: (detail: HistoryDetail | null) => void;
}

export const createHistorySlice: StateCreator<HistorySlice & PaneSlice, [], [], HistorySlice> = (set, get) => ({
  historyOf: 'steps',
  historyDetail: null,
  chooseHistory: (historyOf) => set({ historyOf, historyDetail: null }),
  showHistory: (historyDetail) => {
    set(historyDetail === null ? { historyDetail } : { historyDetail, historyOf: historyDetail.of });
    if (historyDetail !== null) get().showTab('history');
  },
});
