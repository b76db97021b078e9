import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { isOver, progress, type RateLimit, type SyncContext, waitFor } from './context.ts';
import { maxRequests, withRequestSlot } from './parallel.ts';

const READ_TRIES = 5;

/** Reads, and repeats the read after temporary failures: no connection, a busy or failing service. */
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
      // Windows show that the service does not respond; the progress event clears that.
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
    // A service that names a time for the next try is busy, not failing.
    if (failure.kind === 'later') busy++;
    else tries++;
    await waitFor(ctx, waitMs, failure.kind);
    if (mustEnd()) return err(failure);
  }
}

/** Delay before the next try, in milliseconds; null if the service asks for a longer delay than a run waits. */
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
/**
 * The longest delay named by the service that a run waits for; after a longer one the run ends and reports the time.
 */
export const WAIT_MAX_MS = 3_600_000;
/** The longest such delay for a read after a response without use (503); a longer one fails the read at once. */
const READ_WAIT_MAX_MS = 60_000;
/** How often a read is repeated after a 429: hours at the default delay. */
export const LATER_MAX = 60;

/** Full jitter: a random delay from 0 up to a limit that doubles with every try. */
export const backoffMs = (tries: number, random: () => number): number =>
  Math.round(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** tries));

/**
 * Delay after a 429: as named by the service, else the deployment's default with ±20% jitter.
 *
 * @see wire shapes, section 2, "rate limit"
 */
export function waitAfterLimit(retryAfterMs: number | null, profile: DeploymentSettings, random: () => number): number {
  if (retryAfterMs !== null) return retryAfterMs;
  const usualMs = profile.rate.defaultWaitSeconds * 1000;
  return Math.round(usualMs * (0.8 + 0.4 * random()));
}

/**
 * A rate limit outlives its run: it is stored in the workspace, so that a process started later shows "rate limited
 * until" and sends no automatic requests before.
 *
 *   (none) --429--> stored --any other response, or the time is reached--> (none)
 */
const KEY = 'rate-limited-until';

/** Shorter limits are not stored: they end before another process could use them. */
const WORTH_KEEPING_MS = 60_000;
/** Automatic requests resume after a day, even if the service names a later time: such a header is usually wrong. */
const OWN_SILENCE_MAX_MS = 86_400_000;

type Store = { getMeta(key: string): Promise<string | null> };

/** @param until the time named by the service; null if it named none, and `waitMs` is our own delay */
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
  // Parallel requests get the same limit within moments.
  if (limit !== null && limit.of === of && Math.abs(limit.until - limited) < WORTH_KEEPING_MS) return;
  // A limit of reads does not shorten one of writes, which applies until a write succeeds.
  if (limit?.of === 'write' && of === 'read' && limit.until > limited) return;
  const kept: RateLimit = { until: limited, at, of };
  ctx.state.rateLimit = kept;
  await ctx.ports.workspace.setMeta(KEY, JSON.stringify(kept));
}

/** Clears the limit after another response to a request of this kind. */
export async function liftLimit(ctx: SyncContext, of: RateLimit['of']): Promise<void> {
  if (ctx.state.rateLimit === null || (of === 'read' && ctx.state.rateLimit.of === 'write')) return;
  ctx.state.rateLimit = null;
  await ctx.ports.workspace.setMeta(KEY, '');
}

/** The stored limit; null if there is none or its time has passed. */
export async function readLimit(store: Store, nowMs: number): Promise<RateLimit | null> {
  const found = /^\{"until":(\d{1,16}),"at":(\d{1,16}),"of":"(read|write)"\}$/.exec((await store.getMeta(KEY)) ?? '');
  const [, until = '', at = '', of] = found ?? [];
  if (Number(until) <= nowMs || (of !== 'read' && of !== 'write')) return null;
  return { until: Number(until), at: Number(at), of };
}

/** Whether automatic requests to the service are still suspended. */
export const keepsSilent = ({ until, at }: RateLimit, nowMs: number): boolean =>
  Math.min(until, at + OWN_SILENCE_MAX_MS) > nowMs;
