import { randomBytes } from 'node:crypto';
import { requireRead, requireWrite } from '../access.ts';
import { MINUTE_MS } from '../calendar.ts';
import { schedule } from '../due.ts';
import { parseId, readId, readObject, readText, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { ownMessages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { MediaRow, MediaUploadRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { success } from '../wire/results.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';

/**
 * A video on its way ("Video media and video profile"): upload request, bytes to uploadUrl and captionUrl within 15
 * minutes, completion; then the clock processes it for 30 minutes and says why it failed, if it did (`states.ts`).
 */
export const mediaRoutes: readonly Route[] = [
  create('/api/v1/media/upload', requestUpload),
  update('/api/v1/media/complete', completeUpload),
  read('/api/v1/media', listMedia),
];

function requestUpload(service: Service, call: Call): unknown {
  const fields = readObject(call.body);
  const advertiserId = required(
    readId(fields, 'advertiserId') ?? parseId(call.query.get('advertiserId')),
    'advertiserId',
  );
  requireWrite(call.principal, advertiserId, 'other');
  const secret = randomBytes(18).toString('base64url');
  const expiresMs = service.clock.now() + limits.uploadUrlMinutes * MINUTE_MS;
  const uploadId = service.store.run(
    'INSERT INTO media_upload (advertiser_id, media_type, expires_ms, secret) VALUES (?, ?, ?, ?)',
    advertiserId,
    readText(fields, 'mediaType') ?? call.query.get('mediaType') ?? 'video',
    expiresMs,
    secret,
  );
  const address = (part: string) => {
    const signed = new URLSearchParams({ se: new Date(expiresMs).toISOString(), sig: secret });
    return `${service.baseUrl()}/upload/${part}/${uploadId}?${signed.toString()}`;
  };
  return success('mediaUploadRequestId', uploadId, { uploadUrl: address('video'), captionUrl: address('caption') });
}

function completeUpload(service: Service, call: Call): unknown {
  const fields = readObject(call.body);
  const uploadId = required(readId(fields, 'mediaUploadRequestId'), 'mediaUploadRequestId');
  const name = required(readText(fields, 'mediaName'), 'mediaName');
  const upload = service.store.one<MediaUploadRow>('SELECT * FROM media_upload WHERE upload_id = ?', uploadId);
  const advertiserId = readId(fields, 'advertiserId') ?? upload?.advertiser_id ?? call.principal.advertiserId;
  requireWrite(call.principal, advertiserId, 'other');
  const problem =
    upload === undefined || upload.advertiser_id !== advertiserId
      ? ownMessages.uploadRequestNotFound
      : upload.completed === 1
        ? ownMessages.uploadRequestUsed
        : upload.has_video === 0
          ? ownMessages.videoNotUploaded
          : null;
  if (problem !== null || upload === undefined) {
    return { code: 'failure', details: problem ?? '', mediaId: 0, errors: [problem] };
  }
  const mediaId = service.store.run(
    `INSERT INTO media (advertiser_id, upload_id, name, status, details, verdict, length_ms, has_caption)
     VALUES (?, ?, ?, 'pending', '', ?, ?, ?)`,
    advertiserId,
    uploadId,
    name,
    upload.video_verdict || upload.caption_verdict,
    upload.length_ms,
    upload.has_caption,
  );
  service.store.run('UPDATE media_upload SET completed = 1 WHERE upload_id = ?', uploadId);
  schedule(service, 'media.process', mediaId, service.clock.now());
  return success('mediaId', mediaId, { errors: [] });
}

export function processMedia(service: Service, subject: string): void {
  service.store.run(
    "UPDATE media SET status = 'processing' WHERE media_id = ? AND status = 'pending'",
    Number(subject),
  );
  schedule(service, 'media.finish', subject, service.clock.now() + limits.mediaProcessingMinutes * MINUTE_MS);
}

export function finishMedia(service: Service, subject: string): void {
  service.store.run(
    `UPDATE media SET status = CASE WHEN verdict = '' THEN 'available' ELSE 'failed' END, details = verdict
     WHERE media_id = ? AND status = 'processing'`,
    Number(subject),
  );
}

function listMedia(service: Service, call: Call): readonly unknown[] {
  const advertiserId = parseId(call.query.get('advertiserId')) ?? call.principal.advertiserId;
  const mediaId = parseId(call.query.get('mediaId'));
  requireRead(call.principal, advertiserId, 'other');
  const rows = service.store
    .all<MediaRow & { attached: number }>(
      `SELECT media.*, EXISTS (SELECT 1 FROM ad_group_media WHERE ad_group_media.media_id = media.media_id) AS attached
       FROM media WHERE advertiser_id = ? ORDER BY media_id`,
      advertiserId,
    )
    .filter((row) => mediaId === null || row.media_id === mediaId);
  if (mediaId !== null && rows.length === 0) throw new Refusal(404, ownMessages.mediaNotFound);
  return rows.map((row) => showMedia(service, row));
}

function showMedia(service: Service, row: MediaRow & { readonly attached: number }): Readonly<Record<string, unknown>> {
  const isReady = row.status === 'available';
  const address = (part: string) => `${service.baseUrl()}/assets/${part}/${row.media_id}`;
  return {
    mediaId: row.media_id,
    status: row.status,
    details: row.details,
    name: row.name,
    thumbnail: isReady ? thumbnailOf(service, row.media_id) : null,
    videoUrl: isReady ? address('videos') : null,
    captionUrl: isReady && row.has_caption === 1 ? address('captions') : null,
    attached: row.attached === 1,
    durationSeconds: row.length_ms === null ? null : row.length_ms / 1000,
  };
}

export function thumbnailOf(service: Service, mediaId: number): string {
  return `${service.baseUrl()}/assets/thumbnails/${mediaId}.png`;
}
