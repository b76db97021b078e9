import type { RowRef } from '../../shared/contract/scalars.ts';
import type { BatchView, PlanView } from '../../shared/contract/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { Plan } from '../../shared/plan/plan-types.ts';
import { renderBatch, unresolved } from '../../shared/plan/wire-json.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { PlanWindow } from './port.ts';

export type CampaignNames = ReadonlyMap<RowId, string>;

export const campaignNames = (trees: readonly CampaignTree[]): CampaignNames =>
  new Map(trees.map(({ campaign }) => [campaign.id, rowLabel(campaign)]));

interface PlanFigures {
  readonly planId: string;
  readonly budgetLeft: number;
  /** Elements the service lets change in an hour. */
  readonly perHour: number;
  readonly errors: number;
}

/** Rows of each reason that are named in the view. */
const NAMED = 20;

/** A plan in figures, as a person reads it before agreeing to it. */
export function planView(plan: Plan, trees: readonly CampaignTree[], figures: PlanFigures): PlanView {
  const count = (verb: string): number =>
    plan.batches.filter((batch) => batch.verb === verb).reduce((sum, batch) => sum + batch.elements.length, 0);
  const { planId, budgetLeft, perHour, errors } = figures;
  return {
    planId,
    requests: plan.batches.length,
    uploads: plan.uploads.map(({ mediaId, file, bytes }) => ({ mediaId, file, bytes })),
    ...namedRows(plan, trees),
    elements: plan.elements,
    creates: count('create'),
    updates: count('update') + count('logo'),
    held: plan.leftOut.filter(({ reason }) => reason === 'held').length,
    reviews: count('submit'),
    budgetLeft,
    waitsHours: Math.max(0, Math.ceil((plan.elements - budgetLeft) / perHour)),
    errors,
  };
}

/** Requests as a person reads them, with or without the exact bodies. */
export const batchViews = (plan: Plan, names: CampaignNames, window: PlanWindow): readonly BatchView[] =>
  plan.batches.slice(window.from, window.from + window.count).map((batch) => ({
    index: batch.index,
    method: batch.method,
    path: batch.path,
    kind: batch.kind,
    verb: batch.verb,
    campaign: (batch.campaignId === null ? undefined : names.get(batch.campaignId)) ?? '',
    elements: batch.elements.length,
    json: window.bodies ? renderBatch(batch, unresolved) : null,
  }));

type Reasoned = RowRef & { readonly reason: string };

/** Rows that stay and rows that go along unasked, by why. */
function namedRows({ leftOut, added }: Plan, trees: readonly CampaignTree[]): Pick<PlanView, 'leftOut' | 'added'> {
  const byReason = (list: readonly Reasoned[]) => [...Map.groupBy(list, ({ reason }) => reason)];
  const staying = byReason(leftOut);
  const along = byReason(added.map(({ why, ...row }) => ({ ...row, reason: why })));
  const labels = labelsOf(
    [...staying, ...along].flatMap(([, some]) => some.slice(0, NAMED)),
    trees,
  );
  const named = (reasons: readonly [string, readonly Reasoned[]][]): PlanView['leftOut'] =>
    reasons.map(([reason, some]) => ({
      reason,
      rows: some.length,
      first: some.slice(0, NAMED).map(({ kind, id }) => ({
        kind,
        id,
        label: labels.get(`${kind}:${id}`) ?? `${kind} ${id}`,
      })),
    }));
  return { leftOut: named(staying), added: named(along) };
}

/** What a row is called where rows of several campaigns stand together and many campaigns have one of the same name. */
function labelIn(campaign: CampaignTree['campaign'], row: AnyRow): string {
  switch (row.kind) {
    case 'videoProfile':
      return rowLabel(campaign);
    case 'placementMultiplier':
    case 'platformMultiplier':
      return `${rowLabel(row)}, ${rowLabel(campaign)}`;
    default:
      return rowLabel(row);
  }
}

/** What a few rows are called, under `kind:id`; they are looked for in trees that may hold a million. */
function labelsOf(refs: readonly RowRef[], trees: readonly CampaignTree[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  if (refs.length === 0) return labels;
  const wanted = new Map([...Map.groupBy(refs, ({ kind }) => kind)].map(([kind, some]) => [kind, idsOf(some)]));
  for (const { campaign, ...lists } of trees) {
    const all: readonly (readonly AnyRow[])[] = [[campaign], ...Object.values(lists)];
    for (const rows of all) {
      const ids = rows[0] === undefined ? undefined : wanted.get(rows[0].kind);
      if (ids === undefined) continue;
      for (const row of rows) if (ids.has(row.id)) labels.set(`${row.kind}:${row.id}`, labelIn(campaign, row));
    }
  }
  return labels;
}

const idsOf = (refs: readonly RowRef[]): ReadonlySet<RowId> => new Set(refs.map(({ id }) => id));
