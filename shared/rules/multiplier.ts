import { placementsFor } from '../deployment/limits.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { effectiveBid } from '../model/decimal.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { isMissing, type Report, type Rule, type RuleEnv, rulesOf } from './rule.ts';

/** Bid multipliers by placement and by platform: the same rules over two tables. */
const specs = (field: 'placement' | 'platform', thing: 'Placement' | 'Platform') =>
  ({
    'type-required': {
      bit: 0,
      severity: 'error',
      fields: [field],
      name: `No ${field}`,
      text: `A ${field} multiplier in this campaign has no ${field}. Choose a ${field}.`,
    },
    'type-not-offered': {
      bit: 1,
      severity: 'error',
      fields: [field],
      scope: 'campaign',
      name: `${thing} not available`,
      text: `The ${field} "{label}" is not available in campaigns with {targeting} targeting. Choose one of these, or delete the multiplier: {offered}.`,
    },
    duplicate: {
      bit: 2,
      severity: 'error',
      fields: [field],
      scope: 'campaign',
      name: `${thing} added twice`,
      text: 'The campaign has two multipliers for "{label}". Delete one of them.',
    },
    'value-required': {
      bit: 3,
      severity: 'error',
      fields: ['multiplier'],
      name: `${thing} without a value`,
      text: 'The multiplier for "{label}" has no value. Enter a percentage.',
    },
    'below-range': {
      bit: 4,
      severity: 'error',
      fields: ['multiplier'],
      section: 'Limits',
      name: `${thing} multiplier too low`,
      text: 'The multiplier for "{label}" is {value:factor}%, below the minimum of {min}%. Raise it.',
    },
    'above-range': {
      bit: 5,
      severity: 'error',
      fields: ['multiplier'],
      section: 'Limits',
      name: `${thing} multiplier too high`,
      text: 'The multiplier for "{label}" is {value:factor}%, above the maximum of {max}%. Lower it.',
    },
    zero: {
      bit: 6,
      severity: 'warning',
      fields: ['multiplier'],
      section: 'practice',
      name: `${thing} multiplier of 0%`,
      text: 'The multiplier for "{label}" is 0%, and its effect is not documented. The bid might stay the same or become $0.00. Delete the multiplier, or check the effect in the console.',
    },
    high: {
      bit: 7,
      severity: 'warning',
      fields: ['multiplier'],
      section: 'practice',
      name: `${thing} multiplier very high`,
      text: 'The multiplier for "{label}" is {value:factor}%, more than 10 times the bid. Check the decimal point.',
    },
    'wrong-campaign': {
      bit: 8,
      severity: 'error',
      scope: 'campaign',
      name: `${thing} multiplier in another campaign type`,
      text: `Campaigns of type {type} can't have bid multipliers. Delete the multiplier for "{label}".`,
    },
    'bid-over-daily': {
      bit: 9,
      severity: 'warning',
      fields: ['multiplier'],
      scope: 'campaign',
      section: 'practice',
      name: `${thing} bid above the budget`,
      text: 'With {value:factor}% for "{label}", the highest bid ({bid:money}) can become {effective:money}, above the daily budget ({daily:money}). Lower the multiplier.',
    },
    'type-unknown': {
      bit: 11,
      severity: 'warning',
      fields: [field],
      scope: 'campaign',
      section: 'practice',
      needs: 'service state',
      name: `Unknown ${field}`,
      text: `The ${field} "{label}" of a multiplier on the service is not in the deployment settings ({offered}). Adslate keeps the multiplier unchanged. To use this ${field} in other campaigns, add it to the deployment settings.`,
    },
    'delete-impossible': {
      bit: 10,
      severity: 'warning',
      name: `${thing} multiplier can't be deleted`,
      text: `The multiplier for "{label}" is marked for deletion, but the service can't delete multipliers. Revert the deletion and set another value.`,
    },
  }) as const;

export const placementRules = rulesOf(
  'placementMultiplier',
  'placement',
  'Placement multiplier',
  specs('placement', 'Placement'),
);
export const platformRules = rulesOf(
  'platformMultiplier',
  'platform',
  'Platform multiplier',
  specs('platform', 'Platform'),
);

