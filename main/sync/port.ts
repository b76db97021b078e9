import type { AppEvent } from '../../shared/contract/app.ts';
import type { CampaignToTakeIn, TakenIn } from '../../shared/contract/known.ts';
import type { PlanChanges } from '../../shared/contract/plan-changes.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { Standing } from '../../shared/contract/standing.ts';
import type {
  BatchView,
  Conflict,
  ConflictChoice,
  PlanView,
  Question,
  ReadNotes,
  Review,
  SyncReport,
} from '../../shared/contract/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { KnownSource } from '../../shared/model/known-id.ts';
import type { Row } from '../../shared/model/row.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import type { PlanInput } from '../../shared/plan/plan-input.ts';
import type { WrittenPlan } from '../../shared/plan/plan-text.ts';
import type { Capabilities, ChosenRows, Plan } from '../../shared/plan/plan-types.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import type { Result } from '../../shared/result.ts';
import type { FoundItem } from '../api/item-search.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Clock } from '../clock.ts';
import type { UploadNetwork } from '../media/upload/put-file.ts';
import type { Rest } from '../rest.ts';
import type { NotWritable, Workspace } from '../workspace/port.ts';
import type { Stop } from './core/context.ts';
import type { ItemsConfirmed } from './item-facts.ts';
import type { Conclusion, RunLeft } from './runs.ts';

/** What one sync service needs. There is one per open workspace. */
export interface SyncDeps {
  readonly workspaceId: WorkspaceId;
  readonly workspace: Workspace;
  readonly api: PartnerApi;
  readonly profile: DeploymentProfile;
  /** What the connection offers; `probe` asks the service once and remembers its answer in the workspace. */
  /** Which calls beyond the document may be used; asked before each run. */
  readonly capabilities: () => Promise<Capabilities>;
  readonly clock: Clock;
  /** Path of `sync.journal`, beside the database. */
  readonly journalFile: string;
  /** Where the bytes of a library row lie on disk. */
  readonly mediaFile: (row: Row<'media'>) => string;
  /** How uploads reach their storage; the system's own network when it is not said. */
  readonly uploadNetwork?: UploadNetwork;
  /** Today in the business zone by the service's calendar; a practice account's clock may be weeks ahead. */
  readonly today?: () => Promise<string>;
  /** While the machine sleeps nothing is asked by itself. */
  readonly rest?: Rest | undefined;
  /** Delivers progress and notices. */
  readonly emit: (event: AppEvent) => void;
  /** A number from 0 up to 1, for jitter and names. */
  readonly random?: () => number;
}

export interface RunOptions {
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  /** The rows that are sent, with the parents they need; without it everything that is due. */
  readonly chosen?: ChosenRows | null;
  /** Whether the open reviews of `campaignIds` are cancelled first; nothing is cancelled when they are not named. */
  readonly cancelReviews?: boolean;
  /** The text of the reviewed plan (`planText`) that alone may be sent; null for whatever is due. */
  readonly plan?: string | null;
  /** Nothing is sent from this moment on, in milliseconds since 1970. */
  readonly deadline?: number | null;
  /** What an earlier run of the same sync has left. */
  readonly goesOn?: RunLeft;
}

/** `not-agreed`: the user was asked before so much is created, and the answer was no. */
export type RunProblem = { readonly kind: 'sync-running' | 'not-agreed' } | NotWritable;
export type AnswerProblem =
  | { readonly kind: 'no-question' }
  | {
      readonly kind: 'bad-answer';
      readonly reason: 'not-found' | 'taken' | 'too-early' | 'unreachable' | 'not-an-id';
      /** How long "absent" has to wait; 0 for the other reasons. */
      readonly waitMs: number;
    };
export type BadAnswerReason = Extract<AnswerProblem, { kind: 'bad-answer' }>['reason'];

/** Which requests of a plan, and whether with their bodies. */
export interface PlanWindow {
  readonly from: number;
  readonly count: number;
  readonly bodies: boolean;
}

