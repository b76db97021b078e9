import type { AppEvent } from '../../shared/api/app.ts';
import type { Review } from '../../shared/api/reviews.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { Row } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { SleepState } from '../app/clock.ts';
import type { Workspace } from '../store/workspace.ts';
import { newReviewResults } from './reviews.ts';

const MINUTE_MS = 60_000;
/** Maximum deviation of a poll from its time, as a fraction, so that many clients do not poll at the same moment. */
const JITTER = 0.1;

interface PollSchedulerDeps {
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Runs a function after a delay without keeping the process alive. @returns a function that stops the timer */
  readonly startTimer: (run: () => void, delayMs: number) => () => void;
  readonly sleepState?: SleepState | undefined;
}

/**
 * Polls regularly for decisions of the service: reviews, and uploads in processing (document, "Video campaign rules":
 * poll a pending review about every 30 minutes).
 *
 * Timers stop while the computer sleeps, so an overdue poll runs on waking.
 *
 * @param everyMinutes between two polls, unless `poll` returns the minutes until the next one
 */
export function startPollScheduler(
  everyMinutes: number,
  deps: PollSchedulerDeps,
  poll: () => Promise<number | undefined>,
) {
  let stopTimer = (): void => {};
  let isOver = false;
  let dueAt: number | null = null;
  const next = (minutes = everyMinutes): void => {
    if (isOver) return;
    const waitMs = minutes * MINUTE_MS * (1 - JITTER + 2 * JITTER * deps.random());
    dueAt = Math.round(deps.nowMs() + waitMs);
    stopTimer = deps.startTimer(() => {
      if (deps.sleepState?.isResting() !== true) pollNow();
    }, waitMs);
  };
  const pollNow = (): void => {
    stopTimer();
    dueAt = null;
    // A failed poll is followed by the next one; runs report their failures themselves.
    poll().then(next, () => next());
  };
  const stopWaking = deps.sleepState?.onWake(() => {
    if (!isOver && dueAt !== null && deps.nowMs() >= dueAt) pollNow();
  });
  next();
  return {
    /** When the next poll is due, by the given clock; null during a poll. */
    nextAt: () => dueAt,
    stop: () => {
      isOver = true;
      stopWaking?.();
      stopTimer();
    },
  };
}

/** A video in processing for longer than this is reported, and polled only as often as a review. */
export const OVERDUE_MS = 120 * MINUTE_MS;
/** Minutes between two polls of a video that should be ready by now (wire shapes, section 5, "Media"). */
const MEDIA_MINUTES = 15;

/**
 * Minutes until the next poll: a pending review about every half hour (document, "Video campaign rules"); a video first
 * when it should be ready, then every quarter of an hour, and after two hours no more often than a review.
 *
 * @param finishedAt when the uploads that are in processing were completed; null if unknown
 */
export function nextPollMinutes(
  finishedAt: readonly (number | null)[],
  nowMs: number,
  { review, media }: Pick<DeploymentSettings, 'review' | 'media'>,
): number {
  const waits = finishedAt.flatMap((at) => {
    const age = at === null ? null : nowMs - at;
    if (age === null || age < 0 || age > OVERDUE_MS) return [];
    return [Math.max(MEDIA_MINUTES, media.processingMinutes - age / MINUTE_MS)];
  });
  return Math.min(review.pollMinutes, ...waits);
}

interface BackgroundCheckDeps {
  readonly workspaceId: WorkspaceId;
  readonly workspace: Pick<Workspace, 'readMedia'>;
  readonly reviews: () => Promise<readonly Review[]>;
  readonly emit: (event: AppEvent) => void;
}

/** Polls the service in the background and reports new results of reviews and uploads. */
export async function checkInBackground(
  { workspaceId, workspace, reviews, emit }: BackgroundCheckDeps,
  ask: () => Promise<unknown>,
): Promise<void> {
  const reviewsBefore = await reviews();
  const mediaBefore = await workspace.readMedia();
  await ask();
  const { approved, rejected } = newReviewResults(reviewsBefore, await reviews());
  if (approved + rejected > 0) emit({ type: 'reviews.decided', workspaceId, approved, rejected });
  const { ready, failed } = newlyFinishedMedia(mediaBefore, await workspace.readMedia());
  if (ready + failed > 0) emit({ type: 'media.finished', workspaceId, ready, failed });
}

/** How many files became available or failed between two polls. A file that only the second poll has counts too. */
function newlyFinishedMedia(
  before: readonly Row<'media'>[],
  after: readonly Row<'media'>[],
): { readonly ready: number; readonly failed: number } {
  const known = new Map(before.map(({ id, values }) => [id, values.mediaState]));
  const fresh = after.filter(({ id, values }) => known.get(id) !== values.mediaState);
  const count = (state: string): number => fresh.filter(({ values }) => values.mediaState === state).length;
  return { ready: count('available'), failed: count('failed') };
}

/** Reports once that the service refuses the token or the signature, and again only after it has accepted them. */
export function watchAccess(workspaceId: WorkspaceId, emit: (event: AppEvent) => void): (cause: string | null) => void {
  let isRefused = false;
  return (cause) => {
    const before = isRefused;
    isRefused = cause === 'credentials';
    if (isRefused && !before) emit({ type: 'access.refused', workspaceId });
  };
}
