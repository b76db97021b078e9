import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { webPreferences } from '../../main/hosts/electron/window-settings.ts';
import { NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';
import { defaultDataDir } from '../../main/hosts/start/start-options.ts';
import { commonHeaders, pagePolicy } from '../../main/hosts/web/headers.ts';
import { type HostProcess, startHostProcess } from '../e2e/host-process.ts';

/** The built desktop host from its entry to its end, on plain Node with a stand-in for the runtime. */
const ENTRY = join(import.meta.dirname, '..', '..', 'out', 'main', 'electron.js');
const RUNTIME = `--import=${pathToFileURL(join(import.meta.dirname, 'stand-in-runtime.ts')).href}`;

/** Where a packaged program keeps its data for the user with this home. */
const home = mkdtempSync(join(tmpdir(), 'adslate-electron-'));
const ofHome = { HOME: home, XDG_DATA_HOME: home, APPDATA: home };
let dataDir: string;
let host: HostProcess;

const Setup = z.object({ setUp: z.object({ options: z.object({ webPreferences: z.unknown() }) }) });
const secondStart = (folder: string, environment: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [RUNTIME, ENTRY, '--data', folder], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, ...environment },
  });

/** One start, and what the stand-in found at its beginning and later, as it prints both. */
const seen: { atFirst: unknown; later: unknown } = { atFirst: null, later: null };
beforeAll(async () => {
  for (const [name, value] of Object.entries(ofHome)) vi.stubEnv(name, value);
  dataDir = defaultDataDir();
  vi.unstubAllEnvs();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'spring.adslate'), 'PK');
  host = await startHostProcess(ENTRY, ['--data', dataDir, '--practice'], [RUNTIME]);
  await vi.waitUntil(() => host.said().split('\n').length > 2, { timeout: 120_000 });
  const line = (number: number): unknown => {
    const said = host.said().split('\n')[number] ?? '';
    expect(said).toMatch(/^\{/);
    return JSON.parse(said);
  };
  seen.atFirst = line(0);
  seen.later = line(1);
});
afterAll(async () => {
  await host?.stop('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

test('it opens on the practice account, serves its page itself and hands the page a port', () => {
  expect(host.url).toBe('adslate-app://ui/');
  expect(seen.atFirst).toMatchObject({ page: 200, file: 403, host: 'electron', accounts: ['Practice'] });
});

test('it sets up exactly what is decided: one confined window, two schemes, six channels, every guard', () => {
  const found = seen.atFirst;
  const preload = join(import.meta.dirname, '..', '..', 'out', 'preload', 'preload.cjs');
  expect(found).toMatchObject({
    setUp: {
      options: { show: false, title: 'Adslate', webPreferences: webPreferences(preload) },
      schemes: ['adslate-app', 'file'],
      channels: ['adslate:connect', 'adslate:drag', 'adslate:folder', 'adslate:grant', 'adslate:lift', 'adslate:menu'],
      guards: ['device', 'permission check', 'permission request', 'request'],
      listeners: [
        'activate',
        'before-quit',
        'browser-window-focus',
        'open-file',
        'open-url',
        'second-instance',
        'web-contents-created',
        'window-all-closed',
      ],
      menus: ['File', 'Edit', 'View', 'windowMenu', 'help'],
      lastWords: [1, 1],
    },
  });
  expect(Setup.parse(found).setUp.options.webPreferences).toEqual(webPreferences(preload));
});

test('its threads may take no more memory than those of the web host', () => {
  expect(seen.atFirst).toMatchObject({ setUp: { heaps: NODE_FLAGS } });
});

test('before anything is ready it is sandboxed, its scheme is known and it alone has the folder', () => {
  const early = ['app.enableSandbox', 'protocol.registerSchemesAsPrivileged', 'app.requestSingleInstanceLock'];
  expect(seen.atFirst).toMatchObject({ setUp: { early: expect.arrayContaining(early) } });
});

test('the page comes with exactly these headers', () => {
  expect(z.object({ headers: z.unknown() }).parse(seen.atFirst).headers).toEqual({
    ...commonHeaders,
    'content-security-policy': pagePolicy("'self'"),
    'content-type': 'text/html; charset=utf-8',
  });
  expect(Object.keys(commonHeaders).sort()).toEqual([
    'cache-control',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'permissions-policy',
    'referrer-policy',
    'x-content-type-options',
  ]);
});

/** What main asks about the draft that the stand-in page sends. */
const MUCH = 'Create 6 new rows with budgets of $100,000.01 in Practice?';

describe('while it runs', () => {
  test('no way leads out of the page, and links are asked about first', () => {
    expect(seen.later).toMatchObject({
      ways: {
        prevented: ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'],
        opened: [{ action: 'deny' }, { action: 'deny' }, { action: 'deny' }],
      },
      // One of the three addresses may be offered at all.
      asked: ['Open example.org in your browser?', MUCH, expect.stringContaining('crashed three times')],
    });
  });

  test('a page cannot have much money committed: main asks, and the safe answer sends nothing', () => {
    expect(seen.later).toMatchObject({ sent: 'CANCELLED', asked: expect.arrayContaining([MUCH]) });
  });

  test('a sheet is dragged out of the window of its account as a real file with a picture, and of no other window', () => {
    expect(seen.later).toMatchObject({
      drags: {
        ofAnother: false,
        own: true,
        name: expect.stringMatching(/^adslate-.+\.csv$/),
        starts: 'Type',
        pictures: 1,
      },
    });
  });

  test('the menu shows the commands of the window, and a choice is told to that window', () => {
    expect(seen.later).toMatchObject({
      menu: {
        titles: ['File', 'Edit', 'View', 'Sync', 'windowMenu', 'help'],
        sent: [['adslate:command', 'sync.plan']],
      },
    });
  });

  test('a file of a second start reaches the page, an account has one window, and a page that fails is not loaded for ever', () => {
    expect(seen.later).toMatchObject({
      fileName: 'spring.adslate',
      recent: 1,
      windows: [
        ['adslate-app://ui/', 'reload', 'reload', 'adslate-app://ui/?plain'],
        [expect.stringMatching(/^adslate-app:\/\/ui\/#[a-z0-9-]+$/)],
      ],
    });
  });
});

test('a second start on its folder is refused, and it ends politely', async () => {
  const second = secondStart(dataDir);
  expect(second.status).toBe(5);
  expect(second.stderr).toMatch(/already open with the data folder/);
  await host.stop('SIGTERM');
  const kept: unknown = JSON.parse(readFileSync(join(dataDir, 'preferences.json'), 'utf8'));
  expect(kept, 'the account that was opened').toHaveProperty('lastWorkspaceId', expect.any(String));
});

test('once it is packaged it takes no words of a start, and keeps switches out of the links it is handed', async () => {
  const file = join(dataDir, 'preferences.json');
  writeFileSync(file, '{"colorScheme": 5', { mode: 0o644 });
  const env = { ...process.env, ...ofHome, STAND_IN: 'packaged' };
  const child = spawn(process.execPath, [RUNTIME, ENTRY, '--data', join(home, 'other'), '--no-open'], { env });
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const found = () => /^\{.*\}$/m.exec(said)?.[0];
    await expect.poll(found).toBeDefined();
    const LINKS = ['adslate', process.execPath, ['--']];
    expect(JSON.parse(found() ?? '')).toMatchObject({ page: 200, accounts: ['Practice'], setUp: { links: [LINKS] } });
    expect(existsSync(join(home, 'other'))).toBe(false);
    // Damaged preferences end no start: they are written anew, for the user alone.
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ colorScheme: 'system' });
    expect(statSync(file).mode & 0o077).toBe(0);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});

test('a second start leaves the folder alone and says where the window is', () => {
  const untouched = join(home, 'untouched');
  const second = secondStart(untouched, { STAND_IN: 'second' });
  expect(second.status).toBe(5);
  expect(second.stderr).toMatch(/already open with the data folder .*\. Its window is in front now/);
  expect(existsSync(untouched)).toBe(false);
});
