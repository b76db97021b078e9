import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { Result } from '../../../shared/result.ts';
import type { JobFlag } from '../bulk/jobs.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/stage-file.ts';
import type { NotWritable } from '../types.ts';
import type { CommitListener } from '../writer/create-store.ts';
import type { ReaderActivity } from './reader-activity.ts';

/** What a worker thread is started with. */
export interface WorkerSetup {
  readonly role: 'writer' | 'reader';
  readonly file: string;
  readonly workspaceId: string;
  readonly profile: DeploymentSettings;
  readonly migrated: boolean | null;
  /** The account is known to have a workspace: a missing or empty file is damage, not a new one. */
  readonly mustExist: boolean;
  /** A copy that is looked at and nothing else: it may be of a newer schema. */
  readonly viewing: boolean;
  /** On whose behalf edits are made, for the log. */
  readonly who: string;
  /** Told of whenever somebody looks at rows. */
  readonly glances: ReaderActivity;
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
  applyStaged(nowMs: number, edit: StagedEdit): Result<StagedOutcome, StaleStage | NotWritable>;
  /** Answers when nothing is left to be checked. */
  settleChecks(nowMs: number): Promise<void>;
}

/** What the writer tells the main thread, before it answers the call that caused it. */
export interface MainCalls {
  changed: CommitListener;
  progress(jobId: string, done: number, total: number): void;
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
