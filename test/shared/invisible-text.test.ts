import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellProblemText, parseCell } from '../../shared/model/cell-text.ts';
import { isUnseen, withoutUnseen, withUnseenShown } from '../../shared/model/text.ts';

const NOTHING = [
  '\u200b',
  '\u200c\u200d',
  '\ufeff',
  '\u00ad',
  '\u115f\u1160',
  '\u3164',
  '\uffa0',
  '\ufe0f',
  '\u{e0041}\u{e0042}',
  '\u2800\u2800',
  '\u2060 \u00a0',
  '\u034f',
  '\u180e',
  '\u202e\u202c',
  '\u{1d173}',
  '\u{e0100}',
  '\u17b4',
  '\ufffa',
];
test.each(NOTHING)('a text of nothing that can be seen is found: %j', (text) => {
  expect(isUnseen(text)).toBe(true);
  expect(isUnseen(`${text}a`)).toBe(false);
});
test.each(['', ' ', '\u3000\u2003\u0085'])('and so is one of blanks: %j', (text) => expect(isUnseen(text)).toBe(true));
test.each(['.', '0', '👍', '\u0301', 'ا', '한', '⠁'])('a text of one sign is seen: %s', (text) =>
  expect(isUnseen(text)).toBe(false),
);

test.each([
  ['Summer\u200b', 'Summer[U+200B]'],
  ['\ufeffSummer', '[U+FEFF]Summer'],
  ['Sum\u00admer', 'Sum[U+00AD]mer'],
  ['Sum\u200dmer', 'Sum[U+200D]mer'],
  ['Sum\u200cmer', 'Sum[U+200C]mer'],
  ['Summer\ufe0f', 'Summer[U+FE0F]'],
  ['Sale \u3164', 'Sale [U+3164]'],
  ['Summer\u{e0041}', 'Summer[U+E0041]'],
  ['re\u202emmus', 're[U+202E]mmus'],
  ['Summer\u200e', 'Summer[U+200E]'],
  ['Sum\u2060mer\u2800', 'Sum[U+2060]mer[U+2800]'],
  ['👍\u200d', '👍[U+200D]'],
])('what nobody sees is written out: %j', (text, shown) => {
  expect(withUnseenShown(text)).toBe(shown);
  expect(withoutUnseen(text)).toBe(shown.replaceAll(/\[U\+[0-9A-F]+\]/gu, ''));
});

test.each([
  ['Summer sale, 30 °C', 'plain text'],
  ['👩\u200d👩\u200d👧 Family', 'a family of emoji'],
  ['👩🏽\u200d🚀', 'an astronaut with a colour of skin'],
  ['🏳\ufe0f\u200d🌈', 'a rainbow flag'],
  ['❤\ufe0f and 1\ufe0f\u20e3', 'a heart and a key as pictures'],
  ['🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'the flag of Scotland'],
  ['می\u200cخواهم', 'Persian'],
  ['क\u094d\u200dष', 'Hindi'],
  ['ශ\u0dca\u200dරී', 'Sinhala'],
  ['葛\u{e0100}', 'a form of a Han character'],
  ['ภาษา\u200bไทย', 'Thai with a place to break'],
  ['שלום\u200f!', 'Hebrew with a mark of direction'],
  ['ᄀ\u1160ᆨ', 'an old Korean syllable'],
])('what is used as it is meant is not: %s (%s)', (text) => {
  expect(withUnseenShown(text)).toBeNull();
  expect(withoutUnseen(text)).toBe(text);
});

test('a cell never holds a text that nobody can see, however it is typed, and the message says why', () => {
  for (const text of NOTHING) {
    const read = parseCell('campaign', 'name', `  ${text}`);
    if (text === '\ufeff') expect(read).toEqual({ ok: true, value: null });
    else expect(read).toMatchObject({ ok: false, error: { kind: 'unseen-text' } });
  }
  const read = parseCell('keyword', 'text', '\u200b\u2800');
  expect(read.ok ? '' : cellProblemText(read.error)).toBe(
    'The text has only characters that cannot be seen ([U+200B][U+2800]). Type the text anew.',
  );
});

test('what is written out always differs, and taking it out leaves nothing to write out', () => {
  const pieces = fc.constantFrom(...NOTHING, 'a', 'Sale ', '👍', '👩', 'می', 'क', '\u094d', '葛', 'ᄀ', '⠁', 'ไ');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const shown = withUnseenShown(text);
      expect(shown === null).toBe(withoutUnseen(text) === text);
      expect(shown).not.toBe(text);
    }),
  );
});
