/** As much of a plan as is asked about. */
export interface SendResult {
  readonly plan: {
    readonly batches: readonly {
      readonly verb: string;
      readonly elements: readonly {
        readonly kind: string;
        readonly changed: readonly string[];
        readonly sent: Readonly<Record<string, unknown>>;
      }[];
    }[];
  };
}

/** What one run would do at most: elements that it creates, and the budgets in cents that it sets. */
export interface SyncSize {
  readonly creates: number;
  readonly budgetCents: number;
}

/** So much one run may do without the user being asked by main itself: 500 new elements, 100,000 of budgets. */
export const CONFIRM_ABOVE: SyncSize = { creates: 500, budgetCents: 10_000_000 };

/** Asks the user outside every window. @returns true for "send them" */
export type ConfirmSync = (account: string, size: SyncSize) => Promise<boolean>;

/**
 * Asks before a run that would create many elements or commit much money: a window that was taken over can neither see nor
 * answer what the host asks outside it. What grows while the question stands is asked about again.
 *
 * @param plan what the run would send, worked out again each time
 * @param ask resolves with true for "send them"
 * @param before what the user has agreed to already
 * @returns what the user has agreed to now; null when they have not
 */
export async function isSyncConfirmed(
  plan: () => Promise<SendResult>,
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

const sizeOf = ({ plan }: SendResult): SyncSize => ({
  creates: plan.batches.filter(({ verb }) => verb === 'create').reduce((sum, { elements }) => sum + elements.length, 0),
  budgetCents: plan.batches
    .flatMap(({ verb, elements }) => elements.map((element) => ({ ...element, isNew: verb === 'create' })))
    .reduce((sum, element) => sum + budgetOf(element), 0),
});

const BUDGETS = ['totalBudget', 'dailyBudget'];

/** The larger of the budgets that an element sets, in cents: it bounds what the campaign may spend soonest or in all. */
function budgetOf({
  kind,
  isNew,
  changed,
  sent,
}: SendResult['plan']['batches'][number]['elements'][number] & { readonly isNew: boolean }): number {
  if (kind !== 'campaign') return 0;
  const amounts = BUDGETS.filter((field) => isNew || changed.includes(field)).map((field) => sent[field]);
  return Math.max(0, ...amounts.filter((amount) => typeof amount === 'number'));
}

/**
 * What both hosts ask, outside their windows, before a run that does much.
 *
 * @param locale how the user has numbers written (`de-DE`); null for the language of the system
 */
export function largeSyncQuestion(account: string, { creates, budgetCents }: SyncSize, locale: string | null): string {
  const tag = locale ?? undefined;
  const money = (budgetCents / 100).toLocaleString(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `Create ${creates.toLocaleString(tag)} new ${creates === 1 ? 'row' : 'rows'} with budgets of $${money} in ${account}?`;
}

export const LARGE_SYNC_DETAIL =
  "They can spend money once they are live. If you did not start this sync, choose Don't sync.";
