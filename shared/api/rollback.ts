import { z } from 'zod';
import { operation } from './operation.ts';
import { CellSchema, KindSchema, RowIdSchema } from './scalars.ts';

/** A sync that changed something on the service. */
export const SentRunView = z.strictObject({ runId: z.string(), at: z.int(), elements: z.int() });
export type SentRunView = z.infer<typeof SentRunView>;

const place = { kind: KindSchema, id: RowIdSchema, label: z.string(), campaign: z.string() };

/** What would take a sync back. The lists are cut; the counts are whole. */
export const Rollback = z.strictObject({
  run: SentRunView,
  changes: z.int(),
  firstChanges: z.array(z.strictObject({ ...place, field: z.string(), now: CellSchema, back: CellSchema })),
  /** What nothing takes back, and why; see `shared/plan/rollback-plan.ts`. */
  forGood: z.int(),
  firstForGood: z.array(z.strictObject({ ...place, why: z.string() })),
  /** Fields that were changed again since, here or on the service, and stay as they are. */
  changedSince: z.int(),
  firstChangedSince: z.array(z.strictObject({ ...place, field: z.string(), sent: CellSchema, now: CellSchema })),
});
export type Rollback = z.infer<typeof Rollback>;

const ofRun = { runId: z.string().min(1).max(64) };

export const rollbackContract = {
  /** Syncs that can be looked at, newest first. */
  runs: operation({ runs: 'main', output: z.array(SentRunView) }),
  preview: operation({ runs: 'main', input: ofRun, output: Rollback, errors: ['NO_SYNC'] }),
  /** Puts the earlier values into the drafts as one step. Nothing is sent: the next sync shows and sends them like any edit. */
  stage: operation({
    runs: 'main',
    access: 'write',
    input: ofRun,
    output: z.strictObject({ revision: z.int(), cells: z.int() }),
    errors: ['NO_SYNC', 'NOTHING_TO_DO', 'SYNC_RUNNING'],
  }),
};
