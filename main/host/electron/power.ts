import type { OwnRest } from '../../rest.ts';

/** What Electron's power monitor says, as far as it is heard here. */
interface PowerEvents {
  on(event: 'suspend', listener: () => void): unknown;
  on(event: 'resume', listener: () => void): unknown;
}

/**
 * Sleep and resume of the machine: while it sleeps nothing is looked up, and what fell due meanwhile is looked up at once
 * when it wakes. Timers alone would be late by as long as the machine slept.
 */
export function followPower(monitor: PowerEvents, rest: OwnRest): void {
  monitor.on('suspend', () => rest.rest());
  monitor.on('resume', () => rest.wake());
}
