/**
 * One part of `npm test` in a separate process, so that parts run in parallel and each measures its own CPU time.
 * Started by `test.mjs`, which gets the result as a message.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, setPriority } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds } from './cpu.mjs';
import { endToEnd } from './test-e2e.mjs';
import { gates } from './test-gates.mjs';
import { unitTests } from './test-unit.mjs';

const PARTS = { gates, unit: unitTests, e2e: endToEnd };
/** Lower priority than normal: the browser tests come first, and the unit tests use the remaining CPU time. */
const BACKGROUND_NICE = 5;

/** Files in memory: tests wait for thousands of flushes, and on a disk they take a third longer. */
const MEMORY_FOLDER = '/dev/shm';
/** Bytes that must be free there for both parts, and twice as many in total. */
const MEMORY_BYTES = 8 * 2 ** 30;

/** A folder in memory for temporary files; null without one, with too little memory, or if another folder is set. */
function memoryFolder() {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY_FOLDER)) return null;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize < MEMORY_BYTES || freemem() < 2 * MEMORY_BYTES) return null;
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'adslate-test-'));
  // Same mode as the usual temporary folder: a database server of the tests runs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return folder;
}

const [name, place] = process.argv.slice(2);
if (place === 'background') setPriority(BACKGROUND_NICE);
const folder = memoryFolder();
const tidy = () => {
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
// Nobody would read the result, and the child processes of a part end with it.
const giveIn = () => {
  tidy();
  process.kill(process.pid, 'SIGTERM');
};
process.once('disconnect', giveIn);

const startedAt = Date.now();
const counts = await PARTS[name]();
tidy();
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.send({ ...counts, seconds, cpu: cpuSeconds() }, () => {
  process.off('disconnect', giveIn);
  process.disconnect();
});
