import { statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';

/** How many bytes of the disk below a folder are free for this user. */
export type FreeBytes = (folder: string) => Promise<number>;

/** Below this, a backup or a video may soon not fit. */
export const LOW_SPACE_BYTES = 512 * 2 ** 20;

export const freeBytesOn: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * The free bytes when they are few, else null. Some file systems can't report it; then no warning is shown, and a
 * write that does not fit reports so itself.
 */
export async function lowSpace(folder: string, freeBytes: FreeBytes = freeBytesOn): Promise<number | null> {
  try {
    const free = await freeBytes(folder);
    return free < LOW_SPACE_BYTES ? free : null;
  } catch (error) {
    return nullIfRefused(error);
  }
}

/** The code of an error of the system, of SQLite or of Node's arguments; null for any other. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * The code of an error in places where only the system is expected to fail.
 *
 * @throws the failure itself when it has no code, which is a defect of ours
 */
export function codeOrThrow(error: unknown): string {
  const code = errorCode(error);
  if (code === null) throw error;
  return code;
}

/** For `.catch` of a system call: an error of the system gives null, any other error is thrown. */
export function nullIfRefused(error: unknown): null {
  codeOrThrow(error);
  return null;
}

/** The meaning of an error of the disk, as the end of a sentence; null for any other error. */
export function diskWords(error: unknown): string | null {
  const code = errorCode(error);
  if (code === null) return null;
  // Node refuses such a path without a system call.
  if (code === 'ERR_INVALID_ARG_VALUE') return 'its path holds a NUL character';
  return WORDS[code] ?? (error instanceof Error && 'syscall' in error ? `the disk reports ${code}` : null);
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'you have no right to it (EACCES)',
  EPERM: 'you have no right to it (EPERM)',
  EROFS: 'it is on a disk that can only be read (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'your share of the disk is used up (EDQUOT)',
  ENOENT: 'it is not there (ENOENT)',
  EISDIR: 'it is a folder (EISDIR)',
  ENOTDIR: 'a part of its path is a file, and not a folder (ENOTDIR)',
  EEXIST: 'something else of this name is there (EEXIST)',
  ENAMETOOLONG: 'its path is too long (ENAMETOOLONG)',
  ELOOP: 'its path goes round in links (ELOOP)',
  EMFILE: 'too many files are open (EMFILE)',
  EIO: 'the disk cannot be read there (EIO)',
};

const CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/**
 * Whether an error code of OpenSSL or Node means that the server's certificate was not accepted. The certificate is
 * checked before the request, so nothing was sent. Other errors of TLS (`ERR_SSL_`) may come at any time.
 */
export const isCertificateError = (code: string): boolean => CODES.test(code);

/**
 * The user name on this computer, for the log and for comments. Empty where the system has none, as in some
 * containers.
 */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch (error) {
    codeOrThrow(error);
    return '';
  }
}
