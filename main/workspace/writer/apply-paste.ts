import type { BulkDone } from '../../../shared/contract/bulk.ts';
import type { PastedTable } from '../../../shared/contract/paste.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { planOf } from '../bulk/paste.ts';
import { readLimits } from '../rows/words-in-use.ts';
import { applyEdit } from './apply.ts';
import type { ApplyProblem, Job, ToolRun } from './apply-tool.ts';

const ROOTS_NAMED = 500;

/** Carries out the lines of a pasted table that are without error and not skipped, as one step. */
export function applyPaste(
  { db, profile, touched }: Pick<ToolRun, 'db' | 'profile' | 'touched'>,
  paste: PastedTable,
  skip: readonly number[],
  label: string,
  nowMs: number,
  job: Job,
): Result<Omit<BulkDone, 'revision'>, ApplyProblem> {
  const plan = planOf(db, paste, readLimits(db, profile), new Set(skip));
  if (!plan.ok) return plan;
  const { changes, needsDecimals } = plan.value;
  if (needsDecimals) return fail('BAD_TOOL', { at: 0, problem: 'Say first how decimals are written.' });
  if (job.isCancelled()) return fail('CANCELLED', {});
  const creates = changes.creates.map(({ kind, parent, values }) => ({ kind, parent, values }));
  const updates = changes.updates.map(({ kind, id, field, value }) => ({ kind, id, field, value }));
  const applied = applyEdit(db, { label, source: 'import', creates, updates }, nowMs, touched);
  if (!applied.ok) return applied;
  if (job.isCancelled()) return fail('CANCELLED', {});
  job.progress(plan.value.lines.length, plan.value.lines.length);
  return ok({
    cells: updates.length,
    created: creates.length,
    removed: 0,
    refused: [],
    roots: applied.value.slice(0, Math.min(creates.length, ROOTS_NAMED)).map((ref) => ({ ...ref })),
  });
}
