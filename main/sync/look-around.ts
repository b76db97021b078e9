import type { AppEvent } from '../../shared/contract/app.ts';
import type { Review } from '../../shared/contract/sync.ts';
import type { Row } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { Workspace } from '../workspace/port.ts';
import { decidedBetween } from './decided-reviews.ts';

interface LookAroundDeps {
  readonly workspaceId: WorkspaceId;
  readonly workspace: Pick<Workspace, 'readMedia'>;
  readonly reviews: () => Promise<readonly Review[]>;
  readonly emit: (event: AppEvent) => void;
}

/** Asks the service of its own accord, and tells what it has decided since: reviews, and files it worked on. */
export async function lookAround(
  { workspaceId, workspace, reviews, emit }: LookAroundDeps,
  ask: () => Promise<unknown>,
): Promise<void> {
  const reviewsBefore = await reviews();
  const mediaBefore = await workspace.readMedia();
  await ask();
  const { approved, rejected } = decidedBetween(reviewsBefore, await reviews());
  if (approved + rejected > 0) emit({ type: 'reviews.decided', workspaceId, approved, rejected });
  const { ready, failed } = finishedBetween(mediaBefore, await workspace.readMedia());
  if (ready + failed > 0) emit({ type: 'media.finished', workspaceId, ready, failed });
}

/** How many files the service got ready, or gave up, between two looks. One that is new to the second look counts too. */
export function finishedBetween(
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
