/** Progress and cancellation of a long call. */
export interface TaskOptions {
  readonly taskId: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A task in the writer's thread: a flag in shared memory, since the thread reads no messages while it works. */
export interface TaskFlag {
  readonly taskId: string;
  readonly stop: SharedArrayBuffer;
}

/** The running taskFlags, in the main thread. A canceled task rolls back and returns `cancelled`. */
export type TaskFlags = ReturnType<typeof createTaskFlags>;

export function createTaskFlags() {
  const running = new Map<string, TaskOptions>();
  return {
    run: async <T>(options: TaskOptions, work: (flag: TaskFlag) => Promise<T>): Promise<T> => {
      const buffer = new SharedArrayBuffer(4);
      const stop = new Int32Array(buffer);
      const abort = () => Atomics.store(stop, 0, 1);
      if (options.signal?.aborted === true) abort();
      options.signal?.addEventListener('abort', abort, { once: true });
      running.set(options.taskId, options);
      try {
        return await work({ taskId: options.taskId, stop: buffer });
      } finally {
        running.delete(options.taskId);
        options.signal?.removeEventListener('abort', abort);
      }
    },
    progress: (taskId: string, done: number, total: number) => running.get(taskId)?.onProgress?.(done, total),
  };
}

/** A task shorter than this shows no progress; after it, at most ten messages a second are sent. */
const QUIET_MS = 300;
const PAUSE_MS = 100;

/** The writer's side of a task: reads the flag, and reports progress if the task takes long. */
export function taskOf(flag: TaskFlag, tell: (taskId: string, done: number, total: number) => void) {
  const stop = new Int32Array(flag.stop);
  let next = performance.now() + QUIET_MS;
  return {
    isCancelled: () => Atomics.load(stop, 0) !== 0,
    progress: (done: number, total: number) => {
      if (performance.now() < next) return;
      next = performance.now() + PAUSE_MS;
      tell(flag.taskId, done, total);
    },
  };
}
