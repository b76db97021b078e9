import type { Cell } from '../../shared/model/field-types.ts';
import type { Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { PlanBatch, PlanUpload } from '../../shared/plan/plan-types.ts';
import { ok } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { UploadPair } from '../api/media.ts';
import type { Outcome, ReadFailure } from '../api/request-outcome.ts';
import type { UploadProblem } from '../files/upload/upload-file.ts';
import { createUploadUrlExpiry, type UploadUrlExpiry, uploadUrlErrorText } from '../files/upload/upload-url-check.ts';
import { isOver, mediaRow, notify, type SyncContext, stopFor } from './context.ts';
import { readWithRetry } from './retry.ts';
import { idsBeforeCreate, sendUntilSettled } from './send.ts';

/**
 * Uploads one video:
 *
 *   request links -> bytes of the video -> bytes of the caption -> intent -> complete -> processing
 *        ^                     |                     |                            |
 *        +-- link expired -----+---------------------+ (twice at most)            +-- unconfirmed: found by its name
 *
 * Nothing before `complete` has a lasting effect: unused links expire, and an interrupted upload starts again.
 */
export async function uploadVideo(ctx: SyncContext, item: PlanUpload): Promise<void> {
  const video = mediaRow(ctx, item.mediaId);
  if (video === null || isOver(ctx)) return;
  const caption = item.captionId === null ? null : mediaRow(ctx, item.captionId);
  await setMedia(ctx, video.id, { mediaState: 'uploading', stateReason: null });
  const received = await bytesToService(ctx, video, caption);
  if (received === null) return;
  ctx.state.tally.uploads++;
  await completeUpload(ctx, video, item.mediaName, received);
}

/** The files that the storage has received, with the request ID of their links. */
interface Received {
  readonly requestId: UploadPair['requestId'];
  readonly captionId: RowId | null;
}

/** Stores the upload state of a file, and notifies the user of a failure. */
async function setMedia(ctx: SyncContext, id: RowId, fields: Readonly<Record<string, Cell>>): Promise<void> {
  const updates = Object.entries(fields).map(([field, value]) => ({ kind: 'media', id, field, value }) as const);
  await ctx.ports.workspace.setServiceFields(updates);
  if (fields['mediaState'] === 'failed') {
    const reason = String(fields['stateReason'] ?? '');
    const name = mediaRow(ctx, id)?.values.mediaName ?? `file ${id}`;
    notify(ctx, 'error', `"${name}" was not uploaded. ${reason}`, { mediaId: id, reason });
  }
}

const PAIRS_MAX = 3;

/** @returns null if the upload failed */
async function bytesToService(
  ctx: SyncContext,
  video: Row<'media'>,
  caption: Row<'media'> | null,
): Promise<Received | null> {
  for (let pairs = 1; pairs <= PAIRS_MAX && !isOver(ctx); pairs++) {
    const pair = await readWithRetry(ctx, async (api) => {
      const answer = await api.requestUpload();
      const window = createUploadUrlExpiry(ctx.ports.clock, ctx.options.profile.media.urlMinutes);
      return answer.ok ? ok({ ...answer.value, window }) : answer;
    });
    if (!pair.ok) {
      stopFor(ctx, pair.error);
      // A busy service is not a failure of the file.
      if (pair.error.kind === 'later') await setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
      else await failed(ctx, video, linkFailureText(pair.error));
      return null;
    }
    const { uploadUrl, captionUrl, requestId, window } = pair.value;
    let problem = await putOne(ctx, uploadUrl, video, window);
    if (problem === null && caption !== null && captionUrl !== null) {
      // The upload of a large video may outlast the links: both files are then sent again to new ones.
      if (!window.isOpen() && pairs < PAIRS_MAX) continue;
      problem = await putOne(ctx, captionUrl, caption, window);
    }
    if (problem === null) {
      const isWithout = caption !== null && captionUrl === null;
      if (isWithout) notify(ctx, 'warning', withoutCaption(video, caption), { mediaId: video.id });
      return { requestId, captionId: isWithout ? null : (caption?.id ?? null) };
    }
    if (isFinal(problem) || pairs === PAIRS_MAX) {
      const why = problemText(problem);
      if (!isUndecidedHost(problem)) {
        await failed(ctx, video, why);
        return null;
      }
      // An undecided host is not a failure: the file stays local until the user allows or blocks the host.
      await setMedia(ctx, video.id, { mediaState: 'local', stateReason: why });
      notifyUndecidedHost(ctx, video, why);
      return null;
    }
  }
  await setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  return null;
}

async function putOne(
  ctx: SyncContext,
  address: string,
  row: Row<'media'>,
  window: UploadUrlExpiry,
): Promise<UploadProblem | null> {
  ctx.state.tally.requests++;
  const { workspaceId } = ctx.options;
  const totalBytes = row.values.bytes ?? 0;
  const fileName = row.values.fileName ?? '';
  const answer = await ctx.ports.uploader.put(address, row, (sentBytes) =>
    ctx.ports.emit({
      type: 'upload.progress',
      workspaceId,
      mediaId: row.id,
      fileName,
      sentBytes,
      totalBytes,
      urlExpiresAt: window.expiresAtMs,
    }),
  );
  return answer.ok ? null : answer.error;
}

const withoutCaption = (video: Row<'media'>, caption: Row<'media'>): string =>
  `"${rowLabel(video)}" was uploaded without its caption "${rowLabel(caption)}": the service returned no upload link for a caption. To add one, use the retailer's console.`;

function notifyUndecidedHost(ctx: SyncContext, video: Row<'media'>, message: string): void {
  notify(ctx, 'warning', message, { mediaId: video.id });
}

const isUndecidedHost = (problem: UploadProblem): boolean =>
  problem.kind === 'address' && problem.problem.kind === 'unknown-host';

/** Stores in the file's row and in the report why the upload failed. */
async function failed(ctx: SyncContext, video: Row<'media'>, reason: string): Promise<void> {
  ctx.state.tally.failedUploads.push({ id: video.id, file: rowLabel(video), reason });
  await setMedia(ctx, video.id, { mediaState: 'failed', stateReason: reason });
}

function linkFailureText(failure: ReadFailure): string {
  if (failure.kind === 'unreachable') {
    return `Can't get an upload link from the service (${failure.cause}). Nothing was sent. Check the network, then sync again.`;
  }
  const status = failure.kind === 'later' ? 429 : 'status' in failure ? failure.status : undefined;
  const answered = status === undefined ? '' : ` with status ${status}`;
  return `The service responded${answered} to the request for an upload link: ${failure.message}. Nothing was sent. Sync again later.`;
}

/**
 * Whether new upload links would not help: the file changed, the host is not allowed, or the response does not depend
 * on the age of the link.
 */
function isFinal(problem: UploadProblem): boolean {
  if (problem.kind === 'address') return true;
  const put = problem.problem;
  switch (put.kind) {
    case 'file-changed':
    case 'file-unreadable':
    case 'private-address':
    case 'cancelled':
    case 'redirect':
      return true;
    case 'refused':
      return !(put.status >= 500 || MAY_PASS.has(put.status));
    case 'unusable':
      return put.what === 'page';
    case 'connection':
      return false;
  }
}

/** The link has expired, or the storage is busy. */
const MAY_PASS: ReadonlySet<number> = new Set([401, 403, 404, 408, 410, 425, 429]);

function problemText(problem: UploadProblem): string {
  if (problem.kind === 'address') {
    const { problem: address } = problem;
    if (address.kind !== 'unknown-host') return uploadUrlErrorText(address);
    return `The service requested an upload to ${address.host}, which is not allowed yet. Nothing was sent. Allow or block the host in the Sync tab.`;
  }
  const { problem: put, host } = problem;
  switch (put.kind) {
    case 'file-changed':
      return 'The file changed after it was added to the library. Add it again.';
    case 'file-unreadable':
      return `Can't read the file (${put.code}). Add it to the library again.`;
    case 'redirect': {
      const to = put.to === null ? '' : ` to ${put.to}`;
      return `The storage at ${host} responded with status ${put.status}, a redirect${to}. The file was not uploaded, because Adslate never sends files to addresses it has not checked. Check whether a proxy or a sign-in page blocks the upload, then sync again. If it fails again, send this status and host to the support of the service.`;
    }
    case 'refused':
      return `The storage at ${host} responded with status ${put.status}: ${meaningOf(put.status)}. The file was not uploaded. ${nextAfter(put.status)}`;
    case 'unusable':
      return put.what === 'page'
        ? `The storage at ${host} responded with status ${put.status} and a web page. The file was not uploaded. Check whether a proxy or a sign-in page blocks the upload, then sync again.`
        : `The response of the storage at ${host} (status ${put.status}) was cut off, so the upload is not confirmed. Sync again to start over.`;
    case 'private-address':
      return `The upload link leads to ${put.address} in a private network. Nothing was sent.`;
    case 'connection':
      return `The connection to the storage at ${host} ended (${put.cause}). Sync again to start over.`;
    case 'cancelled':
      return 'The upload was canceled. Sync again to start over.';
  }
}

function meaningOf(status: number): string {
  if (status === 401 || status === 403) return 'it does not accept the upload link, which may have expired';
  if (status === 404 || status === 410) return 'it no longer recognizes the upload link';
  if (status === 413) return 'the file is too large for it';
  if (status === 408 || status === 425 || status === 429 || status === 503) return 'it is busy';
  if (status >= 500) return 'it failed';
  return status >= 400 ? 'it does not accept the upload' : 'this does not confirm that the file was stored';
}

const nextAfter = (status: number): string =>
  status >= 500 || MAY_PASS.has(status)
    ? 'Sync again later to start over with a new upload link.'
    : 'Send this status and host to the support of the service. Sync again to start over with a new upload link.';

/**
 * Completes an upload under a unique name, by the rules of every write: the intent is on disk first, and after a lost
 * response the upload is found by the name. A pause does not prevent the first try; otherwise the bytes would be sent
 * twice.
 */
async function completeUpload(
  ctx: SyncContext,
  video: Row<'media'>,
  mediaName: string,
  { requestId, captionId }: Received,
): Promise<void> {
  const waits = { mediaState: 'local', stateReason: null } as const;
  const batch = completionOf(video, captionId);
  const preImage = await idsBeforeCreate(ctx, batch);
  if (preImage === 'failed') return setMedia(ctx, video.id, waits);
  const name = uniqueMediaName(mediaName, ctx.options.profile.media.nameMax, ctx.ports.random);
  const { advertiserId } = ctx.options;
  const body = `{"advertiserId":${advertiserId},"mediaUploadRequestId":${requestId},"mediaName":${JSON.stringify(name)}}`;
  const outcome = await sendUntilSettled(ctx, { batch, body, preImage, splits: { left: 0 }, evenPaused: true });
  // The service is busy, which is not a failure of the file: the next sync starts the upload again.
  if (outcome === null || outcome === 'in-parts' || outcome.class === 'LATER') return setMedia(ctx, video.id, waits);
  const message = refusalOf(outcome);
  if (message === null) return;
  const isTold = ctx.state.tally.refused.some(({ kind, id }) => kind === 'media' && id === video.id);
  if (!isTold) ctx.state.tally.refused.push({ kind: 'media', id: video.id, message });
  await setMedia(ctx, video.id, { mediaState: 'failed', stateReason: message });
}

/**
 * The request that completes an upload, as a batch of one element. Without the caption if the service did not receive
 * it.
 */
const completionOf = (video: Row<'media'>, captionId: RowId | null): PlanBatch => ({
  index: 0,
  kind: 'media',
  verb: 'upload',
  method: 'PUT',
  path: '/api/v1/media/complete',
  campaignId: null,
  adGroupId: null,
  elements: [
    {
      kind: 'media',
      id: video.id,
      remoteId: null,
      body: {},
      sent: { ...userValues(video), caption: captionId },
      changed: [],
    },
  ],
});

/** Why the file counts as failed; null if it was accepted or is unconfirmed. */
function refusalOf(outcome: Outcome): string | null {
  switch (outcome.class) {
    case 'ELEMENTS': {
      const [result] = outcome.elements;
      return result?.is === 'rejected' ? result.message : null;
    }
    case 'IN_DOUBT':
      return null;
    case 'NOT_SENT':
      return outcome.cause;
    default:
      return outcome.message;
  }
}

/**
 * The fields of a video that the user sets: after the upload they equal the service values, so nothing is left to send.
 */
const userValues = (row: Row<'media'>) => {
  const { mediaState, stateReason, thumbnailUrl, durationMs, ...user } = row.values;
  return user;
};

const MARK_LENGTH = 6;
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * The user's name with six random characters appended. Names need not be unique on the service, but a completed upload
 * whose response was lost can only be found by its name.
 *
 * @param nameMax longest name in code points, including these characters
 */
function uniqueMediaName(name: string, nameMax: number, random: () => number): string {
  const mark = Array.from({ length: MARK_LENGTH }, () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? 'a');
  const room = Math.max(1, nameMax - MARK_LENGTH - 2);
  return `${[...name.trim()].slice(0, room).join('').trim()} ·${mark.join('')}`;
}
