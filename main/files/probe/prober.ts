import { Worker } from 'node:worker_threads';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { MediaFacts } from '../../../shared/model/media.ts';
import { err, type Result } from '../../../shared/result.ts';
import { createSerialQueue } from '../../../shared/serial-queue.ts';
import { type LongTask, NO_OBSERVER } from '../../app/long-task.ts';
import { stopWorker, workerEntry } from '../../app/workers.ts';
import type { VideoTask } from './entry.ts';
import type { Trimmed, TrimOptions } from './trim-video.ts';

/**
 * Probes files in one worker thread with little memory and a time limit, so that a hostile file only affects its own
 * probe: after a crash or a timeout, the next file gets a new thread.
 */
export type Prober = ReturnType<typeof createProber>;

type Probed = Result<MediaFacts, FileRefusal>;

const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 } as const;
/** A probe takes milliseconds; the rest is reserve for a busy computer. */
const PROBE_LIMIT_MS = 15_000;
/** The table of contents of a long video is read as a whole. */
const TRIM_LIMITS = { ...LIMITS, maxOldGenerationSizeMb: 256 } as const;

/** @param limitMs time limit of a probe, or of longer work between two progress messages */
export function createProber(limitMs = PROBE_LIMIT_MS) {
  let worker: Worker | null = null;
  const inTurn = createSerialQueue();

  const start = (): Worker => {
    const started = new Worker(workerEntry('probe'), { resourceLimits: LIMITS, name: 'probe' });
    started.unref();
    worker = started;
    return started;
  };
  /** Terminates a worker that is stuck in a file and does not respond. */
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
      const giveUp = (refusal: FileRefusal) => {
        finish(err(refusal));
        void drop(current);
      };
      const fail = (why: unknown) => giveUp(checkFailed(why));
      const timer = setTimeout(() => giveUp(timedOut(limitMs)), limitMs);
      current.on('message', finish).once('error', fail).once('exit', fail);
      current.postMessage(path);
    });
  };

  return {
    /** Times at which a trimmed video can begin, milliseconds. */
    keyFrames: (path: string): Promise<Result<readonly number[], FileRefusal>> =>
      runApart({ is: 'key-frames', path }, NO_OBSERVER, limitMs),
    /** @throws the reason of the signal when canceled; the caller removes the partial file */
    trim: (order: TrimOptions, work: LongTask): Promise<Result<Trimmed, FileRefusal>> =>
      runApart({ is: 'trim', ...order }, work, limitMs),
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

const timedOut = (limitMs: number): FileRefusal => fileRefusal('check-timed-out', { seconds: limitMs / 1000 });

/** @param why the error that ended the thread, such as a lack of memory, or its exit code */
const checkFailed = (why: unknown): FileRefusal =>
  fileRefusal('check-failed', { what: why instanceof Error ? why.message : `exit code ${String(why)}` });

/** Runs work in a separate thread, which ends with the work. */
async function runApart<T>(
  order: VideoTask,
  { tellShare, signal }: LongTask,
  limitMs: number,
): Promise<Result<T, FileRefusal>> {
  const worker = new Worker(workerEntry('probe'), { resourceLimits: TRIM_LIMITS, name: order.is });
  const { promise, resolve, reject } = Promise.withResolvers<Result<T, FileRefusal>>();
  const fail = (why: unknown): void => resolve(err(checkFailed(why)));
  const stop = (): void => reject(signal.reason);
  let isStuck = false;
  const timer = setTimeout(() => {
    isStuck = true;
    resolve(err(timedOut(limitMs)));
  }, limitMs);
  worker.once('error', fail).once('exit', fail);
  worker.on('message', (told: Result<T, FileRefusal> | { readonly share: number }) => {
    if ('share' in told) {
      timer.refresh();
      tellShare(told.share);
    } else resolve(told);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  worker.postMessage(order);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // A thread inside a call of the system, such as opening a file of a lost network drive, ends only after that call.
    const ended = worker.terminate();
    if (!isStuck) await ended;
  }
}
