import type { Cell } from '../../../shared/model/field-types.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { PlanUpload } from '../../../shared/plan/plan-types.ts';
import type { UploadPair } from '../../api/media.ts';
import type { Outcome } from '../../api/outcome.ts';
import { addressProblemText } from '../../media/upload/address-guard.ts';
import { openWindow } from '../../media/upload/address-window.ts';
import type { NewBatch } from '../../workspace/outbox/outbox-types.ts';
import type { CellUpdate } from '../../workspace/port.ts';
import { readAgain } from './again.ts';
import { isOver, learnId, mediaRow, type RoundContext, remoteIdOf, stopFor, valuesOf } from './context.ts';
import { journal, tell, tx, upload, type Work, write } from './effects.ts';
import { settlementOf, shapeOf } from './expect.ts';
import { uniqueMediaName } from './media-name.ts';
import { resolveBatch } from './resolve.ts';
import { recordIntent } from './send.ts';
import { sight } from './sightings.ts';
import type { UploadProblem } from './uploader.ts';

/**
 * Brings one video to the service:
 *
 *   ask for addresses -> bytes of the video -> bytes of the caption -> intent -> complete -> processing
 *        ^                     |                     |                            |
 *        +-- address over -----+---------------------+ (twice at most)            +-- in doubt: found by its name
 *
 * Nothing before `complete` leaves a trace: unused addresses expire, and an interrupted upload starts again.
 */
export function* sendVideo(ctx: RoundContext, item: PlanUpload): Work<void> {
  const video = mediaRow(ctx, item.mediaId);
  if (video === null || isOver(ctx)) return;
  const caption = item.captionId === null ? null : mediaRow(ctx, item.captionId);
  yield* setMedia(ctx, video.id, { mediaState: 'uploading', stateReason: null });
  const requestId = yield* bytesToService(ctx, video, caption);
  if (requestId === null) return;
  ctx.tally.uploads++;
  yield* complete(ctx, video, item, requestId);
}

const PAIRS_MAX = 3;

/** @returns the id of the request whose addresses have received everything, or null when it did not work out */
function* bytesToService(
  ctx: RoundContext,
  video: Row<'media'>,
  caption: Row<'media'> | null,
): Work<UploadPair['requestId'] | null> {
  for (let pairs = 1; pairs <= PAIRS_MAX && !isOver(ctx); pairs++) {
    const pair = yield* readAgain(ctx, 'request upload', (ports) => ports.api.requestUpload());
    if (!pair.ok) {
      stopFor(ctx, pair.error);
      const why = pair.error.kind === 'unreachable' ? pair.error.cause : pair.error.message;
      yield* setMedia(ctx, video.id, { mediaState: 'failed', stateReason: why });
      return null;
    }
    const { uploadUrl, captionUrl } = pair.value;
    const sent = yield* putOne(ctx, uploadUrl, video);
    const problem = sent ?? (caption === null || captionUrl === null ? null : yield* putOne(ctx, captionUrl, caption));
    if (problem === null) return pair.value.requestId;
    if (isFinal(problem) || pairs === PAIRS_MAX) {
      yield* setMedia(ctx, video.id, { mediaState: 'failed', stateReason: problemText(problem) });
      return null;
    }
  }
  yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  return null;
}

function* putOne(ctx: RoundContext, address: string, row: Row<'media'>): Work<UploadProblem | null> {
  ctx.tally.requests++;
  const { workspaceId } = ctx;
  const totalBytes = row.values.bytes ?? 0;
  const fileName = row.values.fileName ?? '';
  const answer = yield* upload(`upload media ${row.id}`, (ports) => {
    const window = openWindow(ports.clock, ctx.profile.media.urlMinutes);
    return ports.uploader.put(address, row, (sentBytes) =>
      ports.emit({
        type: 'upload.progress',
        workspaceId,
        mediaId: row.id,
        fileName,
        sentBytes,
        totalBytes,
        urlExpiresAt: window.expiresAtMs,
      }),
    );
  });
  return answer.ok ? null : answer.error;
}

