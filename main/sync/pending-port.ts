import type { AppEvent } from '../../shared/contract/app.ts';
import type { PendingSyncView, SyncReport } from '../../shared/contract/sync.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import type { Rest } from '../rest.ts';
import type { Wish } from './pending-file.ts';
import type { RunOptions, RunProblem, SyncService } from './port.ts';

export type Started = Result<{ readonly runId: string }, RunProblem>;

export interface PendingOptions extends RunOptions {
  /** Whether it waits for a service that is away, and stays as paused when Adslate is closed. */
  readonly resumes?: boolean;
  readonly agreed?: Wish['agreed'];
}

export interface Health {
  /** No probe before this moment, in milliseconds since 1970. */
  readonly after: number;
  /** How long probes have to succeed without a break. */
  readonly healthyMs: number;
}

/** A sync service whose syncs can be paused, wait for the service, and be scheduled. At most one of them is pending. */
export interface PendingSync extends SyncService {
  run(options: PendingOptions): Promise<Started>;
  /** Sends the plan of this moment, or the one that is handed in, once the service is healthy. */
  schedule(options: PendingOptions, health: Health): Promise<Result<null, RunProblem>>;
  /** @returns false when nothing runs or waits */
  pauseSync(): Promise<boolean>;
  /** Goes on now with what is paused or waits. Null when nothing does. */
  resumeSync(): Promise<Started | null>;
  /** Has a process that leaves pending syncs alone carry on with this one. */
  takeUp(): Promise<void>;
  /** What is paused, waits or is scheduled; null when nothing is. */
  pending(): Promise<PendingSyncView | null>;
  /** Resolves when nothing runs and nothing is pending. */
  settled(): Promise<SyncReport | null>;
}

export interface PendingDeps {
  readonly workspaceId: WorkspaceId;
  readonly file: string;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly rest?: Rest | undefined;
  readonly emit: (event: AppEvent) => void;
  /** Whether what a former process left goes on by itself; the command line leaves it alone. */
  readonly takesUp: boolean;
  /** Whether the database is the one that was left; one that was put back brings no sync along. */
  readonly isSame: boolean;
  /** Asked before a run that nobody has just asked for: whether it may begin. */
  readonly mayStart?: (options: RunOptions, agreed: Wish['agreed']) => Promise<RunProblem | null>;
}
