import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CHOOSABLE,
  type Choosable,
  chosenRows,
  countIn,
  DEFAULT_SELECTION,
  type ImportSelection,
  isSelected,
  setAll,
  singleLines,
  toggleLine,
  totalIn,
  updateSelection,
} from '../../renderer/features/import/import-selection.ts';
import { aPreview } from './a-preview.ts';

const LINES = 8;
const preview = aPreview({ added: LINES, changed: LINES, removed: LINES, conflicts: LINES });

test('at first everything new, changed or deleted comes in, and conflicts stay as they are here', () => {
  expect(totalIn(preview, DEFAULT_SELECTION)).toBe(3 * LINES);
  expect(isSelected(DEFAULT_SELECTION, 'added', 1)).toBe(true);
  expect(isSelected(DEFAULT_SELECTION, 'conflict', 1)).toBe(false);
});

/** A line has one outcome. */
const linesOf = (outcome: Choosable): readonly number[] =>
  Array.from({ length: LINES }, (_, at) => CHOOSABLE.indexOf(outcome) * LINES + at + 1);

type Step = readonly [Choosable, number | boolean];
const outcome = fc.constantFrom(...CHOOSABLE);
const step: fc.Arbitrary<Step> = fc.oneof(
  outcome.chain((of) => fc.tuple(fc.constant(of), fc.constantFrom(...linesOf(of)))),
  fc.tuple(outcome, fc.boolean()),
);
const carry = (choice: ImportSelection, [of, what]: Step): ImportSelection =>
  typeof what === 'boolean' ? setAll(choice, of, what) : toggleLine(choice, of, what);

test('after any ticks the counts are those of the rows that come in, one by one', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const choice = steps.reduce(carry, DEFAULT_SELECTION);
      for (const each of CHOOSABLE) {
        const lines = linesOf(each).filter((line) => isSelected(choice, each, line));
        expect(countIn(preview, choice, each)).toBe(lines.length);
      }
    }),
  );
});

test('what was said of a row stays said when columns make something else of it, and when they give it back', () => {
  const said = toggleLine(toggleLine(DEFAULT_SELECTION, 'changed', 4), 'conflict', 5);
  expect([isSelected(said, 'changed', 4), isSelected(said, 'conflict', 5)]).toEqual([false, true]);
  const without = updateSelection(said, singleLines(said), [null, 'changed']);
  expect(countIn({ ...preview, changed: 3, conflicts: 2 }, without, 'changed')).toBe(3);
  expect(countIn({ ...preview, changed: 3, conflicts: 2 }, without, 'conflict')).toBe(0);
  expect(isSelected(without, 'changed', 5)).toBe(true);
  const back = updateSelection(without, singleLines(without), ['changed', 'conflict']);
  expect(chosenRows(back)).toEqual({ comeIn: ['added', 'changed', 'removed'], leaveOut: [4], take: [5] });
  expect(countIn(preview, back, 'changed')).toBe(LINES - 1);
});

test('the same tick twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), outcome, fc.nat({ max: LINES - 1 }), (steps, of, at) => {
      const line = linesOf(of)[at] ?? 0;
      const choice = steps.reduce(carry, DEFAULT_SELECTION);
      const back = toggleLine(toggleLine(choice, of, line), of, line);
      expect(isSelected(back, of, line)).toBe(isSelected(choice, of, line));
      expect(totalIn(preview, back)).toBe(totalIn(preview, choice));
    }),
  );
});
