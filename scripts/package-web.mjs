import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { carriedPackages, NATIVE, writeAboutTexts } from './about-texts.mjs';
import { measurePackage } from './measure-package.mjs';
import { print, root } from './repository-root.mjs';
import { billOfMaterials, licensesText, withPlatformBuilds } from './third-party-licenses.mjs';

/**
 * The web host as a package for systems without Electron: the built window and core, a launcher, the licenses, a bill
 * of materials. It needs only Node 24. The same sources give the same bytes.
 */
/** Entries of other hosts, and modules that only the desktop loads. */
const LEFT_OUT = /^(electron\.js|demo\.js|updates-.*|update-feed-.*)$/;

/** Limits in bytes. Packaging fails above them; raise them only for a reason. */
export const BUDGET = { unpacked: 12_500_000, packed: 4_000_000, files: 140 };

/**
 * @param {string} target folder for the result
 * @returns {{ file: string, folder: string, packed: number, unpacked: number, files: number, problems: string[] }}
 */
export function packageWeb(target, budget = BUDGET) {
  const { version, license, description } = readJson(join(root, 'package.json'));
  const folder = join(target, `adslate-web-${version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeAboutTexts();
  const isCarried = (name) => !LEFT_OUT.test(name);
  copyBuilt('out/main', folder, isCarried);
  copyBuilt('out/renderer', folder, () => true);
  cpSync(join(root, 'scripts', 'web-package', 'adslate.mjs'), join(folder, 'bin', 'adslate.mjs'));
  cpSync(join(root, 'main', 'hosts', 'start', 'node-flags.mjs'), join(folder, 'bin', 'node-flags.mjs'));
  cpSync(join(root, 'scripts', 'web-package', 'README.txt'), join(folder, 'README.txt'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyBuilt('out/about', folder, (name) => name === 'reliability.md');
  const native = withPlatformBuilds(NATIVE);
  for (const name of native)
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  const carried = carriedPackages(isCarried);
  // The licenses shown in the program: the built text also names the packages of the desktop.
  writeFileSync(join(folder, 'out', 'about', 'licenses.txt'), licensesText(carried));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(carried));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(manifest({ version, license, description }, native), null, 2)}\n`,
  );
  const listed = filesBelow(folder);
  writeFileSync(join(folder, 'FILES.txt'), listed.map(lineOf(folder)).join(''));
  const file = pack(folder, target);
  const sizes = {
    packed: statSync(file).size,
    unpacked: listed.reduce((sum, path) => sum + statSync(path).size, 0),
    files: listed.length + 1,
  };
  const problems = Object.entries(budget)
    .filter(([what, most]) => sizes[what] > most)
    .map(([what, most]) => `${what}: ${sizes[what]}, but ${most} is the most`);
  return { file, folder, ...sizes, problems };
}

const manifest = ({ version, license, description }, native) => ({
  name: 'adslate-web',
  version,
  description,
  license,
  type: 'module',
  engines: { node: '>=24' },
  bin: { adslate: 'bin/adslate.mjs' },
  files: ['bin', 'out', 'FILES.txt', 'README.txt', 'sbom.cdx.json'],
  // Included in the archive: installing it needs no registry.
  dependencies: { [NATIVE]: readJson(join(root, 'node_modules', NATIVE, 'package.json')).version },
  bundleDependencies: native,
});

/** Copies a build without its source maps. */
function copyBuilt(from, folder, isWanted) {
  cpSync(join(root, from), join(folder, from), {
    recursive: true,
    filter: (path) => !path.endsWith('.map') && (statSync(path).isDirectory() || isWanted(path.split(sep).at(-1))),
  });
}

/** Packs with npm: sorted, with one time for all files, so that the result is reproducible byte for byte. */
function pack(folder, target) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target];
  const done = spawnSync(npm, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  const file = join(target, done.stdout.trim().split('\n').at(-1) ?? '');
  if (done.status !== 0 || !existsSync(file)) throw new Error(`npm pack failed: ${done.stderr}`);
  return file;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const lineOf = (folder) => (path) => {
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${hash}  ${String(statSync(path).size).padStart(9)}  ${relative(folder, path).split(sep).join('/')}\n`;
};

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** For `npm run package -- --web`: builds it in dist/, prints its content, and fails above the budget. */
export async function packageWebNow() {
  const { file, folder, packed, unpacked, files, problems } = packageWeb(join(root, 'dist'));
  const { startMs, residentBytes } = await measurePackage(folder);
  print(`${relative(root, file)}: ${megabytes(packed)} packed, ${megabytes(unpacked)} unpacked, ${files} files`);
  const memory = residentBytes === null ? '' : `, using ${megabytes(residentBytes)} of memory`;
  print(`Started on an empty data folder in ${Math.round(startMs)} ms${memory}. FILES.txt lists the files.`);
  for (const problem of problems) print(`Over the limit: ${problem}.`);
  return problems.length === 0 ? 0 : 1;
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
