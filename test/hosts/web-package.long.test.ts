import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';
import { BUDGET, packageWeb } from '../../scripts/package-web.mjs';
import { bundledPackages } from '../../scripts/third-party-licenses.mjs';
import { startHostProcess } from '../e2e/host-process.ts';
import { testFolder } from '../folder.ts';
import { signedIn } from './a-web-host.ts';

/** The archive of the web host: what is in it, what is not, and that it runs where nothing else is. */
const root = join(import.meta.dirname, '..', '..');
const target = testFolder('package');
let made: ReturnType<typeof packageWeb>;
let files: readonly string[];

beforeAll(() => {
  made = packageWeb(target);
  files = readFileSync(join(made.folder, 'FILES.txt'), 'utf8').trim().split('\n');
});

const names = (): readonly string[] => files.map((line) => line.slice(64).trim().split(' ').at(-1) ?? '');

test('it stays within the budget of size; a build that does not is told, and the same sources give the same bytes', () => {
  expect(made.problems).toEqual([]);
  const again = packageWeb(join(target, 'again'), { ...BUDGET, packed: 1000, files: 3 });
  expect(again.problems).toEqual([
    expect.stringMatching(/^packed: \d+, but 1000/),
    expect.stringMatching(/^files: \d+/),
  ]);
  const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(hashOf(again.file)).toBe(hashOf(made.file));
});

test('it holds what runs and what the law asks for, and nothing else', () => {
  const kinds = names().map((name) => name.replace(/-[\w-]{8}(\.\w+)$/, '$1'));
  for (const needed of [
    'bin/adslate.mjs',
    'out/main/web.js',
    'out/main/cli.js',
    'out/renderer/index.html',
    'LICENSE',
  ]) {
    expect(kinds).toContain(needed);
  }
  for (const worker of ['writer', 'reader', 'safety', 'probe', 'sandbox'])
    expect(kinds).toContain(`out/main/${worker}-worker.js`);
  const allowed =
    /^(bin\/(adslate|node-flags)\.mjs|out\/main\/[\w.-]+\.js|out\/about\/(licenses\.txt|reliability\.md)|out\/renderer\/(index\.html|assets\/[\w.-]+\.(js|css|svg|woff2|png))|node_modules\/@napi-rs\/keyring[\w./-]*|LICENSE|README\.txt|sbom\.cdx\.json|package\.json)$/;
  expect(names().filter((name) => !allowed.test(name))).toEqual([]);
  expect(
    names().filter((name) => /electron|demo|update|\.map$|\.ts$/.test(name) && !name.includes('node_modules')),
  ).toEqual([]);
});

test('the list of files says the truth about every byte', () => {
  for (const line of files) {
    const [hash = '', size = '', name = ''] = line.split(/\s+/);
    const bytes = readFileSync(join(made.folder, name));
    expect([createHash('sha256').update(bytes).digest('hex'), bytes.length], name).toEqual([hash, Number(size)]);
  }
});

const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), version: z.string(), licenses: z.array(z.unknown()).min(1) })),
});

test('every package that is carried is in the licenses and in the bill of materials', () => {
  const licenses = readFileSync(join(made.folder, 'out/about/licenses.txt'), 'utf8');
  const bill = Bill.parse(JSON.parse(readFileSync(join(made.folder, 'sbom.cdx.json'), 'utf8')));
  const bundles = ['out/main', 'out/renderer'].map((folder) => join(root, folder));
  const isInside = (name: string): boolean => names().some((file) => file.endsWith(`/${name}`));
  const carried = [...bundledPackages(bundles, isInside), '@napi-rs/keyring'];
  expect(carried.length).toBeGreaterThan(30);
  expect(carried).toContain('zod');
  for (const name of carried) {
    expect(licenses, name).toMatch(new RegExp(`^${name.replace('.', '\\.')} \\d+\\.\\d+\\.\\d+`, 'm'));
    expect(bill.components.map((component) => component.name)).toContain(name);
  }
  // The desktop updates itself; this package does not, and lists nothing that is not inside.
  expect(bundledPackages(bundles)).toContain('electron-updater');
  expect(bill.components.map((component) => component.name)).not.toContain('electron-updater');
  expect(licenses).not.toContain('\nelectron-updater ');
});

test('it runs in a folder where nothing else is, and within the memory a host may take', async () => {
  const alone = mkdtempSync(join(tmpdir(), 'adslate-alone-'));
  try {
    cpSync(made.folder, join(alone, 'app'), { recursive: true });
    const launcher = join(alone, 'app', 'bin', 'adslate.mjs');
    const host = await startHostProcess(launcher, ['--data', join(alone, 'data'), '--practice', '--no-open'], [], {});
    if (process.platform === 'linux') {
      const of = (what: string): readonly string[] => readFileSync(`/proc/${host.pid}/${what}`, 'utf8').split('\0');
      expect(of('cmdline')).toEqual(expect.arrayContaining([...NODE_FLAGS]));
      for (const [name, value] of Object.entries(NODE_ENVIRONMENT)) expect(of('environ')).toContain(`${name}=${value}`);
    }
    const url = new URL(host.url);
    const page = await (await fetch(url.origin)).text();
    expect(page).toContain('<div id="root">');
    const { token } = await signedIn({
      server: { port: Number(url.port) },
      code: () => url.hash.slice('#code='.length),
    });
    expect(token).toMatch(/^[a-f0-9]{64}$/);
    await host.stop();
    expect(existsSync(join(alone, 'data', 'accounts.json'))).toBe(true);
    expect(readdirSync(join(alone, 'app')).sort()).toEqual(readdirSync(made.folder).sort());
  } finally {
    rmSync(alone, { recursive: true, force: true, maxRetries: 5 });
  }
});
