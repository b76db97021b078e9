import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { SetKind } from '../../shared/team/position.ts';
import { KEY_BYTES, publicKeyOf, rawPublicKey } from '../files/archive/signature.ts';

/**
 * Signatures of what members share, with the key by which files of their computers are recognized as well. An administrator
 * of the database can write anything into it, and with these he cannot write it in the name of a computer.
 *
 * The key of a computer is registered in the database before its first push, and never changes there. Each computer keeps the
 * keys that it has seen and goes by those: another key later, or none, is a forgery. A computer that is new has to believe the
 * database once. One that lost its key takes another number in the team.
 */
export interface Signer {
  readonly key: KeyObject;
  /** Entries up to this push are from before the key, and verdicts up to this number. */
  readonly fromPush: number;
  readonly fromVerdict: number;
}

/** How one computer signs, and whom it knows. Null in a database that has no signatures yet. */
export interface Signing {
  /** Null where this computer does not sign: its key would not outlive the program. */
  readonly key: KeyObject | null;
  readonly member: number;
  /** @returns null for a computer without a key, undefined for one that the team does not have */
  readonly signerOf: (desk: number, isSigned: boolean) => Promise<Signer | null | undefined>;
}

export type SignatureState = 'signed' | 'unsigned' | 'wrong';

/** A key as it was registered. */
export interface RegisteredKey {
  /** The 32 bytes as base64. */
  readonly key: string;
  readonly fromPush: number;
  readonly fromVerdict: number;
}

export function signerOf({ key, ...from }: RegisteredKey): Signer {
  const raw = Buffer.from(key, 'base64');
  // What is no key has signed nothing.
  return { ...from, key: publicKeyOf(raw.length === KEY_BYTES ? raw : Buffer.alloc(KEY_BYTES)) };
}

export const registeredAs = (key: KeyObject): Buffer => rawPublicKey(createPublicKey(key));

/** What an entry says, but for its number and its time, which the database gives. */
export interface SignedEntry {
  readonly desk: number;
  readonly push: number;
  readonly member: number;
  readonly kind: SetKind;
  readonly label: string;
  readonly based: string;
  readonly basedHash: string;
  /** As PostgreSQL writes them. */
  readonly scopes: string;
  readonly format: number;
  /** The set, or the hashes of the parts that it is in. */
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

/** Whether an entry is of the computer that it names. The signature is null where the database has none. */
export async function checkEntry(
  account: string,
  entry: SignedEntry,
  signature: Buffer | null,
  { signerOf: find }: Pick<Signing, 'signerOf'>,
): Promise<SignatureState> {
  const signer = await find(entry.desk, signature !== null);
  return judged(signer, ({ fromPush }) => entry.push <= fromPush, entryText(account, entry), signature);
}

/** What a verdict says: of which rows, as they were submitted, and without which. */
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

/** @param no of the verdict, which tells those from before the key */
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

/** @param isFromBefore whether the text is from before the key of its computer */
async function judged(
  signer: Signer | null | undefined,
  isFromBefore: (signer: Signer) => boolean,
  text: Buffer,
  signature: Buffer | null,
): Promise<SignatureState> {
  if (signer === undefined) return 'wrong';
  if (signer === null) return signature === null ? 'unsigned' : 'wrong';
  if (signature === null) return isFromBefore(signer) ? 'unsigned' : 'wrong';
  return (await isBy(signer, text, signature)) ? 'signed' : 'wrong';
}

/** Beside the thread: thousands are checked when a computer was away for long. */
const isBy = ({ key }: Signer, text: Buffer, signature: Buffer): Promise<boolean> =>
  new Promise((resolve, reject) => {
    verify(null, text, key, signature, (error, isRight) => (error === null ? resolve(isRight) : reject(error)));
  });
