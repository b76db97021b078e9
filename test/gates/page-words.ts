import { posix } from 'node:path';

/** What the repository has, for a page to be held against. */
export interface Repository {
  /** Paths below the root, with slashes. */
  readonly files: readonly string[];
  /** Names of the scripts in `package.json`. */
  readonly scripts: readonly string[];
}

/** Names that are no files of ours: folders of a user's data, and a file that a reader is told to write. */
const ELSEWHERE = new Set(['secrets/', 'quarantine/', 'first-call.mjs']);

const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\n]+)`/g;
const NAMED = /^(?:[\w.@-]+\/)*[\w.@-]+\.(?:tsx?|mjs|cjs|md|css|yml|sh)$|^(?:[\w.-]+\/)+$/;
const SCRIPT = /npm run ([\w:-]+)/g;

/**
 * @param page its path below the root
 * @returns a sentence for every link, file, folder and script that the page names and that is not there
 */
export function deadWords(page: string, text: string, repository: Repository): readonly string[] {
  const places = placesOf(repository.files);
  const folder = posix.dirname(page);
  const isThere = (path: string): boolean => places.has(posix.normalize(posix.join(folder, path)).replace(/\/$/, ''));
  const isTail = (path: string): boolean =>
    [...places].some((place) => `/${place}`.endsWith(`/${path.replace(/\/$/, '')}`));

  const links = [...text.replace(CODE, '').matchAll(LINK)]
    .map(([, to = '']) => to.split('#')[0] ?? '')
    .filter((to) => to !== '' && !/^[a-z]+:/.test(to) && !isThere(to));
  // A folder's page names its neighbours by the end of their path.
  const names = [...text.replace(/```[\s\S]*?```/g, '').matchAll(CODE)]
    .map(([, name = '']) => name)
    .filter((name) => NAMED.test(name) && !ELSEWHERE.has(name) && !isThere(name) && !isTail(name));
  const scripts = [...text.matchAll(SCRIPT)].map(([, name = '']) => name);
  return [
    ...[...links, ...names].map((name) => `${page} names ${name}, which is not there.`),
    ...scripts
      .filter((name) => !name.startsWith('-') && !repository.scripts.includes(name))
      .map((name) => `${page} names the script ${name}, which is not there.`),
  ];
}

/**
 * @param folder one whose page is a map of what is in it
 * @returns the folders directly in it that its page does not name, as `name/`
 */
export function unnamedFolders(folder: string, text: string, { files }: Repository): readonly string[] {
  const inside = [...placesOf(files)].filter((place) => posix.dirname(place) === folder && !files.includes(place));
  return inside.map((place) => `${posix.basename(place)}/`).filter((name) => !text.includes(`\`${name}\``));
}

/** Every file and every folder above one. */
function placesOf(files: readonly string[]): ReadonlySet<string> {
  const places = new Set<string>(['.']);
  for (const file of files) {
    for (let place = file; place !== '.' && !places.has(place); place = posix.dirname(place)) places.add(place);
  }
  return places;
}
