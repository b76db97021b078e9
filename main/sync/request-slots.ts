/**
 * The few places from which requests are made. Who waits for one gets it in the order of their works, not of arrival:
 * what was begun first is finished first, and later works fill the gaps.
 */
export interface RequestSlots {
  /**
   * Does the work as soon as fewer than `limit()` others are at theirs; one is always allowed.
   *
   * @param order position of the work; lower ones go first
   */
  run<T>(order: number, limit: () => number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly order: number;
  readonly limit: () => number;
  readonly begin: () => void;
}

export function createRequestSlots(): RequestSlots {
  let busy = 0;
  const line: Waiting[] = [];
  const admit = (): void => {
    for (let first = line[0]; first !== undefined && busy < Math.max(1, first.limit()); first = line[0]) {
      line.shift();
      busy++;
      first.begin();
    }
  };
  return {
    run: async (order, limit, work) => {
      await new Promise<void>((begin) => {
        const behind = line.findIndex((other) => other.order > order);
        line.splice(behind < 0 ? line.length : behind, 0, { order, limit, begin });
        admit();
      });
      try {
        return await work();
      } finally {
        busy--;
        admit();
      }
    },
  };
}
