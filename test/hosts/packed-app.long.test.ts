import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractFile, getRawHeader, listPackage, uncache } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import afterPack from '../../scripts/after-pack.mjs';
import { fusesWithoutSetting, LEFT } from '../../scripts/check-fuses.mjs';
import { DESKTOP_BUDGET, desktopFiles, tellDesktopFiles } from '../../scripts/desktop-files.mjs';
import { testFolder } from '../folder.ts';

/** The desktop package as the real tool makes it with the real settings, around a binary that stands in for the runtime. */
const root = join(import.meta.dirname, '..', '..');
const scratch = testFolder('dist');
const unpacked = join(scratch, 'out', 'linux-unpacked');
const archive = join(unpacked, 'resources', 'app.asar');

/** How the runtime marks the place of its fuses, with the version and the number of what follows. */
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const [OFF = 0, ON = 0] = Buffer.from('01');
const DECIDED: Readonly<Record<keyof typeof FuseV1Options, boolean>> = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
};
const FUSES = Object.entries(DECIDED).map(([name, position]) => ({ name, position }));

beforeAll(() => {
  const dist = join(scratch, 'electron');
  mkdirSync(join(dist, 'locales'), { recursive: true });
  writeFileSync(join(dist, 'locales', 'en-US.pak'), '');
  const { version } = z.object({ version: z.string() }).parse(json('node_modules/electron/package.json'));
  // Every fuse that is switched stands the other way round, so that one that is not is noticed.
  const wire = FUSES.map(({ name, position }) => position === Object.hasOwn(LEFT, name));
  writeFileSync(join(dist, 'electron'), aBinary(wire), { mode: 0o755 });
  writeFileSync(join(dist, 'version'), version);
  const changes = [`electronDist=${dist}`, `electronVersion=${version}`, `directories.output=${scratch}/out`];
  const words = ['--dir', '--linux', '--config', 'electron-builder.yml', ...changes.map((change) => `-c.${change}`)];
  const tool = join(root, 'node_modules', '.bin', 'electron-builder');
  const done = spawnSync(tool, words, { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stdout + done.stderr);
});

function aBinary(wire: readonly boolean[]): Buffer {
  const states = Buffer.from([1, wire.length, ...wire.map((isOn) => (isOn ? ON : OFF))]);
  return Buffer.concat([Buffer.from(`#!/bin/sh\n${FUSE_MARK}`), states, Buffer.from('\n')]);
}

const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const filesIn = (): readonly string[] =>
  listPackage(archive, { isPack: false }).map((file) => file.replaceAll('\\', '/'));

test('it holds what runs and says what it carries, and no package of others, no source and no other host', () => {
  for (const needed of [
    '/package.json',
    '/LICENSE',
    '/out/main/electron.js',
    '/out/preload/preload.cjs',
    '/out/renderer/index.html',
    '/out/about/licenses.txt',
  ]) {
    expect(filesIn()).toContain(needed);
  }
  expect(filesIn().filter((file) => /node_modules|\.map$|\.ts$|\/(web|cli|demo)\.js$/.test(file))).toEqual([]);
});

test('beside the archive lies the bill of what it carries', () => {
  const Bill = z.object({ bomFormat: z.literal('CycloneDX'), components: z.array(z.object({ name: z.string() })) });
  const bill = Bill.parse(JSON.parse(readFileSync(join(unpacked, 'resources', 'sbom.cdx.json'), 'utf8')));
  expect(bill.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'zod', '@orpc/server']));
});

