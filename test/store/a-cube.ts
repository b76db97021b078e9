import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Cube, openCube } from '../../main/cube/cube.ts';
import type { SpanLook } from '../../main/cube/span-sums.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { acceptAll, aFolder, aSmallCampaign, aStore, create, createAll } from './a-workspace.ts';
import { HERE } from './without-threads.ts';

/** Reports of keywords as the service writes them, and the same rows in a plain table. */
export interface Row {
  readonly day: number;
  readonly keyword: number;
  readonly clicks: number;
  readonly cents: number;
  readonly sales: number;
}
export const FIRST = '2026-03-01' as PlainDate;
export const dayAt = (day: number): PlainDate => addDays(FIRST, day);
export const KEYWORDS = 6;
const row = fc.record<Row>({
  day: fc.integer({ min: 0, max: 9 }),
  keyword: fc.integer({ min: 0, max: KEYWORDS - 1 }),
  clicks: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70_000 })),
  cents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_000 })),
  sales: fc.oneof(fc.constant(0), fc.integer({ min: -900, max: 9_000_000 })),
});
/** At least one row on every day, so that nothing is missing. */
export const world = fc
  .array(row, { maxLength: 60 })
  .map((rows) => [...rows, ...Array.from({ length: 10 }, (_, day) => ({ ...EMPTY, day }))]);
export const EMPTY: Row = { day: 0, keyword: 0, clicks: 0, cents: 0, sales: 0 };

export const money = (cents: number): string => (cents / 100).toFixed(2);

/** A folder with an account of six keywords that the service knows, and the IDs it gave them. */
export function anAccount() {
  const store = aStore();
  const keywords = Array.from({ length: KEYWORDS }, (_, i) =>
    create('keyword', { at: 1 }, { text: `word ${i % 3}`, matchType: i % 2 === 0 ? 'exact' : 'broad', bid: 100 }),
  );
  acceptAll(store, createAll(store, [...aSmallCampaign().slice(0, 2), ...keywords]));
  const known = store.db.all('SELECT id, remote_id FROM keyword ORDER BY id');
  const file = String(store.db.get('PRAGMA database_list')?.[2]);
  const rowIds = known.map(([id]) => Number(id));
  return { store, file, rowIds, remoteIds: known.map(([, id]) => String(id)) };
}

type Account = ReturnType<typeof anAccount>;

export async function aCube({ file }: Account, folder = aFolder()): Promise<Cube> {
  const cube = await openCube({ file: join(folder, 'cube.db'), account: file, currency: 'USD' }, HERE.account);
  expect(cube.problem).toBeNull();
  return cube;
}

export const HEADER =
  'date,campaignId,adGroupId,keywordId,keywordText,matchType,impressions,clicks,adSpend,attributedSales14days';

export function csvOf({ remoteIds }: Account, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ day, keyword, clicks, cents, sales }) =>
      `${dayAt(day)},7,8,${remoteIds[keyword]},word ${keyword % 3},${keyword % 2 === 0 ? 'exact' : 'broad'},${clicks * 10},${clicks},${money(cents)},${money(sales)}`,
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

export async function take(
  cube: Cube,
  text: string,
  {
    at = 1,
    on = '2026-06-01',
    from = FIRST,
    to = dayAt(9),
    reportType = 'keyword',
    span = { from, to } as DaySpan | null,
  } = {},
) {
  const path = join(aFolder(), 'report.csv');
  writeFileSync(path, text);
  const taken = await cube.ingest({
    ...{ path, sha256: null, id: null, reportType, attributionWindow: null },
    span,
    fetchedAt: at,
    fetchedOn: on as PlainDate,
  });
  if (!taken.ok) throw new Error(taken.error.detail);
  return taken.value;
}

export const lookAt = (from: number, to: number): SpanLook => ({
  span: { from: dayAt(from), to: dayAt(to) },
  window: 14,
  settledOnly: false,
});
