import type { AppEvent } from '../../../shared/contract/app.ts';
import type { PartnerApi } from '../../api/partner-api.ts';
import type { Clock } from '../../clock.ts';
import type { OutboxClient } from '../../workspace/outbox/ops.ts';
import type { Workspace } from '../../workspace/port.ts';
import type { Journal } from '../journal.ts';
import type { Uploader } from './uploader.ts';

/**
 * The round is written as generators that do nothing themselves: they yield what has to be done and are handed
 * its result. Production, the simulator and the crash harness run the same generators and differ in who carries
 * the effects out, and in whether they let them happen at all.
 */
export type Effect =
  /** One durable transaction of the workspace or its outbox. */
  | { readonly do: 'tx'; readonly label: string; readonly run: (ports: Ports) => Promise<unknown> }
  /** One line of the side journal, on the disk when the effect ends. */
  | { readonly do: 'journal'; readonly label: string; readonly run: (ports: Ports) => Promise<unknown> }
  /** One request; `writes` says whether it changes anything on the service. */
  | {
      readonly do: 'http';
      readonly label: string;
      readonly writes: boolean;
      readonly run: (ports: Ports) => Promise<unknown>;
    }
  /** The bytes of a file. */
  | { readonly do: 'upload'; readonly label: string; readonly run: (ports: Ports) => Promise<unknown> }
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'tell'; readonly event: AppEvent }
  /** Several rounds of work side by side, at most `limit()` at once. */
  | { readonly do: 'lanes'; readonly lanes: readonly Work<void>[]; readonly limit: () => number }
  /** Work of which all lanes together do at most `limit()` at once. Who holds an intent slot may ask for a request slot. */
  | { readonly do: 'slot'; readonly of: SlotKind; readonly work: Work<unknown>; readonly limit: () => number };

/** A `request` slot is held while a request is under way, an `intent` slot from before its intent until its answer. */
export type SlotKind = 'intent' | 'request';

export type Work<T> = Generator<Effect, T, unknown>;

/** What the effects act upon. */
export interface Ports {
  readonly workspace: Pick<
    Workspace,
    'readTrees' | 'readMedia' | 'rowsWithErrors' | 'setServiceFields' | 'getMeta' | 'setMeta' | 'apply'
  >;
  readonly outbox: OutboxClient;
  readonly api: PartnerApi;
  readonly journal: Journal;
  readonly uploader: Uploader;
  readonly clock: Clock;
  readonly emit: (event: AppEvent) => void;
}

export function* tx<T>(label: string, run: (ports: Ports) => Promise<T>): Work<T> {
  return (yield { do: 'tx', label, run }) as T;
}
export function* read<T>(label: string, run: (ports: Ports) => Promise<T>): Work<T> {
  return (yield { do: 'http', label, writes: false, run }) as T;
}
export function* write<T>(label: string, run: (ports: Ports) => Promise<T>): Work<T> {
  return (yield { do: 'http', label, writes: true, run }) as T;
}
export function* journal(label: string, run: (ports: Ports) => Promise<void>): Work<void> {
  yield { do: 'journal', label, run };
}
export function* upload<T>(label: string, run: (ports: Ports) => Promise<T>): Work<T> {
  return (yield { do: 'upload', label, run }) as T;
}
export function* sleep(ms: number): Work<void> {
  yield { do: 'sleep', ms };
}
export function* tell(event: AppEvent): Work<void> {
  yield { do: 'tell', event };
}
export function* inSlot<T>(of: SlotKind, limit: () => number, work: Work<T>): Work<T> {
  return (yield { do: 'slot', of, work, limit }) as T;
}
/**
 * Does other work beside this one.
 *
 * @returns what the first came to, once both have ended; a failure of either is thrown
 */
export function* beside<T>(work: Work<T>, other: Work<unknown>): Work<T> {
  const ended: T[] = [];
  const first = function* (): Work<void> {
    ended.push(yield* work);
  };
  const second = function* (): Work<void> {
    yield* other;
  };
  yield* lanes([first(), second()], () => 2);
  return ended[0] as T;
}
export function* lanes(work: readonly Work<void>[], limit: () => number): Work<void> {
  if (work.length > 0) yield { do: 'lanes', lanes: work, limit };
}
