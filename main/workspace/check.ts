import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Row } from '../../shared/model/row.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import type { Finding, Severity } from '../../shared/rules/finding.ts';

/** What the rules may know beside the rows. */
export interface CheckEnv {
  readonly profile: DeploymentProfile;
  readonly today: PlainDate;
  /** Whether the account's items have been migrated; null while unknown. */
  readonly migrated: boolean | null;
}

/** The rules as the store needs them: findings of rows, and the bit under which a rule stands in `issues`. */
export interface Checker {
  campaign(tree: CampaignTree): readonly Finding[];
  account(campaigns: readonly Row<'campaign'>[], media: readonly Row<'media'>[]): readonly Finding[];
  /** The bit of the rule among those of its kind, 0 to 49. */
  bitOf(kind: Kind, rule: string): number;
  /** Sum of the bit values of all rules of a kind with this severity, or of those that look at the whole account. */
  mask(kind: Kind, which: Severity | 'account'): number;
}

/** Raised when rules change, so that stored findings are made anew. */
export const RULES_VERSION = 1;

export function createChecker(_env: CheckEnv): Checker {
  return { campaign: () => [], account: () => [], bitOf: () => 0, mask: () => 0 };
}
