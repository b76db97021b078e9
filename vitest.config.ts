import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * Children of tests run from TypeScript, which Node strips with WebAssembly. It keeps what it stripped here, so that a
 * child starts in a tenth of the time.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'out', 'compile-cache');

/**
 * Threads are started from the bundle, as in the program that ships: a thread made of one file starts in half of the
 * CPU time of one made of a hundred. It also keeps WebAssembly out of them: several threads that strip types at once
 * now and then end the whole process in V8 ("jit_page_->allocations_.erase(addr) == 1", nodejs/node#64500).
 */
const threadsAsBuilt: Plugin = {
  name: 'threads-as-built',
  transform(code, id) {
    if (!id.endsWith('/main/app/workers.ts')) return null;
    const bundle = pathToFileURL(join(import.meta.dirname, 'out', 'main', 'core.js')).href;
    return code.replaceAll('import.meta.url', JSON.stringify(bundle));
  },
};

/** Whether everything is run, as by `npm run test:long`. */
const isFull = process.env['TEST_FULL'] === '1';

/** They change what others share: the table of fields, modules of Electron, the clock, and which files were loaded already. */
const APART = [
  'test/conformance/coverage.test.ts',
  'test/hosts/confinement.test.ts',
  'test/hosts/desktop-life.test.ts',
  'test/hosts/electron-lines.test.ts',
  'test/store/scratch-field.test.ts',
];

/** Kills, walks, secrets on every path, packages: they take long and guard what seldom changes. `npm run test:long` alone runs them. */
const LONG = 'test/**/*.long.test.ts';

/** Milliseconds after which a test or a hook hangs, however busy the machine; what `npm run test:long` runs in full takes longer. */
const TEST_MS = isFull ? 3_600_000 : 600_000;

/** What is waited for: what is there at once is not, and a busy machine makes nothing wrong. */
const WAITING = { poll: { timeout: 120_000 } };

/** Makes what tests draw at random follow from `TEST_SEED`. */
const SEEDED = 'test/random.ts';

/** What was transformed with a planted fault in it is not kept for the next run. */
const hasFault = process.env['PLANTED_FAULT'] !== undefined;

/**
 * `unit` and `apart` run in Node against the real store, the real sandbox and real files. Of the window, `components`
 * renders into jsdom (`.test.tsx`), and `window` is the whole over a core; what needs no page is a unit. Files of all but
 * `apart` share a process and what it has loaded, which saves a third of their CPU time: a file that changes a module for
 * itself belongs there. Those of the window share a page as well, which `ui/jsdom.ts` empties before each.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Each of them waits now and then for threads, processes and timers of its own. On two cores, three at once end a
    // tenth sooner than two for the same CPU time; four take up to a half more and end no sooner.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        plugins: [threadsAsBuilt],
        test: {
          name: 'unit',
          fsModuleCache: !hasFault,
          expect: WAITING,
          globalSetup: ['test/prepare.ts'],
          environment: 'node',
          setupFiles: [SEEDED],
          include: ['test/**/*.test.ts'],
          exclude: ['test/ui/screens/**', 'test/e2e/**', ...APART, ...(isFull || hasFault ? [] : [LONG])],
          isolate: false,
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
        },
      },
      {
        plugins: [threadsAsBuilt],
        test: {
          name: 'apart',
          fsModuleCache: !hasFault,
          expect: WAITING,
          globalSetup: ['test/prepare.ts'],
          environment: 'node',
          setupFiles: [SEEDED],
          include: APART,
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'components',
          expect: WAITING,
          fsModuleCache: !hasFault,
          environment: 'jsdom',
          include: ['test/ui/*.test.tsx'],
          isolate: false,
          setupFiles: [SEEDED, 'test/ui/jsdom.ts', 'test/ui/setup.ts'],
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
        },
      },
      {
        // As it is shipped: React without its aids for development, which cost as much as the window itself.
        plugins: [threadsAsBuilt],
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'window',
          expect: WAITING,
          globalSetup: ['test/prepare.ts'],
          fsModuleCache: !hasFault,
          environment: 'jsdom',
          env: { NODE_ENV: 'production' },
          include: ['test/ui/screens/*.test.ts'],
          isolate: false,
          setupFiles: [SEEDED, 'test/ui/jsdom.ts'],
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
        },
      },
    ],
  },
});
