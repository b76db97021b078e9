import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { Result } from '../../../shared/result.ts';
import type { TaskFlag } from '../bulk/task-flags.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/stage-file.ts';
import type { NotWritable } from '../types.ts';
import type { CommitListener } from '../writer/create-store.ts';
import type { ReaderActivity } from './reader-activity.ts';

/** Start parameters of a worker thread. */
export interface WorkerSetup {
  readonly file: string;
  readonly profile: DeploymentSettings;
  readonly migrated: boolean | null;
  /** The account is known to have a workspace: a missing or empty file is damage, not a new workspace. */
  readonly mustExist: boolean;
  /** A read-only copy, which may have a newer schema. */
  readonly viewing: boolean;
  /** The user's name for the log. */
  readonly who: string;
  /** Counts row reads. */
  readonly activity: ReaderActivity;
}

/** An area of the contract or a table of internal operations, and the name in it. */
export type OperationPath = readonly [area: string, name: string];

/**
 * Every operation of a thread is called by its path. Time is an argument, because the clock is in the main thread and
 * may be a virtual one.
 */
export interface ThreadCalls {
  call(path: OperationPath, nowMs: number, args: readonly unknown[], task: TaskFlag | null): unknown;
  close(): unknown;
}

export interface ReaderCalls extends ThreadCalls {
  start(): void;
}

export interface WriterCalls extends ThreadCalls {
  start(nowMs: number): Promise<Result<null, NotWritable>>;
  /** Not an operation, because it attaches a file, which is impossible within a transaction. */
  applyStaged(nowMs: number, edit: StagedEdit, flag: TaskFlag | null): Result<StagedOutcome, StaleStage | NotWritable>;
  /** Resolves when no check is pending. */
  settleChecks(nowMs: number): Promise<void>;
}

/** Messages from the writer to the main thread, sent before the answer of the call that caused them. */
export interface MainCalls {
  changed: CommitListener;
  progress(taskId: string, done: number, total: number): void;
}

/** After `close` the port no longer keeps the thread running, so it ends once its last answer is sent. */
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
 * Answers calls of the main thread until the thread is closed.
 *
 * @param events messages to the main thread without an answer
 * @param riding an event that is sent in one message with the next one, usually the answer of the same call: the main
 * thread wakes once, and rows in both are copied once
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
    onFunctionError: packCodes,
  });
}

/** The properties by which a failure of the disk is recognized. */
const CODES = ['code', 'errcode', 'errno', 'syscall'] as const;

/** Moves the codes of an error to its cause, because a message between threads keeps only message, stack and cause. */
function packCodes(error: Error): void {
  const codes = Object.fromEntries(CODES.flatMap((name) => (name in error ? [[name, Reflect.get(error, name)]] : [])));
  if (Object.keys(codes).length > 0) error.cause ??= { codes };
}

/** Gives an error from a thread its codes again. */
export function unpackCodes(error: unknown): unknown {
  const packed = error instanceof Error ? error.cause : null;
  if (typeof packed === 'object' && packed !== null && 'codes' in packed) Object.assign(Object(error), packed.codes);
  return error;
}

type Tables<Context> = Readonly<
  Record<string, Readonly<Record<string, (context: Context, ...args: never[]) => unknown>>>
>;

/** The operation at a path. Paths come from the type-checked main thread; an unknown one is a defect. */
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

/** A concurrent edit waits for at most one group, so a group must be short. */
const GROUP_MAX = 4;

/**
 * Runs calls in transactions of a few at a time; each is answered once its commit is on the disk.
 *
 * A commit waits for the disk, and calls that arrive meanwhile share the next one: what a sync writes for several
 * campaigns at once then costs one flush instead of one each. If a call of a group fails, the group is rolled back and
 * each call runs on its own, so that only the failed one is rejected.
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
      // All was rolled back. Running each call on its own shows which one fails.
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
  /** Runs after the messages that have already arrived, so that they are in the same group. */
  const plan = (): void => {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    setImmediate(onDue);
  };
  return {
    /** @param isUrgent a caller is blocked until it is done: it runs before pending calls that are not urgent */
    ask: (run: () => unknown, isUrgent = false): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const behind = isUrgent ? waiting.findIndex((other) => !other.isUrgent) : -1;
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { run, resolve, reject, isUrgent });
        plan();
      }),
    /** Commits the pending calls. */
    finish: () => {
      while (waiting.length > 0) commitSome();
    },
  };
}
