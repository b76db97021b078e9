import type { PlanBatch } from '../../../shared/plan/plan-types.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Settlement } from '../../workspace/outbox/outbox-types.ts';

/**
 * One row that the service does not know, or a value that it does not take, may have a whole request refused. Updates are
 * sent again in halves then, until the row that is at fault stands alone: the others go. An update that is carried out
 * twice changes nothing, so this needs no proof. Creates stay refused: nothing says for certain that none was made.
 *
 *   [a b c d] --refused--> [a b] done, [c d] --refused--> [c] refused, [d] done
 */
export interface Splits {
  /** How many more requests may be split: a service that refuses everything is not asked for each row. */
  left: number;
}

/** Enough to find one row among the fifty of a request, and a second one. */
export const SPLITS_MAX = 10;

/** What is written down of a request that is sent again in halves. */
export const SPLIT: Settlement = { is: 'returned', detail: 'refused whole; sent again in halves' };

/** Refusals that may be those of one row (wire shapes, section 2). */
const OF_A_ROW: ReadonlySet<number> = new Set([400, 404, 422]);

/** The two halves of a request that is to be sent again; none when it is not. */
export function halvesOf(batch: PlanBatch, outcome: Outcome, splits: Splits): readonly PlanBatch[] {
  const { elements, verb } = batch;
  const isRefused = outcome.class === 'REFUSED' && OF_A_ROW.has(outcome.status);
  if (!isRefused || verb !== 'update' || elements.length < 2 || splits.left === 0) return [];
  splits.left--;
  const middle = Math.ceil(elements.length / 2);
  return [elements.slice(0, middle), elements.slice(middle)].map((half) => ({ ...batch, elements: half }));
}
