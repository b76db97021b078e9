import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Stands in the host where its practice service would run (`inside.ts` puts it there): starts that service in a process
 * of its own and passes on that it is ready. What a service gathers, its calls and all that was sent to it, is then
 * not taken for the editor's memory.
 */
const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'sandbox', 'cli.js');

/** What the host asks of its practice service. */
interface Wish {
  readonly dataDir: string;
  readonly scenario: string;
  readonly extensions: boolean;
  readonly clock: string;
  readonly port: number;
}

if (parentPort === null) throw new Error('This runs in a thread of the host.');
const host = parentPort;
const { dataDir, scenario, extensions, clock, port }: Wish = workerData;
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
