import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

const Package = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  allowScripts: z.record(z.string(), z.boolean()),
});
const Lock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional(), resolved: z.string().optional() })),
});

test('everything runs on Node 24, the major that the desktop runtime embeds', () => {
  expect(process.versions.node.split('.')[0]).toBe('24');
});

test('SQLite has the fix for the write-ahead log reset: 3.51.3 or newer', () => {
  const version = new DatabaseSync(':memory:').prepare('SELECT sqlite_version() AS v').get()?.['v'];
  const [major = 0, minor = 0, patch = 0] = String(version).split('.').map(Number);
  expect(major * 1_000_000 + minor * 1000 + patch).toBeGreaterThanOrEqual(3_051_003);
});

test('every package is pinned to one version', () => {
  const { dependencies, devDependencies } = Package.parse(readJson('package.json'));
  const pins = Object.entries({ ...dependencies, ...devDependencies });
  expect(pins.length).toBeGreaterThan(30);
  expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('install scripts run only for packages that are named', () => {
  const { allowScripts } = Package.parse(readJson('package.json'));
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name] === true)).toEqual(['node']);
});

test('the lock file proves the content of every package and names no registry', () => {
  const { packages } = Lock.parse(readJson('package-lock.json'));
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.length).toBeGreaterThan(300);
  expect(installed.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
  expect(installed.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
});
