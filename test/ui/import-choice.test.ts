import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AT_FIRST,
  CHOOSABLE,
  type Choosable,
  comesIn,
  countIn,
  type ImportChoice,
  setAll,
  toggleLine,
  totalIn,
} from '../../renderer/actions/import-choice.ts';
import type { ImportPreview } from '../../shared/contract/exchange.ts';

const LINES = 8;
const preview: ImportPreview = {
  previewId: 'p',
  fileName: 'rows.csv',
  source: 'sheet',
  added: LINES,
  changed: LINES,
  removed: LINES,
  unchanged: 3,
  conflicts: LINES,
  leftOut: 0,
  columns: [],
  missing: [],
  missingCount: 0,
  errorCount: 0,
  errors: [],
  unknownColumns: [],
  formulaCount: 0,
  formulaLines: [],
  media: 0,
  spareFiles: 0,
  signature: null,
  files: [],
  fileCount: 0,
};

test('at first everything new, changed or deleted comes in, and conflicts stay as they are here', () => {
  expect(totalIn(preview, AT_FIRST)).toBe(3 * LINES);
  expect(comesIn(AT_FIRST, 'added', 1)).toBe(true);
  expect(comesIn(AT_FIRST, 'conflict', 1)).toBe(false);
});

type Step = readonly [Choosable, number | boolean];
const outcome = fc.constantFrom(...CHOOSABLE);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(outcome, fc.integer({ min: 1, max: LINES })),
  fc.tuple(outcome, fc.boolean()),
);
const carry = (choice: ImportChoice, [of, what]: Step): ImportChoice =>
  typeof what === 'boolean' ? setAll(choice, of, what) : toggleLine(choice, of, what);

test('after any ticks the counts are those of the rows that come in, one by one', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const choice = steps.reduce(carry, AT_FIRST);
      for (const each of CHOOSABLE) {
        const lines = Array.from({ length: LINES }, (_, i) => i + 1).filter((line) => comesIn(choice, each, line));
        expect(countIn(preview, choice, each)).toBe(lines.length);
      }
    }),
  );
});

test('the same tick twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), outcome, fc.integer({ min: 1, max: LINES }), (steps, of, line) => {
      const choice = steps.reduce(carry, AT_FIRST);
      const back = toggleLine(toggleLine(choice, of, line), of, line);
      expect(comesIn(back, of, line)).toBe(comesIn(choice, of, line));
      expect(totalIn(preview, back)).toBe(totalIn(preview, choice));
    }),
  );
});
