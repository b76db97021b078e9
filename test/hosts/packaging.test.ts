import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { APP_VERSION } from '../../main/app/app-info.ts';
import { isAdslateFile } from '../../main/hosts/electron/open-requests.ts';
import { LINK_SCHEME } from '../../shared/model/deep-link.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const bytes = (file: string): Buffer => readFileSync(join(root, file));
const config = read('electron-builder.yml');

describe('the icons', () => {
  test('for Windows are pictures of every size', () => {
    const file = bytes('build/icon.ico');
    const sizes = Array.from({ length: file.readUInt16LE(4) }, (_, at) => {
      const entry = 6 + 16 * at;
      const png = file.subarray(
        file.readUInt32LE(entry + 12),
        file.readUInt32LE(entry + 12) + file.readUInt32LE(entry + 8),
      );
      expect(sideOf(png) % 256).toBe(file.readUInt8(entry));
      return sideOf(png);
    });
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256]);
  });

  test('for macOS are chunks that fill the file, up to 1024 pixels', () => {
    const file = bytes('build/icon.icns');
    expect([file.toString('latin1', 0, 4), file.readUInt32BE(4)]).toEqual(['icns', file.length]);
    const sizes: number[] = [];
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) sizes.push(sideOf(file.subarray(at + 8)));
    expect(sizes).toEqual([16, 32, 64, 128, 256, 512, 1024]);
  });

  test('for Linux are one picture of 1024 pixels', () => {
    expect(sideOf(bytes('build/icon.png'))).toBe(1024);
  });
});

/** Pixels a side of a square PNG. */
function sideOf(png: Buffer): number {
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  expect(png.readUInt32BE(20)).toBe(png.readUInt32BE(16));
  return png.readUInt32BE(16);
}

test('on macOS nothing is asked of the system but to compile at run time', () => {
  const keys = read('build/entitlements.mac.plist').match(/<key>[^<]+<\/key>/g);
  expect(keys).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
  expect(config).toMatch(/^ {2}hardenedRuntime: true$/m);
});

test('the links that lead into the app are those of its own scheme', () => {
  expect(config.match(/^ {4}schemes: .*$/gm)).toEqual([`    schemes: [${LINK_SCHEME}]`]);
});

test('the files that open by a double click are those the app takes, and no others', () => {
  const endings = [...config.matchAll(/^ {2}- ext: (.+)$/gm)].map(([, ending = '']) => ending);
  expect(endings).toEqual(['adslate', 'adslate-changes']);
  expect(endings.every((ending) => isAdslateFile(`/plans/spring.${ending}`))).toBe(true);
});

test('a release that is not signed is none', () => {
  const release = read('electron-builder.release.yml');
  expect(release).toMatch(/^extends: electron-builder\.yml$/m);
  expect(release).toMatch(/^forceCodeSigning: true$/m);
  expect(release).toMatch(/^mac:\n {2}notarize: true$/m);
  // Switching fuses breaks the mark that Apple's linker leaves on a binary without a signature.
  expect(config).toMatch(/^ {2}resetAdHocDarwinSignature: true$/m);
});

test('nothing is published and nothing is fetched at start', () => {
  expect(config).toMatch(/^publish: null$/m);
});

test('the window names the version that is packaged', () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: APP_VERSION, main: 'out/main/electron.js' });
});
