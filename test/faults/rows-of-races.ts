import { type FaultRow, row } from './fault-row.ts';

const LONG_WORK = 'test/hosts/long-work.test.ts';
const CUT = 'test/workspace/salvage-cut.test.ts';
const SAME = 'test/core/same-advertiser.test.ts';

/** What happens when several things are asked for in the same moment. */
export const RACE_ROWS: readonly FaultRow[] = [
  row(
    'R1',
    'machine',
    'several syncs asked for in the same moment',
    'one runs, with one backup; the others are told that it runs',
    LONG_WORK,
    'of syncs that are asked for at once one runs',
  ),
  row(
    'R2',
    'machine',
    'several backups in the same millisecond, beside syncs',
    'as many backups, each whole and under its own name',
    LONG_WORK,
    'backups that begin in the same moment',
  ),
  row(
    'R3',
    'machine',
    'more imports at once than previews are kept',
    'they come in one after the other; none makes another fail',
    LONG_WORK,
    'more imports than previews are kept',
  ),
  row(
    'R4',
    'machine',
    'every long operation at once with every other',
    'each ends as itself or says that the account was closed meanwhile; nothing half-written stays',
    LONG_WORK,
    'every long operation at once',
  ),
  row(
    'R5',
    'machine',
    'a process that ended while it wrote a file',
    'what it left is removed when the account is opened again',
    LONG_WORK,
    'what an earlier process left half-written',
  ),
  row(
    'R6',
    'machine',
    'many exports at once',
    'no file goes while it is written or just offered; one that failed leaves nothing',
    LONG_WORK,
    'a file for a window to save stays',
  ),
  row(
    'R7',
    'machine',
    'the same media file added by several windows at once',
    'it is in the library once',
    LONG_WORK,
    'the same picture added by several calls',
  ),
  row(
    'R8',
    'machine',
    'an advertiser connected a second time, however its address is typed',
    'refused, with the name of the account that it is',
    SAME,
    'a second account that differs by %s is refused',
  ),
  row(
    'R9',
    'machine',
    'two programs that add accounts at once',
    'both are kept, and the same advertiser once',
    SAME,
    'of programs that add the same advertiser at once one does',
  ),
  row(
    'R10',
    'file',
    'file that was cut short or lost pages, also the first, with and without a log, and no backup',
    'every row still on its pages is read into a new file; how many may be missing is said',
    CUT,
    'gives every row that is still on its pages',
  ),
  row(
    'R11',
    'file',
    'file of which nothing is left',
    'said; it stays as it is, and no empty account takes its place',
    CUT,
    'a file of a page and a half holds no row',
  ),
];
