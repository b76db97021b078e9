import { readFile } from 'node:fs/promises';
import { EXIT, Stop } from './stop.ts';

/** A passphrase file is one line; anything of this size is some other file. */
const BYTES_MAX = 4096;

/** Reads a passphrase from a file, since command lines and environments can be read by other programs. */
export async function readPassphraseFile(path: string): Promise<string> {
  const text = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  });
  if (text === null || text.length > BYTES_MAX) {
    throw new Stop(
      EXIT.refused,
      'BAD_FILE',
      'The passphrase file cannot be read. It holds the passphrase on one line.',
    );
  }
  return text
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '');
}
