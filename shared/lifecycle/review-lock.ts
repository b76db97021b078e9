import type { Kind } from '../model/kinds.ts';
import { type AnyRow, isDeleted, isNew } from '../model/row.ts';

/**
 * Whether a change of the row has to wait while a review of its campaign is open (document, "Review status"): nothing can
 * be added below the ad group, profiles cannot change, and what was off cannot be switched on again. Bids, budgets and
 * switching off are free. The answer is about the change alone; whether a review is open, the caller knows.
 */
export function isLockedByReview(row: AnyRow): boolean {
  if (isNew(row) && row.remoteId === null) return !isDeleted(row) && CLOSED_IN_REVIEW.has(row.kind);
  if (row.kind === 'sbaProfile' || row.kind === 'videoProfile') return true;
  if (isDeleted(row)) return false;
  if (row.kind === 'adItem') return row.values.status === 'enabled' && wasOff(row.base?.status);
  if (row.kind === 'keyword') return row.values.state === 'enabled' && wasOff(row.base?.state);
  return false;
}

const CLOSED_IN_REVIEW: ReadonlySet<Kind> = new Set<Kind>(['adItem', 'keyword', 'sbaProfile', 'videoProfile']);

const wasOff = (before: string | null | undefined): boolean => typeof before === 'string' && before !== 'enabled';
