export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs work one at a time, in the order of calls. A failure does not stop later work, and each caller gets its own
 * result. For files and rows where each change starts from the result of the one before.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** One serial queue for each owner. */
export function createSerialQueues(): (owner: object) => SerialQueue {
  const queues = new WeakMap<object, SerialQueue>();
  return (owner) => {
    const queue = queues.get(owner) ?? createSerialQueue();
    queues.set(owner, queue);
    return queue;
  };
}
