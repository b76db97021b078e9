import { cellOf } from '../../shared/model/row.ts';
import type { PlanBatch, PlanElement } from '../../shared/plan/plan-types.ts';

/** The part of a plan that the size of a sync is computed from. */
interface PlannedSync {
  readonly plan: { readonly batches: readonly (Pick<PlanBatch, 'verb'> & { readonly elements: readonly Sent[] })[] };
}
type Sent = Pick<PlanElement, 'kind' | 'changed' | 'sent'>;

/** Size of a run: how many elements it creates at most, and the budgets it sets, in cents. */
export interface SyncSize {
  readonly creates: number;
  readonly budgetCents: number;
}

/** A sync up to this size runs without a confirmation by main: 500 new elements, 100,000 USD of budgets. */
export const CONFIRM_ABOVE: SyncSize = { creates: 500, budgetCents: 10_000_000 };

/** Asks the user outside every window. @returns true for "send them" */
export type ConfirmSync = (account: string, size: SyncSize) => Promise<boolean>;

/**
 * Asks before a run that creates many elements or sets large budgets. The host asks outside the window, so that a
 * page that was taken over can't answer. If the run grows while the user is asked, the user is asked again.
 *
 * @param plan what the run would send, computed again for each question
 * @param ask resolves with true for "send them"
 * @param before what the user has agreed to so far
 * @returns what the user has agreed to now; null if they declined
 */
export async function isSyncConfirmed(
  plan: () => Promise<PlannedSync>,
  ask: (size: SyncSize) => Promise<boolean>,
  before: SyncSize = CONFIRM_ABOVE,
): Promise<SyncSize | null> {
  let agreed = before;
  for (;;) {
    const size = sizeOf(await plan());
    if (size.creates <= agreed.creates && size.budgetCents <= agreed.budgetCents) return agreed;
    if (!(await ask(size))) return null;
    agreed = {
      creates: Math.max(agreed.creates, size.creates),
      budgetCents: Math.max(agreed.budgetCents, size.budgetCents),
    };
  }
}

function sizeOf({ plan }: PlannedSync): SyncSize {
  let [creates, budgetCents] = [0, 0];
  for (const { verb, elements } of plan.batches) {
    if (verb === 'create') creates += elements.length;
    for (const element of elements) budgetCents += budgetOf(element, verb === 'create');
  }
  return { creates, budgetCents };
}

const BUDGETS = ['totalBudget', 'dailyBudget'];

/** The larger of the budgets that an element sets, in cents: the most the campaign may spend per day or in total. */
function budgetOf({ kind, changed, sent }: Sent, isNew: boolean): number {
  if (kind !== 'campaign') return 0;
  const amounts = BUDGETS.filter((field) => isNew || changed.includes(field)).map((field) => cellOf(sent, field));
  return Math.max(0, ...amounts.filter((amount) => typeof amount === 'number'));
}

/**
 * The confirmation of a large sync, which hosts show outside their windows.
 *
 * @param locale locale for numbers (`de-DE`); null for that of the system
 */
export function largeSyncQuestion(account: string, { creates, budgetCents }: SyncSize, locale: string | null): string {
  const tag = locale ?? undefined;
  const money = (budgetCents / 100).toLocaleString(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `Create ${creates.toLocaleString(tag)} new ${creates === 1 ? 'row' : 'rows'} with budgets of $${money} in ${account}?`;
}

export const LARGE_SYNC_DETAIL =
  "They can spend money once they are live. If you did not start this sync, choose Don't sync.";
