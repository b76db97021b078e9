import type { FaultRow } from './fault-row.ts';
import { ANSWER_ROWS } from './rows-of-answers.ts';
import { FILE_ROWS } from './rows-of-files.ts';
import { IMPORT_ROWS } from './rows-of-imports.ts';
import { ITEM_ROWS } from './rows-of-items.ts';
import { MACHINE_ROWS } from './rows-of-machine.ts';
import { OUTSIDER_ROWS } from './rows-of-outsiders.ts';
import { RACE_ROWS } from './rows-of-races.ts';
import { SHEET_ROWS } from './rows-of-sheets.ts';
import { STATE_ROWS } from './rows-of-states.ts';
import { TEXT_ROWS } from './rows-of-texts.ts';
import { WORKBOOK_ROWS } from './rows-of-workbooks.ts';

/** Everything that can go wrong with files, texts, imports and the machine, with the case that shows it. */
export const FAULT_ROWS: readonly FaultRow[] = [
  ...FILE_ROWS,
  ...TEXT_ROWS,
  ...IMPORT_ROWS,
  ...SHEET_ROWS,
  ...MACHINE_ROWS,
  ...OUTSIDER_ROWS,
  ...WORKBOOK_ROWS,
  ...RACE_ROWS,
  ...ANSWER_ROWS,
  ...STATE_ROWS,
  ...ITEM_ROWS,
];

/** Rows that nothing meets yet. They are listed, so that nobody takes them for done. */
export const OPEN_ROWS: readonly { readonly id: string; readonly fault: string; readonly why: string }[] = [];
