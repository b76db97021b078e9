import type { StateCreator } from 'zustand';
import { FIRST_PERIOD, type Period } from '../../../shared/reports/period.ts';

/** The days of all metrics of this window: overview and grids show the same ones. Kept with the layout. */
export interface PeriodSlice {
  readonly period: Period;
  readonly choosePeriod: (period: Period) => void;
}

export const createPeriodSlice: StateCreator<PeriodSlice> = (set) => ({
  period: FIRST_PERIOD,
  choosePeriod: (period) => set({ period }),
});
