import type { SyncReport } from '../../../shared/contract/sync.ts';
import { findErrorHelp } from '../../../shared/explain/explain-message.ts';

type Refused = SyncReport['refused'][number];

/** Rows for which the service said the same thing, whatever values it put into the words. */
export interface RefusalGroup {
  readonly key: string;
  /** The words for the first row. */
  readonly message: string;
  readonly rows: readonly Refused[];
}

/** Refusals of one kind of row by what was said, those with the most rows first. */
export function groupsOf(refused: readonly Refused[]): readonly RefusalGroup[] {
  const byKey = Map.groupBy(refused, ({ kind, message }) => `${kind} ${findErrorHelp(message)?.id ?? message}`);
  return [...byKey]
    .map(([key, rows]) => ({ key, message: rows[0]?.message ?? '', rows }))
    .toSorted((one, other) => other.rows.length - one.rows.length);
}
