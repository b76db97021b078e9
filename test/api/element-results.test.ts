import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementResults, type ResultShape } from '../../main/api/classify-response.ts';
import { parseJson } from '../../main/api/lossless-json.ts';
import { runs } from '../share.ts';

/** Which result belongs to which element when their number, or what they say, speaks against their places. */
const TEXTS = Array.from({ length: 8 }, (_, at) => `word ${at}`);
const shape: ResultShape = {
  elements: TEXTS.length,
  idNames: ['keywordId'],
  needsId: true,
  isTaken: () => false,
  names: TEXTS.map((text) => ({ keywordText: text, matchType: 'exact' })),
};
const result = (at: number) => ({ code: 'success', details: '', keywordId: 100 + at, keywordText: TEXTS[at] });
const ALL = TEXTS.map((_, at) => result(at));

function outcomes(results: readonly object[], of: ResultShape = shape): readonly string[] {
  const parsed = parseJson(JSON.stringify(results));
  const read = parsed.ok ? elementResults(parsed.value, of) : null;
  return (read ?? []).map((one) => (one.is === 'done' ? String(one.remoteId) : one.is));
}
const without = ({ keywordText: _, ...one }: ReturnType<typeof result>) => one;

test('of eight results one is missing: the seven that say whose they are count, and one is in doubt', () => {
  const seven = ALL.filter((_, at) => at !== 2);
  expect(outcomes(seven)).toEqual(['100', '101', 'in-doubt', '103', '104', '105', '106', '107']);
});

test('results that do not say whose they are count for nothing when one is missing or one too many', () => {
  const nameless = ALL.map(without);
  const doubt = TEXTS.map(() => 'in-doubt');
  expect(outcomes(nameless.slice(1))).toEqual(doubt);
  expect(outcomes([...nameless, { ...without(result(0)), keywordId: 999 }])).toEqual(doubt);
  // The number fits, and yet every one behind the repeated one stands in another's place.
  const shifted = [nameless[0], nameless[1], nameless[1], ...nameless.slice(2, 7)] as typeof nameless;
  expect(outcomes(shifted)).toEqual(doubt);
  expect(outcomes(nameless)).toEqual(ALL.map(({ keywordId }) => String(keywordId)));
});

test('one that comes twice is believed of neither, and its neighbours keep their own', () => {
  expect(outcomes([...ALL, { ...result(3), keywordId: 999 }])).toEqual(
    ALL.map(({ keywordId }, at) => (at === 3 ? 'in-doubt' : String(keywordId))),
  );
});

test('an update whose results name their rows is settled by those names', () => {
  const own: ResultShape = { ...shape, needsId: false, names: TEXTS.map((_, at) => ({ keywordId: String(100 + at) })) };
  expect(outcomes(ALL.map(without).toReversed().slice(1), own)).toEqual([
    ...ALL.slice(0, 7).map(({ keywordId }) => String(keywordId)),
    'in-doubt',
  ]);
});

test('whatever results are left out, repeated and shuffled, no element gets the id of another', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 12 }), (picked) => {
      outcomes(picked.map(result)).forEach((outcome, at) => {
        expect(['in-doubt', String(100 + at)]).toContain(outcome);
      });
    }),
    { numRuns: runs(2000) },
  );
});
