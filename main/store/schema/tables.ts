import type { FieldSpec } from '../../../shared/model/field-types.ts';
import { fieldSpecs } from '../../../shared/model/fields.ts';
import { KINDS, type Kind, kindCode, PARENT_OF } from '../../../shared/model/kinds.ts';
import { DELETED, HELD } from '../../../shared/model/row.ts';
import { asNumber, asText, type Db, type DbValue, memo } from '../db/db.ts';

/**
 * Which table holds a kind and which column holds a field. Everything that writes SQL over rows reads the names
 * here, and this reads them from the field tables of the model, so a new field is declared once.
 */
export interface Table {
  readonly kind: Kind;
  /** The kind as the history stores it. */
  readonly code: number;
  readonly name: string;
  /** The sparse shadow: what the service last said, for rows that differ from it. */
  readonly base: string;
  readonly parent: 'account' | 'campaign' | 'adGroup';
  readonly columns: readonly Column[];
  /** The columns with a bit in `dirty`: all but the service's own. The base has exactly these. */
  readonly userColumns: readonly Column[];
  /** The text whose folded form stands in `sort_key`, or null when the kind has none. */
  readonly keyColumn: Column | null;
}

export interface Column {
  readonly field: string;
  /** Quoted, ready for SQL. */
  readonly sql: string;
  readonly spec: FieldSpec;
  /** `ANY` where a number stands for a word that is known, and the text for one that is not. */
  readonly sqlType: 'INTEGER' | 'TEXT' | 'ANY';
  /** `1 << bit` of the field, or 0 for a field only the service changes. */
  readonly mask: number;
  /** The field as the history stores it: its bit, or 40 and up for the service's fields in their order. */
  readonly code: number;
}

/** Codes of the history beside those of fields: the marks of a row. */
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

/** The kind behind its position in `KINDS`, as columns hold it. */
export function kindAt(code: DbValue | undefined): Kind {
  const kind = KINDS[asNumber(code)];
  if (kind === undefined) throw new Error(`there is no kind ${code}`);
  return kind;
}

/** A column that is known to be there. */
export function columnNamed(table: Table, field: string): Column {
  const column = columnOf(table, field);
  if (column === undefined) throw new Error(`${table.kind} has no field ${field}`);
  return column;
}

export const columnOf = (table: Table, field: string): Column | undefined =>
  table.columns.find((column) => column.field === field);

/** The number under which a choice stands in its column; -1 when the field has no such choice. */
export const choiceCode = (kind: Kind, field: string, choice: string): number => {
  const type = columnOf(tableOf(kind), field)?.spec.type;
  return type?.is === 'choice' ? type.choices.indexOf(choice) : -1;
};

/** The column behind a code of the history. */
export function columnByCode(table: Table, code: number): Column {
  const column = table.columns.find((c) => c.code === code);
  if (column === undefined) throw new Error(`the history names field ${code} of ${table.kind}, which does not exist`);
  return column;
}

/** What of a row a code of the history is about: one of its marks, or the column of a field. */
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
 * Gives the tables of an older file the columns of fields that the model has got since. The cells are empty in rows
 * and bases alike, so nothing counts as changed; an older Adslate passes the columns over. Anything but a new
 * field is a numbered migration.
 *
 * @returns how many columns were added
 */
export function addNewFields(db: Db): number {
  const missing = allTables().flatMap(({ name, base, columns, userColumns }) => [
    ...lacking(db, name, columns),
    ...lacking(db, base, userColumns),
    // What the team says of a row has the columns that users write.
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
