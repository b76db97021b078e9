/**
 * `node scripts/check-electron-support.mjs`: fails when the pinned Electron no longer gets security fixes. The three
 * newest majors get them, and a new one is released every eight weeks, so a major has 24 weeks from its first
 * release. The day is in build/electron-support.json; no network is used. It runs weekly in
 * .github/workflows/supported.yml and not in `npm test`, whose result for a commit must not depend on the date.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { print, root } from './repository-root.mjs';

const WEEKS = 24;
const DAY_MS = 86_400_000;

const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/**
 * @param {{ major: number, firstRelease: string, supportedUntil: string }} support days as YYYY-MM-DD
 * @param {string} version the pinned version
 * @param {string} today YYYY-MM-DD
 * @returns {string | null} the problem and the next step
 */
export function supportProblem(support, version, today) {
  const major = Number(version.split('.')[0]);
  if (major !== support.major) {
    return `Electron ${version} is pinned, but build/electron-support.json speaks of ${support.major}: write down the first release of ${major}.`;
  }
  if (daysBetween(support.firstRelease, support.supportedUntil) !== 7 * WEEKS) {
    return `build/electron-support.json: ${support.supportedUntil} is not ${WEEKS} weeks after ${support.firstRelease}.`;
  }
  if (today > support.supportedUntil) {
    return `Electron ${major} has had no repairs since ${support.supportedUntil}: take the newest major.`;
  }
  return null;
}

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const support = readJson('build/electron-support.json');
  const today = new Date().toISOString().slice(0, 10);
  const problem = supportProblem(support, readJson('package.json').devDependencies.electron, today);
  print(
    problem ?? `Electron ${support.major} is supported for another ${daysBetween(today, support.supportedUntil)} days.`,
  );
  process.exitCode = problem === null ? 0 : 1;
}
