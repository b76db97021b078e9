export type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Writes go to main one after the other, in the order in which they were asked for. Two that are on their way at once
 * may be answered the other way round, and filling down right after typing would repeat what was there before.
 */
export function createOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
