import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APP_VERSION } from '../../main/app-info.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');
const config = read('electron-builder.yml');

/** Every fuse of the binary, with the position that is decided for it. */
const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

test.each(Object.entries(FUSES))('the fuse %s is set to %s', (fuse, position) => {
  expect(config).toMatch(new RegExp(`^  ${fuse}: ${position}$`, 'm'));
});

test('a package holds what was built and no package of others', () => {
  expect(config).toMatch(/^ {2}- out\/main\/\*\*$/m);
  expect(config).toContain("'!node_modules/**'");
  expect(config).toMatch(/^asar: true$/m);
});

test('nothing is published and nothing is fetched at start', () => {
  expect(config).toMatch(/^publish: null$/m);
});

test('the window names the version that is packaged', () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: APP_VERSION, main: 'out/main/electron.js' });
});
