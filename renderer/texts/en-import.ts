import { countText, plural } from './numbers.ts';

/** Texts about choosing which rows of a sheet come in. */
export const enImport = {
  rows: 'Rows in the file',
  rowsInFile: (n: number) => `${plural(n, 'row')} in the file`,
  warnings: 'Imported with a note',
  openQuotes:
    'A quotation mark is not closed, so Adslate skips the rows from there on. Correct the file, export these rows and correct them, or read every line as a row.',
  linesAsRows: 'Read every line as a row',
  rowsHint: 'Clear a check box to skip the row.',
  outcome: {
    added: 'to add',
    changed: 'to change',
    removed: 'to delete',
    conflict: 'in conflict',
    unchanged: 'unchanged',
    error: "can't be imported",
  },
  some: (count: number, total: number) =>
    count === total ? countText(total) : `${countText(count)} of ${countText(total)}`,
  allOf: (name: string, total: number) => `All ${countText(total)} ${name}`,
  shown: 'Rows shown',
  line: (line: number) => `Line ${countText(line)}`,
  tick: (line: number) => `Import line ${countText(line)}`,
  removed: 'deleted with the next sync',
  below: 'Rows in a skipped campaign or ad group are skipped too.',
  conflictHint: 'Selected rows take the value in the file. The others keep the current value.',
  filesLeft: (why: readonly string[]) =>
    `${plural(why.length, 'file')} in the archive ${why.length === 1 ? 'was' : 'were'} skipped because no row uses ${why.length === 1 ? 'it' : 'them'}. ${why.slice(0, 3).join(' ')}${why.length > 3 ? ' …' : ''}`,
  addFiles: (n: number) => `Add ${plural(n, 'file')}`,
  loading: 'Reading the rows…',
  columns: 'Columns',
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
  missing: (n: number) =>
    `The file refers to ${plural(n, 'campaign or ad group', 'campaigns or ad groups')} by ${n === 1 ? 'an ID that is' : 'IDs that are'} not in this account.`,
  addMissing: 'Add campaigns by ID…',
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
  notSigned:
    'The file is not signed because the credentials on this computer are locked. Unlock them and export again to sign it.',
} as const;
