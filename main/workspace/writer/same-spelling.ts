import { mergeField } from '../../../shared/merge/merge.ts';
import { FIELD_BITS } from '../../../shared/model/row.ts';
import { asNumber, asTextOrNull, type Db } from '../db/db.ts';
import { type Column, sqlList, type Table } from '../schema/tables.ts';
import { hasBitOf } from './stage-remote.ts';

/**
 * Texts that say the same in another spelling: blanks the service trims, addresses it encodes, an open end it writes
 * as a far date (`shared/merge/merge.ts`). SQL compares letter by letter, so these are settled before the merge,
 * for the few rows whose text was edited here:
 *
 *   the edit says what the service says,
 *   or what the service said before      -> the service's word, and no edit any more
 *   only the service says what it said   -> the base takes its spelling, and the edit stays one
 *
 * @returns how many edits turned out to be none
 */
export function normalizeEqualValues(db: Db, table: Table, stage: string): number {
  let settled = 0;
  for (const column of table.userColumns) {
    if (column.sqlType !== 'TEXT') continue;
    for (const { id, mine, base, theirs } of otherwiseSpelled(db, table, column, stage)) {
      const outcome = mergeField(table.kind, column.field, base, mine, theirs);
      const says = theirs === null ? 'NULL' : '?';
      const bind = theirs === null ? [] : [theirs];
      if (outcome === 'conflict') continue;
      db.run(`UPDATE ${table.base} SET ${column.sql} = ${says} WHERE id = ?`, ...bind, id);
      if (outcome === 'keep-mine') continue;
      const key = column === table.keyColumn ? `, sort_key = fold(${says})` : '';
      db.run(
        `UPDATE ${table.name} SET ${column.sql} = ${says}, dirty = dirty & ~${column.mask}${key} WHERE id = ?`,
        ...bind,
        ...(key === '' ? [] : bind),
        id,
      );
      db.run(`DELETE FROM conflict WHERE kind = ${table.code} AND field = ${column.code} AND id = ?`, id);
      settled++;
    }
  }
  if (settled > 0) {
    db.run(
      `DELETE FROM ${table.base} WHERE id IN (SELECT s.id FROM ${stage} s CROSS JOIN ${table.name} k ON k.id = s.id
       WHERE k.dirty & ${FIELD_BITS} = 0)`,
    );
  }
  return settled;
}

interface Spelled {
  readonly id: number;
  readonly mine: string | null;
  readonly base: string | null;
  readonly theirs: string | null;
}

function otherwiseSpelled(db: Db, table: Table, column: Column, stage: string): readonly Spelled[] {
  const { name, base } = table;
  const cells = ['k', 'b', 's'].map((alias) => sqlList([column], `${alias}.`)).join(', ');
  return db
    .all(
      `SELECT k.id, ${cells} FROM ${stage} s CROSS JOIN ${name} k ON k.id = s.id CROSS JOIN ${base} b ON b.id = k.id
       WHERE s.has & ${hasBitOf(table, column)} AND k.dirty & ${column.mask}`,
    )
    .map(([id, mine, before, theirs]) => ({
      id: asNumber(id),
      mine: asTextOrNull(mine),
      base: asTextOrNull(before),
      theirs: asTextOrNull(theirs),
    }))
    .filter(({ mine, base: before, theirs }) => theirs !== mine || theirs !== before);
}
