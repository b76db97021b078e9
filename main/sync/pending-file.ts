import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { ChosenRows as ChosenShape, SyncReport } from '../../shared/contract/sync.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import type { ChosenRows } from '../../shared/plan/plan-input.ts';
import type { SyncSize } from '../ask-to-send.ts';
import { nullIfNotFound } from '../null-if-missing.ts';
import { writeFileAtomic } from '../write-whole.ts';
import type { TouchedCampaign } from './context.ts';
import type { PendingState } from './pending-steps.ts';

/**
 * The pending sync of an account on disk, beside its database and in no backup: a database that is put back must not bring
 * an old sync along. The reviewed plan lies in a file of its own, since the state is written with every probe.
 */

const RowIdShape = z.int().transform(asRowId);
const WishShape = z.strictObject({
  submit: z.boolean(),
  campaignIds: z.array(RowIdShape).nullable(),
  chosen: ChosenShape.nullable(),
  cancelReviews: z.boolean(),
  /** What the user has agreed to outside the window (`ask-to-send.ts`); null where nobody asks. */
  agreed: z.strictObject({ creates: z.int(), budgetCents: z.int() }).nullable(),
});
/** What a pending sync sends, apart from its reviewed plan. */
export interface Wish {
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  readonly chosen: ChosenRows | null;
  readonly cancelReviews: boolean;
  readonly agreed: SyncSize | null;
}

const Order = z.strictObject({ wish: WishShape, resumes: z.boolean(), deadline: z.number().nullable() });
const Stop = SyncReport.shape.stoppedBy.unwrap();
const State = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('none') }),
  z.strictObject({ is: z.literal('running'), order: Order }),
  z.strictObject({ is: z.literal('paused'), order: Order, since: z.number(), problem: z.string().nullable() }),
  z.strictObject({
    is: z.literal('waiting'),
    order: Order,
    since: z.number(),
    attempt: z.int(),
    nextAt: z.number(),
    stop: Stop,
  }),
  z.strictObject({
    is: z.literal('scheduled'),
    order: Order,
    since: z.number(),
    after: z.number(),
    healthyMs: z.number(),
    nextAt: z.number(),
    problem: z.string().nullable(),
  }),
]);

const SavedShape = z.strictObject({
  state: State,
  /** The last run of this sync, and how many changes were left when it stopped going. */
  runId: z.string().nullable(),
  leftThen: z.int(),
});
type SavedState = z.infer<typeof State>;
interface Saved {
  readonly state: PendingState<Wish>;
  readonly runId: string | null;
  readonly leftThen: number;
}

const SavedPlanShape = z.strictObject({
  plan: z.string().nullable(),
  approved: z.array(z.string()).nullable(),
  unread: z.array(z.strictObject({ id: RowIdShape, kinds: z.array(z.enum([...KINDS, 'review'])) })),
});
export interface SavedPlan {
  /** The text of the reviewed plan; null when whatever is due is sent. */
  readonly plan: string | null;
  /** @see RunLeft */
  readonly approved: readonly string[] | null;
  readonly unread: readonly TouchedCampaign[];
}
export const NO_PLAN: SavedPlan = { plan: null, approved: null, unread: [] };

/** As it is written: what belongs to this process alone is left out. */
function savedState(state: PendingState<Wish>) {
  switch (state.is) {
    case 'none':
    case 'paused':
      return state;
    case 'running':
      return { is: 'running', order: state.order };
    case 'waiting': {
      const { isProbing: _, ...saved } = state;
      return saved;
    }
    case 'scheduled': {
      const { isProbing: _, healthySince: _since, probedAt: _at, ...saved } = state;
      return saved;
    }
  }
}

const savedOf = (saved: z.infer<typeof SavedShape> | undefined): Saved | null =>
  saved === undefined ? null : { ...saved, state: asState(saved.state) };

function asState(saved: SavedState): PendingState<Wish> {
  switch (saved.is) {
    case 'running': {
      const { order } = saved;
      return { is: 'running', order, since: 0, attempt: 0, isPausing: false, from: { is: 'none' }, bySelf: false };
    }
    case 'waiting':
      return { ...saved, isProbing: false };
    case 'scheduled':
      return { ...saved, isProbing: false, healthySince: null, probedAt: null };
    default:
      return saved;
  }
}

interface PendingFile {
  read(): Promise<{ readonly saved: Saved | null; readonly plan: SavedPlan }>;
  write(saved: Saved): Promise<void>;
  writePlan(plan: SavedPlan): Promise<void>;
}

/** @param path of the state; that of the plan is made from it */
export function createPendingFile(path: string): PendingFile {
  const planPath = path.replace(/\.json$/, '-plan.json');
  const textOf = async (file: string): Promise<unknown> => {
    const text = await readFile(file, 'utf8').catch(nullIfNotFound);
    return text === null ? null : jsonOrNull(text);
  };
  return {
    // A file that can't be read holds nothing that may be sent.
    read: async () => ({
      saved: savedOf(SavedShape.safeParse(await textOf(path)).data),
      plan: SavedPlanShape.safeParse(await textOf(planPath)).data ?? NO_PLAN,
    }),
    write: (saved) =>
      saved.state.is === 'none'
        ? rm(path, { force: true })
        : writeFileAtomic(path, JSON.stringify({ ...saved, state: savedState(saved.state) })),
    writePlan: (plan) =>
      plan === NO_PLAN ? rm(planPath, { force: true }) : writeFileAtomic(planPath, JSON.stringify(plan)),
  };
}
