import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import type { HostOptions } from './test/e2e/fixture.ts';

/**
 * The whole program, seen from outside: every spec starts a host of its own on a folder of its own. The same specs
 * run in Chromium on the web host and, where the runtime is, in Electron. CHROMIUM and ELECTRON name executables.
 */
const chromium = process.env['CHROMIUM'];

/** Specs that look at everything in every way: no part of `npm test`, but of the long suite. */
const LONG = /@long/;

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'out/test/e2e',
  // The pictures of the guide are what screens are compared with.
  snapshotPathTemplate: '{testDir}/../../docs/pictures/{arg}{ext}',
  // What is there at once is not waited for; other parts of the tests run beside these.
  timeout: 900_000,
  expect: { timeout: 90_000 },
  // A page, its host and its service keep more than one core busy, and units run beside them.
  workers: Math.max(1, Math.floor(availableParallelism() / 2)),
  fullyParallel: true,
  // A crowded build machine gets a second look, and the report names what needed one; a desk tells at once.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: true,
  reporter: [['list']],
  use: {
    // Not the language of the machine: what numbers and dates look like is part of what is compared.
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 90_000,
    screenshot: 'only-on-failure',
    // A fifth of all the work of a run, so only of what failed once; `--trace on` records a spec by hand.
    trace: 'on-first-retry',
    reducedMotion: 'reduce',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // As Chromium draws text; its headless shell would hint it in full.
        '--font-render-hinting=slight',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    {
      name: 'web',
      testIgnore: '**/*.electron.spec.ts',
      grepInvert: LONG,
      use: { browserName: 'chromium', host: 'web' },
    },
    { name: 'electron', testIgnore: '**/*.web.spec.ts', grepInvert: LONG, use: { host: 'electron' } },
    { name: 'long', testIgnore: '**/*.electron.spec.ts', grep: LONG, use: { browserName: 'chromium', host: 'web' } },
  ],
});
