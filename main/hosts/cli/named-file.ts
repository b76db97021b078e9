import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { type FileRefusal, fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { codeOrThrow } from '../../app/system.ts';
import { type CliError, refused, usageError } from './cli-error.ts';
import type { Context } from './command.ts';

/** Why a file that was named on the command line gives no text. */
type NamedFileProblem = { readonly isMissing: boolean; readonly why: string };

/** Pipes that a shell hands over. Other files below `/dev`, as in `/dev/shm`, are a user's own. */
const OF_A_SHELL = /^\/dev\/(stdin|fd\/\d+)$/;

/**
 * Reads a small file that was named on the command line. What a shell hands over as a pipe (`/dev/stdin`, `<(...)`) is
 * read too; other named pipes, endless devices and folders are refused.
 */
export async function readNamedFile(path: string, maxBytes: number): Promise<Result<Buffer, NamedFileProblem>> {
  try {
    const found = await stat(path);
    // A folder is refused by the system itself, with its own reason.
    const isEndless = !found.isFile() && !found.isDirectory();
    if (isEndless && !(found.isFIFO() && OF_A_SHELL.test(path))) {
      return err({ isMissing: false, why: 'it is not a file' });
    }
    const parts: Buffer[] = [];
    // One byte more than is allowed tells a file that is too long from one that just fits.
    for await (const part of createReadStream(path, { end: maxBytes })) parts.push(Buffer.from(part));
    const bytes = Buffer.concat(parts);
    return bytes.length > maxBytes ? err({ isMissing: false, why: `it has more than ${maxBytes} bytes` }) : ok(bytes);
  } catch (error) {
    const why = codeOrThrow(error);
    return err({ isMissing: why === 'ENOENT', why });
  }
}

/** The same for a file that a reader of sheets refused, in the words of the window. */
export const unreadableFile = (path: string, { reason, params }: FileRefusal): CliError =>
  refused('BAD_FILE', fileRefusalText(path, reason, params));

/** A passphrase file is one line; anything of this size is some other file. */
const BYTES_MAX = 4096;

/** Reads a passphrase from a file, since command lines and environments can be read by other programs. */
export async function readPassphraseFile(path: string): Promise<string> {
  const text = await readNamedFile(path, BYTES_MAX);
  if (!text.ok) {
    throw refused('BAD_FILE', "Can't read the passphrase file. It must contain the passphrase on one line.");
  }
  return text.value
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '');
}

/** Writes beside the place and moves the file there when it is whole. An existing file is replaced only with --force. */
export async function writeOutputFile<T>(
  context: Context,
  path: string,
  write: (target: string) => Promise<T>,
): Promise<T> {
  if (!context.flag('force') && existsSync(path)) {
    throw thereAlready(path);
  }
  const target = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const done = await write(target);
    if (existsSync(target)) await (context.flag('force') ? rename(target, path) : putBeside(target, path));
    return done;
  } catch (error) {
    const code = codeOrThrow(error);
    throw code === 'EEXIST' ? thereAlready(path) : writeError(path, code);
  } finally {
    await rm(target, { force: true });
  }
}

/** A link is refused where a file has come to be in the meantime, such as that of a second export; a rename would replace it. */
async function putBeside(target: string, path: string): Promise<void> {
  try {
    await link(target, path);
  } catch (error) {
    // Some file systems know no links.
    if (codeOrThrow(error) === 'EEXIST') throw error;
    if (existsSync(path)) throw thereAlready(path);
    await rename(target, path);
  }
}

const thereAlready = (path: string): CliError =>
  usageError(`${path} already exists. Choose another name, or add --force to replace it.`);

export const writeError = (path: string, why: string): CliError =>
  refused('BAD_FILE', `Can't write ${path} (${why}). Choose another folder.`);
