import type { IncomingMessage } from 'node:http';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';

/**
 * Bodies as bytes and as JSON. Numbers that a float cannot hold (16 digits or more) come out as their text, so that a
 * 64-bit id is not mistaken for its neighbour and the cut after two decimals works on what was sent.
 */
const longNumber = /\d[\d.]{15}/;

/** Reads a whole body, or refuses it once it passes the cap; what follows is thrown away unread. */
export async function readBody(request: IncomingMessage, maxBytes: number = limits.jsonBodyMaxBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > maxBytes) throw new Refusal(400, messages.invalidParameters, { connection: 'close' });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
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
