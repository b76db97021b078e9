import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { Result } from '../../../shared/result.ts';
import type { JobFlag } from '../bulk/jobs.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/stage-file.ts';
import type { NotWritable } from '../types.ts';
import type { CommitListener } from '../writer/create-store.ts';
import type { ReaderActivity } from './reader-activity.ts';

/** What a worker thread is started with. */
export interface WorkerSetup {
  readonly file: string;
  readonly profile: DeploymentSettings;
  readonly migrated: boolean | null;
  /** The account is known to have a workspace: a missing or empty file is damage, not a new one. */
  readonly mustExist: boolean;
  /** A copy that is looked at and nothing else: it may be of a newer schema. */
  readonly viewing: boolean;
  /** On whose behalf edits are made, for the log. */
  readonly who: string;
  /** Told of whenever somebody looks at rows. */
  readonly activity: ReaderActivity;
}

/** An area of the contract or a table of internal operations, and the name in it. */
export type OperationPath = readonly [area: string, name: string];

/**
 * Every operation of a thread is called by its path. Time is an argument, because the clock lives in the main thread and may
 * be a virtual one.
 */
export interface ThreadCalls {
  call(path: OperationPath, nowMs: number, args: readonly unknown[], job: JobFlag | null): unknown;
  close(): unknown;
}

export interface ReaderCalls extends ThreadCalls {
  start(): void;
}

export interface WriterCalls extends ThreadCalls {
  start(nowMs: number): Promise<Result<null, NotWritable>>;
  /** Attaches a file, which cannot be done within a transaction: so it is no operation. */
  applyStaged(nowMs: number, edit: StagedEdit, flag: JobFlag | null): Result<StagedOutcome, StaleStage | NotWritable>;
  /** Answers when nothing is left to be checked. */
  settleChecks(nowMs: number): Promise<void>;
}

/** What the writer tells the main thread, before it answers the call that caused it. */
export interface MainCalls {
  changed: CommitListener;
  progress(jobId: string, done: number, total: number): void;
}

/** A closed thread waits for nothing any more and ends by itself, once its last answer has left. */
export function endingWith<Calls extends { close(): unknown }>(calls: Calls, port: { unref(): void }): Calls {
  const close = async (): Promise<void> => {
    try {
      await calls.close();
    } finally {
      setImmediate(() => port.unref());
    }
  };
  return { ...calls, close };
}

/**
 * Answers what the main thread asks, until the thread has closed.
 *
 * @param events what the thread tells the main thread, for which it awaits no answer
 * @param riding one of them that goes in one message with what follows it, mostly the answer of the call it comes from: the main
 *   thread is woken once, and rows that stand in both are copied once
 */
export function answerCalls<Events extends object, Calls extends object>(
  port: MessagePort,
  calls: Calls,
  events: (keyof Events)[] = [],
  riding: keyof Events | null = null,
) {
  const held: unknown[] = [];
  const postHeld = (): void => {
    if (held.length > 0) port.postMessage(held.splice(0));
  };
  return createBirpc<Events, Calls>(calls, {
    post: (message: { readonly m?: unknown }) => {
      held.push(message);
      if (message.m === riding) setImmediate(postHeld);
      else postHeld();
    },
    on: (listener) => port.on('message', listener),
    timeout: -1,
    eventNames: events,
  });
}

type Tables<Context> = Readonly<
  Record<string, Readonly<Record<string, (context: Context, ...args: never[]) => unknown>>>
>;

/** The implementation at a path. Names come from the main thread, whose types have been checked; any other is a defect. */
export function operationAt<Context>(tables: Tables<Context>, [area, name]: OperationPath) {
  const table = Object.hasOwn(tables, area) ? tables[area] : undefined;
  const found = table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new Error(`this thread has no operation ${area}.${name}`);
  return found as (context: Context, ...args: readonly unknown[]) => unknown;
}

interface Asked {
  readonly isUrgent: boolean;
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
}

/** An edit that comes meanwhile waits for one group at most, so a group must be short. */
const GROUP_MAX = 4;

/**
 * Runs calls in transactions of a few at a time; each is answered once its own commit is on the disk.
 *
 * A commit waits for the disk, and calls that come while it waits can share the next one: what a sync writes down for
 * several campaigns at once then costs one flush instead of one each. A group of which one fails is undone, and each
 * of its calls runs by itself, so that a failure is its own caller's alone.
 *
 * @param tx runs work in a transaction that is durable when it returns
 */
export function createGroupCommit(tx: <T>(work: () => T) => T) {
  const waiting: Asked[] = [];
  let isDue = false;

  const commitSome = (): void => {
    const group = waiting.splice(0, GROUP_MAX);
    const values = group.length > 1 ? together(group) : null;
    for (const [at, one] of group.entries()) {
      if (values === null) alone(one);
      else one.resolve(values[at]);
    }
  };
  const together = (group: readonly Asked[]): readonly unknown[] | null => {
    try {
      return tx(() => group.map(({ run }) => run()));
    } catch {
      // Whose failure it is shows when each runs by itself; everything was rolled back.
      return null;
    }
  };
  const alone = ({ run, resolve, reject }: Asked): void => {
    try {
      resolve(tx(run));
    } catch (problem) {
      reject(problem);
    }
  };
  const onDue = (): void => {
    isDue = false;
    commitSome();
    plan();
  };
  /** After the messages that have come by now, so that they are in the same group. */
  const plan = (): void => {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    setImmediate(onDue);
  };
  return {
    /** @param isUrgent somebody stands still until it is done: it goes before what waits and is not */
    ask: (run: () => unknown, isUrgent = false): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const behind = isUrgent ? waiting.findIndex((other) => !other.isUrgent) : -1;
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { run, resolve, reject, isUrgent });
        plan();
      }),
    /** Commits what still waits. */
    finish: () => {
      while (waiting.length > 0) commitSome();
    },
  };
}
