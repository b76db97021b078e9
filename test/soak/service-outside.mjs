import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Stands in the host where its practice service would run (`inside.mjs` puts it there): starts that service in a process
 * of its own and passes on that it is ready. What a service gathers, its calls and all that was sent to it, is then
 * not taken for the editor's memory.
 */
const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'sandbox', 'cli.js');

if (parentPort === null) throw new Error('This runs in a thread of the host.');
const host = parentPort;
/** @type {{ dataDir: string, scenario: string, extensions: boolean, clock: string, port: number }} what the host asks of its practice service */
const { dataDir, scenario, extensions, clock, port } = workerData;
const words = ['--data', dataDir, '--scenario', scenario, '--clock', clock, '--port', String(port)];
const service = spawn(process.execPath, [PROGRAM, ...words, '--extensions', extensions ? 'on' : 'off'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(service, 'exit');
// The host says one thing only: that it is over.
host.once('message', () => service.kill('SIGTERM'));
for await (const line of createInterface({ input: service.stdout })) host.postMessage({ ready: JSON.parse(line) });
await ended;
host.close();
