import { databaseProblemText } from '../../shared/error-help/database-problem.ts';
import { errorCode } from '../app/system.ts';
import type { Stop } from '../sync/ports.ts';
import { isDefect } from '../sync/run-queue.ts';
import { TeamFailure } from './connection.ts';
import type { LeaseKey, SenderDatabase } from './intents.ts';
import { failedStep } from './team-place.ts';

export type Lease = ReturnType<typeof holdLease>;

export interface LeaseClock {
  monotonicMs(): number;
  sleep(delayMs: number): Promise<void>;
  /** Runs something after a delay, unless it is stopped. @returns what stops it */
  startTimer(run: () => void, delayMs: number): () => void;
}

const RENEW_MS = 15_000;
/** Between two tries of a call that the connection has not survived; together less than a lease lasts. */
const WAITS_MS = [200, 1000, 3000, 8000] as const;

export const LEASE_TAKEN = 'A colleague syncs now.';

/**
 * The lease of this computer while it has it. Each write by it keeps it for another minute; a timer does so in between.
 * It ends, and cannot be had back, when a colleague has taken it, or when the database cannot be reached: then nothing more is sent.
 */
export function holdLease(db: SenderDatabase, key: LeaseKey, clock: LeaseClock) {
  let loss: Stop | null = null;
  let keptAt = clock.monotonicMs();
  let isOver = false;
  let stopTimer = (): void => {};
  const lose = (detail: string): void => {
    loss ??= { cause: 'team', detail };
  };
  /** Makes a call on the database, again and again for a while. @returns null once the lease is lost */
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
  /** Keeps it when it is due. Called by the timer, and by tests with a clock of their own. */
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
    /** Why nothing may be sent any more; null while it may. */
    lost: (): Stop | null => loss,
    lose,
    use,
    keep,
    /** @param pollAfterMs when the next computer may ask the service by itself; null leaves it as it is */
    end: async (pollAfterMs: number | null): Promise<void> => {
      isOver = true;
      stopTimer();
      // A lease that cannot be given back ends by itself.
      await use(() => db.release(key, pollAfterMs));
    },
  };
}

/** Classes of SQLSTATE after which the same call may succeed: connection, resources, shutdown, serialization. */
const PASSING = ['08', '53', '57', '40', '55'];

function mayPass(thrown: unknown): boolean {
  const state = errorCode(thrown) ?? '';
  return !/^[0-9A-Z]{5}$/.test(state) || PASSING.includes(state.slice(0, 2));
}

/** What a call that failed says to the user; faults of ours are passed on. */
export function whyAway(thrown: unknown): string {
  if (isDefect(thrown)) throw thrown;
  if (errorCode(thrown) === '42501') return 'You can no longer sync this account. Ask an admin of the team.';
  if (thrown instanceof TeamFailure) return databaseProblemText(failedStep(thrown));
  return `Can't reach the team's database (${thrown instanceof Error ? thrown.message : String(thrown)}).`;
}
