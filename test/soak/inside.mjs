import { renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Loaded into every thread of the host that is watched (`--import`): puts the practice service into a process of its
 * own (`service-outside.mjs`), and says how many timers the thread has set, which nobody sees from outside. The one that
 * makes it write is not counted: it keeps nothing alive.
 *
 * JavaScript, as this and what it puts in are read by every thread, also by those that live for one backup: stripping
 * types loads a compiler, which is 10 MB in each of them and nothing of the host's.
 */
const EVERY_MS = 5000;
const SERVICE = /\/sandbox-worker\.js$/;

if (process.env['ADSLATE_SOAK_SERVICE'] === 'outside') {
  const outside = new URL('service-outside.mjs', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => next(SERVICE.test(specifier) ? outside : specifier, context),
  });
}

const folder = process.env['ADSLATE_SOAK_INSIDE'];
if (folder !== undefined) {
  const file = join(folder, `thread-${threadId}`);
  setInterval(() => {
    const timers = process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    writeFileSync(`${file}.part`, String(timers));
    renameSync(`${file}.part`, file);
  }, EVERY_MS).unref();
}
