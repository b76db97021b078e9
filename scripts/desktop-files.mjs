import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { print, root } from './repository-root.mjs';

/**
 * Limits of the archive in the desktop package. Packaging fails above them, so that growth is noticed before it is
 * shipped.
 */
export const DESKTOP_BUDGET = { bytes: 12_000_000, files: 180 };

/**
 * @param {string} archive an `app.asar`
 * @returns {Promise<{ path: string, bytes: number }[]>} its files in the order of their paths
 */
export async function desktopFiles(archive) {
  // Imported here, because scripts also run before anything is installed.
  const { getRawHeader } = await import('@electron/asar');
  return filesBelow(getRawHeader(archive).header, '').sort((one, other) => (one.path < other.path ? -1 : 1));
}

function filesBelow(entry, path) {
  if (entry.files === undefined) return [{ path, bytes: entry.size ?? 0 }];
  return Object.entries(entry.files).flatMap(([name, inner]) =>
    filesBelow(inner, path === '' ? name : `${path}/${name}`),
  );
}

/**
 * After `npm run package`: prints the size of each archive below a folder and lists its files in `FILES.txt` beside it.
 *
 * @returns {Promise<number>} 1 when one exceeds the budget
 */
export async function tellDesktopFiles(folder) {
  const archives = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('app.asar'))
    : [];
  let isOver = false;
  for (const archive of archives.map((name) => join(folder, name))) {
    const files = await desktopFiles(archive);
    const { size } = statSync(archive);
    writeFileSync(
      join(archive, '..', 'FILES.txt'),
      files.map(({ path, bytes }) => `${String(bytes).padStart(9)}  ${path}\n`).join(''),
    );
    print(
      `${relative(root, archive)}: ${(size / 1e6).toFixed(2)} MB, ${files.length} files, listed in FILES.txt beside it`,
    );
    if (size <= DESKTOP_BUDGET.bytes && files.length <= DESKTOP_BUDGET.files) continue;
    isOver = true;
    print(`Over the limit of ${DESKTOP_BUDGET.bytes / 1e6} MB and ${DESKTOP_BUDGET.files} files.`);
  }
  return isOver ? 1 : 0;
}
