import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ownMessages } from '../messages.ts';
import { isCaptionFile } from '../resources/captions.ts';
import { judgeVideo } from '../resources/video-verdict.ts';
import type { MediaUploadRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { type Answer, meetFaultBefore, respondThroughFault } from './respond.ts';

/**
 * The upload addresses that `POST /api/v1/media/upload` hands out. They stand outside the API: no credentials, the
 * signature in the address is the permission, and it ends after 15 minutes. The body goes straight to a file.
 */
export type UploadPart = 'video' | 'caption';

const contentTypes: Readonly<Record<UploadPart, readonly string[]>> = {
  video: ['video/mp4', 'video/quicktime'],
  caption: ['application/x-subrip', 'text/vtt'],
};

export async function answerUpload(
  service: Service,
  part: UploadPart,
  uploadId: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const fault = service.faults.take('PUT', path);
  const log = (status: number) =>
    service.requests.add({
      at: new Date(service.clock.now()).toISOString(),
      method: 'PUT',
      path,
      status,
      correlationId: null,
      principal: null,
      elementCount: 0,
      elementCodes: [],
      fault: fault?.kind ?? null,
    });
  if (await meetFaultBefore(fault, path, response, service.closing)) {
    request.resume();
    log(fault?.kind === 'drop-before' ? 0 : (fault?.status ?? 500));
    return;
  }
  const answer = await takeUpload(service, part, uploadId, request, new URLSearchParams(query));
  if (answer === null) {
    log(0);
    return;
  }
  log(fault?.kind === 'drop-after' ? 0 : answer.status);
  respondThroughFault(response, answer, fault);
}

/** @returns null when the caller went away before the end */
async function takeUpload(
  service: Service,
  part: UploadPart,
  uploadId: number,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Answer | null> {
  const refuse = (status: number, error: string): Answer => ({ status, body: { error } });
  const upload = service.store.one<MediaUploadRow>('SELECT * FROM media_upload WHERE upload_id = ?', uploadId);
  const isGenuine = upload !== undefined && upload.secret !== '' && query.get('sig') === upload.secret;
  if (!isGenuine || upload.expires_ms < service.clock.now()) return refuse(403, ownMessages.uploadExpired);
  if (upload.completed === 1) return refuse(409, ownMessages.uploadRequestUsed);
  const prefix = `${service.settings.quirks.headerPrefix.toLowerCase()}_`;
  if (Object.keys(request.headers).some((name) => name === 'authorization' || name.startsWith(prefix))) {
    return refuse(400, ownMessages.uploadHeaders);
  }
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!contentTypes[part].includes(type)) return refuse(415, ownMessages.uploadType);

  const path = uploadedFile(service, part, uploadId);
  const unfinished = `${path}.${process.hrtime.bigint()}.part`;
  try {
    await mkdir(service.settings.filesDir, { recursive: true });
    await pipeline(request, createWriteStream(unfinished));
  } catch (problem) {
    await removeUnfinished(unfinished);
    if (request.destroyed && !request.complete) return null;
    request.resume();
    process.stderr.write(`sandbox: upload not saved: ${String(problem)}\n`);
    return refuse(507, ownMessages.uploadNotSaved);
  }
  await rename(unfinished, path);
  await noteUpload(service, part, uploadId, path);
  return { status: 201, body: '' };
}

/** What cannot be removed is told to the operator; the caller has the answer about the upload itself to hear. */
async function removeUnfinished(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (problem) {
    process.stderr.write(`sandbox: ${String(problem)}\n`);
  }
}

async function noteUpload(service: Service, part: UploadPart, uploadId: number, path: string): Promise<void> {
  if (part === 'caption') {
    const verdict = (await isCaptionFile(path)) ? '' : ownMessages.captionUnreadable;
    service.store.run(
      'UPDATE media_upload SET has_caption = 1, caption_verdict = ? WHERE upload_id = ?',
      verdict,
      uploadId,
    );
    return;
  }
  const { verdict, lengthMs } = await judgeVideo(path);
  service.store.run(
    'UPDATE media_upload SET has_video = 1, video_verdict = ?, length_ms = ? WHERE upload_id = ?',
    verdict,
    lengthMs,
    uploadId,
  );
}

export function uploadedFile(service: Service, part: UploadPart, uploadId: number): string {
  return join(service.settings.filesDir, `${part}-${uploadId}`);
}
