import { databaseProblemText } from '../../shared/error-help/database-problem.ts';
import { errorCode } from '../app/system.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import type { Stop } from '../sync/ports.ts';
import { isDefect } from '../sync/run-queue.ts';
import { TeamFailure } from './connection.ts';
import type { LeaseKey, SenderDatabase } from './intents.ts';
import { failedStep } from './team-place.ts';

export type Lease = ReturnType<typeof holdLease>;

export interface LeaseClock {
  monotonicMs(): number;
  sleep(delayMs: number): Promise<void>;
  /** Runs `run` after a delay. @returns a function that cancels it */
  startTimer(run: () => void, delayMs: number): () => void;
}

const RENEW_MS = 15_000;
/** Pauses before a call is repeated after a lost connection; together shorter than a lease. */
const WAITS_MS = [200, 1000, 3000, 8000] as const;

export const LEASE_TAKEN = 'A colleague syncs now.';

/**
 * Holds the lease of this computer. Each write under the lease extends it by a minute; a timer renews it in between.
 * When a colleague has taken it, or the database can't be reached, it ends for good and nothing more is sent.
 */
export function holdLease(db: SenderDatabase, key: LeaseKey, clock: LeaseClock) {
  let loss: Stop | null = null;
  let keptAt = clock.monotonicMs();
  let isOver = false;
  let stopTimer = (): void => {};
  const lose = (detail: string): void => {
    loss ??= { cause: 'team', detail };
  };
  /** Calls the database and retries for a while. @returns null once the lease is lost */
  const use = async <T>(call: () => Promise<T>): Promise<T | null> => {
    for (let tries = 0; loss === null; tries++) {
      const asked = clock.monotonicMs();
      try {
        const answer = await call();
        keptAt = asked;
        return answer;
      } catch (thrown) {
        const why = whyAway(thrown);
        const waitMs = mayPass(thrown) ? WAITS_MS[tries] : undefined;
        if (waitMs === undefined) lose(why);
        else await clock.sleep(waitMs);
      }
    }
    return null;
  };
  /** Renews the lease when that is due. Called by the timer, and by tests with a clock of their own. */
  const keep = async (): Promise<void> => {
    if (isOver || loss !== null || clock.monotonicMs() - keptAt < RENEW_MS) return;
    if ((await use(() => db.renew(key))) === false) lose(LEASE_TAKEN);
  };
  const next = (): void => {
    stopTimer = clock.startTimer(() => void keep().finally(() => (isOver ? undefined : next())), RENEW_MS);
  };
  next();
  return {
    key,
    /** Why nothing may be sent any more; null while the lease is held. */
    lost: (): Stop | null => loss,
    lose,
    use,
    keep,
    /** @param pollAfterMs when the next computer may poll the service; null changes nothing */
    end: async (pollAfterMs: number | null): Promise<void> => {
      isOver = true;
      stopTimer();
      // A lease that can't be released expires.
      await use(() => db.release(key, pollAfterMs));
    },
  };
}

/** SQLSTATE classes of failures that may pass: connection, resources, shutdown, serialization. */
const PASSING = ['08', '53', '57', '40', '55'];

function mayPass(thrown: unknown): boolean {
  const state = errorCode(thrown) ?? '';
  return !/^[0-9A-Z]{5}$/.test(state) || PASSING.includes(state.slice(0, 2));
}

/** The text for the user about a failed call, of the database or of this computer's disk; defects are thrown again. */
export function whyAway(thrown: unknown): string {
  if (isDefect(thrown)) throw thrown;
  if (errorCode(thrown) === '42501') return 'You can no longer sync this account. Ask an admin of the team.';
  if (thrown instanceof TeamFailure) return databaseProblemText(failedStep(thrown));
  const disk = notWritableFrom(thrown);
  if (disk !== null)
    return `Can't write to the disk of this computer (${disk.data.detail}). When it can be written again, sync again.`;
  return `Adslate couldn't use the team's database (${thrown instanceof Error ? thrown.message : String(thrown)}). Sync again.`;
}
