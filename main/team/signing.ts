import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { SetKind } from '../../shared/team/position.ts';
import { KEY_BYTES, publicKeyOf, rawPublicKey } from '../files/archive/signature.ts';

/**
 * Signatures of shared entries and verdicts. An administrator of the database can write anything into it; signatures
 * prevent forging entries of a computer. They use the key that also signs the computer's files.
 *
 * The key of a computer is registered in the database before its first push, and never changes there. Each computer
 * stores the keys it has seen and trusts only those: a different or missing key later is a forgery. A new computer has
 * to trust the database once. A computer that lost its key gets another number in the team.
 */
export interface Signer {
  readonly key: KeyObject;
  /** Entries up to this push, and verdicts up to `fromVerdict`, are older than the key. */
  readonly fromPush: number;
  readonly fromVerdict: number;
}

/** How one computer signs, and whose signatures it can verify. Null in a database that has no signatures yet. */
export interface Signing {
  /** Null if this computer does not sign, because its key is only in memory. */
  readonly key: KeyObject | null;
  readonly member: number;
  /** @returns null for a computer without a key, undefined for an unknown computer */
  readonly signerOf: (desk: number, isSigned: boolean) => Promise<Signer | null | undefined>;
}

export type SignatureState = 'signed' | 'unsigned' | 'wrong';

/** A key as registered in the database. */
export interface RegisteredKey {
  /** The 32 bytes of the key as base64. */
  readonly key: string;
  readonly fromPush: number;
  readonly fromVerdict: number;
}

export function signerOf({ key, ...from }: RegisteredKey): Signer {
  const raw = Buffer.from(key, 'base64');
  // An invalid key is replaced by zeros, so that no signature matches it.
  return { ...from, key: publicKeyOf(raw.length === KEY_BYTES ? raw : Buffer.alloc(KEY_BYTES)) };
}

export const registeredAs = (key: KeyObject): Buffer => rawPublicKey(createPublicKey(key));

/** The signed content of an entry; its number and time are assigned by the database. */
export interface SignedEntry {
  readonly desk: number;
  readonly push: number;
  readonly member: number;
  readonly kind: SetKind;
  readonly label: string;
  readonly based: string;
  readonly basedHash: string;
  /** In the format of PostgreSQL. */
  readonly scopes: string;
  readonly format: number;
  /** The change set, or the hashes of its parts. */
  readonly payload: Buffer;
}

const entryText = (account: string, entry: SignedEntry): Buffer => {
  const { desk, push, member, kind, label, based, basedHash, scopes, format, payload } = entry;
  const content = createHash('sha256').update(payload).digest('hex');
  const line = label.replaceAll('\n', ' ');
  const facts = [account, desk, push, member, kind, line, based, basedHash, scopes, format, content];
  return Buffer.from(`adslate entry 1\n${facts.join('\n')}`);
};

export const signEntry = (key: KeyObject, account: string, entry: SignedEntry): Buffer =>
  sign(null, entryText(account, entry), key);

/** Verifies that an entry is from the computer that it names. The signature is null where the database has none. */
export async function checkEntry(
  account: string,
  entry: SignedEntry,
  signature: Buffer | null,
  { signerOf: find }: Pick<Signing, 'signerOf'>,
): Promise<SignatureState> {
  const signer = await find(entry.desk, signature !== null);
  return judged(signer, ({ fromPush }) => entry.push <= fromPush, entryText(account, entry), signature);
}

/** The signed content of a verdict: the rows it is about, as submitted, and the excluded ones. */
export interface SignedVerdict {
  readonly request: number;
  readonly desk: number;
  readonly member: number;
  readonly says: string;
  readonly note: string;
  readonly campaigns: readonly number[] | null;
  readonly without: readonly (readonly [string, number])[];
  /** SHA-256 of all rows of the request with their digests. */
  readonly rows: string;
}

const verdictText = (account: string, verdict: SignedVerdict): Buffer => {
  const { request, desk, member, says, note, campaigns, without, rows } = verdict;
  return Buffer.from(
    `adslate verdict 1\n${JSON.stringify([account, request, desk, member, says, note, campaigns, without, rows])}`,
  );
};

export const signVerdict = (key: KeyObject, account: string, verdict: SignedVerdict): Buffer =>
  sign(null, verdictText(account, verdict), key);

/** @param no the verdict's number, which shows whether it is older than the key */
export async function checkVerdict(
  account: string,
  no: number,
  verdict: SignedVerdict,
  signature: Buffer | null,
  { signerOf: find }: Pick<Signing, 'signerOf'>,
): Promise<SignatureState> {
  const signer = await find(verdict.desk, signature !== null);
  return judged(signer, ({ fromVerdict }) => no <= fromVerdict, verdictText(account, verdict), signature);
}

/** @param isFromBefore whether the text is older than the key of its computer */
async function judged(
  signer: Signer | null | undefined,
  isFromBefore: (signer: Signer) => boolean,
  text: Buffer,
  signature: Buffer | null,
): Promise<SignatureState> {
  if (signer === undefined) return 'wrong';
  if (signer === null) return signature === null ? 'unsigned' : 'wrong';
  if (signature === null) return isFromBefore(signer) ? 'unsigned' : 'wrong';
  return (await verifyInThread(null, text, signer.key, signature)) ? 'signed' : 'wrong';
}

/** Verifies in another thread: thousands of signatures are checked after a long absence. */
const verifyInThread = promisify(verify);