type MultiplierRow = Row<'placementMultiplier'> | Row<'platformMultiplier'>;
type Rules = Readonly<Record<keyof ReturnType<typeof specs>, Rule>>;

/** One of the two tables of a campaign. */
interface Table {
  readonly rows: readonly MultiplierRow[];
  readonly rules: Rules;
  /** Types that campaigns of this targeting may have. */
  readonly offered: readonly string[];
}

/** Above this a warning: 1,000 %, ten times the bid, in hundredths of a percent. */
const HIGH = 100_000;

export function checkMultipliers(tree: CampaignTree, env: RuleEnv, report: Report): void {
  const { placementMultipliers, platformMultipliers } = tree;
  if (placementMultipliers.length + platformMultipliers.length === 0) return;
  const offered = placementsFor(env.profile, tree.campaign.values.targetingType);
  checkTable({ rows: placementMultipliers, rules: placementRules, offered }, tree, env, report);
  const { platforms } = env.profile.multiplier;
  checkTable({ rows: platformMultipliers, rules: platformRules, offered: platforms }, tree, env, report);
}

function checkTable(table: Table, tree: CampaignTree, env: RuleEnv, report: Report): void {
  const { rows, rules } = table;
  const { campaignType } = tree.campaign.values;
  const takesNone = campaignType === 'sba' || campaignType === 'video';
  const seen = new Set<string>();
  for (const row of rows) {
    if (isDeleted(row)) {
      report.add(rules['delete-impossible'], row);
      continue;
    }
    checkType(row, table, seen, tree, report);
    if (takesNone) report.add(rules['wrong-campaign'], row, { type: campaignType });
    checkValue(row, rules, tree, env, report);
  }
}

/** @param seen types of the earlier rows; the type of this row is added */
function checkType(
  row: MultiplierRow,
  { rules, offered }: Table,
  seen: Set<string>,
  tree: CampaignTree,
  report: Report,
): void {
  const type = row.kind === 'placementMultiplier' ? row.values.placement : row.values.platform;
  if (isMissing(row, rules['type-required'].fields[0] ?? '')) report.add(rules['type-required'], row);
  if (type === null) return;
  if (!offered.includes(type) && !isNew(row)) {
    report.add(rules['type-unknown'], row, { offered: offered.join(', ') });
  } else if (!offered.includes(type)) {
    const targeting = tree.campaign.values.targetingType ?? 'not chosen';
    report.add(rules['type-not-offered'], row, { targeting, offered: offered.join(', ') });
  }
  if (seen.has(type)) report.add(rules.duplicate, row);
  seen.add(type);
}

function checkValue(row: MultiplierRow, rules: Rules, tree: CampaignTree, { profile }: RuleEnv, report: Report): void {
  const value = row.values.multiplier;
  const { min, max } = profile.multiplier;
  if (isMissing(row, 'multiplier')) report.add(rules['value-required'], row);
  if (value === null) return;
  if (value < min * 100) report.add(rules['below-range'], row, { value, min });
  else if (value > max * 100)
    report.add(rules['above-range'], row, { value, max }, { field: 'multiplier', value: max * 100 });
  else if (value === 0) report.add(rules.zero, row);
  else if (value > HIGH) report.add(rules.high, row, { value });
  else checkEffect(row, value, rules, tree, report);
}

/** The multiplier is the percentage by which the bid is raised; the reading that costs more is the one to warn about. */
function checkEffect(row: MultiplierRow, value: number, rules: Rules, tree: CampaignTree, report: Report): void {
  const daily = tree.campaign.values.dailyBudget;
  if (daily === null || daily <= 0) return;
  let bid = 0;
  for (const item of tree.adItems) bid = Math.max(bid, item.values.bid ?? 0);
  for (const keyword of tree.keywords) bid = Math.max(bid, keyword.values.bid ?? 0);
  const effective = effectiveBid(bid, value);
  if (bid <= daily && effective > daily) report.add(rules['bid-over-daily'], row, { value, bid, effective, daily });
}
