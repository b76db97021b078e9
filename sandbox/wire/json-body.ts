import type { IncomingMessage } from 'node:http';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';

/**
 * Bodies as bytes and as JSON. Numbers that a float cannot hold (16 digits or more) come out as their text, so that a
 * 64-bit id is not mistaken for its neighbour and the cut after two decimals works on what was sent.
 */
const longNumber = /\d[\d.]{15}/;

/** Past the cap a body is read on, but not kept: who is still sending would not read the refusal. Past this, cut. */
const DRAINED_MAX_BYTES = 64 * 1024 * 1024;

/** Reads a whole body, or refuses it when it is above the cap. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.jsonBodyMaxBytes) chunks.push(chunk);
      if (size > DRAINED_MAX_BYTES) request.destroy();
    });
    request.on('end', () => {
      if (size > limits.jsonBodyMaxBytes) reject(new Refusal(400, messages.invalidParameters));
      else resolve(Buffer.concat(chunks, size));
    });
    request.on('close', () => reject(new Refusal(400, messages.invalidParameters)));
  });
}

export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return longNumber.test(text) ? JSON.parse(text, keepLongNumber) : JSON.parse(text);
  } catch {
    // Not JSON, or nested so deeply that the reviver ran out of stack: either way a malformed body.
    throw new Refusal(400, messages.invalidParameters);
  }
}

function keepLongNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return source.length > 15 ? source : value;
}
