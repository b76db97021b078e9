import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { limits } from '../limits.ts';

/**
 * The parts of a multipart upload. A file is read up to one byte above the limit, enough to detect that it is too
 * large.
 */
export interface UploadForm {
  /** False if the body was no multipart form, or a damaged one. */
  readonly wellFormed: boolean;
  readonly texts: ReadonlyMap<string, string>;
  readonly file: UploadedFile | null;
}

export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

const malformed: UploadForm = { wellFormed: false, texts: new Map(), file: null };
const BODY_MAX_BYTES = 64 * limits.logoUploadMaxBytes;

export async function readForm(request: IncomingMessage): Promise<UploadForm> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    request.resume();
    return malformed;
  }
  return new Promise((resolve) => {
    const texts = new Map<string, string>();
    let file: UploadedFile | null = null;
    let received = 0;
    const headers: BusboyHeaders = { ...request.headers, 'content-type': contentType };
    const giveUp = () => {
      request.unpipe();
      request.resume();
      resolve(malformed);
    };
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers,
        limits: { fileSize: limits.logoUploadMaxBytes + 1, files: 1, fields: 10, fieldSize: limits.jsonBodyMaxBytes },
        // A part with a content type but no file name is still a file, so that an empty name differs from a missing
        // file.
        isPartAFile: (_field, type, fileName) => fileName !== undefined || (type ?? '').startsWith('image/'),
      });
    } catch {
      // The content type has no boundary.
      giveUp();
      return;
    }
    parser.on('field', (name, value) => {
      texts.set(name, value);
    });
    parser.on('file', (field, stream, name, _encoding, type) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', giveUp);
      stream.on('end', () => {
        file = { field, name: name ?? '', contentType: type, bytes: Buffer.concat(chunks) };
      });
    });
    parser.on('finish', () => resolve({ wellFormed: true, texts, file }));
    parser.on('error', giveUp);
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > BODY_MAX_BYTES) request.destroy();
    });
    request.on('close', () => resolve(malformed));
    request.pipe(parser);
  });
}
