import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { listedWords } from '../../../shared/deployment/limits.ts';
import type { ParseLimits, ServiceWords } from '../../../shared/model/cell-text.ts';
import { isUnknownWord } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { Db } from '../db/db.ts';
import { allTables, columnOf, tableOf } from '../schema/tables.ts';

/**
 * Words besides the model's choices that may be typed, pasted or imported: those listed by the deployment, and service
 * words in rows of this account. So exported values can be imported again, and mistyped words are refused.
 */
function wordsInUse(db: Db, profile: DeploymentSettings): ServiceWords {
  const words: Partial<Record<Kind, Record<string, readonly string[]>>> = {};
  for (const { kind, name, base, columns } of allTables()) {
    const open = columns.filter(({ sqlType }) => sqlType === 'ANY');
    if (open.length === 0) continue;
    const found = new Map(open.map(({ field }) => [field, new Set(listedWords(profile, kind, field) ?? [])]));
    for (const [table, of] of [
      [name, open],
      [base, open.filter(({ mask }) => mask !== 0)],
    ] as const) {
      if (of.length === 0) continue;
      const list = of.map(({ sql }) => sql).join(', ');
      const rows = db.all(
        `SELECT DISTINCT ${list} FROM ${table} WHERE ${of.map(({ sql }) => `typeof(${sql}) = 'text'`).join(' OR ')}`,
      );
      for (const row of rows) {
        for (const [at, { field, spec }] of of.entries()) {
          const cell = row[at] ?? null;
          if (isUnknownWord(spec, cell)) found.get(field)?.add(cell);
        }
      }
    }
    words[kind] = Object.fromEntries([...found].map(([field, all]) => [field, [...all]]));
  }
  return words;
}

/** Limits for parsing typed, pasted and imported cells of an account. */
export const readLimits = (db: Db, profile: DeploymentSettings): ParseLimits => ({
  factorMax: profile.multiplier.max,
  words: wordsInUse(db, profile),
});

/** Whether any row of the kind has this word of the service, or its base has it. */
export function isInUse(db: Db, kind: Kind, field: string, word: string): boolean {
  const table = tableOf(kind);
  const column = columnOf(table, field);
  if (column === undefined) return false;
  const tables = column.mask === 0 ? [table.name] : [table.name, table.base];
  return tables.some((name) => db.get(`SELECT 1 FROM ${name} WHERE ${column.sql} = ? LIMIT 1`, word) !== undefined);
}
