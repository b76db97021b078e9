import type { Failure } from '../../shared/api/operation.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Rollback, SentRunView } from '../../shared/api/sync.ts';
import { type AnyRow, rowKey } from '../../shared/model/row.ts';
import type { Capabilities } from '../../shared/plan/plan-types.ts';
import { rollbackSent, type SentChange, type SentRollback } from '../../shared/plan/rollback-plan.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { SentRun } from '../store/outbox/inspect.ts';
import type { EditProblem, NotWritable } from '../store/types.ts';
import type { Workspace } from '../store/workspace.ts';

/** Maximum number of entries per list in a preview. */
const NAMED = 200;

export const runView = ({ runId, at, elements }: SentRun): SentRunView => ({ runId, at, elements });

/** Previews the changes that roll a sync back, from the request log; null for an unknown run. */
export async function previewRollback(
  workspace: Workspace,
  runId: string,
  can: Capabilities,
): Promise<Rollback | null> {
  const found = await inverseOf(workspace, runId, can);
  if (found === null) return null;
  const { run, elements, inverse } = found;
  const rows = new Map(elements.map(({ kind, id, row }) => [rowKey(kind, id), row]));
  const { changes, irreversible, changedSince } = inverse;
  const listed: readonly RowRef[] = [
    ...changes.slice(0, NAMED),
    ...irreversible.slice(0, NAMED),
    ...changedSince.slice(0, NAMED),
  ];
  const names = await campaignNames(
    workspace,
    listed.map(({ kind, id }) => rows.get(rowKey(kind, id)) ?? null),
  );
  const place = <T extends { kind: SentChange['kind']; id: SentChange['id'] }>(one: T) => {
    const row = rows.get(rowKey(one.kind, one.id)) ?? null;
    const campaign = row?.campaignId == null ? '' : (names.get(row.campaignId) ?? '');
    return { kind: one.kind, id: one.id, label: row === null ? '' : rowLabel(row), campaign };
  };
  return {
    run: runView(run),
    changes: changes.length,
    firstChanges: changes.slice(0, NAMED).map((one) => {
      return { ...place(one), field: one.field, now: one.now, back: one.value };
    }),
    forGood: irreversible.length,
    firstForGood: irreversible.slice(0, NAMED).map((one) => ({ ...place(one), why: one.why })),
    changedSince: changedSince.length,
    firstChangedSince: changedSince.slice(0, NAMED).map((one) => {
      return { ...place(one), field: one.field, sent: one.sent, now: one.now };
    }),
  };
}

/** Restores the values from before a sync as unsynced changes, in one undo step. */
export async function applyRollback(
  workspace: Workspace,
  runId: string,
  can: Capabilities,
): Promise<
  Result<
    { readonly revision: number; readonly cells: number },
    Failure<'NO_SYNC' | 'NOTHING_TO_DO'> | EditProblem | NotWritable
  >
> {
  const found = await inverseOf(workspace, runId, can);
  if (found === null) return fail('NO_SYNC', {});
  const { inverse } = found;
  const updates = inverse.changes.map(({ kind, id, field, value }) => ({ kind, id, field, value }));
  if (updates.length === 0) return fail('NOTHING_TO_DO', {});
  // Without the moment of the sync: labels are stored as text, and its notation and time zone are those of a window.
  const done = await workspace.apply({ label: 'Roll back a sync', source: 'user', updates });
  return done.ok ? ok({ revision: done.value.revision, cells: updates.length }) : done;
}

async function inverseOf(
  { outbox }: Workspace,
  runId: string,
  can: Capabilities,
): Promise<{
  readonly run: SentRun;
  readonly elements: readonly SentChange[];
  readonly inverse: SentRollback;
} | null> {
  const run = (await outbox.sentRuns()).find((candidate) => candidate.runId === runId);
  if (run === undefined) return null;
  const elements = await outbox.sentElements({ after: run.after, until: run.until });
  return { run, elements, inverse: rollbackSent(elements, can) };
}

/** The names of the campaigns of these rows. */
async function campaignNames(
  workspace: Workspace,
  of: readonly (AnyRow | null)[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(of.flatMap((row) => row?.campaignId ?? []))];
  const rows = await Promise.all(ids.map((id) => workspace.readRow({ kind: 'campaign', id })));
  return new Map(
    rows.flatMap((row: AnyRow | null) => (row === null ? [] : [[Number(row.id), rowLabel(row)] as const])),
  );
}
