import { ZipFile } from 'yazl';

/** A ZIP archive in memory, as a careful program packs it. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** The same archive with a name that no careful program writes; both are equally long. */
export const renamed = (zip: Buffer, from: string, to: string): Buffer => {
  if (from.length !== to.length) throw new Error('a name of another length would move everything behind it');
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
};

const CENTRAL = Buffer.from('504b0102', 'hex');

/** The archive with other bytes in the first entry of its list of files, `at` bytes from where that begins. */
export function withEntry(zip: Buffer, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(zip);
  const entry = copy.indexOf(CENTRAL);
  if (entry < 0) throw new Error('no list of files');
  bytes.forEach((byte, index) => {
    copy[entry + at + index] = byte;
  });
  return copy;
}
