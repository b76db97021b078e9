import type { OpenedComparison } from '../../../shared/api/compare.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import {
  type Comparison,
  compareSides,
  type Difference,
  type Side,
  type SideCampaign,
  type SideRow,
  type Use,
} from '../../../shared/compare/compare.ts';
import { type AnyValues, fieldNames } from '../../../shared/model/fields.ts';
import { COMPARED_KINDS } from '../../../shared/model/kinds.ts';
import { serviceMediaText } from '../../../shared/model/media.ts';
import { type AnyRow, isDeleted, isNew, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import type { SheetKind } from '../../../shared/spreadsheet/columns.ts';
import type { Db } from '../db/db.ts';
import { wordsIn } from '../db/db.ts';
import { isKnownStep } from '../history/read-log.ts';
import { rowsAtMoment } from '../history/rows-at-moment.ts';
import { readRows, readRowsOfCampaigns } from '../rows/read-rows.ts';
import { editVersion } from '../rows/revision.ts';

/** Rows of this account: current, with service values, or right after a step of the history. */
export interface OwnSide {
  readonly at: 'now' | 'service' | { readonly step: number };
  /** Null for the whole account. */
  readonly campaignIds: readonly RowId[] | null;
}

/** How many comparisons are kept; the oldest is dropped. */
const KEPT = 4;

interface Kept {
  next: number;
  readonly byId: Map<number, Comparison>;
}

const keptOf = new WeakMap<Db, Kept>();

/** Compares two sides in this thread and keeps the differences, which are read in pages. */
export function openComparison(
  db: Db,
  left: OwnSide | Side,
  right: OwnSide | Side,
  match: 'id' | 'content',
): Result<OpenedComparison, Failure<'NO_MOMENT'>> {
  const sides = [left, right].map((side) => ('at' in side ? readSide(db, side) : ok(side)));
  const [mine, theirs] = sides;
  if (mine === undefined || theirs === undefined) throw new Error('a comparison has two sides');
  if (!mine.ok) return mine;
  if (!theirs.ok) return theirs;
  const comparison = compareSides(mine.value, theirs.value, match);
  const kept = keptOf.get(db) ?? { next: 1, byId: new Map<number, Comparison>() };
  keptOf.set(db, kept);
  const comparisonId = kept.next++;
  kept.byId.set(comparisonId, comparison);
  for (const id of kept.byId.keys()) if (id <= comparisonId - KEPT) kept.byId.delete(id);
  const counts = { field: 0, left: 0, right: 0 };
  const kinds = new Map<SheetKind, number>();
  for (const { what, kind } of comparison.differences) {
    counts[what]++;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const { differences, same } = comparison;
  return ok({
    comparisonId,
    total: differences.length,
    same,
    counts,
    kinds: [...kinds].map(([kind, n]) => ({ kind, differences: n })),
  });
}

export interface DifferenceFilter {
  readonly kind: SheetKind | null;
  readonly what: Difference['what'] | null;
  readonly words: string;
}

/** Differences of a comparison with their positions; null if it is no longer kept. */
export function comparisonPage(db: Db, comparisonId: number, from: number, count: number, filter: DifferenceFilter) {
  const differences = keptOf.get(db)?.byId.get(comparisonId)?.differences;
  if (differences === undefined) return null;
  const words = wordsIn(textKey(filter.words));
  const found: (Difference & { readonly at: number })[] = [];
  let total = 0;
  differences.forEach((difference, at) => {
    const { kind, what, label, campaign } = difference;
    if ((filter.kind !== null && kind !== filter.kind) || (filter.what !== null && what !== filter.what)) return;
    const text = words.length === 0 ? '' : textKey(`${label} ${campaign}`);
    if (!words.every((word) => text.includes(word))) return;
    if (total >= from && found.length < count) found.push({ ...difference, at });
    total++;
  });
  return { total, differences: found };
}

/** Changes that write these differences to the left side; null if the comparison is no longer kept. */
export function comparisonUses(db: Db, comparisonId: number, places: readonly number[] | null): readonly Use[] | null {
  const differences = keptOf.get(db)?.byId.get(comparisonId)?.differences;
  if (differences === undefined) return null;
  const wanted = places === null ? differences : places.flatMap((at) => differences[at] ?? []);
  return wanted.flatMap(({ use }) => use ?? []);
}

/** One side as a list of campaigns, which another thread may compare. */
export function readSide(db: Db, { at, campaignIds }: OwnSide): Result<Side, Failure<'NO_MOMENT'>> {
  if (typeof at === 'object' && !isKnownStep(db, at.step)) return fail('NO_MOMENT', { step: at.step });
  const rowsOf = (kind: SheetKind): readonly AnyRow[] => {
    if (typeof at === 'object') return rowsAtMoment(db, kind, at.step, campaignIds);
    const rows = campaignIds === null ? readRows(db, kind, 'true') : readRowsOfCampaigns(db, kind, campaignIds);
    // The service lacks rows that are new here, and still has rows that are marked for deletion.
    return (rows as readonly AnyRow[]).filter((row) => (at === 'service' ? !isNew(row) : !isDeleted(row)));
  };
  const valuesOf = ({ values, base }: AnyRow): AnyValues => (at === 'service' ? (base ?? values) : values);
  // Names as used in archives.
  const nameOf = ({ values, remoteId }: Row<'media'>): string =>
    values.fileName ?? (remoteId === null ? '' : serviceMediaText(remoteId));
  const media = new Map(readRows(db, 'media', 'true').map((row) => [row.id, nameOf(row)]));
  const campaigns = new Map<number, SideCampaign & { readonly rows: SideRow[] }>();
  const groups = new Map<number, string>();
  for (const kind of COMPARED_KINDS) {
    for (const row of rowsOf(kind)) {
      const values = valuesOf(row);
      const label = at === 'service' ? rowLabel({ ...row, values } as AnyRow) : rowLabel(row);
      if (row.kind === 'campaign') campaigns.set(row.id, { id: row.id, name: label, rows: [] });
      if (row.kind === 'adGroup') groups.set(row.id, label);
      const { id, adGroupId } = row;
      const group = adGroupId === null ? '' : (groups.get(adGroupId) ?? '');
      campaigns.get(row.campaignId ?? 0)?.rows.push({ kind, id, adGroupId, isNew: isNew(row), label, group, values });
    }
  }
  return ok({ campaigns: [...campaigns.values()], media, isPartial: false });
}

interface Moment {
  readonly key: string;
  readonly rows: readonly AnyRow[];
}
const momentOf = new WeakMap<Db, Moment>();

/** Rows of a kind right after a step. The last list is kept, because it is read in pages. */
export function readRowsAt(
  db: Db,
  query: { readonly step: number; readonly kind: SheetKind; readonly campaignId: RowId | null },
  from: number,
  count: number,
) {
  const { step, kind, campaignId } = query;
  if (!isKnownStep(db, step)) return null;
  const key = JSON.stringify([step, kind, campaignId, editVersion(db)]);
  const known = momentOf.get(db);
  const rows =
    known?.key === key ? known.rows : rowsAtMoment(db, kind, step, campaignId === null ? null : [campaignId]);
  momentOf.set(db, { key, rows });
  const fields = fieldNames(kind);
  const shown = rows.slice(from, from + count).map((row) => {
    const values: AnyValues = row.values;
    return { id: row.id, label: rowLabel(row), cells: fields.map((field) => values[field] ?? null) };
  });
  return { total: rows.length, rows: shown };
}
