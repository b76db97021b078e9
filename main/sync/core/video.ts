import type { Row } from '../../../shared/model/row.ts';
import type { PlanUpload } from '../../../shared/plan/plan-types.ts';
import { ok } from '../../../shared/result.ts';
import type { UploadPair } from '../../api/media.ts';
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
      const why = pair.error.kind === 'unreachable' ? pair.error.cause : pair.error.message;
      yield* setMedia(ctx, video.id, { mediaState: 'failed', stateReason: why });
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
      // A host nobody was asked about is a question, not a failure: the file waits here for the answer.
      const mediaState = isQuestion(problem) ? 'local' : 'failed';
      yield* setMedia(ctx, video.id, { mediaState, stateReason: problemText(problem) });
      if (isQuestion(problem)) yield* tellQuestion(ctx, video, problemText(problem));
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

/** A file that changed and an address that is not allowed stay so; everything else deserves fresh addresses. */
const isFinal = (problem: UploadProblem): boolean =>
  problem.kind === 'address' ||
  ['file-changed', 'file-unreadable', 'private-address', 'cancelled'].includes(problem.problem.kind);

function problemText(problem: UploadProblem): string {
  if (problem.kind === 'address') {
    const { problem: address } = problem;
    if (address.kind !== 'unknown-host') return addressProblemText(address);
    return `The service wants the upload sent to ${address.host}, which nobody has allowed yet. Nothing was sent. Say under Sync whether files may go there.`;
  }
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
