import type { Conflict, ConflictChoice } from '../../../../shared/contract/sync.ts';
import { readPolicy } from '../../../../shared/merge/conflict-policy.ts';
import { usageStop } from '../stop.ts';

/** Which side counts for a conflict; null leaves it open. */
export type Policy = (conflict: Conflict) => ConflictChoice['take'] | null;

/** The policy of `--policy`; what it does not name stays open. */
export function policyOf(text: string): Policy {
  const read = text.trim() === '' ? null : readPolicy(text);
  if (read === null || !read.ok) {
    const part = read === null ? '' : read.error.part;
    throw usageStop(`"${part}" is no rule. Write --policy bid=mine,dailyBudget=theirs,gone=ask,other=mine.`);
  }
  return ({ field }) => read.value(field)?.take ?? null;
}
