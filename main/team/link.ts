import type { TEAM_AREAS, TEAM_STATES } from '../../shared/api/choices.ts';
import { databaseProblemText } from '../../shared/error-help/database-problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import { type ConnectionFields, connectTeam, type Queries, type TeamConnection, TeamFailure } from './connection.ts';
import {
  type Exchanged,
  needsFormat,
  type RoundDeps,
  type SharingStop,
  type SharingStore,
  shareAll,
  stopText,
  takeAll,
} from './share-round.ts';
import type { Signing } from './signing.ts';
import { CHANGE_SET_FORMAT, openTeamLog } from './team-log.ts';
import { failedStep } from './team-place.ts';

export interface LinkState {
  readonly is: (typeof TEAM_STATES)[number];
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The problem in words; null where the state is explanation enough. */
  readonly problem: string | null;
  /** The last log entry when the database was last asked. */
  readonly head: number;
}

/** The answer to a heartbeat: the state of the log, and the rights of this member. */
export interface Beat {
  readonly head: number;
  readonly minReader: number;
  readonly minWriter: number;
  readonly mayEdit: boolean;
}

export interface LinkDeps {
  readonly account: string;
  readonly store: SharingStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sleepState?: SleepState | undefined;
  /** @throws a `TeamFailure` without the password */
  readonly hosts: () => Promise<readonly ConnectionFields[]>;
  /** Sends a heartbeat and returns its answer. */
  readonly beat: (connection: Queries) => Promise<Beat>;
  /** How entries are signed and verified; null in a database without signatures. */
  readonly signing: () => Promise<Signing | null>;
  readonly takeSnapshot: (connection: Queries) => ReturnType<RoundDeps['takeSnapshot']>;
  /** Called after an exchange to create, confirm and compare snapshots. */
  readonly keepSnapshots: (connection: Queries) => Promise<void>;
  readonly changed: (areas: readonly (typeof TEAM_AREAS)[number][]) => void;
  /** Calls a listener after each change of the account's rows. */
  readonly edited: (listener: () => void) => () => void;
  /** Called after an exchange for tasks outside the log. */
  readonly idle?: () => Promise<unknown>;
}

/** Why nothing was exchanged. */
export type LinkProblem = TeamFailure | { readonly problem: 'stopped'; readonly stop: SharingStop };

/** Edits are collected for this long before they are shared. */
const GATHER_MS = 300;
const BEAT_MS = 15_000;
/** Polling interval of the log when no notices arrive. */
const ASK_MS = 5000;
const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 30_000;
/** Retry interval for problems that a person has to fix. */
const REFUSED_MS = 60_000;
const texts = {
  passwordRefused: 'The database did not accept the password on this computer. It may have been changed.',
} as const;

const FOR_A_PERSON = new Set<LinkProblem['problem']>([
  'no-access',
  'password',
  'login',
  'locked',
  'forgotten',
  'stopped',
]);
const TURN_MS = 300;

/**
 * Keeps an open account in sync with its team: connects, reconnects after a cut, takes the entries of colleagues and
 * shares edits.
 *
 *   connecting --> online <----> offline      cut; reconnects with growing pauses
 *                    |  '------> restoring    the database has lost entries: they are reverted here, then shared again
 *                    |---------> damaged      the log is damaged or lacks entries: nothing is shared
 *                    |---------> old-version  the team requires a newer version; may still read, or not even that
 *                    '---------> no-access    the member was removed, or may not log in
 *   locked: the password can't be read until the credentials are unlocked
 *   no-password: it was in memory only or is refused, and has to be entered again
 */
