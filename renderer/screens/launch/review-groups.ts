import type { Review } from '../../../shared/contract/sync.ts';

export type ReviewGroup = 'rejected' | 'running' | 'done' | 'over';
const ORDER: readonly ReviewGroup[] = ['rejected', 'running', 'done', 'over'];

type Component = Review['components'][number];
export const isRejected = (component: Component): boolean => component.status === 'rejected';

/** A review with any rejected part needs the user, whatever its own state says; one with an unknown word is not over. */
export function groupOf(review: Review): ReviewGroup {
  if (review.status === 'pending' || review.status === 'in-progress') return 'running';
  if (review.status === 'rejected' || review.components.some(isRejected)) return 'rejected';
  if (review.status === 'cancelled') return 'over';
  return review.status === 'approved' ? 'done' : 'running';
}

/** Whether each word stands in the campaign's name, in a reason, or is the id of a part; capitals do not count. */
export function holdsWords({ campaign, components }: Review, words: string): boolean {
  const texts = [campaign, ...components.flatMap(({ id, reason }) => [id, reason ?? ''])].join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => texts.includes(word));
}

/** Reviews by what they ask of the user, the most urgent first. */
export function groupsOf(
  reviews: readonly Review[],
): readonly { readonly group: ReviewGroup; readonly reviews: readonly Review[] }[] {
  return ORDER.map((group) => ({ group, reviews: reviews.filter((review) => groupOf(review) === group) })).filter(
    (found) => found.reviews.length > 0,
  );
}
