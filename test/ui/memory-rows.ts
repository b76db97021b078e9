import type { WindowRow } from '../../shared/contract/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { FIELD_BITS, HELD, NEW } from '../../shared/model/row.ts';
import { asRowId } from '../../shared/model/scalars.ts';

/** One row of the small in-memory account that components are rendered against. */
export interface MemoryRow {
  readonly kind: Kind;
  readonly id: number;
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
  readonly base: readonly Cell[] | null;
  cells: readonly Cell[];
  held: boolean;
}

export function cellOf(row: MemoryRow, field: string): Cell {
  return row.cells[fieldNames(row.kind).indexOf(field)] ?? null;
}

export function dirtyOf(row: MemoryRow): number {
  const held = row.held ? HELD : 0;
  const { base } = row;
  if (base === null) return NEW | held;
  return fieldNames(row.kind).reduce((mask, field, i) => {
    const bit = fieldSpec(row.kind, field)?.bit ?? null;
    return bit !== null && row.cells[i] !== base[i] ? mask | ((1 << bit) & FIELD_BITS) : mask;
  }, held);
}

/** A bid under the floor of the document is the one rule this account knows. */
export const hasError = (row: MemoryRow): boolean => row.kind === 'keyword' && Number(cellOf(row, 'bid') ?? 0) < 150;

export function windowRow(row: MemoryRow, campaignName: string): WindowRow {
  return {
    id: asRowId(row.id),
    campaignId: row.campaignId === null ? null : asRowId(row.campaignId),
    adGroupId: row.adGroupId === null ? null : asRowId(row.adGroupId),
    remoteId: row.base === null ? null : String(900_000 + row.id),
    campaignName,
    dirty: dirtyOf(row),
    severity: hasError(row) ? 'error' : null,
    outbox: null,
    cells: [...row.cells],
  };
}

/** An account with campaigns of every type; `keywords` keywords hang from the last one. */
export function seedRows(keywords: number): MemoryRow[] {
  const rows: MemoryRow[] = [];
  let next = 1;
  const add = (kind: Kind, parent: MemoryRow | null, values: Record<string, Cell>, isNew = false): MemoryRow => {
    const cells = fieldNames(kind).map((field) => values[field] ?? null);
    const id = next++;
    const campaignId = kind === 'campaign' ? id : (parent?.campaignId ?? null);
    const adGroupId = parent?.kind === 'adGroup' ? parent.id : null;
    const row: MemoryRow = { kind, id, campaignId, adGroupId, base: isNew ? null : cells, cells, held: false };
    rows.push(row);
    return row;
  };
  const states = ['live', 'scheduled', 'proposal', 'paused'];
  for (const [i, name] of ['Autumn coats', 'Paper towels', 'Garden hoses', 'Kettles 2026'].entries()) {
    const campaignType = ['video', 'sba', 'sponsoredProducts', 'sponsoredProducts'][i] ?? 'video';
    const campaign = add(
      'campaign',
      null,
      {
        name,
        campaignType,
        targetingType: i === 2 ? 'auto' : 'manual',
        totalBudget: 500_000 + i * 1000,
        dailyBudget: 5000,
        startDate: '2026-12-01',
        endDate: '2026-12-31',
        status: 'enabled',
        serviceStatus: i === 3 ? null : (states[i] ?? null),
        campaignState: i === 3 ? 'draft' : states[i] === 'proposal' ? 'draft' : (states[i] ?? null),
        stateSource: i === 3 ? 'local' : states[i] === 'proposal' ? 'estimated' : 'service',
      },
      i === 3,
    );
    const group = add('adGroup', campaign, { name: `${name} group`, status: 'enabled' }, i === 3);
    for (let n = 0; n < 4; n += 1) {
      add('adItem', group, { itemId: `50123450${i}${n}`, bid: 160 + n, status: 'enabled', itemName: `${name} ${n}` });
    }
    if (campaignType === 'sba') {
      add('sbaProfile', group, {
        brand: 'Soft & Strong',
        headline: 'Towels that take on any spill at home',
        clickUrl: 'https://www.example.com/browse/towels?a=1:2+3',
        status: 'enabled',
      });
    }
    if (campaignType === 'video') add('videoProfile', group, { status: 'enabled', reviewStatus: 'pending' });
    if (i === 3) {
      for (let n = 0; n < keywords; n += 1) {
        const bid = n % 7 === 3 ? 149 : 150 + n;
        const matchType = ['exact', 'phrase', 'broad'][n % 3] ?? 'exact';
        add('keyword', group, { text: `kettle ${n + 1}`, matchType, bid, state: 'enabled' });
      }
    }
  }
  return rows;
}
