import type { RowId } from '../model/scalars.ts';
import type { SwapFacts } from './banner-swap.ts';
import type { Exposures } from './exposure.ts';
import type { GoalScope, ScopedGoal } from './goals.ts';
import type { Dismissal, DropReason, Effect } from './suggestion.ts';
import type { Response } from './what-if.ts';

/**
 * Complete input of suggestions. Days are counted from 1970-01-01 and amounts are in cents. Campaigns and rows are in
 * ascending order of their IDs.
 */
export interface SuggestionFacts {
  readonly today: number;
  /** The newest day with metrics; null without any. */
  readonly newestDay: number | null;
  /** Number of days with metrics among the last 7 and the last 28. */
  readonly weekDays: number;
  readonly monthDays: number;
  readonly campaigns: readonly CampaignFacts[];
  readonly keywords: RowsFacts;
  readonly adItems: RowsFacts;
  readonly placeMetrics: readonly PlaceFacts[];
  readonly swaps: readonly (SwapFacts & { readonly campaign: number })[];
  readonly plans: readonly PlanFacts[];
  readonly days: readonly DayNews[];
  readonly response: Response;
  readonly dismissals: ReadonlyMap<string, Dismissal>;
  readonly limits: {
    readonly floorItem: number | null;
    readonly floorVideoKeyword: number | null;
    readonly max: number | null;
    readonly multiplierMax: number;
    readonly textsMax: number;
  };
}

/** Days of a campaign, oldest first and without holes; a day that no report covers is NaN in every column. */
export interface CampaignSeries {
  readonly firstDay: number;
  readonly impressions: Float64Array;
  readonly clicks: Float64Array;
  readonly spend: Float64Array;
  readonly orders: Float64Array;
  readonly sales: Float64Array;
}

export interface CampaignFacts {
  readonly id: RowId;
  readonly name: string;
  readonly isVideo: boolean;
  readonly isLive: boolean;
  readonly goal: ScopedGoal | null;
  readonly dailyBudget: number | null;
  readonly totalBudget: number | null;
  readonly budgetEffect: Effect;
  /** Why its budget cannot be changed now. */
  readonly barred: DropReason | null;
  readonly series: CampaignSeries;
}

export interface RowFacts {
  readonly id: RowId;
  /** Position of its campaign. */
  readonly campaign: number;
  readonly adGroupId: RowId | null;
  readonly label: string;
  /** Folded text of a keyword, item ID of an item. */
  readonly text: string;
  readonly matchType: 'exact' | 'phrase' | 'broad' | null;
  /** The bid on the service. */
  readonly bid: number | null;
  readonly isEnabled: boolean;
  /** Why its bid cannot be changed now. */
  readonly barred: DropReason | null;
  readonly effect: Effect;
  /** Day of the last sent bid, of the pause, and since when it can be shown; null if unknown. */
  readonly sentOn: number | null;
  readonly pausedOn: number | null;
  readonly startedOn: number | null;
}

/** Rows with their metrics: each column has a value per row. */
export interface RowsFacts {
  readonly rows: readonly RowFacts[];
  /** New keywords that are not on the service yet. */
  readonly unsent?: readonly Pick<RowFacts, 'adGroupId' | 'text' | 'matchType'>[];
  /** Clicks, orders and sales as they count for rates. */
  readonly counted: Exposures;
  /** Sums of settled days only, unweighted, with their spend. */
  readonly settled: { readonly clicks: Float64Array; readonly orders: Float64Array; readonly spend: Float64Array };
  /** Of all days: the cost, and clicks times the bid of their day. */
  readonly clicks: Float64Array;
  readonly spend: Float64Array;
  readonly clicksTimesBid: Float64Array;
  /** Of the last 7 and of the last 28 days. */
  readonly weekClicks: Float64Array;
  readonly weekSpend: Float64Array;
  readonly monthSpend: Float64Array;
  /** Of the last 14 days, and how many of them are known. */
  readonly impressions: Float64Array;
  readonly impressionDays: number;
  /** On complete days after the pause, without the first. */
  readonly spendAfterPause: Float64Array;
  readonly daysAfterPause: Float64Array;
}

/** Clicks of a campaign on one platform or placement. */
export interface PlaceFacts {
  readonly campaign: number;
  readonly type: 'platformMultiplier' | 'placementMultiplier';
  readonly key: string;
  readonly rowId: RowId | null;
  readonly current: number;
  readonly clicks: number;
  readonly orders: number;
  readonly sales: number;
  readonly barred: DropReason | null;
}

/** A month's plan of one or more campaigns. */
export interface PlanFacts {
  readonly scope: GoalScope;
  readonly campaigns: readonly number[];
  readonly label: string;
  readonly plan: number;
}

/** New information about a day of the account. */
export type DayNews =
  | { readonly is: 'restated'; readonly day: number; readonly before: number; readonly after: number }
  | { readonly is: 'gap'; readonly day: number }
  | { readonly is: 'coverage'; readonly share: number };
