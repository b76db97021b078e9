import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository-root.mjs';
import { bundledPackages, licensesText, withPlatformBuilds } from './third-party-licenses.mjs';

/** A native library and the fonts are included as files, so no source map names them. */
export const NATIVE = '@napi-rs/keyring';
const WITHOUT_MAP = ['@fontsource-variable/inter'];
const BUNDLES = ['out/main', 'out/renderer'].map((folder) => join(root, folder));

/** @returns {string[]} third-party packages in a build, or those of its bundles that `isCarried` selects, sorted */
export const carriedPackages = (isCarried = () => true) =>
  [...new Set([...bundledPackages(BUNDLES, isCarried), ...WITHOUT_MAP, ...withPlatformBuilds(NATIVE)])].sort();

/** Writes the licenses of the packages and the reliability results to out/about. */
export function writeAboutTexts() {
  if (!BUNDLES.every((folder) => existsSync(folder) && readdirSync(folder).length > 0)) return;
  const folder = join(root, 'out', 'about');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'licenses.txt'), licensesText(carriedPackages()));
  copyFileSync(join(root, 'RELIABILITY.md'), join(folder, 'reliability.md'));
}
