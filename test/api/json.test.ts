import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, JsonNumber, parseJson, printJson } from '../../main/api/json.ts';

const parsed = (text: string) => {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.error.kind);
  return result.value;
};

test('a number keeps every digit it was written with', () => {
  expect(printJson(parsed('{"id":9007199254740993,"budget":1500.00,"tiny":1e-7}'))).toBe(
    '{"id":9007199254740993,"budget":1500.00,"tiny":1e-7}',
  );
});

test('reading what was printed gives the same text, up to the largest 64-bit id', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.json(), (id, other) => {
      const text = `{"id":${id},"other":${other}}`;
      const once = printJson(parsed(text));
      expect(printJson(parsed(once))).toBe(once);
      const value = parsed(text);
      const number = isJsonObject(value) ? value['id'] : null;
      expect(number instanceof JsonNumber && number.text).toBe(String(id));
    }),
    { numRuns: 3000 },
  );
});

test('keys that reach for a prototype are dropped', () => {
  const value = parsed('{"__proto__":{"polluted":true},"constructor":1,"prototype":2,"kept":3}');
  expect(isJsonObject(value) && Object.keys(value)).toEqual(['kept']);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('200,000 nested lists are refused before anything goes down into them', () => {
  expect(parseJson('['.repeat(200_000) + ']'.repeat(200_000))).toEqual({ ok: false, error: { kind: 'too-deep' } });
});

test('brackets inside text are no depth', () => {
  expect(parseJson(JSON.stringify({ text: '[['.repeat(100), escaped: '\\"[{'.repeat(100) })).ok).toBe(true);
});

test('a text above 4 MiB is refused', () => {
  expect(parseJson(`"${'x'.repeat(4 * 1024 * 1024)}"`)).toMatchObject({ ok: false, error: { kind: 'too-large' } });
});
