import { BAD_SHEETS } from './bad-sheets.ts';

/** One thing that can go wrong with files, imports or the machine, what happens then, and the case that shows it. */
export interface FaultRow {
  readonly id: string;
  readonly area: 'file' | 'import' | 'machine';
  readonly fault: string;
  readonly outcome: string;
  /** The test that shows it: its file, and words of its title. */
  readonly shown: readonly [file: string, title: string];
}

const row = (
  id: string,
  area: FaultRow['area'],
  fault: string,
  outcome: string,
  file: string,
  title: string,
): FaultRow => ({ id, area, fault, outcome, shown: [file, title] });

const OPENING = 'test/workspace/opening.test.ts';
const RESERVE = 'test/workspace/reserve.test.ts';
const SAFETY = 'test/workspace/safety.test.ts';
const BACKUPS = 'test/core/backups.test.ts';
const MACHINE = 'test/faults/machine.test.ts';
const SHEETS = 'test/faults/bad-sheets.test.ts';
const ARCHIVE = 'test/exchange/archive.test.ts';
const ROUND = 'test/exchange/round-trip.test.ts';

export const FAULT_ROWS: readonly FaultRow[] = [
  row(
    '61',
    'file',
    'database of no length',
    'damage, not a new beginning; the newest backup takes its place',
    BACKUPS,
    'an empty or missing file of a known account',
  ),
  row(
    '62',
    'file',
    'header or text of something else',
    'refused; the file stays as it is',
    OPENING,
    'a file with other content is refused',
  ),
  row(
    '63',
    'file',
    'damaged pages',
    'set aside; the newest backup that can be read takes its place, and the user is told',
    BACKUPS,
    'the newest backup takes its place',
  ),
  row('65', 'file', 'log of another database', 'refused, never mixed in', MACHINE, 'fault 65'),
  row(
    '66',
    'file',
    'database of another program',
    'refused as no workspace',
    OPENING,
    'a database of another program is refused',
  ),
  row(
    '67',
    'file',
    'workspace of a newer schema',
    'may be looked at and exported; edits are refused',
    SAFETY,
    'a workspace of a newer Adslate can be looked at',
  ),
  row(
    '69',
    'file',
    'disk full while editing',
    'the edit is refused, what was there stays',
    OPENING,
    'a full disk refuses the edit',
  ),
  row(
    'F16',
    'file',
    'disk full, with room kept for that',
    'the edit under way and a clean end come through; then edits are refused',
    RESERVE,
    'the edit under way still comes through',
  ),
  row(
    '70',
    'file',
    'disk full before a request',
    'nothing is sent',
    'test/sync/outbox.test.ts',
    'when the intent cannot be written',
  ),
  row(
    '71',
    'file',
    'folder moved while open',
    'edits are refused instead of written where nobody looks',
    OPENING,
    'when the folder moves away',
  ),
  row('73', 'import', 'sheet of two gigabytes', 'refused by its size', SHEETS, 'fault 73'),
  row(
    '83',
    'import',
    'video keyword below its least bid',
    'an error of the check, the rest is usable',
    'test/shared/rules/limits.test.ts',
    'is found at',
  ),
  row(
    '85',
    'import',
    '201 keywords, 11 items, 3 profiles',
    'errors of the check, the rest is usable',
    'test/shared/rules/limits.test.ts',
    'is found at',
  ),
  row(
    '110',
    'machine',
    'kill -9 at any moment',
    'what was acknowledged is there, nothing is half',
    'test/crash/store-kills.test.ts',
    'killed at random moments',
  ),
  row(
    '111',
    'machine',
    'power cut',
    'every acknowledged edit is there, also behind a torn tail',
    'test/crash/power-cut.test.ts',
    'after a power cut',
  ),
  row(
    '113',
    'machine',
    'clock back a day, ahead a month, 1970',
    'the order of what was done stays',
    MACHINE,
    'fault 113',
  ),
  row('114', 'machine', 'time zone changes while running', 'plain dates stay', MACHINE, 'fault 114'),
  row(
    '115',
    'machine',
    'no key store',
    'secrets stay in memory and are asked for again; nothing is deleted',
    'test/hosts/secrets.test.ts',
    'it is what happens where there is no key store',
  ),
  row(
    '118',
    'machine',
    'thread of the workspace fails',
    'the account opens anew and holds everything',
    MACHINE,
    'fault 118',
  ),
  row('119', 'machine', 'not enough memory', 'the import is refused, nothing else is touched', MACHINE, 'fault 119'),
  row(
    '121',
    'machine',
    'quit during a sync',
    'asks, waits for the last commit, and not for ever',
    'test/hosts/desktop.test.ts',
    'asks first while a sync runs',
  ),
  row(
    '122',
    'machine',
    'undo across a sync',
    'a new difference; the base stays',
    'test/workspace/merge.test.ts',
    'undoing past a sync',
  ),
  row(
    '123',
    'machine',
    'deleting a row whose creation is in doubt',
    'marked, and gone once it is known',
    'test/sync/outbox.test.ts',
    'a row deleted while its creation is in doubt',
  ),
  row(
    '125',
    'machine',
    'link with switches, of another form or to nowhere',
    'ignored',
    'test/hosts/desktop.test.ts',
    'names an account, a kind and a row',
  ),
  row('126', 'machine', 'folder of backups removed', 'made again', BACKUPS, 'a folder of backups that was removed'),
  row(
    '127',
    'machine',
    'restore while requests are in doubt',
    'asks instead of sending again',
    'test/sync/restore.test.ts',
    'a backup from before a lost answer',
  ),
  row('F1', 'file', 'folder in the place of the database', 'refused', OPENING, 'a folder in the place of the file'),
  row(
    'F2',
    'file',
    'database that has lost its content while its log is there',
    'not taken for a new one',
    OPENING,
    'a file that lost its content',
  ),
  row(
    'F3',
    'file',
    'workspace without one of its tables',
    'refused and named',
    OPENING,
    'a workspace that lacks a table',
  ),
  row(
    'F4',
    'file',
    'workspace open in another process',
    'refused, with who has it and since when',
    OPENING,
    'another process is refused',
  ),
  row(
    'F5',
    'file',
    'backup to a folder that is not there',
    'refused, nothing is left behind',
    OPENING,
    'a backup that cannot be written',
  ),
  row(
    'F6',
    'file',
    'workspace that breaks its own promises',
    'gives no backup',
    SAFETY,
    'a workspace that breaks its own promises',
  ),
  row(
    'F7',
    'file',
    'folder without write access',
    'may be looked at',
    SAFETY,
    'a workspace in a folder without write access',
  ),
  row('F8', 'file', 'backup that has rotted', 'passed over for the one before it', BACKUPS, 'a backup that has rotted'),
  row(
    'F9',
    'file',
    'damaged and without a backup',
    'stays as it is until it is salvaged',
    BACKUPS,
    'without a backup it is refused',
  ),
  row(
    'F10',
    'file',
    'damaged page in the middle',
    'everything else is salvaged into a sound workspace',
    SAFETY,
    'of a damaged file everything that can be read',
  ),
  row('F11', 'file', 'older state put back by hand', 'recognised', BACKUPS, 'an older state that was put back'),
  row(
    'F12',
    'file',
    'copied data folder',
    'sends nothing until somebody says which goes on',
    BACKUPS,
    'one that was copied asks',
  ),
  row(
    'F13',
    'file',
    'name of a backup that climbs out of its folder',
    'refused',
    BACKUPS,
    'a name that the list does not have',
  ),
  row(
    'F14',
    'file',
    'file in the place of the folder of backups',
    'told once, tried again',
    BACKUPS,
    'a backup that cannot be made',
  ),
  row(
    'F15',
    'file',
    'two files set aside within a millisecond',
    'a folder each',
    SAFETY,
    'what is set aside lies together',
  ),
  row('A1', 'import', 'archive of a newer program', 'refused and named', ARCHIVE, 'of a newer program'),
  row('A2', 'import', 'archive without checksums', 'refused', ARCHIVE, 'without checksums'),
  row('A3', 'import', 'archive whose rows were changed', 'refused', ARCHIVE, 'with rows that were changed'),
  row('A4', 'import', 'archive with a part of another name', 'refused', ARCHIVE, 'with a part that is none of ours'),
  row('A5', 'import', 'archive with media under a wrong hash', 'refused', ARCHIVE, 'with media under a wrong hash'),
  row('A6', 'import', 'archive cut short', 'refused', ARCHIVE, 'that was cut short'),
  row('A7', 'import', 'archive with a flipped byte', 'refused', ARCHIVE, 'with a flipped byte'),
  row(
    'A8',
    'import',
    'edited on both sides since the export',
    'a conflict that changes nothing until it is taken',
    ROUND,
    'is a conflict where both sides',
  ),
  row(
    'A9',
    'import',
    'workspace edited between preview and import',
    'worked out anew',
    ROUND,
    'a preview that has grown old',
  ),
  row('M1', 'machine', 'sheet that changes after its preview', 'applied as it was shown', MACHINE, 'fault M1'),
  row(
    'M2',
    'machine',
    'cut in the middle of a commit',
    'the commit before it is there',
    'test/crash/power-cut.test.ts',
    'a cut in the middle of a commit',
  ),
  ...BAD_SHEETS.map(({ id, what, expect }) => row(id, 'import', what, outcomeOf(expect), SHEETS, 'fault %s: %s')),
];

/** Rows that nothing meets yet. They are listed, so that nobody takes them for done. */
export const OPEN_ROWS: readonly { readonly id: string; readonly fault: string; readonly why: string }[] = [
  {
    id: '117',
    fault: 'page that fails again and again',
    why: 'the window reloads it without end; a start without the last views is missing',
  },
];

function outcomeOf(expect: (typeof BAD_SHEETS)[number]['expect']): string {
  if ('refused' in expect) return `the file is refused (${expect.refused})`;
  if ('error' in expect) return `an error in line ${expect.error[0]}; other rows come in`;
  if ('unknown' in expect) return 'named as unknown, the other columns are read';
  if ('formulas' in expect) return 'read as plain text, with a warning';
  return 'read as it is meant';
}
