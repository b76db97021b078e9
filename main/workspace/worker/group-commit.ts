/** Runs calls in transactions of a few at a time; each is answered once its own commit is on the disk. */
export interface GroupCommit {
  /** @param isUrgent somebody stands still until it is done: it goes before what waits and is not */
  ask(run: () => unknown, isUrgent?: boolean): Promise<unknown>;
  /** Commits what still waits. */
  finish(): void;
}

interface Asked {
  readonly isUrgent: boolean;
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
}

/** An edit that comes meanwhile waits for one group at most, so a group must be short. */
const GROUP_MAX = 4;

/**
 * A commit waits for the disk, and calls that come while it waits can share the next one: what a sync writes down for
 * several campaigns at once then costs one flush instead of one each. A group of which one fails is undone, and each
 * of its calls runs by itself, so that a failure is its own caller's alone.
 *
 * @param tx runs work in a transaction that is durable when it returns
 */
export function createGroupCommit(tx: <T>(work: () => T) => T): GroupCommit {
  const waiting: Asked[] = [];
  let isDue = false;

  const commitSome = (): void => {
    const group = waiting.splice(0, GROUP_MAX);
    const values = group.length > 1 ? together(group) : null;
    for (const [at, one] of group.entries()) {
      if (values === null) alone(one);
      else one.resolve(values[at]);
    }
  };
  const together = (group: readonly Asked[]): readonly unknown[] | null => {
    try {
      return tx(() => group.map(({ run }) => run()));
    } catch {
      // Whose failure it is shows when each runs by itself; everything was rolled back.
      return null;
    }
  };
  const alone = ({ run, resolve, reject }: Asked): void => {
    try {
      resolve(tx(run));
    } catch (problem) {
      reject(problem);
    }
  };
  const onDue = (): void => {
    isDue = false;
    commitSome();
    plan();
  };
  /** After the messages that have come by now, so that they are in the same group. */
  const plan = (): void => {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    setImmediate(onDue);
  };
  return {
    ask: (run, isUrgent = false) =>
      new Promise((resolve, reject) => {
        const behind = isUrgent ? waiting.findIndex((other) => !other.isUrgent) : -1;
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { run, resolve, reject, isUrgent });
        plan();
      }),
    finish: () => {
      while (waiting.length > 0) commitSome();
    },
  };
}
