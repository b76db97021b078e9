import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadKeywords } from '../../shared/bulk/spread-keywords.ts';
import { normalizedText } from '../../shared/model/text.ts';
import { id } from './builders.ts';

test('themes stay together, and half of the distinct texts leave', () => {
  const texts = ['red hose', 'hose nozzle', 'hose reel', 'paper towel', 'kitchen towel', 'towel roll'];
  const moved = spreadKeywords(texts.map((text, at) => ({ id: id(at + 1), text })));
  expect(moved.size).toBe(3);
  const left = texts.filter((_, at) => moved.has(id(at + 1)));
  expect(left.every((text) => text.includes('hose')) || left.every((text) => text.includes('towel'))).toBe(true);
});

test('no text is on both sides, and the halves differ by one at most', () => {
  const word = fc.constantFrom('hose', 'Hose', 'reel', 'paper', 'towel', 'a');
  const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      const keywords = texts.map((each, at) => ({ id: id(at + 1), text: each }));
      const moved = spreadKeywords(keywords);
      const sideOf = (isMoved: boolean) =>
        new Set(keywords.filter((one) => moved.has(one.id) === isMoved).map((one) => normalizedText(one.text)));
      const [there, here] = [sideOf(true), sideOf(false)];
      expect([...there].filter((each) => here.has(each))).toEqual([]);
      expect(here.size - there.size).toBeGreaterThanOrEqual(0);
      expect(here.size - there.size).toBeLessThanOrEqual(1);
    }),
  );
});
