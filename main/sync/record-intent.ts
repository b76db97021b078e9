import type { Kind } from '../../shared/model/kinds.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { freezeKey } from '../../shared/plan/plan-input.ts';
import type { Outcome } from '../api/outcome.ts';
import { type NewBatch, TURN_MS } from '../workspace/outbox/outbox-types.ts';
import type { StopReason, SyncContext } from './context.ts';
import { maxRequests, withRequestSlot } from './parallel.ts';
import { isReadable } from './remote-rows.ts';
import { rowKey } from './row-index.ts';

/** What came of a batch when its turn was there. */
type SendResult =
  | { readonly is: 'answered'; readonly batchId: number; readonly outcome: Outcome }
  | Exclude<Intent, { readonly is: 'recorded' }>;

/**
 * How many intents may be written down before there is a request slot for them, so that none stands empty while the
 * disk is waited for. Each is one thing more that is in doubt after a crash, so only what a read can settle then.
 */
const INTENTS_AHEAD = 2;

/**
 * Writes the intent of a batch and performs its request, both as soon as there is a slot. What comes of the answer is
 * written down while others send.
 *
 * @param request begins only when it may be sent: what it looks at is looked at then
 * @param mayBegin whether the run is not over, asked again after each wait
 */
export function sendWithIntent(
  ctx: SyncContext,
  batch: NewBatch,
  request: () => Promise<Outcome>,
  mayBegin: () => boolean,
): Promise<SendResult> {
  const ahead = isReadable(ctx, batch.kind) ? INTENTS_AHEAD : 0;
  return withRequestSlot(
    ctx,
    'intent',
    () => maxRequests(ctx) + ahead,
    async (): Promise<SendResult> => {
      if (!mayBegin()) return { is: 'never' };
      const intent = await recordIntent(ctx, batch);
      if (intent.is !== 'recorded') return intent;
      const { batchId } = intent;
      // Taken now: by the time there is a slot the intent may have grown old.
      const recordedAt = ctx.ports.clock.nowMs();
      const send = async (): Promise<Outcome> => {
        if (!mayBegin()) return notSent('the sync ended before its turn came');
        const isOurs = await renewIntent(ctx, batchId, recordedAt);
        return isOurs ? request() : notSent(lockLost.detail);
      };
      return { is: 'answered', batchId, outcome: await withRequestSlot(ctx, 'request', () => maxRequests(ctx), send) };
    },
  );
}

/**
 * Dates an intent anew that has waited long for its slot: the settle window begins at its date.
 *
 * @returns false when the workspace was taken over meanwhile
 */
async function renewIntent(ctx: SyncContext, batchId: number, recordedAt: number): Promise<boolean> {
  if (ctx.ports.clock.nowMs() - recordedAt <= TURN_MS) return true;
  const { epoch } = ctx.options;
  const isOurs = await ctx.ports.outbox.dateAnew({ epoch, batchId });
  if (!isOurs) ctx.state.stop = lockLost;
  return isOurs;
}

const notSent = (cause: string): Outcome => ({ class: 'NOT_SENT', cause, security: false });

/**
 * What came of an intent: the batch in the outbox that may be sent now, a wait until the hourly budget has room, or
 * `never` when it must not be sent.
 */
type Intent =
  | { readonly is: 'recorded'; readonly batchId: number }
  | { readonly is: 'over-budget'; readonly waitMs: number }
  | { readonly is: 'never' };

const lockLost: StopReason = { cause: 'disk', detail: 'The workspace was taken over by another program.' };

/** Writes the intent, and its line of the side journal; both are on the disk when this ends. */
async function recordIntent(ctx: SyncContext, batch: NewBatch): Promise<Intent> {
  const { epoch } = ctx.options;
  const answer = await ctx.ports.outbox.intend({ epoch, batch });
  switch (answer.kind) {
    case 'ok': {
      const at = ctx.ports.clock.nowMs();
      await ctx.ports.journal.append({
        t: 'intent',
        c: batch.correlationId,
        at,
        kind: batch.kind,
        verb: batch.verb,
        campaign: batch.campaignId,
        adGroup: batch.adGroupId,
        rows: batch.ops.map(({ kind, rowId }) => ({ kind, id: rowId })),
      });
      return { is: 'recorded', batchId: answer.batchId };
    }
    case 'stale-epoch':
      ctx.state.stop = lockLost;
      return { is: 'never' };
    case 'live':
      return { is: 'never' };
    case 'over-budget':
      return { is: 'over-budget', waitMs: answer.waitMs };
  }
}

interface Creates {
  readonly verb: string;
  readonly rows: readonly { readonly kind: Kind; readonly id: RowId }[];
}

/**
 * While a create is not settled its group gets no further creates of that kind: what a read finds there could not be
 * told apart. The plan leaves such rows out; a create that comes into doubt while a plan is being sent freezes its
 * group here, for the batches of that plan that are still to come.
 */
export function blockCreates(ctx: SyncContext, creates: Creates): void {
  for (const key of keysOf(ctx, creates)) ctx.state.blockedCreates.add(key);
}

export const isCreateBlocked = (ctx: SyncContext, creates: Creates): boolean =>
  ctx.state.blockedCreates.size > 0 && keysOf(ctx, creates).some((key) => ctx.state.blockedCreates.has(key));

function keysOf(ctx: SyncContext, { verb, rows }: Creates): readonly string[] {
  if (verb !== 'create') return [];
  return rows.flatMap(({ kind, id }) => {
    const row = ctx.index.rows.get(rowKey(kind, id));
    const parent = row?.adGroupId ?? row?.campaignId ?? null;
    return parent === null || parent === id ? [] : [freezeKey(kind, parent)];
  });
}
