import { type ConflictPolicy, readPolicy } from '../../../shared/merge/conflict-policy.ts';
import type { ConflictRow } from '../../workspace/writer/store.ts';
import type { RoundContext } from './context.ts';
import { type Ports, tell, tx, type Work } from './effects.ts';

/** Where a workspace keeps its policy. */
export const POLICY_KEY = 'conflict-policy';

type Store = Pick<Ports, 'workspace' | 'outbox'>;

/**
 * Ends one conflict; both values stay in the history.
 *
 * @param by the rule that decided; null when the user did
 * @returns false when it cannot be settled yet, because a send of the row is not
 */
export async function settleConflict(
  { workspace, outbox }: Store,
  { ref, field }: Pick<ConflictRow, 'ref' | 'field'>,
  take: 'mine' | 'theirs',
  by: string | null,
): Promise<boolean> {
  if (field !== null) {
    await outbox.resolveConflict({ ref, field, take, by });
    return true;
  }
  // Mine: it is new again and goes with the next sync. Theirs: it leaves here as well, which undo brings back as new.
  const released = await outbox.releaseGone(ref);
  if (released === null) return false;
  const deletes = take === 'theirs' ? [ref] : released.deleted;
  if (deletes.length === 0) return true;
  const removed = await workspace.apply({
    label: by === null ? 'Remove what the service has deleted' : `Remove what the service has deleted (policy ${by})`,
    source: by === null ? 'user' : 'sync',
    deletes,
  });
  return removed.ok;
}

/**
 * Settles what the account's saved policy decides, and says so; the rest stays open for the user.
 *
 * @returns how many conflicts it has ended
 */
export function* settleByPolicy(ctx: RoundContext): Work<number> {
  const text = ctx.conflictPolicy ?? '';
  const policy = text === '' ? null : readPolicy(text);
  if (policy === null || !policy.ok) return 0;
  const decided = (yield* tx('conflicts', (ports) => ports.outbox.conflicts())).flatMap((conflict) =>
    decide(policy.value, conflict),
  );
  const counts = new Map<string, number>();
  for (const { conflict, take, rule } of decided) {
    if (!(yield* tx('settle', (ports) => settleConflict(ports, conflict, take, rule)))) continue;
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  if (counts.size === 0) return 0;
  const rules = [...counts].map(([rule, count]) => `${rule} (${count})`).join(', ');
  yield* tell({
    type: 'notice',
    workspaceId: ctx.workspaceId,
    severity: 'advice',
    message: `Conflicts settled by the policy of this account: ${rules}. Both values are in the history.`,
    params: {},
  });
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function decide(policy: ConflictPolicy, conflict: ConflictRow) {
  const found = policy(conflict.field);
  return found === null ? [] : [{ conflict, ...found }];
}
