import type { RemoteId } from '../../shared/model/scalars.ts';
import { err, ok } from '../../shared/result.ts';
import { readFailure } from './classify.ts';
import { textIn } from './error-text.ts';
import type { Http } from './http.ts';
import { type JsonValue, parseJson } from './json.ts';
import type { ReadFailure } from './outcome.ts';
import { type Read, readRecords } from './read.ts';
import { choiceOf, idOf, membersOf, textOf } from './reading.ts';

/** One finished upload as the service lists it. */
export interface MediaRecord {
  readonly remoteId: RemoteId;
  readonly name: string | null;
  readonly state: 'processing' | 'available' | 'failed' | null;
  readonly reason: string | null;
}

/** Where the bytes of a video and its caption go. The addresses are bearer secrets: memory only, never logged. */
export interface UploadPair {
  readonly requestId: RemoteId;
  readonly uploadUrl: string;
  readonly captionUrl: string | null;
}

/** Lists finished uploads, or one of them (document, "GET /api/v1/media"). */
export const listMedia = (http: Http, mediaId: RemoteId | null): Read<readonly MediaRecord[]> =>
  readRecords(
    http,
    '/api/v1/media',
    { advertiserId: http.connection.advertiserId, ...(mediaId === null ? {} : { mediaId }) },
    media,
  );

function media(element: JsonValue): MediaRecord | null {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('mediaId', 'id'));
  if (members === null || remoteId === null) return null;
  return {
    remoteId,
    name: textOf(members.get('name', 'mediaName')),
    state: mediaState(textOf(members.get('status'))),
    reason: textOf(members.get('details', 'reason')),
  };
}

function mediaState(word: string | null): MediaRecord['state'] {
  const known = choiceOf(['pending', 'processing', 'available', 'failed'], word);
  if (known === 'pending') return 'processing';
  return known === 'processing' || known === 'available' || known === 'failed' ? known : null;
}

/**
 * Asks for a pair of upload addresses. Safe to repeat: an unused pair expires after 15 minutes and nobody sees it.
 */
export async function requestUpload(http: Http): Read<UploadPair> {
  const { advertiserId } = http.connection;
  const seen = await http.exchange({
    method: 'POST',
    path: '/api/v1/media/upload',
    query: { advertiserId, mediaType: 'video' },
    body: `{"advertiserId":${advertiserId},"mediaType":"video"}`,
    correlationId: http.newCorrelationId(),
  });
  const failure = readFailure(seen, http.nowMs());
  if (failure !== null) return err(failure);
  const parsed = parseJson(seen.kind === 'answer' ? (seen.body ?? '') : '');
  const members = parsed.ok ? membersOf(parsed.value) : null;
  const requestId = idOf(members?.get('mediaUploadRequestId'));
  const uploadUrl = textOf(members?.get('uploadUrl'));
  if (requestId === null || uploadUrl === null || uploadUrl === '') {
    const said = parsed.ok ? textIn(parsed.value) : null;
    return err(notAPair(said));
  }
  return ok({ requestId, uploadUrl, captionUrl: textOf(members?.get('captionUrl')) });
}

const notAPair = (said: string | null): ReadFailure => ({
  kind: 'service',
  status: 200,
  message: said === null ? 'The answer has no upload address.' : said,
});
