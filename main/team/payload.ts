import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { err, ok, type Result } from '../../shared/result.ts';
import { type ChangeSet, type ChangeSetError, decodeChangeSet, encodeChangeSet } from '../../shared/team/change-set.ts';

/**
 * The first byte of a payload names its compression. Readers support all kinds; writers use only what every Node has.
 */
const PLAIN = 0;
const DEFLATE = 1;

/** Shorter payloads are not compressed. */
const PACK_FROM_BYTES = 512;
/** Limit of a payload's unpacked size: 8 MB of compressed change sets are a few times as large unpacked. */
const UNPACKED_MAX_BYTES = 128 * 1024 * 1024;

export function packChangeSet(changes: ChangeSet): Buffer {
  return packed(encodeChangeSet(changes));
}

export const packed = (plain: Uint8Array): Buffer =>
  plain.length < PACK_FROM_BYTES
    ? Buffer.concat([Buffer.of(PLAIN), plain])
    : Buffer.concat([Buffer.of(DEFLATE), deflateRawSync(plain)]);

/** Accepts any bytes: returns a change set or an error. */
export function unpackChangeSet(payload: Buffer): Result<ChangeSet, ChangeSetError> {
  const plain = unpacked(payload);
  return plain.ok ? decodeChangeSet(plain.value) : plain;
}

export function unpacked(payload: Buffer): Result<Buffer, ChangeSetError> {
  const rest = payload.subarray(1);
  if (payload[0] === PLAIN) return ok(rest);
  if (payload[0] !== DEFLATE) return err(payload.length === 0 ? 'damaged' : 'newer');
  return inflated(rest);
}

function inflated(packed: Buffer): Result<Buffer, ChangeSetError> {
  try {
    return ok(inflateRawSync(packed, { maxOutputLength: UNPACKED_MAX_BYTES }));
  } catch {
    // Any error of zlib means that the payload is damaged.
    return err('damaged');
  }
}
