import type { DeploymentProfile } from '../../shared/profile/profile.ts';

const MINUTE_MS = 60_000;
/** A video that is worked on for longer than this is told about, and looked at as rarely as a review. */
export const OVERDUE_MS = 120 * MINUTE_MS;
/** Between two looks at a video that should be ready by now, in minutes (wire shapes, section 5, "Media"). */
const MEDIA_MINUTES = 15;

/**
 * How long until the service is asked again, in minutes: a pending review about every half hour (document, "Video campaign
 * rules"), a video for the first time when it should be ready, then every quarter of an hour, and after two hours no more
 * often than a review.
 *
 * @param finishedAt when the uploads were finished that the service still works on; null for those nobody knows it of
 */
export function nextLookMinutes(
  finishedAt: readonly (number | null)[],
  nowMs: number,
  { review, media }: Pick<DeploymentProfile, 'review' | 'media'>,
): number {
  const waits = finishedAt.flatMap((at) => {
    const age = at === null ? null : nowMs - at;
    if (age === null || age < 0 || age > OVERDUE_MS) return [];
    return [Math.max(MEDIA_MINUTES, media.processingMinutes - age / MINUTE_MS)];
  });
  return Math.min(review.pollMinutes, ...waits);
}
