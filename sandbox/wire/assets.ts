import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ownMessages } from '../messages.ts';
import { sampleFilm } from '../resources/sample-film.ts';
import type { ItemRow, MediaRow, MediaUploadRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { drawItem, drawThumbnail } from './pictures.ts';
import { respond } from './respond.ts';
import { type UploadPart, uploadedFile } from './uploads.ts';

/** What the addresses in the API's records point at: logos, item pictures, thumbnails, videos and captions. */
export async function answerAsset(
  service: Service,
  kind: string,
  name: string,
  response: ServerResponse,
): Promise<void> {
  const id = /^((?:prod)?\d{1,15})(?:\.png)?$/.exec(name)?.[1];
  if (id === undefined) return notFound(response);
  if (kind === 'items') return sendItem(service, id, response);
  if (kind === 'logos') return sendLogo(service, Number(id), response);
  const media = service.store.one<MediaRow>('SELECT * FROM media WHERE media_id = ?', Number(id));
  if (media === undefined) return notFound(response);
  if (kind === 'thumbnails')
    return sendBytes(drawThumbnail(media.media_id, media.length_ms ?? 0), 'image/png', response);
  if (kind === 'videos') return sendFile(service, 'video', media, 'video/mp4', response);
  if (kind === 'captions') return sendFile(service, 'caption', media, 'text/plain; charset=utf-8', response);
  return notFound(response);
}

function sendLogo(service: Service, profileId: number, response: ServerResponse): void {
  const row = service.store.one<{ logo: Uint8Array<ArrayBuffer> | null }>(
    'SELECT logo FROM sba_profile WHERE sba_profile_id = ?',
    profileId,
  );
  const logo = row?.logo ?? null;
  if (logo === null) {
    notFound(response);
    return;
  }
  sendBytes(logo, 'image/png', response);
}

/** @param itemId in either format: a picture's address stays good when the account is migrated */
function sendItem(service: Service, itemId: string, response: ServerResponse): void {
  const item = service.store.one<ItemRow>('SELECT * FROM item WHERE us_id = ? OR legacy_id = ?', itemId, itemId);
  if (item === undefined) notFound(response);
  else sendBytes(drawItem(item.name), 'image/png', response);
}

async function sendFile(
  service: Service,
  part: UploadPart,
  media: MediaRow,
  contentType: string,
  response: ServerResponse,
): Promise<void> {
  const upload = service.store.one<MediaUploadRow>('SELECT * FROM media_upload WHERE upload_id = ?', media.upload_id);
  // What a scenario begins with was never uploaded, and so has no signature.
  if (part === 'video' && upload?.secret === '') {
    sendBytes(sampleFilm(), contentType, response);
    return;
  }
  const path = uploadedFile(service, part, media.upload_id);
  const size = await sizeOf(path);
  if (size === null) return notFound(response);
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': size,
    'x-content-type-options': 'nosniff',
  });
  try {
    await pipeline(createReadStream(path), response);
  } catch (problem) {
    // A reader who went away is nobody's fault; a file that cannot be read is told to the operator.
    if (!readerLeft.some((code) => hasCode(problem, code))) throw problem;
  }
}

const readerLeft = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'] as const;

/** Bytes of a file, or null when there is none; any other failure is a failure. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (problem) {
    if (hasCode(problem, 'ENOENT')) return null;
    throw problem;
  }
}

function hasCode(problem: unknown, code: string): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === code;
}

function sendBytes(bytes: Uint8Array, contentType: string, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}

function notFound(response: ServerResponse): void {
  respond(response, { status: 404, body: { error: ownMessages.pathNotFound } });
}
