import type { NewBatch } from '../../workspace/outbox/outbox-types.ts';
import { isBrokenOff, isOver, progress, type RoundContext, type Stop } from './context.ts';
import { journal, sleep, tx, type Work } from './effects.ts';

/**
 * What came of an intent: the batch in the outbox that may be sent now, a wait until the hourly budget has room, or
 * `never` when it must not be sent.
 */
export type Intent =
  | { readonly is: 'recorded'; readonly batchId: number }
  | { readonly is: 'over-budget'; readonly waitMs: number }
  | { readonly is: 'never' };

export const takenOver: Stop = { cause: 'disk', detail: 'The workspace was taken over by another program.' };

/** Writes the intent, and its line of the side journal; both are on the disk when this ends. */
export function* tryIntent(ctx: RoundContext, batch: NewBatch): Work<Intent> {
  const { epoch } = ctx;
  const answer = yield* tx('intend', (ports) => ports.outbox.intend({ epoch, batch }));
  switch (answer.kind) {
    case 'ok': {
      const at = ctx.nowMs();
      yield* journal('intent', (ports) =>
        ports.journal.append({
          t: 'intent',
          c: batch.correlationId,
          at,
          kind: batch.kind,
          verb: batch.verb,
          campaign: batch.campaignId,
          adGroup: batch.adGroupId,
          rows: batch.ops.map(({ kind, rowId }) => ({ kind, id: rowId })),
        }),
      );
      return { is: 'recorded', batchId: answer.batchId };
    }
    case 'stale-epoch':
      ctx.stop = takenOver;
      return { is: 'never' };
    case 'live':
      return { is: 'never' };
    case 'over-budget':
      return { is: 'over-budget', waitMs: answer.waitMs };
  }
}

/**
 * Writes the intent, waiting while the hourly budget is used up. A sync that was paused meanwhile waits no longer.
 *
 * @returns the id of the batch in the outbox, or null when it must not be sent
 */
export function* recordIntent(ctx: RoundContext, batch: NewBatch): Work<number | null> {
  while (!isBrokenOff(ctx)) {
    const intent = yield* tryIntent(ctx, batch);
    if (intent.is === 'recorded') return intent.batchId;
    if (intent.is === 'never') return null;
    if (isOver(ctx)) return null;
    yield* waitFor(ctx, intent.waitMs);
  }
  return null;
}

/** Waits, and says so. */
export function* waitFor(ctx: RoundContext, waitMs: number): Work<void> {
  yield* progress(ctx, ctx.nowMs() + waitMs);
  yield* sleep(waitMs);
}
