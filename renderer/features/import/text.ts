import type { ImportPreview } from '../../../shared/api/files.ts';
import type { DateOrder } from '../../../shared/model/plain-date.ts';
import { DATE_ORDER_NAMES } from '../../../shared/spreadsheet/sheet-row.ts';
import { countText, plural } from '../../app/locale/numbers.ts';

const EXPORT_ROWS = 'Export these rows…';

const cellPlace = ({ line = '', column = '' }: Readonly<Record<string, string | number>>): string =>
  `Line ${typeof line === 'number' ? countText(line) : line}, ${column}:`;

export const importTexts = {
  title: 'Import',
  source: 'Import from',
  sources: { sheet: 'File', paste: 'Clipboard', views: 'Saved views' },
  views: 'Import views',
  tableOf: (what: string) => `Paste a table: ${what}`,
  pick: 'Choose a file…',
  pickAgain: 'Choose files…',
  drop: 'Drop a spreadsheet (CSV, TSV, XLSX) with the videos, captions and logos it uses, an archive, or a share file. You see a preview before anything changes.',
  reading: 'Reading the file…',
  add: 'to add',
  change: 'to change',
  unchanged: 'unchanged',
  errors: (n: number) => (n === 1 ? "line can't be imported" : "lines can't be imported"),
  notChecked: 'Adslate checks the rows for issues after the import, such as too many keywords in an ad group.',
  line: 'Line',
  column: 'Column',
  problem: 'Error',
  note: 'Note',
  apply: (n: number) => `Import ${plural(n, 'row')}`,
  nothing: 'Nothing to import: the file matches this account.',
  followUps: (followUps: number, all: number) =>
    `${countText(followUps)} of ${plural(all, 'error')} ${followUps === 1 ? 'is in a row' : 'are in rows'} whose campaign or ad group has an error in another line. ${followUps === 1 ? 'It is' : 'They are'} listed last.`,
  partly: 'Lines with errors are skipped. You can import the rest.',
  noneLeft: 'All lines have errors. Check what the columns are imported as, or correct the file and choose it again.',
  failed: EXPORT_ROWS,
  firstErrors: (shown: number, all: number) =>
    `First ${countText(shown)} of ${plural(all, 'error')}. Select "${EXPORT_ROWS}" to get every row with its errors.`,
  firstNotes: (shown: number, all: number) => `First ${countText(shown)} of ${plural(all, 'note')}.`,
  decimalsWhy: (facts: Readonly<Record<string, string | number>>) =>
    `${cellPlace(facts)} "${facts['text']}" can mean two amounts. Choose how the file writes decimals.`,
  decimals: 'Decimal separator in this file',
  decimalsPoint: 'Point (1.50)',
  decimalsComma: 'Comma (1,50)',
  datesWhy: (facts: Readonly<Record<string, string | number>>) =>
    facts['other'] === undefined
      ? `${cellPlace(facts)} "${facts['text']}" can mean two dates. Choose the order of dates.`
      : `${cellPlace(facts)} "${facts['text']}" is in another order than "${facts['other']}". Choose the order of dates. Dates in the other order become errors.`,
  dates: 'Order of dates in this file',
  datesOrders: {
    'month-first': 'Month/day/year (12/31/2026)',
    'day-first': 'Day/month/year (31/12/2026)',
  },
  datesRead: (order: DateOrder) => `Dates are read as ${DATE_ORDER_NAMES[order]}.`,
  formulas: (n: number) =>
    `${plural(n, 'line')} ${n === 1 ? 'contains' : 'contain'} formulas, which were read as text.`,
  accepted: (n: number) => `${plural(n, 'file')} added to the media library.`,
  media: (n: number, unlike: number) =>
    unlike === 0
      ? `${plural(n, 'media file')} in the archive, already in the media library.`
      : `${plural(n, 'media file')} in the archive, ${countText(unlike)} to add or change.`,
  applied: (added: number, changed: number) => {
    const done = [
      ...(added === 0 ? [] : [`${plural(added, 'row')} added`]),
      ...(changed === 0 ? [] : [`${plural(changed, 'row')} changed`]),
    ];
    return done.length === 0 ? 'No row was changed.' : `${done.join(', ')}. Press Ctrl+Z to undo.`;
  },
  cancel: 'Cancel',
  rowsInFile: (n: number) => `${plural(n, 'row')} in the file`,
  warnings: 'Imported with a note',
  openQuotes:
    'A quotation mark is not closed, so Adslate skips the rows from there on. Correct the file, export these rows and correct them, or read every line as a row.',
  linesAsRows: 'Read every line as a row',
  outcome: {
    added: 'to add',
    changed: 'to change',
    removed: 'to delete',
    conflict: 'in conflict',
    unchanged: 'unchanged',
    error: "can't be imported",
  },
  below: 'Rows in a skipped campaign or ad group are skipped too.',
  filesLeft: (why: readonly string[]) =>
    `${plural(why.length, 'file')} in the archive ${why.length === 1 ? 'was' : 'were'} skipped because no row uses ${why.length === 1 ? 'it' : 'them'}. ${why.slice(0, 3).join(' ')}${why.length > 3 ? ' …' : ''}`,
  addFiles: (n: number) => `Add ${plural(n, 'file')}`,
  converted: (program: string) => `Converted from ${program}.`,
  split: (n: number) =>
    `${plural(n, 'more ad group')} became ${n === 1 ? 'a campaign' : 'campaigns'}, because a campaign has one ad group here.`,
  notMapped: 'Not converted',
  skippedRows: (n: number, lines: readonly number[]) =>
    `${plural(n, 'row')}: ${n === 1 ? 'line' : 'lines'} ${lines.map(countText).join(', ')}${n > lines.length ? ' …' : ''}`,
  mapping: 'Column mapping',
  unknownColumns: (n: number) =>
    `${plural(n, 'column')} ${n === 1 ? 'was' : 'were'} not recognized and ${n === 1 ? 'is' : 'are'} skipped. To import ${n === 1 ? 'it' : 'one'}, choose what it is.`,
  knownColumns: 'Recognized columns',
  columnHeads: ['Column in the file', 'Import as'],
  firstValue: 'First value',
  importAs: (heading: string) => `Import column ${heading} as`,
  skipColumn: '(skip)',
  remembersColumns: 'After the import, your choices are remembered for files with the same headings.',
  unusedColumns: 'Unused columns',
  unusedHint: "To import one, choose what it is. Columns that were converted can't be changed.",
  remembered: 'Remembered',
  forget: 'Forget',
  forgetColumn: (heading: string) => `Forget ${heading}`,
  rowType: 'The file has no Type column. All rows are:',
  noRowType: '(choose a type)',
  mappingHeads: (program: string) => [program, 'Adslate'],
  onlyDecides: 'Not imported, only used to understand its row',
  columns: 'Columns with changes',
  columnsHint: 'Clear a check box to ignore the column.',
  tickColumn: (name: string) => `Import column ${name}`,
  allColumns: 'All columns',
  columnFigures: (changes: number, problems: number) =>
    [
      ...(changes > 0 ? [plural(changes, 'change')] : []),
      ...(problems > 0 ? [plural(problems, 'cell with errors', 'cells with errors')] : []),
    ].join(' · '),
  columnNeeded: 'required for new rows',
  columnInstead: (n: number) =>
    `Required for ${plural(n, 'new row')}. Skip ${n === 1 ? 'the row' : 'these rows'} instead.`,
  columnKept: (n: number) => `kept for ${plural(n, 'new row')}`,
  progress: 'Import progress',
  sheet: 'Sheet',
  sheetHint: 'Adslate imports only this sheet of the workbook.',
  sheetNamed: (name: string, rows: number, hidden: boolean) =>
    `${name} (${plural(rows, 'row')}${hidden ? ', hidden' : ''})`,
  skippedParts: (names: readonly string[]) =>
    `Skipped, because these are not parts of an Adslate archive: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${countText(names.length - 20)} more` : ''}.`,
  share: (done: number) => `${countText(Math.round(done * 100))}%`,
  leftOut: 'skipped',
  unknownIds: ({ otherAccount, source, missingCount, unknownRows }: ImportPreview) => {
    const ids = (n: number): string => `${n === 1 ? 'an ID that is' : 'IDs that are'} not in this account.`;
    const parents = plural(missingCount, 'campaign or ad group', 'campaigns or ad groups');
    if (otherAccount === null && missingCount > 0) return `The file refers to ${parents} by ${ids(missingCount)}`;
    const rows = `${plural(unknownRows, 'row')} ${unknownRows === 1 ? 'has' : 'have'} ${ids(unknownRows)}`;
    if (otherAccount === null) return rows;
    const from = `This file is from the account "${otherAccount}". ${rows}`;
    return source !== 'changes'
      ? from
      : `${from} A share file has only changes, so they can't become new rows. Ask the sender for an archive.`;
  },
  addMissing: 'Add campaigns by ID…',
  importAsNew: 'Import as new rows',
  asNew: 'Rows with IDs that are not in this account are imported as new rows.',
  files: 'Media files',
  filesHint: 'Files are imported with their rows. Clear a check box to import the rows without the file.',
  tickFile: (name: string) => `Import ${name}`,
  mediaTypes: { logo: 'logo', video: 'video', caption: 'caption' },
  unusedFile: 'not used by any row',
  fileAdded: 'added to the library',
  fileChanged: (what: readonly string[]) => `already in the library; changes ${what.join(' and ')}`,
  fileChanges: { caption: 'its caption', mediaName: 'its name on the service' },
  fileRows: (n: number) => `in ${plural(n, 'row')}`,
  moreFiles: (n: number) => `and ${countText(n)} more, all imported`,
  signedBy: (name: string, time: string) => `Signed by ${name} at ${time}.`,
  nobody: 'unknown signer',
  signer: {
    own: 'Signed on this computer.',
    known: 'You imported a file signed with this key before.',
    new: 'You have not seen this key before. Compare its fingerprint with the sender before you trust the name.',
  },
  knownAs: (name: string) => `You know this key as ${name}. Check with the sender.`,
  fingerprint: (groups: string) => `Fingerprint ${groups}`,
  unsigned: "Not signed: the sender can't be verified.",
  altered: 'This file was modified after it was signed. Ask the sender for a new copy.',
  evenAltered: 'Open anyway',
  alteredAllTheSame: "Modified after it was signed: the sender can't be verified.",
} as const;
