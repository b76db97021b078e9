import { readNamedFile } from './named-file.ts';
import { EXIT, Stop } from './stop.ts';

/** A passphrase file is one line; anything of this size is some other file. */
const BYTES_MAX = 4096;

/** Reads a passphrase from a file, since command lines and environments can be read by other programs. */
export async function readPassphraseFile(path: string): Promise<string> {
  const text = await readNamedFile(path, BYTES_MAX);
  if (!text.ok) {
    throw new Stop(
      EXIT.refused,
      'BAD_FILE',
      'The passphrase file cannot be read. It holds the passphrase on one line.',
    );
  }
  return text.value
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '');
}
