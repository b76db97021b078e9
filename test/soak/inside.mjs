import { renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { isMainThread, threadId } from 'node:worker_threads';

/**
 * Loaded into every thread of the host that is watched (`--import`): puts the practice service into a process of its
 * own (`service-outside.mjs`), and tells what nobody sees from outside when it is asked with SIGUSR2: how many timers the
 * thread has set, and how much of its heap is in use once its garbage is gone (the host runs with `--expose-gc`).
 *
 * JavaScript, as this and what it puts in are read by every thread, also by those that live for one backup: stripping
 * types loads a compiler, which is 10 MB in each of them and nothing of the host's.
 */
const SERVICE = /\/sandbox-worker\.js$/;

if (process.env['ADSLATE_SOAK_SERVICE'] === 'outside') {
  const outside = new URL('service-outside.mjs', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => next(SERVICE.test(specifier) ? outside : specifier, context),
  });
}

const folder = process.env['ADSLATE_SOAK_INSIDE'];
if (folder !== undefined) {
  const channel = new BroadcastChannel('soak');
  channel.unref();
  channel.onmessage = () => tell(folder);
  // A signal reaches the main thread alone, and a channel every other one.
  if (isMainThread) {
    process.on('SIGUSR2', () => {
      channel.postMessage('look');
      void tell(folder);
    });
  }
}

/** @param {string} folder where each thread writes what it sees, as a file of its own */
async function tell(folder) {
  // As when memory runs out: what may be made again goes as well, and free room is given back. What the first turn finds
  // unreachable is let go of by finalizers, and collected by the second.
  const whole = { type: 'major', execution: 'sync', flavor: 'last-resort' };
  globalThis.gc?.(whole);
  await nextTurn();
  globalThis.gc?.(whole);
  const timers = process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
  const { used_heap_size, external_memory } = getHeapStatistics();
  const file = join(folder, `thread-${threadId}`);
  writeFileSync(`${file}.part`, JSON.stringify({ timers, live: used_heap_size + external_memory }));
  renameSync(`${file}.part`, file);
}
