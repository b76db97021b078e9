import { FIELDS } from '../../shared/model/fields.ts';
import type { RemoteId, UnknownWord } from '../../shared/model/scalars.ts';
import { err, ok } from '../../shared/result.ts';
import { classifyWriteResponse } from './classify-response.ts';
import { fetchRecords, type Listed, type Read, readJson } from './fetch-records.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './lossless-json.ts';
import { choiceOf, hundredthsOf, idOf, type RecordFields, recordFieldsOf, textOf, wordOf } from './parse-record.ts';
import type { Outcome } from './request-outcome.ts';
import { isMissingFormParam, messageIn } from './service-message.ts';

/** One finished upload in the service's list. */
export interface MediaRecord {
  readonly remoteId: RemoteId;
  readonly name: string | null;
  /** A word that this version does not know is kept as received. */
  readonly state: 'processing' | 'available' | 'failed' | UnknownWord | null;
  readonly reason: string | null;
  /** An image of the video, and its length; null if the service does not return them. */
  readonly thumbnailUrl: string | null;
  readonly durationMs: number | null;
}

/** Upload links of a video and its caption. The links are bearer secrets: kept in memory only, never logged. */
export interface UploadPair {
  readonly requestId: RemoteId;
  readonly uploadUrl: string;
  readonly captionUrl: string | null;
}

/** Lists finished uploads, or one of them (document, "GET /api/v1/media"). */
export const listMedia = (http: Http, mediaId: RemoteId | null): Read<Listed<MediaRecord>> =>
  fetchRecords(
    http,
    '/api/v1/media',
    { advertiserId: http.connection.advertiserId, ...(mediaId === null ? {} : { mediaId }) },
    media,
  );

function media(element: JsonValue): MediaRecord | null {
  const members = recordFieldsOf(element);
  const remoteId = idOf(members?.get('mediaId', 'id'));
  if (members === null || remoteId === null) return null;
  return {
    remoteId,
    name: textOf(members.get('name', 'mediaName')),
    state: mediaState(textOf(members.get('status'))),
    reason: textOf(members.get('details', 'reason')),
    thumbnailUrl: textOf(members.get('thumbnail', 'thumbnailUrl')),
    durationMs: durationOf(members),
  };
}

/** The document names no field for the length of a video, so common names are read, in milliseconds or seconds. */
function durationOf(members: RecordFields): number | null {
  const ms = hundredthsOf(members.get('durationMs', 'durationMillis', 'lengthMs'));
  if (ms !== null) return ms < 0 ? null : Math.round(ms / 100);
  const seconds = hundredthsOf(members.get('durationSeconds', 'duration', 'lengthSeconds', 'length'));
  return seconds === null || seconds < 0 ? null : seconds * 10;
}

function mediaState(word: string | null): MediaRecord['state'] {
  const known = choiceOf(['pending', 'processing', 'available', 'failed'], word);
  if (known === 'pending') return 'processing';
  if (known === 'processing' || known === 'available' || known === 'failed') return known;
  return wordOf(FIELDS.media.mediaState, word);
}

/** Requests a pair of upload links. Safe to repeat: an unused pair expires after 15 minutes without effect. */
export async function requestUpload(http: Http): Read<UploadPair> {
  const { advertiserId } = http.connection;
  const path = '/api/v1/media/upload';
  const query = { advertiserId, mediaType: 'video' };
  const body = `{"advertiserId":${advertiserId},"mediaType":"video"}`;
  const answer = await readJson(http, { method: 'POST', path, query, body });
  if (!answer.ok) return answer;
  const members = recordFieldsOf(answer.value);
  const requestId = idOf(members?.get('mediaUploadRequestId'));
  const uploadUrl = textOf(members?.get('uploadUrl'));
  if (requestId === null || uploadUrl === null || uploadUrl === '') {
    const message = messageIn(answer.value) ?? 'an answer without an upload address';
    return err({ kind: 'service', status: 200, message, call: `POST ${path}` });
  }
  return ok({ requestId, uploadUrl, captionUrl: textOf(members?.get('captionUrl')) || null });
}

/** The two spellings of the form field that the document shows (document, "Upload logo"). */
export const LOGO_FIELDS = ['SBABaseProfileRequest', 'sbaBaseProfileRequest'] as const;
export type LogoField = (typeof LOGO_FIELDS)[number];

export interface LogoUpload {
  readonly campaignId: RemoteId;
  readonly adGroupId: RemoteId;
  readonly sbaProfileId: RemoteId;
  readonly png: Uint8Array<ArrayBuffer>;
  readonly correlationId: string;
}

/**
 * Uploads the logo of one profile as a multipart form: the JSON text part and the picture under a fixed file name, so
 * that no file name of the user can break a part header.
 *
 * The service checks the form field first and responds `Missing form param`, so trying the other spelling repeats
 * nothing.
 *
 * @param first the spelling that worked last
 * @returns the outcome, and the spelling used for it
 */
export async function uploadLogo(
  http: Http,
  logo: LogoUpload,
  first: LogoField,
): Promise<{ readonly outcome: Outcome; readonly field: LogoField }> {
  const outcome = await attempt(http, logo, first);
  if (!asksForOtherSpelling(outcome)) return { outcome, field: first };
  const second = first === LOGO_FIELDS[0] ? LOGO_FIELDS[1] : LOGO_FIELDS[0];
  return { outcome: await attempt(http, logo, second), field: second };
}

/** The message is the whole response or the failure of the one element (document, "SBA logo upload (V2)", 200). */
function asksForOtherSpelling(outcome: Outcome): boolean {
  if (outcome.class === 'REFUSED') return isMissingFormParam(outcome.message);
  if (outcome.class !== 'ELEMENTS') return false;
  const [element] = outcome.elements;
  return element?.is === 'rejected' && isMissingFormParam(element.message);
}

async function attempt(http: Http, logo: LogoUpload, field: LogoField): Promise<Outcome> {
  const form = new FormData();
  const { campaignId, adGroupId, sbaProfileId } = logo;
  form.set(field, `{"campaignId":${campaignId},"adGroupId":${adGroupId},"sbaProfileId":${sbaProfileId}}`);
  form.set('file', new Blob([logo.png], { type: 'image/png' }), 'logo.png');
  const seen = await http.exchange({
    method: 'POST',
    path: '/api/v2/sba_profile_image_upload',
    body: form,
    correlationId: logo.correlationId,
  });
  return classifyWriteResponse(
    seen,
    { elements: 1, idNames: ['sbaProfileId'], needsId: false, isTaken: () => false },
    http.nowMs(),
  );
}
