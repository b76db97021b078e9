import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { type FileRefusal, fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { codeOrThrow } from '../../app/system.ts';
import { type CliError, refused, usageError } from './cli-error.ts';
import type { Context } from './command.ts';

/** Why a file named on the command line can't be read. */
type NamedFileProblem = { readonly isMissing: boolean; readonly why: string };

/** Pipes passed by a shell. Other files below `/dev`, as in `/dev/shm`, belong to the user. */
const OF_A_SHELL = /^\/dev\/(stdin|fd\/\d+)$/;

/**
 * Reads a small file named on the command line. Pipes passed by a shell (`/dev/stdin`, `<(...)`) are read too; other
 * named pipes, endless devices and folders are refused.
 */
export async function readNamedFile(path: string, maxBytes: number): Promise<Result<Buffer, NamedFileProblem>> {
  try {
    const found = await stat(path);
    // Reading a folder fails with the system's own message.
    const isEndless = !found.isFile() && !found.isDirectory();
    if (isEndless && !(found.isFIFO() && OF_A_SHELL.test(path))) {
      return err({ isMissing: false, why: 'it is not a file' });
    }
    const parts: Buffer[] = [];
    // One byte more than allowed, to detect a file that is too long.
    for await (const part of createReadStream(path, { end: maxBytes })) parts.push(Buffer.from(part));
    const bytes = Buffer.concat(parts);
    return bytes.length > maxBytes ? err({ isMissing: false, why: `it has more than ${maxBytes} bytes` }) : ok(bytes);
  } catch (error) {
    const why = codeOrThrow(error);
    return err({ isMissing: why === 'ENOENT', why });
  }
}

/** The error of a spreadsheet file that can't be read, with the text of the window. */
export const unreadableFile = (path: string, { reason, params }: FileRefusal): CliError =>
  refused('BAD_FILE', fileRefusalText(path, reason, params));

/** A passphrase file is one line; anything of this size is some other file. */
const BYTES_MAX = 4096;

/** Reads a passphrase from a file, since other programs can read command lines and environments. */
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

/** Writes a temporary file and renames it when complete. An existing file is replaced only with --force. */
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

/** Uses a link, which fails if the file exists by now, as after a second export; a rename would replace it. */
async function putBeside(target: string, path: string): Promise<void> {
  try {
    await link(target, path);
  } catch (error) {
    // Some file systems do not support links.
    if (codeOrThrow(error) === 'EEXIST') throw error;
    if (existsSync(path)) throw thereAlready(path);
    await rename(target, path);
  }
}

const thereAlready = (path: string): CliError =>
  usageError(`${path} already exists. Choose another name, or add --force to replace it.`);

export const writeError = (path: string, why: string): CliError =>
  refused('BAD_FILE', `Can't write ${path} (${why}). Choose another folder.`);
