import type { SyncReport } from '../../shared/api/sync.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { rowKey } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { Plan } from '../../shared/plan/plan-types.ts';
import type { RowResult } from './plan-lines.ts';

/**
 * The result of each row that a run sends:
 *
 *   pending > sending > sent         all elements of the row were accepted
 *                     > failed       an element failed
 *                     > unresolved   unconfirmed, until a read proves the result
 *                     > pending      not sent, or proven absent
 */
export type RunResults = ReturnType<typeof createRunResults>;

interface Entry {
  /** Elements of the row that are not accepted yet: a profile and its logo are two. */
  left: number;
  is: RowResult['is'];
  at: number | null;
  message: string | null;
}

const PENDING: RowResult = { is: 'pending', at: null, message: null };

export function createRunResults() {
  const rows = new Map<string, Entry>();
  const tally: Record<RowResult['is'], number> = { pending: 0, sending: 0, sent: 0, failed: 0, unresolved: 0 };
  const set = (kind: Kind, id: RowId, is: RowResult['is'], at: number | null = null, message: string | null = null) => {
    const row = rows.get(rowKey(kind, id));
    // A failed row stays failed, even if other elements of it are accepted.
    if (row === undefined || row.is === 'failed') return;
    if (is === 'sent') row.left--;
    tally[row.is]--;
    row.is = is === 'sent' && row.left > 0 ? 'pending' : is;
    tally[row.is]++;
    row.at = at === null ? null : Math.round(at);
    row.message = message;
  };
  return {
    /** Adds the rows of a plan; a later plan of the same run may repeat rows that were not executed. */
    planned: ({ batches }: Plan): void => {
      const fresh = new Map<string, number>();
      for (const { kind: of, elements } of batches) {
        if (of === 'review' || of === 'media') continue;
        for (const { kind, id } of elements) {
          const key = rowKey(kind, id);
          fresh.set(key, (fresh.get(key) ?? 0) + 1);
        }
      }
      for (const [key, left] of fresh) {
        const before = rows.get(key);
        if (before !== undefined) tally[before.is]--;
        tally.pending++;
        rows.set(key, { left, ...PENDING });
      }
    },
    set,
    of: (key: string): RowResult => {
      const { is, at, message } = rows.get(key) ?? PENDING;
      return { is, at, message };
    },
    counts: (): SyncReport['changes'] => {
      const { sent, failed, pending } = tally;
      return { total: rows.size, sent, failed, unresolved: tally.unresolved + tally.sending, notSent: pending };
    },
    /** The counts for each progress event. */
    progress: () => ({ total: rows.size, sent: tally.sent, failed: tally.failed, unresolved: tally.unresolved }),
  };
}
