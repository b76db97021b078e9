import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { isOver, progress, type RateLimit, type SyncContext, waitFor } from './context.ts';
import { maxRequests, withRequestSlot } from './parallel.ts';

const READ_TRIES = 5;

/** Reads, and tries again after what may pass by itself: no connection, a busy or broken service. */
export async function readWithRetry<T>(
  ctx: SyncContext,
  read: (api: PartnerApi) => Promise<Result<T, ReadFailure>>,
): Promise<Result<T, ReadFailure>> {
  let busy = 0;
  for (let tries = 1; ; ) {
    ctx.state.tally.requests++;
    const answer = await withRequestSlot(
      ctx,
      'request',
      () => maxRequests(ctx),
      () => read(ctx.ports.api),
    );
    if (answer.ok) {
      await liftLimit(ctx, 'read');
      // Windows say that the service does not respond, and hear now that it does.
      if (tries > 1) progress(ctx);
      return ok(answer.value);
    }
    const failure = answer.error;
    const mayPass = failure.kind === 'unreachable' || failure.kind === 'service' || failure.kind === 'later';
    if (!mayPass) return err(failure);
    const waitMs = waitBefore(ctx, failure, tries);
    if (failure.kind === 'later') await keepLimit(ctx, 'read', failure.retryAt, waitMs);
    const mustEnd = (): boolean => isOver(ctx) || ctx.options.mustYield?.() === true;
    if (waitMs === null || tries >= READ_TRIES || busy >= LATER_MAX || mustEnd()) return err(failure);
    // A service that says when to come back is not one that fails.
    if (failure.kind === 'later') busy++;
    else tries++;
    await waitFor(ctx, waitMs);
    if (mustEnd()) return err(failure);
  }
}

/** How long to wait before another try; null when the service asks for a wait that nobody should sit out. */
function waitBefore(
  { options: { profile }, ports: { random } }: SyncContext,
  failure: Extract<ReadFailure, { kind: 'unreachable' | 'service' | 'later' }>,
  tries: number,
): number | null {
  if (failure.kind === 'later') {
    const waitMs = waitAfterLimit(failure.retryAfterMs, profile, random);
    return waitMs > WAIT_MAX_MS ? null : waitMs;
  }
  const asked = failure.kind === 'service' ? (failure.retryAfterMs ?? 0) : 0;
  return asked > READ_WAIT_MAX_MS ? null : Math.max(asked, backoffMs(tries, random));
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
export const TRIES_MAX = 6;
/** The longest wait that a run sits out when the service names one; a longer one ends the run, which says until when. */
export const WAIT_MAX_MS = 3_600_000;
/** The same of a read that got no use of an answer (503): the caller is told at once. */
const READ_WAIT_MAX_MS = 60_000;
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
export function waitAfterLimit(retryAfterMs: number | null, profile: DeploymentSettings, random: () => number): number {
  if (retryAfterMs !== null) return retryAfterMs;
  const usualMs = profile.rate.defaultWaitSeconds * 1000;
  return Math.round(usualMs * (0.8 + 0.4 * random()));
}

/**
 * A limit of the service that outlives the run which met it: kept in the workspace, so that a program started later says
 * "rate limited until" and does not ask by itself before.
 *
 *   (none) --429--> kept --any other answer, or its time is over--> (none)
 */
const KEY = 'rate-limited-until';

/** Shorter ones are over before anybody could ask. */
const WORTH_KEEPING_MS = 60_000;
/** However long the service asks for, it is asked again by itself after a day: such a header is a mistake more often than not. */
const OWN_SILENCE_MAX_MS = 86_400_000;

type Store = { getMeta(key: string): Promise<string | null> };

/** @param until the moment the service named; null where it named none, and `waitMs` is our own patience */
export async function keepLimit(
  ctx: SyncContext,
  of: RateLimit['of'],
  until: number | null,
  waitMs: number | null,
): Promise<void> {
  const at = ctx.ports.clock.nowMs();
  const limited = Math.round(until ?? at + (waitMs ?? 0));
  if (limited - at < WORTH_KEEPING_MS) return;
  const { rateLimit: limit } = ctx.state;
  // Several requests meet the same limit within moments.
  if (limit !== null && limit.of === of && Math.abs(limit.until - limited) < WORTH_KEEPING_MS) return;
  // A limit of reads leaves one of writes as it is: that one lasts until something is sent.
  if (limit?.of === 'write' && of === 'read' && limit.until > limited) return;
  const kept: RateLimit = { until: limited, at, of };
  ctx.state.rateLimit = kept;
  await ctx.ports.workspace.setMeta(KEY, JSON.stringify(kept));
}

/** The service answered something else to a request of this kind, so it listens again. */
export async function liftLimit(ctx: SyncContext, of: RateLimit['of']): Promise<void> {
  if (ctx.state.rateLimit === null || (of === 'read' && ctx.state.rateLimit.of === 'write')) return;
  ctx.state.rateLimit = null;
  await ctx.ports.workspace.setMeta(KEY, '');
}

/** The limit that is kept; null when there is none, or its time is over. */
export async function readLimit(store: Store, nowMs: number): Promise<RateLimit | null> {
  const found = /^\{"until":(\d{1,16}),"at":(\d{1,16}),"of":"(read|write)"\}$/.exec((await store.getMeta(KEY)) ?? '');
  const [, until = '', at = '', of] = found ?? [];
  if (Number(until) <= nowMs || (of !== 'read' && of !== 'write')) return null;
  return { until: Number(until), at: Number(at), of };
}

/** Whether the service is still not to be asked by itself. */
export const keepsSilent = ({ until, at }: RateLimit, nowMs: number): boolean =>
  Math.min(until, at + OWN_SILENCE_MAX_MS) > nowMs;
