import type { MutableSleepState } from '../../app/sleep-state.ts';

/** What Electron's power monitor says, as far as it is heard here. */
interface PowerEvents {
  on(event: 'suspend', listener: () => void): unknown;
  on(event: 'resume', listener: () => void): unknown;
  /** Electron's declarations leave its event out. */
  on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
}

/**
 * Sleep and resume of the machine: while it sleeps nothing is looked up, and what fell due meanwhile is looked up at once
 * when it wakes. Timers alone would be late by as long as the machine slept. A machine that is switched off waits for the
 * last commit (Windows tells this to windows: see `window.ts`).
 */
export function watchPowerEvents(monitor: PowerEvents, rest: MutableSleepState, leave: () => void): void {
  monitor.on('suspend', () => rest.rest());
  monitor.on('resume', () => rest.wake());
  monitor.on('shutdown', (event) => {
    event?.preventDefault();
    leave();
  });
}
