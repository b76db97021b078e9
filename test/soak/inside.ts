import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Loaded into every thread of the host that is watched (`--import`): says how many timers the thread has set, which
 * nobody sees from outside. The one that makes it write is not counted: it keeps nothing alive.
 */
const EVERY_MS = 5000;
const folder = process.env['ADSLATE_SOAK_INSIDE'];
if (folder !== undefined) {
  const file = join(folder, `thread-${threadId}`);
  setInterval(() => {
    const timers = process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    writeFileSync(`${file}.part`, String(timers));
    renameSync(`${file}.part`, file);
  }, EVERY_MS).unref();
}
