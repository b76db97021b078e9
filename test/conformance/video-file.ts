import type { Client } from './client.ts';
import { type Answer, fieldOf, idOf, readAnswer } from './client.ts';

/** The smallest files with the form of a video: a type box, a movie header with a length, and some bytes of media. */
export function aVideo(seconds: number, kind: 'mp4' | 'mov' | 'long' = 'mp4'): Buffer {
  const header = Buffer.alloc(112);
  if (kind === 'long') {
    // Version 1 of the movie header: 64-bit times.
    header.writeUInt8(1, 0);
    header.writeUInt32BE(600, 20);
    header.writeBigUInt64BE(BigInt(Math.round(seconds * 600)), 24);
  } else {
    header.writeUInt32BE(1000, 12);
    header.writeUInt32BE(Math.round(seconds * 1000), 16);
  }
  const type = Buffer.from(kind === 'mov' ? 'qt  \0\0\0\0qt  ' : 'isom\0\0\0\0isommp42', 'latin1');
  return Buffer.concat([box('ftyp', type), box('mdat', Buffer.alloc(64)), box('moov', box('mvhd', header))]);
}

export const captions = 'WEBVTT\n\n00:00.000 --> 00:02.000\nPaper towels at work\n';

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/** Sends bytes to an upload address: no credentials, only the content type. */
export async function putBytes(
  url: unknown,
  bytes: Uint8Array | string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
  return readAnswer(await fetch(String(url), { method: 'PUT', body, headers: { 'content-type': type, ...headers } }));
}

export async function requestUpload(client: Client): Promise<Answer> {
  return client.post('/api/v1/media/upload?advertiserId=900001&mediaType=video', {
    advertiserId: 900001,
    mediaType: 'video',
  });
}

/** Uploads and completes a video. @returns its media id */
export async function uploadVideo(client: Client, bytes: Uint8Array, caption?: string): Promise<number> {
  const upload = await requestUpload(client);
  await putBytes(fieldOf(upload, 'uploadUrl'), bytes, 'video/mp4');
  if (caption !== undefined) await putBytes(fieldOf(upload, 'captionUrl'), caption, 'text/vtt');
  const mediaUploadRequestId = idOf(upload, 'mediaUploadRequestId');
  const body = { advertiserId: 900001, mediaUploadRequestId, mediaName: 'Spring cut 20s' };
  return idOf(await client.put('/api/v1/media/complete', body), 'mediaId');
}
