import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ownMessages } from '../messages.ts';
import type { MediaRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { respond } from './respond.ts';
import { type UploadPart, uploadedFile } from './uploads.ts';

/** What the addresses in the API's records point at: logos, thumbnails, videos and captions. */
export async function answerAsset(
  service: Service,
  kind: string,
  name: string,
  response: ServerResponse,
): Promise<void> {
  const id = /^(\d{1,15})(?:\.(?:png|svg))?$/.exec(name)?.[1];
  if (id === undefined) return notFound(response);
  if (kind === 'logos') return sendLogo(service, Number(id), response);
  const media = service.store.one<MediaRow>('SELECT * FROM media WHERE media_id = ?', Number(id));
  if (media === undefined) return notFound(response);
  if (kind === 'thumbnails') return sendThumbnail(media, response);
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
  response.writeHead(200, { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
  response.end(logo);
}

/** No frame is decoded: the picture shows the length, and its colour tells one video from another. */
function sendThumbnail(media: MediaRow, response: ServerResponse): void {
  const seconds = ((media.length_ms ?? 0) / 1000).toFixed(1);
  const hue = (media.media_id * 47) % 360;
  respond(response, {
    status: 200,
    body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180"><rect width="320" height="180" fill="hsl(${hue} 40% 35%)"/><path d="M135 60l60 35-60 35z" fill="#fff"/><text x="310" y="170" text-anchor="end" fill="#fff" font-family="sans-serif" font-size="18">${seconds} s</text></svg>`,
    headers: { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" },
  });
}

async function sendFile(
  service: Service,
  part: UploadPart,
  media: MediaRow,
  contentType: string,
  response: ServerResponse,
): Promise<void> {
  const path = uploadedFile(service, part, media.upload_id);
  const found = await stat(path).catch(() => null);
  if (found === null) return notFound(response);
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': found.size,
    'x-content-type-options': 'nosniff',
  });
  try {
    await pipeline(createReadStream(path), response);
  } catch {
    // The reader went away; there is nobody left to tell.
    response.destroy();
  }
}

function notFound(response: ServerResponse): void {
  respond(response, { status: 404, body: { error: ownMessages.pathNotFound } });
}
