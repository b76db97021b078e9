import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDEAS_MAX, keywordIdeas } from '../../shared/bulk/keyword-ideas.ts';
import { normalizedText } from '../../shared/model/text.ts';

const texts = (...asked: Parameters<typeof keywordIdeas>) => keywordIdeas(...asked).map(({ text }) => text);

test('what items are called becomes two and three words, those of most items first', () => {
  const names = ['Steel Water Bottle, 32 oz', 'Insulated Water Bottle for Kids, Blue', 'Garden Hose'];
  expect(keywordIdeas(names, [], [])[0]).toEqual({ text: 'water bottle', source: 'items', count: 2 });
  expect(texts(names, [], [])).toContain('steel water bottle');
  expect(texts(names, [], []).filter((text) => /\d|^for|for$|bottle blue/.test(text))).toEqual([]);
});

test('search terms that led to orders come first, and what is a keyword already does not come', () => {
  const terms = [
    { text: 'Thermos', orders: 1 },
    { text: 'gym bottle', orders: 9 },
    { text: 'free bottle', orders: 0 },
  ];
  expect(texts(['Water bottle'], terms, ['Water-Bottle'])).toEqual(['gym bottle', 'thermos']);
});

test('no idea is there twice, none is a keyword of the campaign, and there are never too many', () => {
  const word = fc.constantFrom('red', 'blue', 'Pot', 'pan', '32', 'of', 'lid,', 'x');
  const name = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), fc.array(name, { maxLength: 5 }), (names, used) => {
      const found = texts(names, [], used);
      expect(new Set(found).size).toBe(found.length);
      expect(found.length).toBeLessThanOrEqual(IDEAS_MAX);
      for (const text of used) expect(found).not.toContain(normalizedText(text));
    }),
  );
});
