import type { RowId } from '../model/scalars.ts';

/** Target of bids. Stored for the account, for a label, or for a campaign; the most specific one applies. */
export type Goal =
  /** Return on ad spend in hundredths: 400 is 4.00. */
  | { readonly is: 'roas'; readonly target: number }
  /** Fixed spend in cents per day; null, until a suggestion is accepted, for the spend of the last 28 complete days. */
  | { readonly is: 'hold'; readonly perDay: number | null }
  /** No suggestions here, for any goal with a wider scope. */
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
