import type { BulkPair, BulkPreview, RefusalReason } from '../../../shared/contract/bulk.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import { Refusals } from '../bulk/bulk-rows.ts';
import type { Db } from '../db/db.ts';
import { campaignNames } from '../rows/campaign-names.ts';
import { readRowsByIds } from '../rows/read-rows.ts';

/** What a slice of rows contributes: pairs without the names that only the shown ones need. */
export type Pair = Omit<BulkPair, 'campaignName' | 'label'>;

/** Collects what a tool would do; keeps only the first pairs and refusals. */
export class PreviewValues {
  readonly pairs: Pair[] = [];
  readonly refused: { kind: Pair['kind']; id: Pair['id']; why: RefusalReason }[] = [];
  readonly refusals = new Refusals();
  readonly dropped = new Map<string, number>();
  cells = 0;
  created = 0;
  removed = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True when no more pairs are wanted. */
  get isFull(): boolean {
    return this.pairs.length >= this.#limit;
  }

  pair(row: AnyRow, field: string | null, before: Pair['before'], value: Pair['value']): void {
    if (this.isFull) return;
    this.pairs.push({ kind: row.kind, id: row.id, campaignId: row.campaignId, field, before, value });
  }

  refuse(row: Pick<AnyRow, 'kind' | 'id'>, why: RefusalReason): void {
    this.refusals.add(why);
    if (this.refused.length < this.#limit) this.refused.push({ kind: row.kind, id: row.id, why });
  }
}

function labels(db: Db, refs: readonly Pick<AnyRow, 'kind' | 'id'>[]): ReadonlyMap<string, AnyRow> {
  const byKey = new Map<string, AnyRow>();
  for (const kind of new Set(refs.map((ref) => ref.kind))) {
    const ids = Int32Array.from(
      refs.filter((ref) => ref.kind === kind),
      (ref) => ref.id,
    );
    for (const row of readRowsByIds(db, kind, ids)) byKey.set(`${kind} ${row.id}`, row);
  }
  return byKey;
}

export function named(db: Db, pairs: readonly Pair[]): BulkPair[] {
  const rows = labels(db, pairs);
  const names = campaignNames(db, [...rows.values()]);
  return pairs.map((pair) => {
    const row = rows.get(`${pair.kind} ${pair.id}`);
    return {
      ...pair,
      campaignName: pair.campaignId === null ? '' : (names.get(pair.campaignId) ?? ''),
      label: row === undefined ? '' : rowLabel(row),
    };
  });
}

export function withLabels(db: Db, refused: PreviewValues['refused']): BulkPreview['refusals'] {
  const rows = labels(db, refused);
  return refused.map((refusal) => {
    const row = rows.get(`${refusal.kind} ${refusal.id}`);
    return { ...refusal, label: row === undefined ? '' : rowLabel(row) };
  });
}
