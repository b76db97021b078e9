import type { StateCreator } from 'zustand';
import type { Layout } from '../../../shared/api/scalars.ts';
import type { FIELDS } from '../../../shared/model/fields.ts';
import { FIRST_WINDOW, WINDOW_DAYS, type WindowDays } from '../../../shared/reports/account-metrics.ts';
import {
  COMPARISONS,
  type Comparison,
  FIRST_COMPARISON,
  FIRST_PERIOD,
  isPeriod,
  type Period,
} from '../../../shared/reports/period.ts';

type CampaignType = (typeof FIELDS.campaign.campaignType.type.choices)[number];

/** The period of all metrics of this window, shared by overview, grids and suggestions. Saved with the layout. */
export interface PeriodSlice {
  readonly period: Period;
  readonly choosePeriod: (period: Period) => void;
  /** The period that metrics are compared with. */
  readonly comparison: Comparison;
  /** Attribution window: days after a click in which an order counts for it. */
  readonly attribution: WindowDays;
  /** Whether days are left out whose orders are not complete yet. */
  readonly settledOnly: boolean;
  readonly adjustPeriod: (changes: Partial<Pick<PeriodSlice, 'comparison' | 'attribution' | 'settledOnly'>>) => void;
  /** The campaign type shown on the overview; null for all. */
  readonly scope: CampaignType | null;
  readonly chooseScope: (scope: CampaignType | null) => void;
}

const START = { comparison: FIRST_COMPARISON as Comparison, attribution: FIRST_WINDOW, settledOnly: false };

type Kept = Pick<PeriodSlice, 'period' | 'comparison' | 'attribution' | 'settledOnly'>;

/** As preferences: `period`, `period.comparison`, `period.window` (in days) and `period.settled`. */
export const periodToStored = ({ period, comparison, attribution, settledOnly }: Kept): Layout => ({
  period,
  'period.comparison': comparison,
  'period.window': attribution,
  'period.settled': settledOnly,
});

export function periodFromStored(stored: Layout): Kept {
  const { period } = stored;
  return {
    period: typeof period === 'string' && isPeriod(period) ? period : FIRST_PERIOD,
    comparison: COMPARISONS.find((each) => each === stored['period.comparison']) ?? START.comparison,
    attribution: WINDOW_DAYS.find((days) => days === stored['period.window']) ?? START.attribution,
    settledOnly: stored['period.settled'] === true,
  };
}

export const createPeriodSlice: StateCreator<PeriodSlice> = (set) => ({
  period: FIRST_PERIOD,
  choosePeriod: (period) => set({ period }),
  ...START,
  adjustPeriod: (changes) => set(changes),
  scope: null,
  chooseScope: (scope) => set({ scope }),
});