export function createTeamLink(deps: LinkDeps) {
  const { account, store, clock, random } = deps;
  const closing = new AbortController();
  const inTurn = createSerialQueue();
  let state: LinkState = { is: 'connecting', since: clock.nowMs(), problem: null, head: 0 };
  let live: Promise<TeamConnection> | null = null;
  let isConnecting = false;
  /** Something was read over the last connection: after a cut, an early retry is likely to succeed. */
  let hasRead = false;
  let sleeping: AbortController | null = null;
  const wants = { take: true, share: true, beatAt: 0 };
  let beat: Beat = { head: 0, minReader: 1, minWriter: 1, mayEdit: false };

  const say = (is: LinkState['is'], problem: string | null = null, head = state.head): void => {
    const isNews = is !== state.is || problem !== state.problem;
    state = { is, problem, head, since: isNews ? clock.nowMs() : state.since };
    if (isNews) deps.changed(['status']);
  };
  const wake = (): void => sleeping?.abort();
  const sleep = async (delayMs: number): Promise<void> => {
    sleeping = new AbortController();
    await clock.sleep(delayMs, AbortSignal.any([sleeping.signal, closing.signal]));
    sleeping = null;
  };

  const open = async (): Promise<TeamConnection> => {
    const hosts = await deps.hosts();
    isConnecting = true;
    const connection = await connectTeam(hosts, {
      clock,
      random,
      noticed: (of) => {
        if (of !== account) return;
        wants.take = true;
        wake();
      },
      ended: () => {
        live = null;
        wake();
      },
    }).finally(() => {
      isConnecting = false;
    });
    if (closing.signal.aborted) {
      await connection.close();
      throw new TeamFailure('unreachable', '', 'the account was closed');
    }
    Object.assign(wants, { take: true, share: true, beatAt: 0 });
    return connection;
  };
  const connected = (): Promise<TeamConnection> => {
    live ??= open().catch((error: unknown) => {
      live = null;
      throw error;
    });
    return live;
  };
  const failed = (error: unknown): TeamFailure => {
    if (!(error instanceof TeamFailure)) throw error;
    if (!closing.signal.aborted) {
      // The member's rights are read again.
      wants.beatAt = 0;
      const { problem } = error;
      if (problem === 'locked') say('locked');
      else if (problem === 'forgotten') say('no-password');
      else if (problem === 'password') say('no-password', texts.passwordRefused);
      else if (problem === 'no-access' || problem === 'login') say('no-access');
      else say('offline', databaseProblemText(failedStep(error)));
    }
    return error;
  };

  /** Sends a heartbeat, takes new entries, and shares local changes. */
  const round = async (connection: TeamConnection): Promise<Result<Exchanged, SharingStop>> => {
    let full: TeamFailure | null = null;
    if (clock.monotonicMs() >= wants.beatAt) {
      try {
        beat = await deps.beat(connection);
        wants.beatAt = clock.monotonicMs() + (connection.hasNotices ? BEAT_MS : ASK_MS);
      } catch (error) {
        // A full disk of the server still allows reading, so entries of colleagues are taken.
        if (!(error instanceof TeamFailure) || error.problem !== 'disk-full') throw error;
        full = error;
      }
    }
    const { minReader, minWriter, mayEdit, head } = beat;
    const before = await store.teamState();
    if (before === null) return err({ is: 'closed' });
    const log = openTeamLog(connection, account, before.desk, await deps.signing());
    const round = {
      store,
      log,
      pause: () => clock.sleep(TURN_MS * (0.5 + random()), closing.signal),
      takeSnapshot: () => deps.takeSnapshot(connection),
      goesBack: () => say('restoring'),
    };
    if (minReader > CHANGE_SET_FORMAT) return err(needsFormat('the team', minReader));
    wants.take = false;
    const taken = await takeAll(round);
    if (!taken.ok) return taken;
    hasRead = true;
    if (full !== null) throw full;
    if (minWriter > CHANGE_SET_FORMAT) return err(needsFormat('the team', minWriter));
    wants.share = false;
    const shared = mayEdit ? await shareAll(round) : ok({ shared: 0, taken: 0 });
    if (!shared.ok) return shared;
    const after = await store.teamState();
    say('online', null, Math.max(head, after?.position.seen.seq ?? 0));
    const total = { shared: taken.value.shared + shared.value.shared, taken: taken.value.taken + shared.value.taken };
    if (total.shared + total.taken > 0) deps.changed(['status', 'log']);
    return ok(total);
  };
  /** The member's role may have changed since the last heartbeat: reads it again and repeats the work once. */
  const retryWithNewRights = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TeamFailure) || error.problem !== 'no-access') throw error;
      wants.beatAt = 0;
      return work();
    }
  };
  const exchange = (): Promise<Result<Exchanged, LinkProblem>> =>
    inTurn(async () => {
      try {
        const done = await retryWithNewRights(async () => round(await connected()));
        if (done.ok) return done;
        const stop = done.error;
        if (stop.is === 'old-version') say('old-version', stop.needs);
        if (stop.is === 'damaged' || stop.is === 'behind') say('damaged', stopText(stop));
        return err({ problem: 'stopped', stop });
      } catch (error) {
        if (error instanceof TeamFailure && error.problem === 'disk-full') {
          say('online', databaseProblemText(failedStep(error)));
          return err(error);
        }
        return err(failed(error));
      }
    });

  let failures = 0;
  /** @returns milliseconds to wait until the next round */
  const turn = async (): Promise<number> => {
    const done = await exchange();
    if (done.ok) failures = 0;
    if (done.ok) return await rest();
    const { problem } = done.error;
    if (FOR_A_PERSON.has(problem)) return REFUSED_MS;
    failures = hasRead && problem === 'unreachable' ? 1 : failures + 1;
    hasRead = false;
    const pause = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** (failures - 1));
    return pause * (0.5 + random());
  };
  /** Nobody waits for the rounds, so a failure of this computer's disk would end the program. */
  const failedHere = (error: unknown): number => {
    const problem = notWritableFrom(error);
    if (problem === null) throw error;
    const { detail } = problem.data;
    say(
      'offline',
      `Can't write to the disk of this computer (${detail}). When it can be written again, sharing continues.`,
    );
    Object.assign(wants, { take: true, share: true });
    return RETRY_MOST_MS;
  };
  const rest = async (): Promise<number> => {
    if (live !== null) await inTurn(async () => deps.keepSnapshots(await connected())).catch(failed);
    if (!closing.signal.aborted) await deps.idle?.();
    return Math.max(0, wants.beatAt - clock.monotonicMs());
  };
  const runRounds = async (): Promise<void> => {
    const listens = [deps.edited(edited), deps.sleepState?.onWake(wake)];
    while (!closing.signal.aborted) {
      if (deps.sleepState?.isResting() === true) {
        await sleep(REFUSED_MS);
        continue;
      }
      const delayMs = await turn().catch(failedHere);
      if (state.is !== 'online' || !(wants.take || wants.share)) await sleep(delayMs);
      // Waits so that edits made in a row are shared together.
      if (wants.share && !wants.take) await clock.sleep(GATHER_MS, closing.signal);
    }
    for (const unlisten of listens) unlisten?.();
  };
  const edited = (): void => {
    wants.share = true;
    // Edits made offline are shared after reconnecting.
    if (state.is === 'online') wake();
  };
  let running: Promise<void> | null = null;
  const query = async (...asked: readonly unknown[]): Promise<unknown> => {
    const connection = await connected();
    return Reflect.apply(connection.query, connection, asked);
  };
  const queries: Queries = { query: query as Queries['query'] };

  return {
    state: () => state,
    /** Runs until the link is closed. */
    start: (): void => {
      running ??= runRounds();
    },
    /** Ends the pause before the next try. */
    tryNow: wake,
    /** Takes and shares now. */
    exchange,
    /** Sends a heartbeat only; takes and shares nothing. */
    look: (): Promise<void> =>
      inTurn(async () => {
        try {
          beat = await deps.beat(await connected());
          say('online', null, beat.head);
        } catch (error) {
          failed(error);
        }
      }),
    /** Sends a heartbeat at once, for information that goes with it. */
    beatSoon: (): void => {
      wants.beatAt = 0;
      if (state.is === 'online') wake();
    },
    /** Uses the current connection for each query, also after a reconnect. Throws a `TeamFailure`. */
    queries,
    /** Queries the database over the same connection. Failures are values. */
    ask: async <T>(work: () => Promise<T>): Promise<Result<T, LinkProblem>> => {
      try {
        await connected();
        return ok(await work());
      } catch (error) {
        return err(failed(error));
      }
    },
    close: async (): Promise<void> => {
      closing.abort();
      wake();
      // A connection that is still being made runs no queries and will get none.
      if (isConnecting) return;
      // A running query would keep the account open, so its connection is cut.
      await (await live?.catch(() => null))?.close();
      await running;
      await inTurn(async () => undefined);
    },
  };
}
