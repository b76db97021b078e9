import { formatCell } from '../../../shared/model/cell-text.ts';
import type { Row } from '../../../shared/model/row.ts';
import { DELETED } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { guardCell } from '../../../shared/sheet/cell-guard.ts';
import { COLUMNS, type Column, FIELD_OF, TYPE_NAMES } from '../../../shared/sheet/columns.ts';
import { asTextOrNull, type Db, type DbRow, type DbValue, rowIdOf } from '../../workspace/db/db.ts';
import { fromStored } from '../../workspace/rows/codec.ts';
import { columnOf, tableOf } from '../../workspace/schema/tables.ts';
import { csvCell } from '../csv-line.ts';

/** Kinds of which an account may have hundreds of thousands of rows. */
export const FAST_EXPORT_TYPES = ['adItem', 'keyword'] as const;
export type FastExportType = (typeof FAST_EXPORT_TYPES)[number];

/**
 * Lines of ad items and keywords straight from their columns: what all rows of an ad group have in common is written
 * once, and between it stand the few cells that differ. The same text as `formatRow` with `csvLine` makes of each
 * row, in a third of the time; a test holds the two against each other.
 */
export function fastCsvLines(
  db: Db,
  kind: FastExportType,
  campaign: Row<'campaign'>,
  groups: ReadonlyMap<RowId, Row<'adGroup'>>,
  delimiter: string,
): { readonly text: string; readonly rows: number } {
  const table = tableOf(kind);
  const fields = fieldsOf(kind);
  const found = db.all(
    `SELECT ad_group_id, remote_id, ${fields.map(({ sql }) => sql).join(', ')} FROM ${table.name}
     WHERE campaign_id = ? AND NOT dirty & ${DELETED} ORDER BY id`,
    campaign.id,
  );
  const around = new Map<RowId, readonly string[]>();
  let text = '';
  for (const row of found) {
    const groupId = rowIdOf(row[0]);
    let between = around.get(groupId);
    if (between === undefined) {
      between = commonText(kind, campaign, groups.get(groupId), delimiter, fields);
      around.set(groupId, between);
    }
    text += lineOf(row, between, fields, delimiter);
  }
  return { text, rows: found.length };
}

interface BulkField {
  /** Where it stands among all columns of the sheet. */
  readonly at: number;
  readonly sql: string;
  /** Texts of numbers and choices seen before; null for free text. */
  readonly known: Map<DbValue, string> | null;
  text(value: DbValue): string;
}

const made = new Map<FastExportType, readonly BulkField[]>();

function fieldsOf(kind: FastExportType): readonly BulkField[] {
  const before = made.get(kind);
  if (before !== undefined) return before;
  const table = tableOf(kind);
  const fields = Object.entries(FIELD_OF[kind]).map(([column, field]): BulkField => {
    const stored = columnOf(table, field);
    if (stored === undefined) throw new Error(`${kind} has no column for ${field}`);
    const { spec, sql } = stored;
    const isText = spec.type.is === 'text';
    return {
      at: COLUMNS.indexOf(column as Column),
      sql,
      known: isText ? null : new Map(),
      text: (value) => {
        const text = formatCell(kind, field, fromStored(spec, value));
        return isText ? guardCell(text) : text;
      },
    };
  });
  const sorted = fields.toSorted((a, b) => a.at - b.at);
  made.set(kind, sorted);
  return sorted;
}

/** The text before the first cell that differs, between each two of them, before the row's id and after it. */
function commonText(
  kind: FastExportType,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'> | undefined,
  delimiter: string,
  fields: readonly BulkField[],
): readonly string[] {
  const cells: Partial<Record<Column, string>> = {
    Type: TYPE_NAMES[kind],
    Campaign: guardCell(campaign.values.name ?? ''),
    'Ad group': guardCell(group?.values.name ?? ''),
    'Campaign id': campaign.remoteId ?? '',
    'Ad group id': group?.remoteId ?? '',
  };
  const texts = COLUMNS.map((column) => csvCell(cells[column] ?? '', delimiter));
  const cuts = [...fields.map(({ at }) => at), COLUMNS.indexOf('Row id')];
  const between: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    between.push(
      (from === 0 ? '' : delimiter) +
        texts
          .slice(from, cut)
          .map((text) => text + delimiter)
          .join(''),
    );
    from = cut + 1;
  }
  between.push(
    `${texts
      .slice(from)
      .map((text) => delimiter + text)
      .join('')}\r\n`,
  );
  return between;
}

function lineOf(row: DbRow, between: readonly string[], fields: readonly BulkField[], delimiter: string): string {
  let line = between[0] ?? '';
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    const value = row[i + 2] ?? null;
    if (field !== undefined && value !== null) line += cellText(field, value, delimiter);
    line += between[i + 1] ?? '';
  }
  const id = asTextOrNull(row[1]);
  if (id !== null && /^\d+$/.test(id)) line += id;
  return line + (between[fields.length + 1] ?? '');
}

function cellText(field: BulkField, value: DbValue, delimiter: string): string {
  if (field.known === null) return csvCell(field.text(value), delimiter);
  const known = field.known.get(value);
  if (known !== undefined) return known;
  const text = csvCell(field.text(value), delimiter);
  field.known.set(value, text);
  return text;
}
