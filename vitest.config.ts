import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/**
 * Threads and children of tests run from TypeScript, which Node strips with WebAssembly. It keeps what it stripped here,
 * so that a thread starts in a tenth of the time. It also keeps WebAssembly out of the threads: several of them
 * stripping at once now and then end the whole process in V8 ("jit_page_->allocations_.erase(addr) == 1",
 * nodejs/node#64500).
 */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'out', 'compile-cache');

/** `unit` runs in Node against the real store, the real sandbox and real files; `ui` renders components in jsdom. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Much of the time goes into waiting for disks and sockets, so even two cores carry two files at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/ui/**', 'test/e2e/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'ui',
          environment: 'jsdom',
          include: ['test/ui/**/*.test.{ts,tsx}'],
          setupFiles: ['test/ui/setup.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
