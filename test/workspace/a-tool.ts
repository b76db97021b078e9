import type { BulkRows } from '../../main/store/bulk/bulk-rows.ts';
import type { Job } from '../../main/store/writer/apply-tool.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { BulkTool } from '../../shared/api/bulk.ts';
import type { RowRef } from '../../shared/api/scalars.ts';

const FREE: Job = { isCancelled: () => false, progress: () => {} };

const scopeOf = (refs: readonly RowRef[]): readonly BulkRows[] => {
  const kinds = [...new Set(refs.map((ref) => ref.kind))];
  return kinds.map((kind) => ({
    kind,
    ids: Int32Array.from(
      refs.filter((ref) => ref.kind === kind),
      (ref) => ref.id,
    ),
  }));
};

/** Runs a tool over rows in the writer's store. */
export const run = (store: OwnStore, tool: BulkTool, refs: readonly RowRef[], job = FREE) =>
  store.applyTool(scopeOf(refs), tool, 'Tool', job);

/** Bid maths over the bid. */
export const amount = (expression: string, more: object = {}): BulkTool => ({
  tool: 'amount',
  field: 'bid',
  expression,
  min: null,
  max: null,
  roundTo: 0,
  ...more,
});
