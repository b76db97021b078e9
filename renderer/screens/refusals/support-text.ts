import type { RowDetail } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { enSyncErrors } from '../../messages/en-refusals.ts';

/** The row a refusal is about. */
export interface RefusedRow {
  readonly kind: Kind;
  readonly id: number;
  readonly campaignId: number | null;
  /** Its id at the service; null for a row that was never taken. */
  readonly remoteId: string | null;
}

type Refusal = NonNullable<RowDetail['refusal']>;

/** What the retailer's support needs to find the request in its logs, a line each; what is not known is left out. */
export function supportText({ kind, remoteId }: RefusedRow, refusal: Refusal): string {
  const { support } = enSyncErrors;
  const lines: readonly (readonly [string, string | null])[] = [
    [support.message, refusal.message],
    [support.at, new Date(refusal.at).toISOString()],
    [support.request, refusal.request === '' ? null : refusal.request],
    [support.correlationId, refusal.correlationId],
    [support.row, kind],
    [support.remoteId, remoteId],
  ];
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n');
}
