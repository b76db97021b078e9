import { BAD_SHEETS } from './bad-sheets.ts';
import { type FaultRow, row } from './fault-row.ts';

const SHEETS = 'test/faults/bad-sheets.test.ts';
const ARCHIVE = 'test/exchange/archive.test.ts';
const CHANGES = 'test/exchange/changes.test.ts';
const ROUND = 'test/exchange/round-trip.test.ts';

/** What goes wrong with imports; most rows are the bad sheets. */
export const IMPORT_ROWS: readonly FaultRow[] = [
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
  row('A1', 'import', 'archive of a newer program', 'refused and named', ARCHIVE, 'of a newer program'),
  row('A2', 'import', 'archive without checksums', 'refused', ARCHIVE, 'without checksums'),
  row('A3', 'import', 'archive whose rows were changed', 'refused', ARCHIVE, 'with rows that were changed'),
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
  row(
    'A10',
    'import',
    'deleted there, worked on here',
    'a conflict until it is taken',
    CHANGES,
    'somebody has worked here',
  ),
  row('A11', 'import', 'deleted there and here', 'no change', CHANGES, 'of a row that is gone here already'),
  row('A12', 'import', 'other file of the same name', 'told apart by its content', CHANGES, 'counts by what is in it'),
  row(
    'A13',
    'import',
    'file that an archive names and does not have',
    'stays out and stops nothing',
    ARCHIVE,
    'stops nothing',
  ),
  ...BAD_SHEETS.map(({ id, what, expect }) => row(id, 'import', what, outcomeOf(expect), SHEETS, 'fault %s: %s')),
];

function outcomeOf(expect: (typeof BAD_SHEETS)[number]['expect']): string {
  if ('refused' in expect) return `the file is refused (${expect.refused})`;
  if ('error' in expect) return `an error in line ${expect.error[0]}; other rows come in`;
  if ('unknown' in expect) return 'named as unknown, the other columns are read';
  if ('formulas' in expect) return 'read as plain text, with a warning';
  return 'read as it is meant';
}