function* complete(
  ctx: RoundContext,
  video: Row<'media'>,
  item: PlanUpload,
  requestId: UploadPair['requestId'],
): Work<void> {
  const before = yield* mediaBefore(ctx);
  if (before === null) return yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  const correlationId = ctx.newCorrelationId();
  const name = uniqueMediaName(item.mediaName, ctx.profile.media.nameMax, ctx.random);
  const { advertiserId } = ctx;
  const body = `{"advertiserId":${advertiserId},"mediaUploadRequestId":${requestId},"mediaName":${JSON.stringify(name)}}`;
  const path = '/api/v1/media/complete';
  const batch: NewBatch = {
    kind: 'media',
    verb: 'upload',
    method: 'PUT',
    path,
    campaignId: null,
    adGroupId: null,
    attempt: 1,
    correlationId,
    body,
    preImage: before,
    ops: [{ kind: 'media', rowId: video.id, sent: userValues(video), base: null }],
  };
  const batchId = yield* recordIntent(ctx, batch);
  if (batchId === null) return yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  ctx.tally.requests++;
  const shape = shapeOf('media', 'upload', 1, (id) => ctx.owners.has(`media:${id}`));
  const outcome = yield* write('complete media', (ports) =>
    ports.api.send({ method: 'PUT', path, body, correlationId, shape }),
  );
  yield* settleComplete(ctx, video, batchId, correlationId, outcome);
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
    if (batch !== undefined) yield* resolveBatch(ctx, batch);
  } else if (settled.done === 0) {
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

/** Asks what became of the uploads that the service is still working on, or forgot to tell us about. */
export function* pollMedia(ctx: RoundContext, rows: readonly Row<'media'>[]): Work<void> {
  const waiting = rows.filter(
    (row) => row.remoteId !== null && row.values.mediaState !== 'available' && row.values.mediaState !== 'failed',
  );
  if (waiting.length === 0 || isOver(ctx)) return;
  const [only] = waiting;
  const asked = waiting.length === 1 && only !== undefined ? only.remoteId : null;
  const list = yield* readAgain(ctx, 'list media', (ports) => ports.api.media(asked));
  if (!list.ok) return stopFor(ctx, list.error);
  const updates: CellUpdate[] = [];
  for (const row of waiting) {
    const record = list.value.find(({ remoteId }) => remoteId === remoteIdOf(ctx, 'media', row.id));
    if (record === undefined || record.state === null) continue;
    const reason = record.state === 'failed' ? record.reason : null;
    for (const [field, value] of Object.entries({ mediaState: record.state, stateReason: reason })) {
      if (valuesOf(row)[field] !== value) updates.push({ kind: 'media', id: row.id, field, value });
    }
  }
  if (updates.length > 0) yield* tx('media state', (ports) => ports.workspace.setServiceFields(updates));
}

function* setMedia(ctx: RoundContext, id: RowId, fields: Readonly<Record<string, Cell>>): Work<void> {
  const updates = Object.entries(fields).map(([field, value]) => ({ kind: 'media', id, field, value }) as const);
  yield* tx('media state', (ports) => ports.workspace.setServiceFields(updates));
  if (fields['mediaState'] === 'failed') {
    const reason = String(fields['stateReason'] ?? '');
    yield* tell({
      type: 'notice',
      workspaceId: ctx.workspaceId,
      severity: 'error',
      message: 'media.upload-failed',
      params: { mediaId: id, reason },
    });
  }
}

/** A file that changed and an address that is not allowed stay so; everything else deserves fresh addresses. */
const isFinal = (problem: UploadProblem): boolean =>
  problem.kind === 'address' ||
  ['file-changed', 'file-unreadable', 'private-address', 'cancelled'].includes(problem.problem.kind);

function problemText(problem: UploadProblem): string {
  if (problem.kind === 'address') return addressProblemText(problem.problem);
  const put = problem.problem;
  switch (put.kind) {
    case 'file-changed':
      return 'The file is not the one that was added to the library. Add it again.';
    case 'file-unreadable':
      return `The file cannot be read (${put.code}). Add it to the library again.`;
    case 'refused':
      return `The storage refused the upload with status ${put.status}. Sync again to start over with a new address.`;
    case 'private-address':
      return `The upload address leads to ${put.address}, inside a private network. Nothing was sent.`;
    case 'connection':
      return `The connection to the storage ended (${put.cause}). Sync again to start over.`;
    case 'cancelled':
      return 'The upload was cancelled. Sync again to start over.';
  }
}

/** All that the library knows of a video: once it is up there, none of it is left to send. */
const userValues = (row: Row<'media'>) => {
  const { mediaState, stateReason, ...user } = row.values;
  return user;
};
