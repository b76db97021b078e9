import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { type LongTask, NO_OBSERVER } from '../../app/long-task.ts';
import { stopWorker, workerEntry } from '../../app/workers.ts';
import type { ExchangeCalls, ExchangeNews } from './worker/entry.ts';

/** A thread for one import or export: what it has read goes with it. */
export type ExchangeThread = ReturnType<typeof startExchangeThread>;

/**
 * Rows pass through; what stays of a million of them is small. The limit keeps V8 from letting the heap grow out of
 * convenience, and a sheet that needs more is refused instead of taking the machine's memory.
 */
const KEPT_MB = 256;
const PASSING_MB = 24;

/** True for the failure of a thread that ran out of the memory it may have. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && /out of memory|memory limit/iu.test(error.message);

/** @param keptMb what the thread may keep, in MiB */
export function startExchangeThread(keptMb = KEPT_MB) {
  const resourceLimits = { maxOldGenerationSizeMb: keptMb, maxYoungGenerationSizeMb: PASSING_MB };
  const worker = new Worker(workerEntry('exchange'), { name: 'exchange', resourceLimits });
  const exchange = exchangeOver(worker, () => stopWorker(worker));
  const fail = (why: string) => exchange.calls.$close(new Error(`the exchange thread has ended: ${why}`));
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => fail(`exit code ${code}`));
  return exchange;
}

/** A thread, or one end of a channel whose other end does the same work in this thread. */
interface ExchangePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * An import or export that is answered at the other end.
 *
 * @param ended resolves when the other end, which was told to close, has ended
 */
export function exchangeOver(port: ExchangePort, ended: () => Promise<unknown>) {
  let hear: LongTask['tellShare'] = NO_OBSERVER.tellShare;
  const calls = createBirpc<ExchangeCalls, ExchangeNews>(
    { share: (done) => hear(done) },
    {
      post: (message) => port.postMessage(message),
      on: (listener) => port.on('message', listener),
      timeout: -1,
    },
  );
  const end = async (): Promise<void> => {
    if (!calls.$closed) await calls.close.asEvent();
    await ended();
  };
  return {
    calls,
    /** Has somebody hear of what the thread does meanwhile, and end it: then the thread ends, and what it knows is gone. */
    during: async <T>({ tellShare, signal }: LongTask, run: () => Promise<T>): Promise<T> => {
      const stop = (): void => void end();
      hear = tellShare;
      signal.throwIfAborted();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await run();
      } catch (error) {
        // The calls of a thread that was ended fail, which is no failure of theirs.
        signal.throwIfAborted();
        throw error;
      } finally {
        hear = NO_OBSERVER.tellShare;
        signal.removeEventListener('abort', stop);
      }
    },
    end,
  };
}
