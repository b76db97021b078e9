import { createPublicKey, type KeyObject } from 'node:crypto';
import type { ImportSignature } from '../../../shared/contract/exchange.ts';
import type { KnownSigners } from './known-signers.ts';
import { fingerprintOf, rawPublicKey, type SignatureCheck } from './signature.ts';

/** How files are signed here, and what is known of those who sign elsewhere. */
export interface FileSigning {
  /** The key of this installation; null while nothing can be signed. */
  readonly key: () => Promise<KeyObject | null>;
  /** Under which name: the one that comments and the log have as well. */
  readonly who: () => string;
  readonly signers: KnownSigners;
  readonly nowMs: () => number;
}

/** What a person is told of the signature of a file. */
export async function signatureInfo(check: SignatureCheck, { key, signers }: FileSigning): Promise<ImportSignature> {
  if (check.is !== 'signed') return check;
  const { name, atMs, fingerprint } = check;
  const own = await key();
  const isOwn = own !== null && fingerprintOf(rawPublicKey(createPublicKey(own))) === fingerprint;
  const knownAs = await signers.nameOf(fingerprint);
  return {
    is: 'signed',
    name,
    at: atMs,
    fingerprint,
    signer: isOwn ? 'own' : knownAs === null ? 'new' : 'known',
    knownAs,
  };
}

/** From now on the signer is known: what he signed was taken over. */
export async function rememberSigner(check: SignatureCheck, { signers, nowMs }: FileSigning): Promise<void> {
  if (check.is === 'signed') await signers.remember(check.fingerprint, check.name, nowMs());
}
