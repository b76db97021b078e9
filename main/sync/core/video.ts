import type { Row } from '../../../shared/model/row.ts';
import type { PlanUpload } from '../../../shared/plan/plan-types.ts';
import { ok } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import type { UploadPair } from '../../api/media.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import { addressProblemText } from '../../media/upload/address-guard.ts';
import { type AddressWindow, openWindow } from '../../media/upload/address-window.ts';
import { readAgain } from './again.ts';
import { mediaRow } from './books.ts';
import { isOver, type RoundContext, stopFor } from './context.ts';
import { tell, upload, type Work } from './effects.ts';
import { setMedia } from './media-state.ts';
import type { UploadProblem } from './uploader.ts';
import { completeUpload } from './video-complete.ts';

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
  yield* completeUpload(ctx, video, item.mediaName, requestId);
}

const PAIRS_MAX = 3;

/** @returns the id of the request whose addresses have received everything, or null when it did not work out */
function* bytesToService(
  ctx: RoundContext,
  video: Row<'media'>,
  caption: Row<'media'> | null,
): Work<UploadPair['requestId'] | null> {
  for (let pairs = 1; pairs <= PAIRS_MAX && !isOver(ctx); pairs++) {
    const pair = yield* readAgain(ctx, 'request upload', async (ports) => {
      const answer = await ports.api.requestUpload();
      const window = openWindow(ports.clock, ctx.profile.media.urlMinutes);
      return answer.ok ? ok({ ...answer.value, window }) : answer;
    });
    if (!pair.ok) {
      stopFor(ctx, pair.error);
      // A service that takes nothing just now says nothing of the file.
      if (pair.error.kind === 'later') yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
      else yield* failed(ctx, video, askedInVain(pair.error));
      return null;
    }
    const { uploadUrl, captionUrl, requestId, window } = pair.value;
    let problem = yield* putOne(ctx, uploadUrl, video, window);
    if (problem === null && caption !== null && captionUrl !== null) {
      // A large video may outlive the addresses: then both files travel again to fresh ones.
      if (!window.isOpen() && pairs < PAIRS_MAX) continue;
      problem = yield* putOne(ctx, captionUrl, caption, window);
    }
    if (problem === null) return requestId;
    if (isFinal(problem) || pairs === PAIRS_MAX) {
      const why = problemText(problem);
      if (!isQuestion(problem)) {
        yield* failed(ctx, video, why);
        return null;
      }
      // A host nobody was asked about is a question, not a failure: the file waits here for the answer.
      yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: why });
      yield* tellQuestion(ctx, video, why);
      return null;
    }
  }
  yield* setMedia(ctx, video.id, { mediaState: 'local', stateReason: null });
  return null;
}

function* putOne(
  ctx: RoundContext,
  address: string,
  row: Row<'media'>,
  window: AddressWindow,
): Work<UploadProblem | null> {
  ctx.tally.requests++;
  const { workspaceId } = ctx;
  const totalBytes = row.values.bytes ?? 0;
  const fileName = row.values.fileName ?? '';
  const answer = yield* upload(`upload media ${row.id}`, (ports) =>
    ports.uploader.put(address, row, (sentBytes) =>
      ports.emit({
        type: 'upload.progress',
        workspaceId,
        mediaId: row.id,
        fileName,
        sentBytes,
        totalBytes,
        urlExpiresAt: window.expiresAtMs,
      }),
    ),
  );
  return answer.ok ? null : answer.error;
}

function* tellQuestion(ctx: RoundContext, video: Row<'media'>, message: string): Work<void> {
  const { workspaceId } = ctx;
  yield* tell({ type: 'notice', workspaceId, severity: 'warning', message, params: { mediaId: video.id } });
}

const isQuestion = (problem: UploadProblem): boolean =>
  problem.kind === 'address' && problem.problem.kind === 'unknown-host';

/** Writes down at the file, and in the report, why it did not go up. */
function* failed(ctx: RoundContext, video: Row<'media'>, reason: string): Work<void> {
  ctx.tally.failedUploads.push({ id: video.id, file: rowLabel(video), reason });
  yield* setMedia(ctx, video.id, { mediaState: 'failed', stateReason: reason });
}

function askedInVain(failure: ReadFailure): string {
  if (failure.kind === 'unreachable') {
    return `The service could not be asked where the file goes (${failure.cause}). Nothing was sent. Check the network, then sync again.`;
  }
  const status = failure.kind === 'later' ? 429 : 'status' in failure ? failure.status : undefined;
  const answered = status === undefined ? '' : ` with status ${status}`;
  return `Asked where the file goes, the service answered${answered}: ${failure.message}. Nothing was sent. Sync again later.`;
}

/**
 * What another pair of addresses would not change: a file that changed, an address that is not allowed, an answer that has
 * nothing to do with the age of the address.
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

/** The address has expired, or the storage is busy. */
const MAY_PASS: ReadonlySet<number> = new Set([401, 403, 404, 408, 410, 425, 429]);

function problemText(problem: UploadProblem): string {
  if (problem.kind === 'address') {
    const { problem: address } = problem;
    if (address.kind !== 'unknown-host') return addressProblemText(address);
    return `The service wants the upload sent to ${address.host}, which nobody has allowed yet. Nothing was sent. Say under Sync whether files may go there.`;
  }
  const { problem: put, host } = problem;
  switch (put.kind) {
    case 'file-changed':
      return 'The file is not the one that was added to the library. Add it again.';
    case 'file-unreadable':
      return `The file cannot be read (${put.code}). Add it to the library again.`;
    case 'redirect': {
      const to = put.to === null ? '' : ` to ${put.to}`;
      return `The storage at ${host} answered with status ${put.status}, a redirect${to}. Adslate never follows a redirect of an upload, because the file would go to an address that was not checked; so it was not uploaded. Check whether a proxy or a sign-in page is in the way, then sync again. If it stays, give the service's support this status and host.`;
    }
    case 'refused':
      return `The storage at ${host} answered with status ${put.status}: ${meaningOf(put.status)}. The file was not uploaded. ${nextAfter(put.status)}`;
    case 'unusable':
      return put.what === 'page'
        ? `The storage at ${host} answered with status ${put.status} and a web page, which no storage sends; so the file does not count as uploaded. Check whether a proxy or a sign-in page is in the way, then sync again.`
        : `The answer of the storage at ${host} (status ${put.status}) was cut off, so the file does not count as uploaded. Sync again to start over.`;
    case 'private-address':
      return `The upload address leads to ${put.address}, inside a private network. Nothing was sent.`;
    case 'connection':
      return `The connection to the storage at ${host} ended (${put.cause}). Sync again to start over.`;
    case 'cancelled':
      return 'The upload was cancelled. Sync again to start over.';
  }
}

function meaningOf(status: number): string {
  if (status === 401 || status === 403) return 'it does not accept the address, which may have expired';
  if (status === 404 || status === 410) return 'it does not know the address any more';
  if (status === 413) return 'the file is too large for it';
  if (status === 408 || status === 425 || status === 429 || status === 503) return 'it is busy';
  if (status >= 500) return 'it failed';
  return status >= 400 ? 'it does not accept the upload' : 'that does not say that the file was stored';
}

const nextAfter = (status: number): string =>
  status >= 500 || MAY_PASS.has(status)
    ? 'Sync again later to start over with a new address.'
    : "Give the service's support this status and host; sync again to start over with a new address.";
