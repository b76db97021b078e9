import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadKeywords } from '../../shared/bulk/spread-keywords.ts';
import { normalizedText } from '../../shared/model/text.ts';
import { id } from './builders.ts';

test('themes stay together, and half of the distinct texts leave', () => {
  const texts = ['red hose', 'hose nozzle', 'hose reel', 'paper towel', 'kitchen towel', 'towel roll'];
  const [moved = new Set()] = spreadKeywords(
    texts.map((text, at) => ({ id: id(at + 1), text })),
    200,
  );
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
      const [moved = new Set()] = spreadKeywords(keywords, 200);
      const sideOf = (isMoved: boolean) =>
        new Set(keywords.filter((one) => moved.has(one.id) === isMoved).map((one) => normalizedText(one.text)));
      const [there, here] = [sideOf(true), sideOf(false)];
      expect([...there].filter((each) => here.has(each))).toEqual([]);
      expect(here.size - there.size).toBeGreaterThanOrEqual(0);
      expect(here.size - there.size).toBeLessThanOrEqual(1);
    }),
  );
});

test('a group far above the limit is divided over as many campaigns as it takes, ten at most', () => {
  const sizes = fc.record({ texts: fc.nat({ max: 400 }), max: fc.integer({ min: 5, max: 60 }) });
  fc.assert(
    fc.property(sizes, ({ texts, max }) => {
      const themes = ['hose', 'reel', 'towel'];
      const keywords = Array.from({ length: texts }, (_, at) => ({
        id: id(at + 1),
        text: `${themes[at % 7] ?? 'pot'} ${at}`,
      }));
      const parts = spreadKeywords(keywords, max);
      const gone = new Set(parts.flatMap((part) => [...part]));
      expect(gone.size).toBe(parts.reduce((sum, { size }) => sum + size, 0));
      const sizesOf = [texts - gone.size, ...parts.map(({ size }) => size)];
      expect(Math.max(...sizesOf) - Math.min(...sizesOf)).toBeLessThanOrEqual(1);
      if (texts < 2) expect(parts).toEqual([]);
      else expect(parts).toHaveLength(Math.min(10, Math.max(2, Math.ceil(texts / max))) - 1);
    }),
  );
});
