import type { Review } from '../../shared/contract/sync.ts';

/** How many reviews were decided between two looks. */
export interface Decided {
  readonly approved: number;
  readonly rejected: number;
}

/**
 * Compares the newest review of each ad group at two looks. A review that is new to the second look counts once it is
 * decided; one that was decided at the first does not count again.
 */
export function decidedBetween(before: readonly Review[], after: readonly Review[]): Decided {
  const known = new Map(before.map((review) => [review.adGroupId, `${review.reviewId} ${review.status}`]));
  const fresh = after.filter((review) => known.get(review.adGroupId) !== `${review.reviewId} ${review.status}`);
  const count = (status: string): number => fresh.filter((review) => review.status === status).length;
  return { approved: count('approved'), rejected: count('rejected') };
}
