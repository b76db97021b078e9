import { ACCOUNT_PARTS } from './account-parts.tsx';
import { AFTER_REVIEW_PARTS } from './after-review-parts.tsx';
import { AFTER_SYNC_PARTS } from './after-sync-parts.tsx';
import { ANSWER_PARTS } from './answer-parts.tsx';
import { CARRY_PARTS } from './carry-parts.tsx';
import { DRAWER_PARTS } from './drawer-parts.tsx';
import { DUPLICATE_PARTS } from './duplicate-parts.tsx';
import { FIELD_PARTS } from './field-parts.tsx';
import { FILE_PARTS } from './file-parts.tsx';
import { FILTER_PARTS } from './filter-parts.tsx';
import { FRAME_PARTS } from './frame-parts.tsx';
import { GRID_PARTS } from './grid-parts.tsx';
import { INSPECTOR_PARTS } from './inspector-parts.tsx';
import { KEEPING_PARTS } from './keeping-parts.tsx';
import { KNOWN_PARTS } from './known-parts.tsx';
import { LAUNCH_PARTS } from './launch-parts.tsx';
import { MAKING_PARTS } from './making-parts.tsx';
import { MANY_ROWS_PARTS } from './many-rows-parts.tsx';
import { NAVIGATION_PARTS } from './navigation-parts.tsx';
import { NOTE_PARTS } from './note-parts.tsx';
import type { Part } from './part.ts';
import { PENDING_PARTS } from './pending-parts.tsx';
import { REPORT_PARTS } from './report-parts.tsx';
import { REQUEST_PARTS } from './request-parts.tsx';
import { SHEET_PARTS } from './sheet-parts.tsx';
import { SMALL_PARTS } from './small-parts.tsx';
import { SWAP_PARTS } from './swap-parts.tsx';
import { SYNC_PARTS } from './sync-parts.tsx';

/** Every part of the desk, area by area; the gallery shows one area at a time. */
export const AREAS = {
  small: SMALL_PARTS,
  grid: GRID_PARTS,
  fields: FIELD_PARTS,
  inspector: INSPECTOR_PARTS,
  notes: NOTE_PARTS,
  files: FILE_PARTS,
  drawer: DRAWER_PARTS,
  frame: FRAME_PARTS,
  filters: FILTER_PARTS,
  navigation: NAVIGATION_PARTS,
  carrying: CARRY_PARTS,
  duplicates: DUPLICATE_PARTS,
  'many rows': MANY_ROWS_PARTS,
  making: MAKING_PARTS,
  'known ids': KNOWN_PARTS,
  sheets: SHEET_PARTS,
  sync: SYNC_PARTS,
  'pending syncs': PENDING_PARTS,
  'after a sync': AFTER_SYNC_PARTS,
  requests: REQUEST_PARTS,
  answers: ANSWER_PARTS,
  'after a review': AFTER_REVIEW_PARTS,
  launch: LAUNCH_PARTS,
  swap: SWAP_PARTS,
  reports: REPORT_PARTS,
  accounts: ACCOUNT_PARTS,
  keeping: KEEPING_PARTS,
} as const satisfies Readonly<Record<string, readonly Part[]>>;

export type Area = keyof typeof AREAS;

/** Components that draw nothing of their own, and why. What is neither here nor in an area fails a test. */
export const WIRING: Readonly<Record<string, string>> = {
  GridBody: 'the rows of the Grid, which stands here whole',
  Dialogs: 'chooses which dialog is open; each of them is here by itself',
  KeepActiveRow: 'draws nothing: it moves the selection with its row',
  RowDrag: 'draws the ghost under the pointer while rows are dragged, which only a pointer can begin',
  NoteArea: 'the place of short messages, empty until something is told',
  RunErrand: 'draws nothing: it selects rows and opens what was wanted with them',
};
