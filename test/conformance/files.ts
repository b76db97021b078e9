import { crc32, deflateSync } from 'node:zlib';
import { type Answer, type Client, fieldOf, idOf, readAnswer } from './client.ts';
import { listProfiles } from './sba-profiles.ts';
import type { World } from './world.ts';

/** A PNG of one colour; `padding` bytes of a text chunk make it as large as a case needs. */
export function aLogo(width = 100, height = 100, padding = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(padding > 0 ? [chunk('tEXt', Buffer.alloc(padding, 'a'))] : []),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** What a case changes about the form of a logo upload. */
export interface Upload {
  readonly bytes?: Buffer;
  readonly type?: string;
  readonly fileName?: string;
  /** The JSON part; null leaves it out. */
  readonly part?: unknown;
  readonly partName?: string;
  readonly withoutFile?: boolean;
  readonly fileField?: string;
}

/** The form is written by hand: cases need file names and types that a browser's form would never send. */
export async function uploadLogo(
  world: World,
  client: Client,
  campaignName: string,
  choices: Upload = {},
  index = 0,
): Promise<Answer> {
  const { campaignId, adGroupId } = await world.campaign(campaignName);
  const sbaProfileId = fieldOf(await listProfiles(world, campaignName), 'sbaProfileId', index);
  const part = choices.part === undefined ? { campaignId, adGroupId, sbaProfileId } : choices.part;
  const boundary = 'part-of-the-form';
  const pieces: Buffer[] = [];
  if (part !== null) {
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${choices.partName ?? 'SBABaseProfileRequest'}"\r\n\r\n${text}\r\n`,
      ),
    );
  }
  if (choices.withoutFile !== true) {
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${choices.fileField ?? 'file'}"; filename="${choices.fileName ?? 'logo.png'}"\r\nContent-Type: ${choices.type ?? 'image/png'}\r\n\r\n`,
      ),
      choices.bytes ?? aLogo(),
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return client.send('POST', '/api/v2/sba_profile_image_upload', new Uint8Array(Buffer.concat(pieces)), {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
}

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
