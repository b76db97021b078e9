import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Db, type DbRow, numberOf } from '../db/db.ts';
import { openDb } from '../db/open-db.ts';
import type { NotWritable } from '../port.ts';
import { tableOf } from '../schema/tables.ts';

/** How another file of the same workspace differs from it, seen as "what would taking that file change". */
export interface Comparison {
  readonly kinds: readonly KindDifference[];
  /** The first differing rows, for showing. */
  readonly examples: readonly RowDifference[];
}

export interface KindDifference {
  readonly kind: Kind;
  /** Rows that are only in the other file. */
  readonly comingBack: number;
  /** Rows that the other file does not have. */
  readonly going: number;
  readonly changing: number;
}

export interface RowDifference {
  readonly kind: Kind;
  readonly id: number;
  readonly label: string;
  readonly what: 'comes-back' | 'goes' | 'changes';
}

/**
 * Compares by row id, which a workspace never uses twice. Only what the user sees counts: the fields and the marks
 * "deleted" and "held", not the findings, which are made anew.
 */
export function compareFiles(order: {
  readonly file: string;
  readonly other: string;
  readonly examples: number;
}): Result<Comparison, NotWritable> {
  const db = openDb(order.file, { readOnly: true });
  try {
    db.run('ATTACH DATABASE ? AS other', order.other);
    const kinds: KindDifference[] = [];
    const examples: RowDifference[] = [];
    for (const kind of KINDS) {
      const found = differencesOf(db, kind, order.examples - examples.length);
      kinds.push(found.counts);
      examples.push(...found.examples);
    }
    return ok({ kinds, examples });
  } finally {
    db.close();
  }
}

function differencesOf(db: Db, kind: Kind, wanted: number) {
  const table = tableOf(kind);
  const columns = [...table.columns.map(({ sql }) => sql), 'dirty'];
  const differs = columns.map((column) => `n.${column} IS NOT o.${column}`).join(' OR ');
  const other = `other.${table.name}`;
  const label = table.keyColumn?.sql ?? (table.columns[0]?.sql || 'id');
  const sets = {
    'comes-back': `SELECT o.id, o.${label} FROM ${other} o WHERE NOT EXISTS (SELECT 1 FROM main.${table.name} n WHERE n.id = o.id)`,
    goes: `SELECT n.id, n.${label} FROM main.${table.name} n WHERE NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.id = n.id)`,
    changes: `SELECT o.id, o.${label} FROM ${other} o JOIN main.${table.name} n ON n.id = o.id WHERE ${differs}`,
  } as const;
  const count = (what: keyof typeof sets): number => numberOf(db, `SELECT count(*) FROM (${sets[what]})`);
  const counts = { kind, comingBack: count('comes-back'), going: count('goes'), changing: count('changes') };
  const examples = (Object.keys(sets) as (keyof typeof sets)[])
    .flatMap((what) => db.all(`${sets[what]} LIMIT ?`, Math.max(0, wanted)).map((row) => example(kind, what, row)))
    .slice(0, Math.max(0, wanted));
  return { counts, examples };
}

const example = (kind: Kind, what: RowDifference['what'], [id, label]: DbRow): RowDifference => ({
  kind,
  id: Number(id),
  label: label === null || label === undefined ? '' : String(label),
  what,
});
