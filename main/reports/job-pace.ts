import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { ReportProblem } from './fetch-report.ts';

const FIRST_MS = 2000;
const LAST_MS = 5 * 60_000;
/** Of the time that has passed since it was asked for: a report that took a minute so far is worth a look every 15 seconds. */
const SHARE = 4;

/** How long until the service is asked about a job again: at first every two seconds, in the end every five minutes. */
export const nextLookMs = (ageMs: number): number => Math.min(LAST_MS, Math.max(FIRST_MS, ageMs / SHARE));

/**
 * Whether a question about a job is worth repeating: nobody answered, the service was busy or ill, or it wants other
 * credentials first. Everything else would be answered in the same way the next time.
 */
export function isPassing(problem: ReportProblem): boolean {
  if (problem.kind === 'read') {
    const { kind } = problem.failure;
    return kind === 'unreachable' || kind === 'later' || kind === 'service' || kind === 'credentials';
  }
  if (problem.kind !== 'download') return false;
  const file = problem.problem;
  return file.kind === 'connection' || (file.kind === 'status' && file.status >= 500);
}

/** How long the service wants to be left alone, in milliseconds; 0 where it says nothing of the kind. */
export function restMs(failure: ReadFailure, { rate }: Pick<DeploymentProfile, 'rate'>): number {
  const wait = 'retryAfterMs' in failure ? (failure.retryAfterMs ?? null) : null;
  return wait ?? (failure.kind === 'later' ? rate.defaultWaitSeconds * 1000 : 0);
}
