import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { webPreferences } from '../../main/host/electron/window-settings.ts';
import { pagePolicy } from '../../main/host/web/headers.ts';
import { type HostProcess, startHostProcess } from '../e2e/host-process.ts';

/** The built desktop host from its entry to its end, on plain Node with a stand-in for the runtime. */
const ENTRY = join(import.meta.dirname, '..', '..', 'out', 'main', 'electron.js');
const RUNTIME = `--import=${pathToFileURL(join(import.meta.dirname, 'stand-in-runtime.ts')).href}`;

let dataDir: string;
let host: HostProcess | null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'adslate-electron-'));
  host = null;
});
afterEach(async () => {
  await host?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const Setup = z.object({ setUp: z.object({ options: z.object({ webPreferences: z.unknown() }) }) });
const start = (): Promise<HostProcess> => startHostProcess(ENTRY, ['--data', dataDir], [RUNTIME]);

test('it opens on the practice account, serves its page itself and hands the page a port', async () => {
  host = await start();
  expect(host.url).toBe('adslate-app://ui/');
  const found: unknown = JSON.parse(host.said().split('\n')[0] ?? '');
  expect(found).toMatchObject({ page: 200, file: 403, host: 'electron', accounts: ['Practice'] });
  expect(found).toMatchObject({ policy: expect.stringContaining("default-src 'none'; script-src 'self'") });
});

test('it sets up exactly what is decided: one confined window, two schemes, two channels, every guard', async () => {
  host = await start();
  const found: unknown = JSON.parse(host.said().split('\n')[0] ?? '');
  const preload = join(import.meta.dirname, '..', '..', 'out', 'preload', 'preload.cjs');
  expect(found).toMatchObject({
    setUp: {
      options: { show: false, title: 'Adslate', webPreferences: webPreferences(preload) },
      schemes: ['adslate-app', 'file'],
      channels: ['adslate:connect', 'adslate:grant'],
      guards: ['device', 'permission check', 'permission request', 'request'],
      listeners: [
        'activate',
        'before-quit',
        'open-file',
        'open-url',
        'second-instance',
        'web-contents-created',
        'window-all-closed',
      ],
    },
    headers: {
      'content-security-policy': pagePolicy("'self'"),
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
  expect(Setup.parse(found).setUp.options.webPreferences).toEqual(webPreferences(preload));
});

test('it ends politely, and the next start finds the folder free', async () => {
  host = await start();
  await host.stop('SIGTERM');
  host = await start();
  expect(host.said()).toContain('"accounts":["Practice"]');
});

test('a second start on the folder is refused as in the web host', async () => {
  host = await start();
  const second = spawnSync(process.execPath, [RUNTIME, ENTRY, '--data', dataDir], { encoding: 'utf8' });
  expect(second.status).toBe(5);
  expect(second.stderr).toMatch(/already running on/);
});

test('damaged preferences keep no window shut', async () => {
  writeFileSync(join(dataDir, 'preferences.json'), '{"colorScheme": 5');
  host = await start();
  expect(host.said()).toContain('"page":200');
});