/** A plan with what it was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly trees: readonly CampaignTree[];
  readonly capabilities: Capabilities;
  /** Rows of the account with an error. */
  readonly errors: number;
}

export interface ShownPlan {
  readonly plan: Plan;
  readonly options: RunOptions;
}

export interface SyncService {
  /** What a plan of these campaigns is made from, whether they have changes or not. */
  planInput(campaignIds: readonly RowId[]): Promise<PlanInput>;
  /** What a run would send, as the domain has it. */
  planned(options: RunOptions): Promise<Planned>;
  plan(options: RunOptions): Promise<PlanView>;
  /** The plan made last with what was wished; null when `planId` names an older one. */
  shownPlan(planId: string): ShownPlan | null;
  /** What a run would send, beside a plan that was written down. */
  planBeside(written: WrittenPlan, options: RunOptions): Promise<{ plan: PlanView; changed: PlanChanges }>;
  /** A window of the requests of the plan made last; null when `planId` names an older one. */
  planBatches(planId: string, window: PlanWindow): readonly BatchView[] | null;
  /** Starts a run in the background. Its progress comes by events, its end by `report` or `idle`. */
  run(options: RunOptions): Promise<Result<{ readonly runId: string }, RunProblem>>;
  /** Stops after the requests under way. @returns false when nothing runs */
  cancel(): boolean;
  /** Lets the requests and the upload in progress come to their end, and begins nothing more. @returns false when nothing runs */
  pause(): boolean;
  /** Writes down why a sync is over without a further run. */
  conclude(how: Conclusion, runId: string | null): Promise<SyncReport>;
  /** What the last run has left for one that goes on with it. */
  left(): RunLeft;
  /** One cheap read that every deployment has. @returns null when the service responds as it should */
  probe(): Promise<Stop | null>;
  report(): SyncReport | null;
  isRunning(): boolean;
  /** Resolves when no run is under way. */
  idle(): Promise<SyncReport | null>;
  /** Reads the account, or these campaigns with all that hangs from them, and merges it; what was edited here stays. */
  refresh(
    campaignIds?: readonly RowId[] | null,
  ): Promise<Result<{ readonly revision: number } & ReadNotes, { readonly kind: 'sync-running' } | ReadFailure>>;
  /** Takes campaigns in that were made elsewhere, by their ids, and reads what hangs from them. */
  takeIn(
    campaigns: readonly CampaignToTakeIn[],
    source: KnownSource,
  ): Promise<Result<TakenIn, { readonly kind: 'sync-running' }>>;
  questions(): Promise<Question[]>;
  answer(
    questionId: number,
    answer: { readonly exists: string } | 'absent' | 'later',
  ): Promise<Result<{ readonly open: number }, AnswerProblem>>;
  conflicts(): Promise<Conflict[]>;
  /** Settles those of the conflicts that are still open. The error names a row when none of them was. */
  resolve(
    choices: readonly ConflictChoice[],
  ): Promise<Result<{ readonly revision: number; readonly settled: number }, RowRef>>;
  reviews: {
    list(): Promise<Review[]>;
    poll(): Promise<Result<Review[], ReadFailure>>;
    submit(campaignIds: readonly RowId[]): Promise<Result<{ readonly runId: string }, RunProblem>>;
    cancel(campaignIds: readonly RowId[]): Promise<Result<{ readonly runId: string }, RunProblem>>;
  };
  searchItems(
    wanted: { readonly text: string } | { readonly ids: readonly string[] },
  ): Promise<Result<readonly FoundItem[], ReadFailure>>;
  /** Looks up new items that no search has confirmed; what is said of them becomes a fact for the rules. */
  confirmItems(): Promise<Result<ItemsConfirmed, ReadFailure>>;
  /** What may still be sent in this hour, and when the service is asked by itself the next time. */
  standing(): Promise<Omit<Standing, 'lowSpaceBytes'>>;
  /** Stops after the requests under way and waits for their outcome to be on disk. */
  close(): Promise<void>;
}
