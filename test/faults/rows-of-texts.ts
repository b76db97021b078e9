import { type FaultRow, row } from './fault-row.ts';

const HERE = 'test/faults/texts.test.ts';
const CELLS = 'test/shared/cell-text.test.ts';
const CELL_TITLE = 'text keeps its characters but refuses control characters and half characters';
const CLIENT = 'test/api/http.test.ts';

/** What goes wrong with names and texts. */
export const TEXT_ROWS: readonly FaultRow[] = [
  row(
    '45',
    'text',
    'markup with a script as a name',
    'a text in every view: nothing runs, nothing is asked for',
    'test/e2e/injection.web.spec.ts',
    '60 texts that would be scripts are texts in every view',
  ),
  row('46', 'text', 'a script as a click address', 'an error of the check', HERE, 'fault 46'),
  row(
    'N1',
    'text',
    'a link of another scheme',
    'never opened',
    'test/hosts/external-links.test.ts',
    'never leaves for the browser',
  ),
  row('47', 'text', "markup in the service's words", 'kept and shown as the text it is', CLIENT, 'fault 47'),
  row('49', 'text', '10,000 combining marks in a name', 'counted as code points, and too long', HERE, 'fault 49'),
  row('50', 'text', 'half a pair of surrogates, typed', 'replaced, so it is never sent', CELLS, CELL_TITLE),
  row('51', 'text', 'control characters and line breaks in a name', 'refused at the field', CELLS, CELL_TITLE),
  row(
    '53',
    'text',
    'a file named like a device, a stream, a folder, or with 300 bytes',
    'shown without folders and controls',
    'test/media/file-grants.test.ts',
    'names are shown without folders, controls and direction marks',
  ),
  row(
    'N2',
    'text',
    'the same file, saved or dragged out',
    'leaves under a name that every system takes',
    'test/shared/outgoing-name.test.ts',
    'is taken by every system, whatever the file was called',
  ),
  row('54', 'text', 'quotes and line breaks in the name of a logo', 'not sent at all', CLIENT, 'fault 54'),
  row('55', 'text', 'signs of templates and formats', 'kept as they are', CELLS, CELL_TITLE),
  row(
    '57',
    'text',
    'names from right to left, in Chinese, Japanese or Korean',
    'come in whole and are found; sorted by folded characters, alike on every machine, not by a language',
    HERE,
    'fault 57',
  ),
  row('58', 'text', 'a text of over 50,000 characters', 'refused with its length', HERE, 'fault 58'),
  row('59', 'text', 'nothing but blanks', 'no name', HERE, 'fault 59'),
  row(
    'L6',
    'text',
    'label, saved view or comment of characters that nobody sees, or a name with NUL',
    'refused, with the character shown',
    'test/core/refused-notes.test.ts',
    'fault L6',
  ),
  row(
    'L7',
    'text',
    'two campaigns whose names differ only in how their accents are made, or in characters that show nothing',
    'warned about as looking the same',
    'test/shared/rules/rules.test.ts',
    'fault L7',
  ),
  row(
    'L9',
    'text',
    'comment on a field that the row does not have',
    'refused by the name of the field',
    'test/core/refused-notes.test.ts',
    'fault L9',
  ),
  row(
    'L10',
    'text',
    'row that a pasted table has twice',
    'named by its line, counted from 1',
    'test/workspace/paste.test.ts',
    'fault L10',
  ),
];
