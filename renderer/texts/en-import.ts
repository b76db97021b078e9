import { countText, plural } from './numbers.ts';

/** Texts about choosing which rows of a sheet come in. */
export const enImport = {
  rows: 'Rows of the file',
  rowsInFile: (n: number) => `${plural(n, 'row')} in the file`,
  warnings: 'Read, and worth a look',
  openQuotes:
    'A quote is not closed where it should be. Rows from there on stay out until you have looked at them: correct the file, save the rows below as a sheet and correct that, or read every line as a row of its own.',
  linesAsRows: 'Read every line as a row',
  rowsHint: 'Take a tick away to leave a row as it is here.',
  outcome: {
    added: 'to add',
    changed: 'to change',
    removed: 'to delete',
    conflict: 'edited there and here',
    unchanged: 'unchanged',
    error: 'cannot come in',
  },
  some: (count: number, total: number) =>
    count === total ? countText(total) : `${countText(count)} of ${countText(total)}`,
  allOf: (name: string, total: number) => `All ${countText(total)} ${name}`,
  shown: 'Rows shown',
  line: (line: number) => `Line ${countText(line)}`,
  tick: (line: number) => `Line ${countText(line)} comes in`,
  removed: 'is deleted by the next sync',
  below: 'Rows below a campaign or an ad group that stays out cannot come in either.',
  conflictHint: 'Ticked rows take what the file says; the others stay as they are here.',
  filesLeft: (why: readonly string[]) =>
    `${plural(why.length, 'file')} of the archive that no row uses stayed out. ${why.slice(0, 3).join(' ')}${why.length > 3 ? ' …' : ''}`,
  addFiles: (n: number) => `Add ${plural(n, 'file')}`,
  loading: 'Reading the rows…',
  columns: 'Columns',
  columnsHint: 'Take a tick away to leave what the file says in a column out.',
  tickColumn: (name: string) => `${name} comes in`,
  allColumns: 'All columns',
  columnFigures: (changes: number, problems: number) =>
    [
      ...(changes > 0 ? [plural(changes, 'change')] : []),
      ...(problems > 0 ? [plural(problems, 'cell that cannot come in', 'cells that cannot come in')] : []),
    ].join(' · '),
  columnNeeded: 'new rows need it',
  columnInstead: (n: number) =>
    `${n === 1 ? '1 new row needs' : `${countText(n)} new rows need`} it: leave the ${n === 1 ? 'row' : 'rows'} out instead`,
  columnKept: (n: number) => `${n === 1 ? '1 new row keeps' : `${countText(n)} new rows keep`} it`,
  progress: 'How far the file is',
  sheet: 'Sheet',
  sheetHint: 'Only this sheet of the workbook comes in.',
  sheetNamed: (name: string, rows: number, hidden: boolean) =>
    `${name} (${plural(rows, 'row')}${hidden ? ', hidden' : ''})`,
  skippedParts: (names: readonly string[]) =>
    `Skipped, because no archive of Adslate has such parts: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${countText(names.length - 20)} more` : ''}.`,
  share: (done: number) => `${countText(Math.round(done * 100))} %`,
  leftOut: 'left out',
  missing: (n: number) =>
    `The file names ${plural(n, 'campaign or ad group', 'campaigns and ad groups')} by ids that this account does not have.`,
  addMissing: 'Add campaigns by id…',
  files: 'Media files',
  filesHint: 'They come in with their rows. Take a tick away to bring the rows in without the file.',
  tickFile: (name: string) => `${name} comes in`,
  mediaTypes: { logo: 'logo', video: 'video', caption: 'caption' },
  unusedFile: 'used by no row',
  fileAdded: 'added to the library',
  fileChanged: (what: readonly string[]) => `in the library; sets ${what.join(' and ')}`,
  fileChanges: { caption: 'its caption', mediaName: 'its name on the service' },
  fileRows: (n: number) => `in ${plural(n, 'row')}`,
  moreFiles: (n: number) => `and ${countText(n)} more, which come in`,
  signedBy: (name: string, time: string) => `Signed by ${name} at ${time}.`,
  nobody: 'somebody without a name',
  signer: {
    own: 'The key is that of this computer.',
    known: 'You have taken something over from this key before.',
    new: 'The key is new here: compare its fingerprint with the sender before you rely on the name.',
  },
  knownAs: (name: string) => `You know this key as ${name}: ask the sender.`,
  fingerprint: (groups: string) => `Fingerprint ${groups}`,
  unsigned: 'Not signed: nothing proves who wrote it.',
  altered: 'This file was altered since it was signed. Ask the sender for it anew.',
  evenAltered: 'Look at it all the same',
  alteredAllTheSame: 'Altered since it was signed: nothing proves who wrote what is here.',
  notSigned:
    'The file is not signed, because the keys of this computer are locked. Unlock them and export again to sign it.',
} as const;
