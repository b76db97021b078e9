import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedPhrase } from '../../renderer/features/inbox/phrase.ts';

const marked = (reason: string, text: string): string | null => {
  const found = markedPhrase(reason, text);
  return found === null ? null : text.slice(found.from, found.to);
};

test('the longest run of words that the reviewer took from a text is marked', () => {
  const headline = 'Soft on hands, hard on spills';
  expect(marked('Remove or support hard on spills.', headline)).toBe('hard on spills');
  expect(marked('Claims such as "Soft" must be provable.', headline)).toBe('Soft');
  expect(marked('The text is too hard to read.', headline)).toBeNull();
  expect(marked('', headline)).toBeNull();
});

test('what is marked stands in what the reviewer wrote', () => {
  const words = fc.array(fc.constantFrom('soft', 'on', 'hands,', 'Hard', 'spills', '100%', '(new)'), { maxLength: 8 });
  fc.assert(
    fc.property(words, words, (said, text) => {
      const found = marked(said.join(' '), text.join(' '));
      if (found !== null) expect(said.join(' ').toLowerCase()).toContain(found.toLowerCase());
    }),
  );
});
