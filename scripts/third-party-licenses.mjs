import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository-root.mjs';

/**
 * The third-party packages in a build, by its source maps, with their licenses and their entries for a bill of
 * materials. The caller names files without a map (fonts, a native library).
 */
const PACKAGE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/;

/**
 * @param {(name: string) => boolean} isCarried which bundles count, by file name
 * @returns {string[]} names of the packages in the bundles of the folders, sorted
 */
export function bundledPackages(folders, isCarried = () => true) {
  const names = new Set();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.map') || !isCarried(entry.name.slice(0, -'.map'.length))) continue;
      const { sources } = JSON.parse(readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'));
      for (const source of sources) {
        const name = PACKAGE.exec(source)?.[1];
        if (name !== undefined) names.add(name);
      }
    }
  }
  return [...names].sort();
}

/** @returns {{ name: string, version: string, license: string, text: string }} */
export function licenseOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license: declared } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying|ofl)/i.test(entry));
  const license = typeof declared === 'string' ? declared : (declared?.type ?? '');
  if (license === '') throw new Error(`${name} has no license.`);
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return { name, version, license, text };
}

/** One text with the licenses of all the packages. */
export function licensesText(names) {
  const rule = '-'.repeat(78);
  const parts = names.map(licenseOf).map(({ name, version, license, text }) => {
    const body = text === '' ? `Licensed under ${license}; the package carries no text of it.` : text;
    return `${rule}\n${name} ${version} (${license})\n${rule}\n\n${body}\n`;
  });
  return `Adslate carries these packages of others.\n\n${parts.join('\n')}`;
}

/** npm's bill of materials for the lock file, reduced to the included packages (CycloneDX, JSON). */
export function billOfMaterials(names) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) throw new Error(`npm sbom failed: ${done.stderr}`);
  const bill = JSON.parse(done.stdout);
  const wanted = new Map(names.map((name) => [name, licenseOf(name).version]));
  const components = bill.components.filter(({ name, version }) => wanted.get(name) === version);
  const missing = names.filter((name) => !components.some((component) => component.name === name));
  if (missing.length > 0) throw new Error(`The lock file does not contain ${missing.join(', ')}.`);
  const refs = new Set(components.map((component) => component['bom-ref']));
  // Without time and serial number: the same sources give the same bytes.
  const { serialNumber: _number, dependencies: _dependencies, metadata, ...rest } = bill;
  const { timestamp: _time, ...about } = metadata;
  return `${JSON.stringify({ ...rest, metadata: about, components, dependencies: bill.dependencies.filter(({ ref }) => refs.has(ref)) }, null, 2)}\n`;
}

/** Packages of which one build for this machine is installed, such as `@napi-rs/keyring-linux-x64-gnu`. */
export function withPlatformBuilds(name) {
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return [name, ...Object.keys(optionalDependencies).filter((build) => existsSync(join(root, 'node_modules', build)))];
}
