import type { BadSheet } from './sheets/bad-sheet.ts';
import { FILES_THAT_ARE_ODD } from './sheets/files.ts';
import { ROWS_THAT_ARE_ODD } from './sheets/links.ts';
import { CELLS_THAT_ARE_ODD } from './sheets/values.ts';
import { WORKBOOKS_THAT_ARE_ODD } from './sheets/workbooks.ts';

/** Every sheet that is wrong in one way. */
export const BAD_SHEETS: readonly BadSheet[] = [
  ...FILES_THAT_ARE_ODD,
  ...CELLS_THAT_ARE_ODD,
  ...ROWS_THAT_ARE_ODD,
  ...WORKBOOKS_THAT_ARE_ODD,
];
