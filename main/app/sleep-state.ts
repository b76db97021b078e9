/**
 * Whether the machine sleeps. What looks at the service by itself rests meanwhile, and whoever waits to catch up is told
 * when it wakes. The host says both; without a host that knows, nothing ever rests.
 */
export interface SleepState {
  isResting(): boolean;
  /** @returns a function that ends the listening */
  onWake(listener: () => void): () => void;
}

export interface MutableSleepState extends SleepState {
  rest(): void;
  wake(): void;
}

export function createSleepState(): MutableSleepState {
  const listeners = new Set<() => void>();
  let resting = false;
  return {
    isResting: () => resting,
    onWake: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    rest: () => {
      resting = true;
    },
    wake: () => {
      resting = false;
      for (const listener of [...listeners]) listener();
    },
  };
}
