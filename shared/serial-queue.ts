export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A line in which work waits for what was asked for before it, however that ended; each caller gets its own outcome
 * and its own failure. For files and rows where each change starts from what the one before has written.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** A line for each owner: all who name the same one wait for each other. */
export function createSerialQueues(): (owner: object) => SerialQueue {
  const queues = new WeakMap<object, SerialQueue>();
  return (owner) => {
    const queue = queues.get(owner) ?? createSerialQueue();
    queues.set(owner, queue);
    return queue;
  };
}