test('it stays within a budget of size, file by file, and one that does not is told', async () => {
  const files = await desktopFiles(archive);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeGreaterThan(1_000_000);
  expect(bytes).toBeLessThan(readFileSync(archive).length);
  expect(await tellDesktopFiles(scratch)).toBe(0);
  const listed = readFileSync(join(archive, '..', 'FILES.txt'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(listed.map((line) => `/${line.trim().split('  ').at(-1)}`)).toEqual(expect.arrayContaining(['/LICENSE']));
  expect(listed.length).toBeGreaterThan(50);
  const grown = join(scratch, 'grown', 'resources');
  mkdirSync(grown, { recursive: true });
  writeFileSync(join(grown, 'app.asar'), Buffer.concat([readFileSync(archive), Buffer.alloc(DESKTOP_BUDGET.bytes)]));
  expect(await tellDesktopFiles(join(scratch, 'grown'))).toBe(1);
});

test('every fuse of the binary is switched: no Node mode, no options, no debugger, no code from elsewhere', async () => {
  const wire = await getCurrentFuseWire(join(unpacked, 'adslate'));
  for (const { name, position } of FUSES) {
    expect(Reflect.get(wire, Reflect.get(FuseV1Options, name)), name).toBe(position ? ON : OFF);
  }
});

test('a fuse of a later runtime, which nobody has decided, ends the packaging', async () => {
  const binary = join(scratch, 'later');
  const switched = Object.fromEntries(Object.keys(DECIDED).map((name) => [name, true]));
  const { WasmTrapHandlers: _left, ...without } = switched;
  const told = async (wire: readonly boolean[], fuses = without): Promise<readonly string[]> => {
    writeFileSync(binary, aBinary(wire));
    return fusesWithoutSetting(binary, fuses);
  };
  const asShipped = FUSES.map(() => true);
  expect(await told(asShipped)).toEqual([]);
  expect(await told([...asShipped, false])).toEqual(['Nobody has decided the fuse number 10 of this runtime.']);
  expect(await told([...asShipped.slice(0, -1), false])).toEqual([
    'The fuse WasmTrapHandlers of this runtime stands the other way.',
  ]);
  const { RunAsNode: _forgotten, ...fewer } = without;
  expect(await told(asShipped, fewer)).toEqual(['Nobody has decided the fuse RunAsNode of this runtime.']);
  // The step that electron-builder calls ends by it, and leaves no bill beside such a package.
  const packager = { executableName: 'later', config: { electronFuses: without }, getResourcesDir: () => scratch };
  writeFileSync(binary, aBinary([...asShipped, false]));
  const step = afterPack({ appOutDir: scratch, electronPlatformName: 'linux', packager });
  await expect(step).rejects.toThrow('Nobody has decided the fuse number 10');
  expect(existsSync(join(scratch, 'sbom.cdx.json'))).toBe(false);
});

/** Files of the archive with the hash that its header holds them to. */
const Integrity = z.object({ algorithm: z.literal('SHA256'), hash: z.string().length(64) });
const Entry = z.object({ integrity: Integrity });

describe('the archive', () => {
  const sealOf = (file: string, within: string): string => {
    const names = file.split('/').filter((name) => name !== '');
    const found = names.reduce<unknown>(
      (node, name) => z.object({ files: z.record(z.string(), z.unknown()) }).parse(node).files[name],
      getRawHeader(within).header,
    );
    return Entry.parse(found).integrity.hash;
  };
  const hashOf = (file: string, within: string): string =>
    createHash('sha256')
      .update(extractFile(within, file.slice(1)))
      .digest('hex');
  const isFile = (file: string): boolean => /\.\w+$/.test(file) || file === '/LICENSE';

  test('seals every file with its hash', () => {
    const files = filesIn().filter(isFile);
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) expect(hashOf(file, archive), file).toBe(sealOf(file, archive));
  });

  test('with one byte turned over breaks the seal, which the switched fuse makes the runtime look at', () => {
    const turned = join(scratch, 'turned.asar');
    copyFileSync(archive, turned);
    const bytes = readFileSync(turned);
    const at = bytes.lastIndexOf('Trusted');
    expect(at).toBeGreaterThan(0);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(turned, bytes);
    uncache(turned);
    const broken = filesIn().filter((file) => isFile(file) && hashOf(file, turned) !== sealOf(file, turned));
    expect(broken).toHaveLength(1);
  });
});
