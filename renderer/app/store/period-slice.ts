import type { StateCreator } from 'zustand';
import type { FIELDS } from '../../../shared/model/fields.ts';
import { FIRST_PERIOD, type Period } from '../../../shared/reports/period.ts';

type CampaignType = (typeof FIELDS.campaign.campaignType.type.choices)[number];

/** The days of all metrics of this window: overview and grids show the same ones. Kept with the layout. */
export interface PeriodSlice {
  readonly period: Period;
  readonly choosePeriod: (period: Period) => void;
  /** The type of campaign that the overview is about; null for all. */
  readonly scope: CampaignType | null;
  readonly chooseScope: (scope: CampaignType | null) => void;
}

export const createPeriodSlice: StateCreator<PeriodSlice> = (set) => ({
  period: FIRST_PERIOD,
  choosePeriod: (period) => set({ period }),
  scope: null,
  chooseScope: (scope) => set({ scope }),
});
