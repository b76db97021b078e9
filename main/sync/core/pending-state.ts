import type { Stop } from './context.ts';

/**
 * A sync that does not go at once or not to its end: what it is asked to do, and until when. There is at most one per
 * account; a new one takes its place.
 *
 *               start                 ended                        tick
 *   none -----------------> running ---------> none      waiting --------> probing --ok--> running
 *    | schedule                | pause   `---> waiting      ^                 |
 *    v                         v         `---> paused       '----not yet------'
 *   scheduled --tick--> probing        paused --resume--> running
 *      ^                  |  `--ok without a break for long enough--> running
 *      '-----not yet------'
 *
 * At the deadline paused, waiting and scheduled become none; a run looks at the deadline before every request.
 */
export type PendingState<Wish = unknown> =
  | { readonly is: 'none' }
  | Running<Wish>
  | Paused<Wish>
  | Waiting<Wish>
  | Scheduled<Wish>;

/** What was asked for, whatever becomes of it. Moments are milliseconds since 1970. */
export interface Order<Wish = unknown> {
  readonly wish: Wish;
  /** Whether it goes on by itself after the service was away, and stays as paused when Adslate is closed. */
  readonly resumes: boolean;
  readonly deadline: number | null;
}

interface Running<Wish> {
  readonly is: 'running';
  readonly order: Order<Wish>;
  /** Since when it waits for the service, and how often it has tried; 0 when it does not. */
  readonly since: number;
  readonly attempt: number;
  readonly isPausing: boolean;
  /** What it was before, for a run that cannot begin. */
  readonly from: Exclude<PendingState<Wish>, { is: 'running' }>;
  /** Whether nobody asked for it in this moment. */
  readonly bySelf: boolean;
}
export interface Paused<Wish = unknown> {
  readonly is: 'paused';
  readonly order: Order<Wish>;
  readonly since: number;
  /** Why, when it was not the user. */
  readonly problem: string | null;
}
interface Waiting<Wish> {
  readonly is: 'waiting';
  readonly order: Order<Wish>;
  readonly since: number;
  readonly attempt: number;
  readonly nextAt: number;
  readonly stop: Stop;
  readonly isProbing: boolean;
}
interface Scheduled<Wish> {
  readonly is: 'scheduled';
  readonly order: Order<Wish>;
  readonly since: number;
  readonly after: number;
  /** How long probes have to succeed without a break. */
  readonly healthyMs: number;
  readonly nextAt: number;
  /** The first and the last probe of an unbroken row of good ones. */
  readonly healthySince: number | null;
  readonly probedAt: number | null;
  readonly problem: string | null;
  readonly isProbing: boolean;
}

export type PendingEvent<Wish = unknown> =
  | { readonly is: 'start'; readonly order: Order<Wish> }
  | { readonly is: 'schedule'; readonly order: Order<Wish>; readonly after: number; readonly healthyMs: number }
  | { readonly is: 'pause' | 'resume' | 'cancel' | 'tick' }
  /** `closed` stands for a run that ends because the account is closed. */
  | { readonly is: 'ended'; readonly how: 'finished' | 'canceled' | 'paused' | 'closed' }
  | { readonly is: 'ended'; readonly how: 'stopped'; readonly stop: Stop; readonly hasSent: boolean }
  /** A run could not begin: another one is on (`busy`), or nothing may be written. */
  | { readonly is: 'refused'; readonly isBusy: boolean; readonly problem: string }
  /** @see Stop; null when the service responded as it should */
  | { readonly is: 'probed'; readonly stop: Stop | null };

/** What has to be done after a step, in this order. */
export type PendingCommand =
  | { readonly do: 'run' | 'pause-run' | 'probe' }
  /** The sync is over without a further request, and its report says why; null for "canceled by the user". */
  | { readonly do: 'conclude'; readonly stop: Stop | null };

export interface Moment {
  readonly now: number;
  /** From 0 up to 1. */
  readonly random: number;
}

export interface Step<Wish = unknown> {
  readonly state: PendingState<Wish>;
  readonly does: readonly PendingCommand[];
}
