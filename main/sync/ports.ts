import type { AppEvent } from '../../shared/api/app.ts';
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

/** The outbox of the process that has taken it over: each call names that epoch, and nothing is written once it has passed. */
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
    // An `await` of it looks for a `then`.
    get: (_, name) => (name === 'then' ? undefined : call(name as keyof OutboxClient)),
  });
}

/**
 * Everything a run reaches outside itself. A run has no other source of time, chance or data, so the simulator and the
 * crash tests hand in ports of their own and decide which call happens, fails, or is the last of its process.
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
    /** Resolves after the delay, or early when the run is canceled. */
    sleep(delayMs: number): Promise<void>;
  };
  /** Today in the business zone. */
  readonly today: () => Promise<string>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** The plan that was shown before the run, when one made of these rows would come out the same; null otherwise. */
  readonly unchangedPlan: (gathered: Gathered, settings: PlanSettings) => Plan | null;
  /** Finds the rows of a plan that differ from the plan with this ID because of edits since; null when it is not known. */
  readonly unseenRows?: (seenPlan: string) => ((plan: Plan) => Promise<readonly RowRef[]>) | null;
  /** Carries out long work, and lets the windows of this thread be answered in between. */
  readonly runInSlices: <T>(work: Generator<void, T>) => Promise<T>;
  readonly emit: (event: AppEvent) => void;
  /** Why nothing may be sent any more by this run; null while it may. Of accounts that colleagues share. */
  readonly lost?: (() => Stop | null) | undefined;
  /** What colleagues have signed off; null where nobody has to. */
  readonly signOffs?: (() => Promise<SignOffs | null>) | undefined;
}

export type Stop = Omit<NonNullable<SyncReport['stoppedBy']>, 'changed'>;

/** The right to talk to the service while no colleague does. */
export interface Turn {
  /** Says to the team what it writes down. */
  readonly outbox: Outbox;
  readonly lost: () => Stop | null;
  /** How long nobody has to ask the service by itself, because a colleague has just done so. */
  readonly pollInMs: number;
  /** Keeps the turn when that is due; a timer does so too. */
  keep(): Promise<void>;
  /** @param pollAfterMs how long nobody has to ask the service by itself; null when it was not asked for that */
  end(pollAfterMs: number | null): Promise<void>;
}

/** Why there is no turn: a colleague has it (moments in milliseconds since 1970), or the team cannot be reached. */
export type NoTurn =
  | { readonly kind: 'colleague-syncs'; readonly member: string; readonly since: number; readonly until: number }
  | { readonly kind: 'team-away'; readonly detail: string };

export type TakeTurn = () => Promise<Result<Turn, NoTurn>>;

export type Uploader = ReturnType<typeof createFileUploader>;

/** What was read from the workspace for a plan. */
export interface Gathered {
  readonly trees: readonly CampaignTree[];
  readonly live: readonly LiveBatch[];
  readonly conflicts: readonly Conflict[];
  /** Campaigns and ad groups that were not found a moment ago. */
  readonly absent?: readonly RowRef[];
  /** Rows with an error, and rows that this run has already seen refused, as `kind:id`. */
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
