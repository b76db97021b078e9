import { FIELD_BITS, NEW } from '../../shared/model/row.ts';
import { type Db, numberOf } from './db/db.ts';
import { allTables, type Table } from './schema/tables.ts';
import type { IntegrityViolation } from './types.ts';

/** Counts the rows that break what the store promises about itself. Nothing is repaired. */
export function checkIntegrity(db: Db): readonly IntegrityViolation[] {
  return allTables()
    .flatMap((table) =>
      promisesOf(table).map(([promise, sql]) => ({ table: table.name, promise, rows: numberOf(db, sql) })),
    )
    .filter(({ rows }) => rows > 0);
}

function promisesOf(table: Table): readonly (readonly [string, string])[] {
  const { name, base } = table;
  const isEdited = `k.dirty & ${FIELD_BITS} <> 0 AND NOT k.dirty & ${NEW}`;
  const wrongBits = table.userColumns.map(
    (column) => `(k.dirty & ${column.mask} <> 0) <> (k.${column.sql} IS NOT b.${column.sql})`,
  );
  const { keyColumn } = table;
  return [
    [
      'a row with field bits has a base',
      `SELECT count(*) FROM ${name} k WHERE ${isEdited} AND NOT EXISTS (SELECT 1 FROM ${base} b WHERE b.id = k.id)`,
    ],
    [
      'a base belongs to a row with field bits',
      `SELECT count(*) FROM ${base} b LEFT JOIN ${name} k ON k.id = b.id WHERE k.id IS NULL OR NOT (${isEdited})`,
    ],
    [
      'a bit is set exactly where row and base differ',
      `SELECT count(*) FROM ${name} k JOIN ${base} b ON b.id = k.id WHERE ${wrongBits.join(' OR ')}`,
    ],
    ['a new row has no field bits', `SELECT count(*) FROM ${name} WHERE dirty & ${NEW} AND dirty & ${FIELD_BITS}`],
    ...(table.parent === 'adGroup'
      ? ([
          [
            'a row is in the campaign of its ad group',
            `SELECT count(*) FROM ${name} k JOIN ad_group g ON g.id = k.ad_group_id WHERE g.campaign_id <> k.campaign_id`,
          ],
        ] as const)
      : []),
    ...(keyColumn === null
      ? []
      : ([
          [
            'the sort key is the folded text',
            `SELECT count(*) FROM ${name} WHERE sort_key IS NOT fold(${keyColumn.sql})`,
          ],
        ] as const)),
  ];
}
