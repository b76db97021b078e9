/** As much of a plan as is asked about. */
export interface Sent {
  readonly plan: {
    readonly batches: readonly { readonly verb: string; readonly elements: readonly unknown[] }[];
  };
}

/** Elements that one run may create on the service before the user is asked by main itself. */
export const CREATES_UNASKED = 500;

/**
 * Asks before a run that would create many elements: a window that was taken over can neither see nor answer what the
 * host asks in a dialog of the operating system. What grows while the question stands is asked about again.
 *
 * @param plan what the run would send, worked out anew each time
 * @param ask resolves with true for "create them"
 */
export async function maySend(plan: () => Promise<Sent>, ask: (creates: number) => Promise<boolean>): Promise<boolean> {
  let agreed = CREATES_UNASKED;
  for (;;) {
    const creates = createsIn(await plan());
    if (creates <= agreed) return true;
    if (!(await ask(creates))) return false;
    agreed = creates;
  }
}

const createsIn = ({ plan }: Sent): number =>
  plan.batches.filter(({ verb }) => verb === 'create').reduce((sum, { elements }) => sum + elements.length, 0);
