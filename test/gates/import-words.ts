import { posix } from 'node:path';

/** Source files by their path below the root, with slashes. */
export type Sources = ReadonlyMap<string, string>;

const SENTENCE = /\bMay import[^.;`]*((?:`[^`]*`[^.;`]*)*)/;
const CODE = /`([^`\n]+)`/g;
const IMPORT = /^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/**
 * Holds the sentence "May import ..." of a folder's page against the imports of its files. The sentence ends at
 * the first full stop or semicolon, and names folders and files by the end of their path. Packages, what lies in
 * the folder itself, and what lies directly in `shared/` need no word.
 *
 * @param pages text of each folder's page, by its folder
 * @returns a sentence for every import that a page does not allow, and for every place it allows in vain
 */
export function falseImportWords(pages: ReadonlyMap<string, string>, sources: Sources): readonly string[] {
  const placesByFolder = new Map<string, readonly string[]>();
  for (const [folder, text] of pages) {
    const places = allowedPlaces(folder, text, sources);
    if (places !== null) placesByFolder.set(folder, places);
  }
  const inVain = new Map([...placesByFolder].map(([folder, places]) => [folder, new Set(places)]));
  const wrong: string[] = [];
  for (const [file, source] of sources) {
    const folder = nearestOf(file, placesByFolder);
    if (folder === null) continue;
    for (const target of importsOf(file, source)) {
      if (target.startsWith(`${folder}/`)) continue;
      const places = (placesByFolder.get(folder) ?? []).filter((place) => `${target}/`.startsWith(`${place}/`));
      const isFree = posix.dirname(target) === 'shared';
      if (places.length === 0 && !isFree)
        wrong.push(`${folder}/README.md does not say that ${file} may import ${target}.`);
      for (const place of places) inVain.get(folder)?.delete(place);
    }
  }
  for (const [folder, places] of inVain) {
    for (const place of places) wrong.push(`${folder}/README.md allows ${place}, which nothing there imports.`);
  }
  return wrong;
}

/** Paths below the root; null where the page says nothing of imports. */
function allowedPlaces(folder: string, text: string, sources: Sources): readonly string[] | null {
  const sentence = SENTENCE.exec(text)?.[0];
  if (sentence === undefined) return null;
  return [...sentence.matchAll(CODE)].flatMap(
    ([, name = '']) => placeOf(folder, name.replace(/\/$/, ''), sources) ?? [],
  );
}

/** The file or folder of that name: from the root, else the nearest beside the folder or one above it. Null for a package. */
function placeOf(folder: string, name: string, sources: Sources): string | null {
  const isThere = (place: string): boolean =>
    sources.has(place) || [...sources.keys()].some((file) => file.startsWith(`${place}/`));
  if (isThere(name)) return name;
  for (let above = posix.dirname(folder); above !== '.'; above = posix.dirname(above)) {
    if (isThere(posix.join(above, name))) return posix.join(above, name);
  }
  return null;
}

function nearestOf(file: string, said: ReadonlyMap<string, unknown>): string | null {
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) {
    if (said.has(folder)) return folder;
  }
  return null;
}

const importsOf = (file: string, source: string): readonly string[] =>
  [...source.matchAll(IMPORT)].map(([, from, dynamic]) => posix.join(posix.dirname(file), from ?? dynamic ?? ''));
