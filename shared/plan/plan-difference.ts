import type { Kind } from '../model/kinds.ts';
import { asRowId, type RowId } from '../model/scalars.ts';

/** A line that only one of two plans has: `-` the earlier one, `+` the later one. */
export interface PlanLineChange {
  readonly sign: '-' | '+';
  /** The line in its plan, without leading spaces. */
  readonly line: string;
  /** The row that the line is about: of a request, its campaign. */
  readonly row: { readonly kind: Kind; readonly id: RowId } | null;
}

/**
 * Differences between the texts of two plans, line by line. Request numbers are ignored, so that an added request does
 * not change all later ones; so is the first line with its totals. If only the order differs, the moved lines are
 * listed.
 *
 * @param before, now lines of `planText`
 * @returns empty for equal plans; else lines of one row together, in the order of the plans
 */
export function planDifference(before: readonly string[], now: readonly string[]): readonly PlanLineChange[] {
  const left = new Map<string, number>();
  for (const line of before) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1);
  const added = now.filter((line) => !takeOne(left, keyOf(line)) && !isSums(line)).map(changeOf('+'));
  const removed = before
    .toReversed()
    .filter((line) => takeOne(left, keyOf(line)) && !isSums(line))
    .toReversed()
    .map(changeOf('-'));
  return removed.length + added.length > 0 ? besideEachOther(removed, added) : displaced(before, now);
}

/** Removes one of the lines with this key. @returns false when there is none left */
function takeOne(left: Map<string, number>, key: string): boolean {
  const count = left.get(key) ?? 0;
  left.set(key, count - 1);
  return count > 0;
}

function besideEachOther(
  removed: readonly PlanLineChange[],
  added: readonly PlanLineChange[],
): readonly PlanLineChange[] {
  const waiting = Map.groupBy(added, placeOf);
  const together = removed.flatMap((change) => {
    const same = waiting.get(placeOf(change)) ?? [];
    waiting.delete(placeOf(change));
    return [change, ...same];
  });
  return [...together, ...[...waiting.values()].flat()];
}

function displaced(before: readonly string[], now: readonly string[]): readonly PlanLineChange[] {
  const length = Math.max(before.length, now.length);
  return Array.from({ length }, (_, at) => at).flatMap((at) => {
    const [was, is] = [before[at], now[at]];
    if (was === is) return [];
    return [...(was === undefined ? [] : [changeOf('-')(was)]), ...(is === undefined ? [] : [changeOf('+')(is)])];
  });
}

const changeOf =
  (sign: PlanLineChange['sign']) =>
  (line: string): PlanLineChange => ({ sign, line: line.trim(), row: rowOf(line) });

const isSums = (line: string): boolean => line.startsWith('plan: ');
const isRequest = (line: string): boolean => /^(\d+ )?(POST|PUT) /u.test(line);
const keyOf = (line: string): string => line.replace(/^\d+ (?=(POST|PUT) )/u, '');

/** Lines of one row belong together, whether it is sent or skipped; request lines have no row. */
const placeOf = ({ line, row }: PlanLineChange): string =>
  row === null || isRequest(line) ? line : `${row.kind}/${row.id}`;

const ROW = /^(?: {2}|added |left out |upload @)(\w+)\/(\d+)/u;
const CAMPAIGN = / campaign (\d+)(?: group \d+)?$/u;

function rowOf(line: string): PlanLineChange['row'] {
  const found = ROW.exec(line);
  if (found !== null) return { kind: found[1] as Kind, id: asRowId(Number(found[2])) };
  const campaign = isRequest(line) ? CAMPAIGN.exec(line) : null;
  return campaign === null ? null : { kind: 'campaign', id: asRowId(Number(campaign[1])) };
}
