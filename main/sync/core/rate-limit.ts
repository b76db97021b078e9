import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';

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

/** What the service limited: a limit of what is sent says nothing of reads, which may go on being answered. */
type Limited = 'read' | 'write';

export interface KeptLimit {
  readonly until: number;
  /** When the service said so. */
  readonly at: number;
  readonly of: Limited;
}

/** @param until the moment the service named; null where it named none, and `waitMs` is our own patience */
export function* keepLimit(ctx: RoundContext, of: Limited, until: number | null, waitMs: number | null): Work<void> {
  const at = ctx.nowMs();
  const limited = Math.round(until ?? at + (waitMs ?? 0));
  if (limited - at < WORTH_KEEPING_MS) return;
  const { limit } = ctx;
  // Several lanes meet the same limit within moments.
  if (limit !== null && limit.of === of && Math.abs(limit.until - limited) < WORTH_KEEPING_MS) return;
  // A limit of reads leaves one of writes as it is: that one lasts until something is sent.
  if (limit?.of === 'write' && of === 'read' && limit.until > limited) return;
  const kept: KeptLimit = { until: limited, at, of };
  ctx.limit = kept;
  yield* tx('keep limit', (ports) => ports.workspace.setMeta(KEY, JSON.stringify(kept)));
}

/** The service answered something else to a request of this kind, so it listens again. */
export function* liftLimit(ctx: RoundContext, of: Limited): Work<void> {
  if (ctx.limit === null || (of === 'read' && ctx.limit.of === 'write')) return;
  ctx.limit = null;
  yield* tx('lift limit', (ports) => ports.workspace.setMeta(KEY, ''));
}

/** The limit that is kept; null when there is none, or its time is over. */
export async function readLimit(store: Store, nowMs: number): Promise<KeptLimit | null> {
  const found = /^\{"until":(\d{1,16}),"at":(\d{1,16}),"of":"(read|write)"\}$/.exec((await store.getMeta(KEY)) ?? '');
  const [, until = '', at = '', of] = found ?? [];
  if (Number(until) <= nowMs || (of !== 'read' && of !== 'write')) return null;
  return { until: Number(until), at: Number(at), of };
}

/** Whether the service is still not to be asked by itself. */
export const keepsSilent = ({ until, at }: KeptLimit, nowMs: number): boolean =>
  Math.min(until, at + OWN_SILENCE_MAX_MS) > nowMs;
