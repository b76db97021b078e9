import type { LogEntry } from '../../../shared/contract/history.ts';
import { guardCell } from '../../../shared/sheet/cell-guard.ts';
import { valueText } from '../../grid/columns.ts';
import { formatTsv } from '../../grid/tsv.ts';
import { enHistory } from '../../messages/en-history.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';

/** A value of the log as it is read: files of the library by their number, as they may be gone by now. */
export const entryText = ({ kind, field }: LogEntry, value: LogEntry['before']): string =>
  field === null ? '' : valueText(kind, field, value, new Map());

/** The log as a table: times in UTC, one line a changed field; nothing in it is run by a spreadsheet program. */
export function logTable(entries: readonly LogEntry[]): string {
  const lines = entries.map((entry) => [
    new Date(entry.at).toISOString(),
    entry.who,
    entry.step,
    entry.source,
    entry.undone ? enHistory.undone : '',
    entry.campaignName,
    `${KIND_NAMES[entry.kind].one} ${entry.label}`,
    enHistory.what[entry.what],
    entry.field === null ? '' : fieldName(entry.field),
    entryText(entry, entry.before),
    entryText(entry, entry.after),
  ]);
  return formatTsv([[...enHistory.columns], ...lines.map((line) => line.map(guardCell))]);
}
