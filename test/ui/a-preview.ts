import type { ImportPreview } from '../../shared/contract/exchange.ts';

/** The preview of a small sheet with one problem, as main would say it; tests name what it is about. */
export const aPreview = (parts: Partial<ImportPreview> = {}): ImportPreview => ({
  previewId: 'p1',
  fileName: 'campaigns.csv',
  source: 'sheet',
  added: 12,
  changed: 2,
  removed: 0,
  unchanged: 30,
  conflicts: 0,
  leftOut: 0,
  columns: [],
  missing: [],
  missingCount: 0,
  unknownColumns: [],
  formulaCount: 0,
  formulaLines: [],
  media: 0,
  spareFiles: 0,
  signature: null,
  files: [],
  fileCount: 0,
  errorCount: 1,
  errors: [{ line: 7, column: 'Bid', message: '"1,50" could be read in two ways.' }],
  ...parts,
});
