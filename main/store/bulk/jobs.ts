/** What the caller of a long call may want to know of it, and how it may end it. */
export interface JobOptions {
  readonly jobId: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** How the writer's thread sees a job: a flag in shared memory, since it reads no messages while it works. */
export interface JobFlag {
  readonly jobId: string;
  readonly stop: SharedArrayBuffer;
}

/** The jobs under way, in the main thread. A job that is stopped rolls back and answers `cancelled`. */
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

/** Below this a job is over before anybody could read a bar; after it, no more than ten messages a second. */
const QUIET_MS = 300;
const PAUSE_MS = 100;

/** The writer's side of a job: reads the flag, and says how far it is when it takes long. */
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
