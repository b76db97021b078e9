import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCampaign } from '../../../shared/rules/check.ts';
import { SEED } from '../../share.ts';
import { aKeyword, aVideoTree, env } from '../builders.ts';

const reported = (text: string): readonly string[] =>
  checkCampaign(aVideoTree({ keywords: [aKeyword({ text }, { id: 40 })] }), env)
    .filter(({ id, rule }) => id === 40 && /keyword\.(?:text-|many-words)/u.test(rule))
    .map(({ rule }) => rule)
    .sort();

/** The same rules as patterns: slow, and told in another way than the passes over the characters. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'keyword.many-words': /(?: [^ ]*){10}/u,
  'keyword.text-blanks': /^ | $| {2}/u,
  'keyword.text-characters': /[\p{Cc}\p{Cs}]/u,
  'keyword.text-length': /^.{81}/su,
  'keyword.text-required': /^[\s\u200b]*$/u,
  'keyword.text-signs': /[!"*;<=>?@[\\\]^_`{|}~]/u,
  'keyword.text-unseen': /\u200b.*[^\s\u200b]|[^\s\u200b].*\u200b/su,
};

test('a text is reported for what the patterns of the rules find in it, plain or not', () => {
  console.log(`seed ${SEED}`);
  let plain = 0;
  let odd = 0;
  const common = fc.constantFrom(...'abz09 -:/&#', ' ', ' ', 'word', 'paper towel ');
  const rare = fc.constantFrom(
    ...'AZ!"*;?@`{~',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u009f',
    '\u00a0',
    'ä',
    '日',
    '\u200b',
    '\ud83d',
    '🧻',
    '  ',
  );
  const texts = fc.array(fc.oneof({ weight: 12, arbitrary: common }, { weight: 1, arbitrary: rare }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      const rules = Object.keys(PATTERNS).filter((rule) => PATTERNS[rule]?.test(text));
      expect(reported(text)).toEqual(rules);
      if (rules.length === 0) plain++;
      else odd++;
    }),
    { numRuns: 2000, seed: SEED },
  );
  expect(plain).toBeGreaterThan(100);
  expect(odd).toBeGreaterThan(100);
});
