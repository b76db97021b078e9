import type { AppEvent } from '../../shared/api/app.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Conflict, SyncReport } from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { Capabilities, ChosenRows, Plan } from '../../shared/plan/plan-types.ts';
import type { SignOffs } from '../../shared/plan/sign-off.ts';
import type { Result } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Clock } from '../app/clock.ts';
import type { createFileUploader } from '../files/upload/upload-file.ts';
import type { OutboxClient } from '../store/outbox/ops.ts';
import type { LiveBatch } from '../store/outbox/outbox-types.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Journal } from './journal.ts';

/**
 * The outbox with the epoch of this process added to each call. Once another process has taken it over, nothing is
 * written.
 */
export type Outbox = {
  readonly [Name in keyof OutboxClient]: OutboxClient[Name] extends (args: infer Args) => infer Answer
    ? Args extends { readonly epoch: number }
      ? (...args: keyof Args extends 'epoch' ? [] : [Omit<Args, 'epoch'>]) => Answer
      : OutboxClient[Name]
    : never;
};

export async function takeOutbox(client: OutboxClient): Promise<Outbox> {
  const { epoch } = await client.takeOwnership();
  const call = (name: keyof OutboxClient) => (args?: object) => client[name]({ ...args, epoch } as never);
  return new Proxy({} as Outbox, {
    // `await` reads `then`.
    get: (_, name) => (name === 'then' ? undefined : call(name as keyof OutboxClient)),
  });
}

/**
 * All dependencies of a run. A run has no other source of time, randomness or data, so the simulator and the crash
 * tests pass their own ports and decide which call runs, fails, or is the last one of its process.
 */
export interface Ports {
  /** Each call is one durable transaction. */
  readonly workspace: Pick<
    Workspace,
    'readTrees' | 'readMedia' | 'rowsWithErrors' | 'setServiceFields' | 'getMeta' | 'setMeta' | 'apply'
  >;
  /** Each call is one durable transaction. */
  readonly outbox: Outbox;
  readonly api: PartnerApi;
  readonly journal: Journal;
  readonly uploader: Uploader;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'> & {
    /** Resolves after the delay, or early if the run is canceled. */
    sleep(delayMs: number): Promise<void>;
  };
  /** Today in the business zone. */
  readonly today: () => Promise<string>;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** The plan shown before the run if a plan made from these rows would be equal; null otherwise. */
  readonly unchangedPlan: (gathered: Gathered, settings: PlanSettings) => Plan | null;
  /** Finds the rows of a plan that edits have changed since the plan with this ID; null if that plan is unknown. */
  readonly unseenRows?: (seenPlan: string) => ((plan: Plan) => Promise<readonly RowRef[]>) | null;
  /** Runs long work in slices, so that queries of windows run in between. */
  readonly runInSlices: <T>(work: Generator<void, T>) => Promise<T>;
  readonly emit: (event: AppEvent) => void;
  /** For shared accounts: why this run may not send any more; null while it may. */
  readonly lost?: (() => Stop | null) | undefined;
  /** What colleagues have signed off; null if no sign-off is required. */
  readonly signOffs?: (() => Promise<SignOffs | null>) | undefined;
}

export type Stop = Omit<NonNullable<SyncReport['stoppedBy']>, 'changed'>;

/** The right to send requests to the service while no colleague does. */
export interface Turn {
  /** Also reports to the team what it stores. */
  readonly outbox: Outbox;
  readonly lost: () => Stop | null;
  /** How long no background poll is needed, in milliseconds, because a colleague has just polled. */
  readonly pollInMs: number;
  /** Renews the turn if that is due; a timer does so too. */
  keep(): Promise<void>;
  /** @param pollAfterMs how long no background poll is needed, in milliseconds; null if the turn was not for a poll */
  end(pollAfterMs: number | null): Promise<void>;
}

/** Why there is no turn: a colleague has it, or the team can't be reached. */
export type NoTurn = Failure<'COLLEAGUE_SYNCS' | 'TEAM_OFFLINE'>;

export type TakeTurn = () => Promise<Result<Turn, NoTurn>>;

export type Uploader = ReturnType<typeof createFileUploader>;

/** What was read from the workspace for a plan. */
export interface Gathered {
  readonly trees: readonly CampaignTree[];
  readonly live: readonly LiveBatch[];
  readonly conflicts: readonly Conflict[];
  /** Campaigns and ad groups that a read of this run did not find. */
  readonly absent?: readonly RowRef[];
  /** Rows with an error, and rows that already failed in this run, as `kind:id`. */
  readonly withErrors: ReadonlySet<string>;
  readonly signOffs?: SignOffs | null;
}

export interface PlanSettings {
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: string;
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  readonly chosen?: ChosenRows | null;
  readonly cancelReviews?: boolean;
  readonly today: string;
}
