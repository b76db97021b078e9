import type { HostName } from '../app/app-info.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import type { ConfirmSync } from '../app/confirm-large-sync.ts';
import type { CredentialStore, PreferencesPort, Updates } from '../app/host-ports.ts';
import type { FreeBytes } from '../app/system.ts';
import { startExchangeThread } from '../files/spreadsheet/exchange-thread.ts';
import { startServiceThread } from '../practice/practice-service.ts';
import { runSafetyTask } from '../store/safety/task.ts';
import { startThread } from '../store/worker/start-thread.ts';

/**
 * Starts worker threads: those of an open account, an import or export, a practice service, and a copy, comparison or
 * recovery of a workspace. Tests that are not about threads pass others, which run the same code with the same
 * messages in the thread of the test and save the 0.1 s of CPU of each start.
 */
export const THREADS = {
  account: startThread,
  exchange: startExchangeThread,
  practice: startServiceThread,
  safety: runSafetyTask,
};

export type Threads = Readonly<typeof THREADS>;

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
