import type { RowId } from '../model/scalars.ts';

/**
 * What bids should reach. Kept for the account, for a label, or for a campaign; the nearest one counts.
 */
export type Goal =
  /** Return on ad spend in hundredths: 400 is 4.00. */
  | { readonly is: 'roas'; readonly target: number }
  /** Spend stays at so many cents a day; null, until a suggestion is accepted, for what the last 28 whole days spent. */
  | { readonly is: 'hold'; readonly perDay: number | null }
  /** No suggestions here, whatever is set further out. */
  | { readonly is: 'none' };

export type GoalScope =
  | { readonly of: 'account' }
  | { readonly of: 'label'; readonly label: string }
  | { readonly of: 'campaign'; readonly campaignId: RowId };

export interface ScopedGoal {
  readonly scope: GoalScope;
  readonly goal: Goal;
}

/** The goal of a campaign: its own, else that of its first label with one, else the account's; null without any. */
export function nearestGoal(
  goals: readonly ScopedGoal[],
  campaign: { readonly id: RowId; readonly labels: readonly string[] },
): ScopedGoal | null {
  const labels = campaign.labels.toSorted();
  return (
    goals.find(({ scope }) => scope.of === 'campaign' && scope.campaignId === campaign.id) ??
    labels
      .map((label) => goals.find(({ scope }) => scope.of === 'label' && scope.label === label))
      .find((goal) => goal !== undefined) ??
    goals.find(({ scope }) => scope.of === 'account') ??
    null
  );
}

/** ROAS in hundredths of an ACOS in hundredths of a percent. */
export const roasOfAcos = (acos: number): number => Math.round(1_000_000 / acos);
