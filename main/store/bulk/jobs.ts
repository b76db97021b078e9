/** Progress and cancellation of a long call. */
export interface JobOptions {
  readonly jobId: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A job in the writer's thread: a flag in shared memory, since the thread reads no messages while it works. */
export interface JobFlag {
  readonly jobId: string;
  readonly stop: SharedArrayBuffer;
}

/** The running jobs, in the main thread. A canceled job rolls back and returns `cancelled`. */
export type Jobs = ReturnType<typeof createJobs>;

export function createJobs() {
  const running = new Map<string, JobOptions>();
  return {
    run: async <T>(options: JobOptions, work: (flag: JobFlag) => Promise<T>): Promise<T> => {
      const buffer = new SharedArrayBuffer(4);
      const stop = new Int32Array(buffer);
      const abort = () => Atomics.store(stop, 0, 1);
      if (options.signal?.aborted === true) abort();
      options.signal?.addEventListener('abort', abort, { once: true });
      running.set(options.jobId, options);
      try {
        return await work({ jobId: options.jobId, stop: buffer });
      } finally {
        running.delete(options.jobId);
        options.signal?.removeEventListener('abort', abort);
      }
    },
    progress: (jobId: string, done: number, total: number) => running.get(jobId)?.onProgress?.(done, total),
  };
}

/** A job shorter than this shows no progress; after it, at most ten messages a second are sent. */
const QUIET_MS = 300;
const PAUSE_MS = 100;

/** The writer's side of a job: reads the flag, and reports progress if the job takes long. */
export function jobOf(flag: JobFlag, tell: (jobId: string, done: number, total: number) => void) {
  const stop = new Int32Array(flag.stop);
  let next = performance.now() + QUIET_MS;
  return {
    isCancelled: () => Atomics.load(stop, 0) !== 0,
    progress: (done: number, total: number) => {
      if (performance.now() < next) return;
      next = performance.now() + PAUSE_MS;
      tell(flag.jobId, done, total);
    },
  };
}
