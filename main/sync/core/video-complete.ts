import type { Row } from '../../../shared/model/row.ts';
import type { UploadPair } from '../../api/media.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { NewBatch } from '../../workspace/outbox/outbox-types.ts';
import { backoffMs, TRIES_MAX } from './backoff.ts';
import { learnId } from './books.ts';
import { isBrokenOff, isOver, progress, type RoundContext, stopFor } from './context.ts';
import { journal, sleep, tx, type Work, write } from './effects.ts';
import { settlementOf, shapeOf } from './expect.ts';
import { recordIntent } from './intent.ts';
import { uniqueMediaName } from './media-name.ts';
import { setMedia } from './media-state.ts';
import { resolveBatch } from './resolve.ts';
import { waitOutLimit } from './send.ts';
import { sight } from './sightings.ts';

/**
 * Finishes an upload under a name of its own, by the rules of every write: the intent is on disk first, and an
 * answer that was lost is found by the name. A pause does not end it before its first try: the bytes would go up twice.
 */
export function* completeUpload(
  ctx: RoundContext,
  video: Row<'media'>,
  mediaName: string,
  requestId: UploadPair['requestId'],
): Work<void> {
  const before = yield* mediaBefore(ctx);
  if (before === null) return yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  const name = uniqueMediaName(mediaName, ctx.profile.media.nameMax, ctx.random);
  const { advertiserId } = ctx;
  const body = `{"advertiserId":${advertiserId},"mediaUploadRequestId":${requestId},"mediaName":${JSON.stringify(name)}}`;
  for (let tries = 1; !isBrokenOff(ctx); tries++) {
    const waitMs = yield* completeOnce(ctx, video, body, before, tries);
    if (waitMs === null) return;
    if (isOver(ctx)) break;
    yield* progress(ctx, ctx.nowMs() + waitMs);
    yield* sleep(waitMs);
  }
  yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
}

const PATH = '/api/v1/media/complete';

/** @returns how long to wait before another try, or null when this one settled it */
function* completeOnce(
  ctx: RoundContext,
  video: Row<'media'>,
  body: string,
  preImage: readonly string[],
  tries: number,
): Work<number | null> {
  const correlationId = ctx.newCorrelationId();
  const batch: NewBatch = {
    kind: 'media',
    verb: 'upload',
    method: 'PUT',
    path: PATH,
    campaignId: null,
    adGroupId: null,
    attempt: tries,
    correlationId,
    body,
    preImage,
    ops: [{ kind: 'media', rowId: video.id, sent: userValues(video), base: null }],
  };
  const batchId = yield* recordIntent(ctx, batch);
  if (batchId === null) {
    yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
    return null;
  }
  ctx.tally.requests++;
  const shape = shapeOf('media', 'upload', 1, (id) => ctx.owners.has(`media:${id}`));
  const outcome = yield* write('complete media', (ports) =>
    ports.api.send({ method: 'PUT', path: PATH, body, correlationId, shape }),
  );
  const limitMs = outcome.class === 'LATER' ? yield* waitOutLimit(ctx, outcome, `PUT ${PATH}`, tries) : null;
  const mayTryAgain = tries < TRIES_MAX && (limitMs !== null || (outcome.class === 'NOT_SENT' && !outcome.security));
  yield* settleComplete(ctx, video, batchId, correlationId, outcome, mayTryAgain);
  if (!mayTryAgain) return null;
  return limitMs ?? backoffMs(tries, ctx.random);
}

/** The ids of finished uploads before this one: read once a round, and added to by the round itself. */
function* mediaBefore(ctx: RoundContext): Work<readonly string[] | null> {
  if (ctx.mediaSeen === null) {
    const seen = yield* sight(ctx, { kind: 'media', verb: 'upload', campaignId: null, adGroupId: null, ops: [] });
    if (seen === 'no-read') return null;
    if (!seen.ok) {
      stopFor(ctx, seen.error);
      return null;
    }
    ctx.mediaSeen = new Set(seen.value.map(({ remoteId }) => remoteId));
  }
  return [...ctx.mediaSeen];
}

function* settleComplete(
  ctx: RoundContext,
  video: Row<'media'>,
  batchId: number,
  correlationId: string,
  outcome: Outcome,
  mayTryAgain: boolean,
): Work<void> {
  const { epoch } = ctx;
  const first = outcome.class === 'ELEMENTS' ? outcome.elements[0] : undefined;
  const element = { kind: 'media', remoteId: null, sent: {} } as const;
  const result = first === undefined ? null : settlementOf(first, element, { kind: 'media', verb: 'upload' }, null);
  const settled = yield* tx('settle', (ports) =>
    ports.outbox.settle({
      epoch,
      batchId,
      class: outcome.class,
      settlement: result === null ? wholeSettlement(outcome) : { is: 'elements', elements: [result] },
    }),
  );
  const remoteId = result?.is === 'done' ? result.remoteId : null;
  if (settled.done > 0 && remoteId !== null) {
    learnId(ctx, 'media', video.id, remoteId);
    ctx.mediaSeen?.add(remoteId);
  }
  ctx.tally.done += settled.done;
  const at = ctx.nowMs();
  yield* journal('outcome', (ports) =>
    ports.journal.append({ t: 'outcome', c: correlationId, at, class: outcome.class, ids: [remoteId] }),
  );
  if (settled.inDoubt > 0) {
    const live = yield* tx('live', (ports) => ports.outbox.live());
    const batch = live.find(({ id }) => id === batchId);
    if (batch !== undefined) yield* resolveBatch(ctx, batch, live);
  } else if (outcome.class === 'LATER' && !mayTryAgain) {
    // The service takes nothing just now, which says nothing of the file: the next sync starts its upload again.
    yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  } else if (settled.done === 0 && !mayTryAgain) {
    const message = result?.is === 'rejected' ? result.message : outcomeText(outcome);
    ctx.tally.refused.push({ kind: 'media', id: video.id, message });
    yield* setMedia(ctx, video.id, { mediaState: 'failed', stateReason: message });
    if (outcome.class === 'AUTH') ctx.stop ??= { cause: 'credentials', detail: outcome.message };
    if (outcome.class === 'NOT_SENT') ctx.stop ??= { cause: 'unreachable', detail: outcome.cause };
  }
}

function wholeSettlement(outcome: Outcome) {
  if (outcome.class === 'REFUSED') return { is: 'rejected', message: outcome.message } as const;
  if (outcome.class === 'IN_DOUBT') return { is: 'in-doubt', cause: outcome.cause } as const;
  return { is: 'returned', detail: outcomeText(outcome) } as const;
}

function outcomeText(outcome: Outcome): string {
  if (outcome.class === 'ELEMENTS') return 'The service gave no result.';
  return 'message' in outcome ? outcome.message : outcome.cause;
}

/** All that the library knows of a video: once it is up there, none of it is left to send. */
const userValues = (row: Row<'media'>) => {
  const { mediaState, stateReason, thumbnailUrl, durationMs, ...user } = row.values;
  return user;
};
