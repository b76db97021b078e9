import type { HostName } from '../app/app-info.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import type { ConfirmSync } from '../app/confirm-large-sync.ts';
import type { CredentialStore, PreferencesPort, Updates } from '../app/host-ports.ts';
import type { FreeBytes } from '../app/system.ts';
import type { Threads } from './threads.ts';

/** What a host provides to start the core. Electron and plain Node differ in these and nothing else. */
export interface CoreOptions {
  /** All files are stored below this folder; two data folders share nothing. */
  readonly dataDir: string;
  readonly host: HostName;
  readonly clock: Clock;
  readonly preferences: PreferencesPort;
  readonly secrets: CredentialStore;
  /** The `fetch` of the client: Electron passes one that uses the system's proxy. */
  readonly fetch?: typeof fetch;
  /** Whether the computer sleeps, where the host can report it. */
  readonly sleepState?: SleepState;
  /** Updates of the program; absent where the host has none, or no feed is configured. */
  readonly updates?: (changed: () => void) => Updates;
  /** Free bytes of a disk; absent for those that the system reports. */
  readonly freeBytes?: FreeBytes;
  readonly threads: Threads;
  /** Confirms a large sync (`CONFIRM_ABOVE`) outside every window; absent for hosts without such a dialog. */
  readonly confirmLargeSync?: ConfirmSync;
}
