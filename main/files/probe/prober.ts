import { Worker } from 'node:worker_threads';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { MediaFacts } from '../../../shared/model/media.ts';
import { err, type Result } from '../../../shared/result.ts';
import { createSerialQueue } from '../../../shared/serial-queue.ts';
import { stopWorker, workerEntry } from '../../app/workers.ts';

/**
 * Probes files in one worker thread with little memory and a time limit, so that a hostile file costs its own
 * probe and nothing else: a crash or a time-out is "cannot be read", and the next file gets a new thread.
 */
export type Prober = ReturnType<typeof createProber>;

type Probed = Result<MediaFacts, FileRefusal>;

const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 } as const;
/** A probe takes milliseconds; the rest is room for a machine that is busy. */
const PROBE_LIMIT_MS = 15_000;

export function createProber() {
  let worker: Worker | null = null;
  const inTurn = createSerialQueue();

  const start = (): Worker => {
    const started = new Worker(workerEntry('probe'), { resourceLimits: LIMITS, name: 'probe' });
    started.unref();
    worker = started;
    return started;
  };
  /** One that is stuck in a file hears nothing any more. */
  const drop = async (failed: Worker): Promise<void> => {
    if (worker === failed) worker = null;
    await failed.terminate();
  };

  const probeNow = (path: string): Promise<Probed> => {
    const current = worker ?? start();
    current.ref();
    return new Promise((resolve) => {
      const finish = (answer: Probed) => {
        clearTimeout(timer);
        current.off('message', finish).off('error', fail).off('exit', fail);
        current.unref();
        resolve(answer);
      };
      // What went wrong inside the thread is of no use to the user; the file is what they can change.
      const fail = () => {
        finish(err(fileRefusal('cannot-read', { code: 'damaged' })));
        void drop(current);
      };
      const timer = setTimeout(fail, PROBE_LIMIT_MS);
      current.on('message', finish).once('error', fail).once('exit', fail);
      current.postMessage(path);
    });
  };

  return {
    probe: (path: string): Promise<Probed> => inTurn(() => probeNow(path)),
    close: async () => {
      await inTurn(async () => undefined);
      const idle = worker;
      worker = null;
      if (idle === null) return;
      idle.postMessage(null);
      await stopWorker(idle);
    },
  };
}
