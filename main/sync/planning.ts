import type { RowRef } from '../../shared/api/scalars.ts';
import type { Conflict } from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Row } from '../../shared/model/row.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import type { Capabilities, ChosenRows, LeftOut } from '../../shared/plan/plan-types.ts';
import { blockKey, freezeKey, type PlanInput } from '../../shared/plan/plan-types.ts';
import type { LiveBatch } from '../store/outbox/outbox-types.ts';

/** What was read from the workspace for a plan. */
export interface Gathered {
  readonly trees: readonly CampaignTree[];
  readonly live: readonly LiveBatch[];
  readonly conflicts: readonly Conflict[];
  /** Campaigns and ad groups that were not found a moment ago. */
  readonly absent?: readonly RowRef[];
  /** Rows with an error, and rows that this run has already seen refused, as `kind:id`. */
  readonly withErrors: ReadonlySet<string>;
}

export interface PlanSettings {
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: string;
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  readonly chosen?: ChosenRows | null;
  readonly cancelReviews?: boolean;
  readonly today: string;
}

export const planInputOf = (gathered: Gathered, settings: PlanSettings): PlanInput => ({
  trees: gathered.trees,
  profile: settings.profile,
  capabilities: settings.capabilities,
  advertiserId: settings.advertiserId,
  blocked: blockedRows(gathered),
  submit: settings.submit,
  only: settings.campaignIds === null ? null : new Set(settings.campaignIds),
  chosen: settings.chosen ?? null,
  hasErrors: (kind, id) => gathered.withErrors.has(`${kind}:${id}`),
  today: settings.today as PlainDate,
});

/**
 * Rows that must wait: whose send is not settled, and whose edit somebody else contradicts. While a create is not
 * settled, its group gets no further creates of that kind: what a read finds there could not be told apart.
 */
function blockedRows({ live, conflicts, trees, absent = [] }: Gathered): ReadonlyMap<string, LeftOut['reason']> {
  const blocked = new Map<string, LeftOut['reason']>();
  const parents = live.some(({ verb }) => verb === 'create') ? parentsOf(trees) : NO_PARENTS;
  for (const batch of live) {
    for (const op of batch.ops) {
      blocked.set(blockKey(op.kind, op.rowId), 'in-doubt');
      const parent = parents.get(`${op.kind}:${op.rowId}`);
      if (batch.verb === 'create' && parent !== undefined) blocked.set(freezeKey(op.kind, parent), 'in-doubt');
    }
  }
  for (const { ref, field } of conflicts) {
    blocked.set(blockKey(ref.kind, ref.id), 'conflict');
    if (field === null) for (const row of rowsBelow(ref, trees)) blocked.set(blockKey(row.kind, row.id), 'conflict');
  }
  for (const ref of absent) {
    for (const row of rowsBelow(ref, trees)) blocked.set(blockKey(row.kind, row.id), 'parent-left-out');
  }
  return blocked;
}

/** What hangs from a row that is gone on the service has nowhere to go either. */
function rowsBelow(ref: RowRef, trees: readonly CampaignTree[]): readonly Row[] {
  if (ref.kind !== 'campaign' && ref.kind !== 'adGroup') return [];
  return trees.flatMap(({ campaign, media: _media, ...lists }) => {
    const rows: readonly Row[] = Object.values(lists).flat();
    return ref.kind === 'campaign'
      ? rows.filter(() => campaign.id === ref.id)
      : rows.filter(({ adGroupId }) => adGroupId === ref.id);
  });
}

const NO_PARENTS: ReadonlyMap<string, RowId> = new Map();

function parentsOf(trees: readonly CampaignTree[]): ReadonlyMap<string, RowId> {
  const parents = new Map<string, RowId>();
  const add = (rows: readonly { kind: Kind; id: RowId; adGroupId: RowId | null; campaignId: RowId | null }[]): void => {
    for (const row of rows) {
      const parent = row.adGroupId ?? row.campaignId;
      if (parent !== null && parent !== row.id) parents.set(`${row.kind}:${row.id}`, parent);
    }
  };
  for (const tree of trees) {
    for (const rows of [tree.adGroups, tree.adItems, tree.keywords, tree.sbaProfiles, tree.videoProfiles]) add(rows);
    add(tree.placementMultipliers);
    add(tree.platformMultipliers);
  }
  return parents;
}
