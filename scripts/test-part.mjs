/**
 * One part of `npm test` in a process of its own, so that parts run beside each other and each counts its own seconds of CPU.
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
/** Lower than usual: whoever waits for a browser goes first, and the unit tests take what is left. */
const BACKGROUND_NICE = 5;

/** Files in memory: tests wait for thousands of flushes, and a disk makes them take a third longer. */
const MEMORY_FOLDER = '/dev/shm';
/** Bytes that must be free there for both parts, and twice as many in all. */
const MEMORY_BYTES = 8 * 2 ** 30;

/** A folder in memory for temporary files; null where there is none, too little memory, or another folder is wanted. */
function memoryFolder() {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY_FOLDER)) return null;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize < MEMORY_BYTES || freemem() < 2 * MEMORY_BYTES) return null;
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'adslate-test-'));
  // As the usual folder: a database server of the tests runs as another user.
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
// Nobody would read the result, and what a part has started ends with it.
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
