import type { AppEvent } from '../../shared/api/app.ts';
import type { Review } from '../../shared/api/reviews.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { Row } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { SleepState } from '../app/clock.ts';
import type { Workspace } from '../store/workspace.ts';
import { newReviewResults } from './reviews.ts';

const MINUTE_MS = 60_000;
/** How far a poll may lie from its time, so that many clients do not ask at the same moment. */
const JITTER = 0.1;

interface PollSchedulerDeps {
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Runs something after a delay, unless it is stopped, and never keeps a program alive. @returns what stops it */
  readonly startTimer: (run: () => void, delayMs: number) => () => void;
  readonly sleepState?: SleepState | undefined;
}

/**
 * Looks now and then for what the service decides by itself: reviews, and uploads it is working on (document,
 * "Video campaign rules": poll a pending review about every 30 minutes).
 *
 * Timers stand still while the machine sleeps, so what fell due meanwhile is made up for when it wakes.
 *
 * @param everyMinutes between two looks, unless `poll` answers how long the next one may wait
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
      if (deps.sleepState?.isResting() !== true) look();
    }, waitMs);
  };
  const look = (): void => {
    stopTimer();
    dueAt = null;
    // A poll that failed is made up for by the next one; runs report failures of their own.
    poll().then(next, () => next());
  };
  const stopWaking = deps.sleepState?.onWake(() => {
    if (!isOver && dueAt !== null && deps.nowMs() >= dueAt) look();
  });
  next();
  return {
    /** When the next look is due, by the clock that was handed in; null while one is under way. */
    nextAt: () => dueAt,
    stop: () => {
      isOver = true;
      stopWaking?.();
      stopTimer();
    },
  };
}

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

/** Asks the service of its own accord, and tells what it has decided since: reviews, and files it worked on. */
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

/** How many files the service got ready, or gave up, between two looks. One that is new to the second look counts too. */
function newlyFinishedMedia(
  before: readonly Row<'media'>[],
  after: readonly Row<'media'>[],
): { readonly ready: number; readonly failed: number } {
  const known = new Map(before.map(({ id, values }) => [id, values.mediaState]));
  const fresh = after.filter(({ id, values }) => known.get(id) !== values.mediaState);
  const count = (state: string): number => fresh.filter(({ values }) => values.mediaState === state).length;
  return { ready: count('available'), failed: count('failed') };
}

/** Tells once that the service refuses the token or the signature, and again only after it took them in between. */
export function watchAccess(workspaceId: WorkspaceId, emit: (event: AppEvent) => void): (cause: string | null) => void {
  let isRefused = false;
  return (cause) => {
    const before = isRefused;
    isRefused = cause === 'credentials';
    if (isRefused && !before) emit({ type: 'access.refused', workspaceId });
  };
}
