import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pinnedNode } from './install.mjs';

/**
 * Starts a packaged web host on a new folder, with a practice account, and measures start time and memory.
 *
 * @returns {Promise<{ startMs: number, residentBytes: number | null }>} null where the system does not report memory
 */
export async function measurePackage(folder) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adslate-package-'));
  const words = [join(folder, 'bin', 'adslate.mjs'), '--data', dataDir, '--no-open', '--ready-json'];
  const startedAt = performance.now();
  const child = spawn(pinnedNode(), words, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'], env: {} });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (JSON.parse(line).ready === true) {
        return { startMs: performance.now() - startedAt, residentBytes: residentBytes(child.pid) };
      }
    }
    throw new Error('The package ended before it was ready.');
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function residentBytes(pid) {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status) ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
