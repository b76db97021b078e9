import type { FaultRow } from './fault-row.ts';
import { FILE_ROWS } from './rows-of-files.ts';
import { IMPORT_ROWS } from './rows-of-imports.ts';
import { MACHINE_ROWS } from './rows-of-machine.ts';
import { TEXT_ROWS } from './rows-of-texts.ts';

/** Everything that can go wrong with files, texts, imports and the machine, with the case that shows it. */
export const FAULT_ROWS: readonly FaultRow[] = [...FILE_ROWS, ...TEXT_ROWS, ...IMPORT_ROWS, ...MACHINE_ROWS];

/** Rows that nothing meets yet. They are listed, so that nobody takes them for done. */
export const OPEN_ROWS: readonly { readonly id: string; readonly fault: string; readonly why: string }[] = [];
