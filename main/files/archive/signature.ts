import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ImportSignature } from '../../../shared/api/files.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { createSerialQueue, createSerialQueues } from '../../../shared/serial-queue.ts';
import { nullIfNotFound, writeFileAtomic } from '../../app/atomic-write.ts';
import type { CredentialStore } from '../../app/host-ports.ts';
import { ROWS } from './archive-format.ts';

/**
 * The verifiable author of an archive: a statement of name, time and content, signed with the key of an installation.
 *
 *   statement = {"name", "at", "description": sha256 of adslate.json without `signature`, "parts": sha256 of all other parts}
 *   signature = Ed25519 over "adslate signature 1\n" and the text of the statement
 *
 * The statement is stored as the exact text that was signed, so that no canonical form of JSON is needed.
 */
export const FileSignature = z.object({
  statement: z.string().max(2000),
  /** The 32 bytes of the public key. */
  publicKey: z.base64().max(60),
  signature: z.base64().max(120),
});
export type FileSignature = z.infer<typeof FileSignature>;

const Statement = z.strictObject({
  name: z.string().max(200),
  at: z.iso.datetime(),
  description: z.string(),
  parts: z.string(),
});

export type SignatureCheck =
  | { readonly is: 'unsigned' }
  /** There is a signature, and it is not of this content. */
  | { readonly is: 'altered' }
  | { readonly is: 'signed'; readonly name: string; readonly atMs: number; readonly fingerprint: string };

/** Hashes of the rows and of the files of an archive by the name of the part, in any order. */
export type PartHashes = ReadonlyMap<string, string>;

/** @param description content of `adslate.json` without the signature */
export function signArchive(
  key: KeyObject,
  {
    name,
    at,
    description,
    parts,
  }: { readonly name: string; readonly at: string; readonly description: object; readonly parts: PartHashes },
): FileSignature {
  const statement = JSON.stringify({
    name,
    at,
    description: hash('sha256', JSON.stringify(description)),
    parts: partsHash(parts),
  });
  return {
    statement,
    publicKey: rawPublicKey(createPublicKey(key)).toString('base64'),
    signature: sign(null, signedBytes(statement), key).toString('base64'),
  };
}

/**
 * Whether an archive is unchanged since it was signed.
 *
 * @param manifest the text of `adslate.json`
 * @param parts the computed hashes of its parts
 */
export function checkSignature(manifest: string, parts: PartHashes): SignatureCheck {
  const whole = z.record(z.string(), z.unknown()).safeParse(jsonOrNull(manifest));
  if (!whole.success || whole.data['signature'] === undefined) return { is: 'unsigned' };
  const { signature: claimed, ...description } = whole.data;
  const signature = FileSignature.safeParse(claimed);
  if (!signature.success) return { is: 'altered' };
  const { statement, publicKey } = signature.data;
  const raw = Buffer.from(publicKey, 'base64');
  const said = Statement.safeParse(jsonOrNull(statement));
  if (!said.success || raw.length !== KEY_BYTES) return { is: 'altered' };
  const isHis = verify(null, signedBytes(statement), publicKeyOf(raw), Buffer.from(signature.data.signature, 'base64'));
  const isThis =
    said.data.description === hash('sha256', JSON.stringify(description)) && said.data.parts === partsHash(parts);
  if (!isHis || !isThis) return { is: 'altered' };
  return { is: 'signed', name: said.data.name, atMs: Date.parse(said.data.at), fingerprint: fingerprintOf(raw) };
}

/** The first 16 bytes of the SHA-256 of a public key, in groups that can be read out on the phone. */
export const fingerprintOf = (publicKey: Buffer): string =>
  (hash('sha256', publicKey).slice(0, 32).match(/.{4}/g) ?? []).join(' ');

export const rawPublicKey = (key: KeyObject): Buffer =>
  key.export({ type: 'spki', format: 'der' }).subarray(SPKI_HEAD.length);

/** @param raw the 32 bytes of `rawPublicKey` */
export const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });

/** Prefix of the 32 bytes of an Ed25519 key in DER form (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
export const KEY_BYTES = 32;

const signedBytes = (statement: string): Buffer => Buffer.from(`adslate signature 1\n${statement}`);

/** Without the description, which has a separate hash, and the checksums, which are computed again. */
function partsHash(parts: PartHashes): string {
  const files = [...parts].filter(([name]) => name === ROWS || name.startsWith('media/'));
  return hash(
    'sha256',
    files
      .map(([name, sha256]) => `${sha256}  ${name}\n`)
      .toSorted()
      .join(''),
  );
}

/** Signers whose files were imported before, by the fingerprint of their key: `known-signers.json`, no secret. */
export type KnownSigners = ReturnType<typeof createKnownSigners>;

const Known = z.object({
  version: z.literal(1),
  signers: z.array(z.object({ fingerprint: z.string().max(60), name: z.string().max(200), since: z.int() })),
});

export function createKnownSigners(file: string) {
  const read = async (): Promise<z.infer<typeof Known>['signers']> => {
    const text = await readFile(file, 'utf8').catch(nullIfNotFound);
    const known = Known.safeParse(jsonOrNull(text ?? ''));
    // With an unreadable list every key is new again, which only makes the check stricter.
    return known.success ? known.data.signers : [];
  };
  const inTurn = createSerialQueue();
  const find = async (fingerprint: string) => (await read()).find((signer) => signer.fingerprint === fingerprint);
  return {
    /** The name under which the key was first seen; null for a new one. */
    nameOf: async (fingerprint: string): Promise<string | null> => (await find(fingerprint))?.name ?? null,
    remember: (fingerprint: string, name: string, nowMs: number) =>
      inTurn(async () => {
        if ((await find(fingerprint)) !== undefined) return;
        const signers = [...(await read()), { fingerprint, name, since: nowMs }];
        await writeFileAtomic(file, `${JSON.stringify({ version: 1, signers }, null, 2)}\n`);
      }),
  };
}

/** The signing key of this installation, and the known signers. */
export interface FileSigning {
  /** The key of this installation; null while nothing can be signed. */
  readonly key: () => Promise<KeyObject | null>;
  /** Under which name: the one that comments and the log have as well. */
  readonly who: () => string;
  readonly signers: KnownSigners;
  readonly nowMs: () => number;
}

/** The displayed information about the signature of a file. */
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

/** Stores the signer as known, because the signed file was imported. */
export async function rememberSigner(check: SignatureCheck, { signers, nowMs }: FileSigning): Promise<void> {
  if (check.is === 'signed') await signers.remember(check.fingerprint, check.name, nowMs());
}

/** Workspace IDs contain no point, so no account can have this name. */
const BOX = 'installation.signing';

/**
 * The Ed25519 key that identifies files of this installation. It is created for the first signature and stored like the
 * secrets of accounts: encrypted, or only in memory, and then it is a new one after every start.
 *
 * @returns null while the secrets are locked or refused: nothing can be signed then
 */
export const readSigningKey = (secrets: CredentialStore): Promise<KeyObject | null> =>
  inTurnOf(secrets)(async () => {
    const kept = await secrets.get(BOX);
    if (kept !== null) return createPrivateKey(kept.privateKeyPem);
    const { privateKey } = generateKeyPairSync('ed25519');
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const put = await secrets.put(BOX, { token: '', privateKeyPem });
    return put.ok ? privateKey : null;
  });

/** Two simultaneous first calls get the same key. */
const inTurnOf = createSerialQueues();
