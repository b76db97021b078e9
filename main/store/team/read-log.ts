import type { RowRef } from '../../../shared/api/scalars.ts';
import { asNumber, asText, type Db, numberOf } from '../db/db.ts';
import { tableOf } from '../schema/tables.ts';

export interface SharedEntry {
  readonly seq: number;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly at: number;
  readonly member: number;
  readonly desk: number;
  readonly label: string;
  readonly rows: number;
}

export interface SharedEntriesQuery {
  readonly from: number;
  readonly count: number;
  readonly member: number | null;
  readonly ref: RowRef | null;
}

/** What members shared, newest first, as far as this file keeps it. What touched one row is known from the history. */
export function readSharedEntries(db: Db, { from, count, member, ref }: SharedEntriesQuery) {
  const row = [ref === null ? 0 : tableOf(ref.kind).code, ref?.id ?? null] as const;
  const where = `desk <> 0 AND (?1 IS NULL OR member = ?1) AND (?3 IS NULL OR seq IN (SELECT s.seq FROM step s WHERE s.seq IS NOT NULL
    AND (EXISTS (SELECT 1 FROM step_cell c WHERE c.step = s.id AND c.kind = ?2 AND c.id = ?3)
      OR EXISTS (SELECT 1 FROM step_row r WHERE r.step = s.id AND r.kind = ?2 AND r.id = ?3))))`;
  const found = db.all(
    `SELECT seq, at, member, desk, label, rows FROM team_log WHERE ${where} ORDER BY seq DESC LIMIT ?4 OFFSET ?5`,
    ...[member, ...row, count, from],
  );
  return {
    total: numberOf(db, `SELECT count(*) FROM team_log WHERE ${where}`, member, ...row),
    entries: found.map(
      ([seq, at, by, desk, label, rows]): SharedEntry => ({
        ...{ seq: asNumber(seq), at: asNumber(at), member: asNumber(by), desk: asNumber(desk) },
        ...{ label: asText(label), rows: asNumber(rows) },
      }),
    ),
  };
}
