import { memo } from '../../../shared/memo.ts';
import type { FieldSpec } from '../../../shared/model/field-types.ts';
import { fieldSpecs } from '../../../shared/model/fields.ts';
import { KINDS, type Kind, kindCode, PARENT_OF } from '../../../shared/model/kinds.ts';
import { DELETED, HELD } from '../../../shared/model/row.ts';
import { asNumber, asText, type Db, type DbValue } from '../db/db.ts';

/**
 * The table of a kind and the column of a field. All SQL over rows uses these names, which are derived from the field
 * tables of the model, so a new field is declared once.
 */
export interface Table {
  readonly kind: Kind;
  /** The kind's code in the history. */
  readonly code: number;
  readonly name: string;
  /** The base table: service values of rows that differ from them. */
  readonly base: string;
  readonly parent: 'account' | 'campaign' | 'adGroup';
  readonly columns: readonly Column[];
  /** The columns with a bit in `dirty`: all but the service's own. The base has exactly these. */
  readonly userColumns: readonly Column[];
  /** The text column whose folded form is in `sort_key`, or null if the kind has none. */
  readonly keyColumn: Column | null;
}

export interface Column {
  readonly field: string;
  /** Quoted for SQL. */
  readonly sql: string;
  readonly spec: FieldSpec;
  /** `ANY` columns have a number for a known word, and the text of an unknown one. */
  readonly sqlType: 'INTEGER' | 'TEXT' | 'ANY';
  /** `1 << bit` of the field, or 0 for a field that only the service changes. */
  readonly mask: number;
  /** The field's code in the history: its bit, or 40 and up for the service's fields in their order. */
  readonly code: number;
}

/** History codes for the marks of a row. */
export const DELETED_CODE = 100;
export const HELD_CODE = 101;
const FIRST_SERVICE_CODE = 40;

const TABLE_NAME: Readonly<Record<Kind, string>> = {
  campaign: 'campaign',
  adGroup: 'ad_group',
  adItem: 'ad_item',
  keyword: 'keyword',
  sbaProfile: 'sba_profile',
  videoProfile: 'video_profile',
  placementMultiplier: 'placement_multiplier',
  platformMultiplier: 'platform_multiplier',
  media: 'media',
};

export const tableOf = memo(makeTable);

export const allTables = (): readonly Table[] => KINDS.map(tableOf);

/** The kind at this position in `KINDS`, as stored in columns. */
export function kindAt(code: DbValue | undefined): Kind {
  const kind = KINDS[asNumber(code)];
  if (kind === undefined) throw new Error(`there is no kind ${code}`);
  return kind;
}

/** A column that must exist. */
export function columnNamed(table: Table, field: string): Column {
  const column = columnOf(table, field);
  if (column === undefined) throw new Error(`${table.kind} has no field ${field}`);
  return column;
}

export const columnOf = (table: Table, field: string): Column | undefined =>
  table.columns.find((column) => column.field === field);

/** The stored number of a choice; -1 if the field has no such choice. */
export const choiceCode = (kind: Kind, field: string, choice: string): number => {
  const type = columnOf(tableOf(kind), field)?.spec.type;
  return type?.is === 'choice' ? type.choices.indexOf(choice) : -1;
};

/** The column with this history code. */
export function columnByCode(table: Table, code: number): Column {
  const column = table.columns.find((c) => c.code === code);
  if (column === undefined) throw new Error(`the history names field ${code} of ${table.kind}, which does not exist`);
  return column;
}

/** The part of a row with this history code: one of its marks, or a field's column. */
export function partAt(table: Table, code: number) {
  const mark = code === DELETED_CODE ? DELETED : code === HELD_CODE ? HELD : null;
  return mark === null ? { mark, column: columnByCode(table, code) } : { mark, column: null };
}

/** A list of columns for SQL, each with the prefix of its table. */
export const sqlList = (columns: readonly Column[], prefix = ''): string =>
  columns.map((column) => prefix + column.sql).join(', ');

function sqlTypeOf({ type }: FieldSpec): Column['sqlType'] {
  if (type.is === 'text' || type.is === 'date') return 'TEXT';
  return type.is === 'choice' && type.isOpen ? 'ANY' : 'INTEGER';
}

function makeTable(kind: Kind): Table {
  let nextServiceCode = FIRST_SERVICE_CODE;
  const columns = Object.entries(fieldSpecs(kind)).map(([field, spec]): Column => {
    return {
      field,
      sql: `"${field}"`,
      spec,
      sqlType: sqlTypeOf(spec),
      mask: spec.bit === null ? 0 : 1 << spec.bit,
      code: spec.bit ?? nextServiceCode++,
    };
  });
  const name = TABLE_NAME[kind];
  return {
    kind,
    code: kindCode(kind),
    name,
    base: `${name}_base`,
    parent: PARENT_OF[kind],
    columns,
    userColumns: columns.filter((column) => column.mask !== 0),
    keyColumn: columns.find(({ spec }) => spec.key === true) ?? null,
  };
}

/**
 * Adds columns for new fields of the model to the tables of an older file. The cells are empty in rows and bases, so
 * nothing counts as changed; an older Adslate ignores the columns. Any other change needs a numbered migration.
 *
 * @returns how many columns were added
 */
export function addNewFields(db: Db): number {
  const missing = allTables().flatMap(({ name, base, columns, userColumns }) => [
    ...lacking(db, name, columns),
    ...lacking(db, base, userColumns),
    // The team's table of a row has the columns that users write.
    ...lacking(db, `${name}_team`, userColumns),
  ]);
  if (missing.length === 0) return 0;
  db.tx(() => {
    for (const { table, column } of missing) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column.sql} ${column.sqlType}`);
  });
  return missing.length;
}

function lacking(db: Db, table: string, columns: readonly Column[]) {
  const present = new Set(db.all('SELECT name FROM pragma_table_info(?)', table).map(([name]) => asText(name)));
  return columns.filter((column) => !present.has(column.field)).map((column) => ({ table, column }));
}
