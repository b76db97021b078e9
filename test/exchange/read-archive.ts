import { openPromise } from 'yauzl';
import { ArchiveRow, ROWS } from '../../main/files/archive/archive-format.ts';

/** The rows of an archive as they stand in it. */
export async function rowsOfArchive(path: string): Promise<readonly ArchiveRow[]> {
  const archive = await openPromise(path, { lazyEntries: true });
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== ROWS) continue;
      const parts: Buffer[] = [];
      for await (const part of await archive.openReadStreamPromise(entry)) parts.push(part as Buffer);
      const lines = Buffer.concat(parts)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
      return lines.map((line) => ArchiveRow.parse(JSON.parse(line)));
    }
    throw new Error(`${path} has no rows`);
  } finally {
    archive.close();
  }
}
