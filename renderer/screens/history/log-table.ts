import type { LogEntry } from '../../../shared/contract/history.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { guardCell } from '../../../shared/sheet/cell-guard.ts';
import { formatTsv } from '../../../shared/sheet/tsv.ts';
import { valueText } from '../../grid/columns.ts';
import { enHistory } from '../../messages/en-history.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';

/** A value of the log as it is read: files of the library by their number, as they may be gone by now. */
export const entryText = ({ kind, field }: LogEntry, value: LogEntry['before']): string =>
  field === null ? '' : valueText(kind, field, value, new Map());

/** The same for a file, in which amounts and days are written in one way for everybody. */
function filedText(entry: LogEntry, value: LogEntry['before']): string {
  const is = entry.field === null ? undefined : fieldSpec(entry.kind, entry.field)?.type.is;
  return is === 'money' || is === 'factor' || is === 'date' || is === 'count'
    ? formatCell(entry.kind, entry.field ?? '', value)
    : entryText(entry, value);
}

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
    filedText(entry, entry.before),
    filedText(entry, entry.after),
  ]);
  return formatTsv([[...enHistory.columns], ...lines.map((line) => line.map(guardCell))]);
}
