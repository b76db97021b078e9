import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { RecentFile } from './menu-template.ts';
import { isOpenedFile } from './opened-file.ts';

/**
 * Archives and files of changes that were opened lately, newest first, for the menu of systems that keep no such list
 * themselves. It lies in the data folder, readable by its owner alone, and is a convenience: one that does not fit
 * counts as none.
 */
export interface RecentFiles {
  list(): readonly RecentFile[];
  add(path: string): void;
  clear(): void;
}

const KEPT = 10;
const Shape = z.array(z.string().min(1).max(32_767)).max(KEPT);

export function createRecentFiles(dataDir: string): RecentFiles {
  const file = join(dataDir, 'recent.json');
  let paths: readonly string[] = readPaths(file).filter(isOpenedFile);
  const keep = (next: readonly string[]): void => {
    paths = next;
    writeFileSync(file, JSON.stringify(paths), { mode: 0o600 });
  };
  return {
    list: () => paths.map((path) => ({ path, name: basename(path) })),
    add: (path) => keep([path, ...paths.filter((known) => known !== path)].slice(0, KEPT)),
    clear: () => keep([]),
  };
}

function readPaths(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  try {
    return Shape.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
