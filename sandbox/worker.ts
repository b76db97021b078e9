import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { diskFault } from './disk-fault.ts';
import type { SandboxOptions } from './service.ts';
import { startSandbox } from './start.ts';

/**
 * The sandbox in a worker thread: options arrive as `workerData`. It posts `{ready}` when it listens, or `{failed}`
 * with the reason and the disk problem (`disk`: disk-full, read-only or null). The message 'close' ends it, answered by
 * `{closed: true}`.
 */
export async function answerSandbox(port: MessagePort, options: SandboxOptions): Promise<void> {
  try {
    const sandbox = await startSandbox(options);
    port.on('message', (message: unknown) => {
      if (message !== 'close') return;
      sandbox
        .close()
        .catch((problem: unknown) => process.stderr.write(`sandbox: ${String(problem)}\n`))
        .finally(() => {
          port.postMessage({ closed: true });
          port.close();
        });
    });
    port.postMessage({ ready: sandbox.ready });
  } catch (problem) {
    port.postMessage({
      failed: problem instanceof Error ? problem.message : String(problem),
      disk: diskFault(problem),
    });
    port.close();
  }
}

if (parentPort !== null) await answerSandbox(parentPort, workerData ?? {});
