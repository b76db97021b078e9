import { isLockedByReview } from '../lifecycle/change-impact.ts';
import { type Eligibility, eligibility, type Step, type StepName } from '../lifecycle/eligibility.ts';
import { isUnderReview } from '../lifecycle/states.ts';
import { type CampaignTree, rowsIn } from '../model/campaign-tree.ts';
import { type AnyValues, fieldNames } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, differingBits, NEW } from '../model/row.ts';
import { isCarried, stepCommand } from './capabilities.ts';
import { planChanges } from './plan.ts';
import type { Plan, PlanInput } from './plan-types.ts';

export interface OfferedSteps extends Eligibility {
  /** All steps that the campaign lacks, including those that must wait for another step. */
  readonly lacks: ReadonlySet<StepName>;
}

/**
 * The missing steps of a campaign that can be done now. A step that a sync would skip is not offered: its obstacle is
 * offered instead, or it waits until the review is over.
 */
export function offeredSteps(tree: CampaignTree, input: PlanInput): OfferedSteps {
  const { profile, today, capabilities } = input;
  const lacks = eligibility(tree, { profile, today, campaignUpdate: isCarried(stepCommand('enable'), capabilities) });
  const names = new Set(lacks.missing.map(({ step }) => step));
  if (lacks.missing.length === 0) return { ...lacks, lacks: names };
  const plan = planOf(tree, input);
  const missing = lacks.missing.flatMap((step) => offered(step, tree, input, plan) ?? []);
  return { isEligible: lacks.isEligible, missing, lacks: names };
}

const planOf = (tree: CampaignTree, input: PlanInput): Plan =>
  planChanges({ ...input, trees: [tree], submit: true, only: null, chosen: null });

/** Whether the plan sends an element of this row. */
export const sends = ({ batches }: Plan, kind: Kind, id: number): boolean =>
  batches.some((batch) => batch.kind === kind && batch.elements.some((element) => element.id === id));

function offered(step: Step, tree: CampaignTree, input: PlanInput, plan: Plan): Step | null {
  const { fix } = step;
  switch (fix.way) {
    case 'sync':
      return plan.uploads.length > 0 || plan.batches.some(({ kind }) => kind !== 'review')
        ? step
        : inTheWay(step, tree, plan);
    case 'submit':
      return plan.batches.some(({ kind }) => kind === 'review') ? step : null;
    case 'write': {
      const edited = withValues(tree, 'campaign', fix.id, fix.values);
      return sends(planOf(edited, input), 'campaign', fix.id) ? step : null;
    }
    case 'add':
      return takesNew(tree, fix.kind) ? step : null;
    case 'go':
      return goes(step, tree, input);
    case 'create':
    case 'look':
    case 'outside':
      return step;
  }
}

/** Offers to enable a part if the plan would then send it, else another part. */
function goes(step: Step, tree: CampaignTree, input: PlanInput): Step | null {
  const { fix } = step;
  if (fix.way !== 'go' || (fix.field !== 'status' && fix.field !== 'state')) return step;
  const edited = withValues(tree, fix.kind, fix.id, { [fix.field]: 'enabled' });
  if (sends(planOf(edited, input), fix.kind, fix.id)) return step;
  return takesNew(tree, fix.kind) ? { ...step, fix: { way: 'add', kind: fix.kind } } : null;
}

/** The first row not sent because of an error; rows that wait for something else are in the list of pending changes. */
function inTheWay(step: Step, tree: CampaignTree, plan: Plan): Step | null {
  const stuck = plan.leftOut.find(({ reason }) => reason === 'has-errors');
  const row = stuck === undefined ? undefined : rowsIn(tree, stuck.kind).find(({ id }) => id === stuck.id);
  if (row === undefined) return null;
  const field = fieldNames(row.kind)[0] ?? 'name';
  return { ...step, step: 'errors', fix: { way: 'go', kind: row.kind, id: row.id, field } };
}

/** Whether a row of this kind can be added now: an open review prevents some parts. */
function takesNew(tree: CampaignTree, kind: Kind): boolean {
  const drafted = { kind, remoteId: null, dirty: NEW } as AnyRow;
  return !(tree.adGroups.some(isUnderReview) && isLockedByReview(drafted));
}

/** The tree after an edit of one row. */
export function withValues(tree: CampaignTree, kind: Kind, id: number, values: AnyValues): CampaignTree {
  const edit = <R extends AnyRow>(row: R): R => {
    if (row.kind !== kind || row.id !== id) return row;
    const base = row.base ?? row.values;
    const next = { ...row.values, ...values };
    return { ...row, values: next, base, dirty: row.dirty | differingBits(kind, next as AnyValues, base as AnyValues) };
  };
  return {
    ...tree,
    campaign: edit(tree.campaign),
    adItems: tree.adItems.map(edit),
    keywords: tree.keywords.map(edit),
    sbaProfiles: tree.sbaProfiles.map(edit),
    videoProfiles: tree.videoProfiles.map(edit),
  };
}
