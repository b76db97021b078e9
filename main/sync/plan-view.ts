import type { PlanView } from '../../shared/contract/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import type { Plan } from '../../shared/plan/plan-types.ts';
import { renderBatch, unresolved } from '../../shared/plan/wire-json.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';

/** A plan as a person reads it before agreeing to it. */
export function planView(
  plan: Plan,
  trees: readonly CampaignTree[],
  figures: { readonly budgetLeft: number; readonly errors: number },
): PlanView {
  const rows = rowsByKey(trees);
  const names = new Map(trees.map(({ campaign }) => [campaign.id, rowLabel(campaign)]));
  const count = (verb: string): number =>
    plan.batches.filter((batch) => batch.verb === verb).reduce((sum, batch) => sum + batch.elements.length, 0);
  return {
    batches: plan.batches.map((batch) => ({
      index: batch.index,
      method: batch.method,
      path: batch.path,
      kind: batch.kind,
      verb: batch.verb,
      campaign: (batch.campaignId === null ? undefined : names.get(batch.campaignId)) ?? '',
      elements: batch.elements.length,
      json: renderBatch(batch, unresolved),
    })),
    uploads: plan.uploads.map(({ mediaId, file, bytes }) => ({ mediaId, file, bytes })),
    leftOut: plan.leftOut.map(({ kind, id, reason }) => {
      const row = rows.get(`${kind}:${id}`);
      return { kind, id, label: row === undefined ? `${kind} ${id}` : rowLabel(row), reason };
    }),
    elements: plan.elements,
    creates: count('create'),
    updates: count('update') + count('logo'),
    held: plan.leftOut.filter(({ reason }) => reason === 'held').length,
    reviews: count('submit'),
    budgetLeft: figures.budgetLeft,
    errors: figures.errors,
  };
}

function rowsByKey(trees: readonly CampaignTree[]): ReadonlyMap<string, AnyRow> {
  const rows = trees.flatMap((tree): readonly AnyRow[] => [
    tree.campaign,
    ...tree.adGroups,
    ...tree.adItems,
    ...tree.keywords,
    ...tree.sbaProfiles,
    ...tree.videoProfiles,
    ...tree.placementMultipliers,
    ...tree.platformMultipliers,
    ...tree.media,
  ]);
  return new Map(rows.map((row) => [`${row.kind}:${row.id}`, row]));
}
