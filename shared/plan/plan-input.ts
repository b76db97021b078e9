import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Kind } from '../model/kinds.ts';
import type { PlainDate, RowId } from '../model/scalars.ts';
import type { DeploymentSettings } from '../profile/profile.ts';
import type { Capabilities, LeftOut } from './plan-types.ts';

/** The rows a sync is limited to. Rows that are not changed do no harm. */
export interface ChosenRows {
  readonly rows: readonly { readonly kind: Kind; readonly ids: readonly RowId[] }[];
  /** True when a campaign or an ad group stands for everything below it; false when it means itself alone. */
  readonly below: boolean;
}

/** Everything the plan depends on. Nothing else is read, so equal input gives an equal plan. */
export interface PlanInput {
  /** Campaigns with something changed, each with the media its profiles use. */
  readonly trees: readonly CampaignTree[];
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: string;
  /**
   * Rows that must wait and why, under `blockKey(kind, id)`: rows in doubt, in conflict. A group in which a
   * create is in doubt is frozen for further creates under `freezeKey(kind, parentId)`.
   */
  readonly blocked: ReadonlyMap<string, LeftOut['reason']>;
  /** Whether to ask for the review of what is ready for it. */
  readonly submit: boolean;
  /** Campaigns to plan; null for all. */
  readonly only: ReadonlySet<RowId> | null;
  /** Rows to plan, with the parents they need; null for all. */
  readonly chosen: ChosenRows | null;
  readonly hasErrors: (kind: Kind, id: RowId) => boolean;
  readonly today: PlainDate;
}

export const blockKey = (kind: Kind, id: RowId): string => `${kind}:${id}`;
export const freezeKey = (kind: Kind, parentId: RowId): string => `${kind}@${parentId}`;
