import { basename } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { convenienceFile } from './convenience-file.ts';
import type { RecentFile } from './menu-template.ts';
import { isOpenedFile } from './opened-file.ts';

/**
 * Archives and files of changes that were opened lately, newest first, for the menu of systems that keep no such list
 * themselves. It lies in `recent.json` of the data folder, readable by its owner alone.
 */
export interface RecentFiles {
  list(): readonly RecentFile[];
  add(path: string): void;
  clear(): void;
}

const KEPT = 10;
const Paths = z.array(z.string().min(1).max(32_767)).max(KEPT);

export function createRecentFiles(dataDir: string, log: Log): RecentFiles {
  const file = convenienceFile(dataDir, 'recent.json', Paths, log);
  let paths: readonly string[] = (file.read() ?? []).filter(isOpenedFile);
  const keep = (next: readonly string[]): void => {
    paths = next;
    file.write([...next]);
  };
  return {
    list: () => paths.map((path) => ({ path, name: basename(path) })),
    add: (path) => keep([path, ...paths.filter((known) => known !== path)].slice(0, KEPT)),
    clear: () => keep([]),
  };
}
