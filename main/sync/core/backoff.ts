import type { DeploymentProfile } from '../../../shared/profile/profile.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
export const TRIES_MAX = 6;
/** The longest wait that a run sits out when the service names one; a longer one ends the run, which says until when. */
export const WAIT_MAX_MS = 3_600_000;
/** The same of a read that got no use of an answer (503): whoever asked for it is told at once. */
export const READ_WAIT_MAX_MS = 60_000;
/** How often a service may ask for a later try, since it is not one that fails: hours at the usual wait. */
export const LATER_MAX = 60;

/** Full jitter: anything from nothing up to a limit that doubles with every try. */
export const backoffMs = (tries: number, random: () => number): number =>
  Math.round(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** tries));

/**
 * How long to wait after 429: what the service says, else the deployment's default with a fifth of jitter either way.
 *
 * @see wire shapes, section 2, "rate limit"
 */
export function waitAfterLimit(retryAfterMs: number | null, profile: DeploymentProfile, random: () => number): number {
  if (retryAfterMs !== null) return retryAfterMs;
  const usualMs = profile.rate.defaultWaitSeconds * 1000;
  return Math.round(usualMs * (0.8 + 0.4 * random()));
}
