import type { BulkDone, BulkTool, RefusalReason } from '../../../shared/api/bulk.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { asRowId } from '../../../shared/model/scalars.ts';

/** Rows of one kind in the order in which a tool processes them. A million IDs are 4 MB when passed between threads. */
export interface BulkRows {
  readonly kind: Kind;
  readonly ids: Int32Array;
}

/** Why a tool can't run at all. `at` is a position in the user's text. */
export type ToolProblem = Failure<'BAD_TOOL'>;
/** The view of the scope is not open. */
export type NoView = Failure<'NO_VIEW'>;
export type Cancelled = Failure<'CANCELLED'>;

export type CellTool = Extract<BulkTool, { tool: 'set' | 'replace' | 'append' | 'case' | 'amount' | 'fill-down' }>;
export type CopyTool = Extract<BulkTool, { tool: 'duplicate' | 'copy' | 'move' }>;

/** Rows processed before the writer checks for cancellation, and the reader yields to other calls. */
export const SLICE_ROWS = 10_000;

export const totalRows = (groups: readonly BulkRows[]): number => groups.reduce((sum, { ids }) => sum + ids.length, 0);

/** The rows in slices of one kind each, in their order. */
export function* slices(groups: readonly BulkRows[], size = SLICE_ROWS): Generator<BulkRows> {
  for (const { kind, ids } of groups) {
    for (let from = 0; from < ids.length; from += size) yield { kind, ids: ids.subarray(from, from + size) };
  }
}

export const refsOf = ({ kind, ids }: BulkRows): readonly RowRef[] =>
  Array.from(ids, (id) => ({ kind, id: asRowId(id) }));

/** Counts unchanged rows by reason. */
export class Refusals {
  readonly #rowsByReason = new Map<RefusalReason, number>();

  add(why: RefusalReason, rows = 1): void {
    if (rows > 0) this.#rowsByReason.set(why, (this.#rowsByReason.get(why) ?? 0) + rows);
  }

  list(): BulkDone['refused'] {
    return [...this.#rowsByReason].map(([why, rows]) => ({ why, rows }));
  }
}
