import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, JsonNumber, parseJson, printJson } from '../../main/api/lossless-json.ts';
import { runs } from '../share.ts';

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
    { numRuns: runs(3000) },
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

test('a member that an object names twice makes the text unreadable, in whatever way it is written', () => {
  const many = Array.from({ length: 60 }, (_, at) => `"k${at}":${at}`).join(',');
  const twice = [
    '{"adItemId":1,"adItemId":2}',
    '[{"a":1},{"b":{"c":1,"d":[{"e":1}],"c":2}}]',
    '{"a":{"x":1},"b":2,"a":3}',
    '{"a\\"b":1,"a\\u0022b":2}',
    '{"a":1,"\\u0061":2}',
    `{${many},"k0":1}`,
    `{${many},"k59":1}`,
    `{${many.replace('"k5":5', '"k5":{"y":1,"y":2}')}}`,
  ];
  for (const text of twice)
    expect(parseJson(text), text).toMatchObject({ ok: false, error: { kind: 'same-key-twice' } });
  const once = [
    '{"a":1,"b":[{"a":1},{"a":2}],"c":"a"}',
    '["a","a"]',
    '{"a":"a","b":"{\\"a\\":1,\\"a\\":2}"}',
    `[{${many}},{${many}}]`,
  ];
  for (const text of once) expect(parseJson(text).ok, text).toBe(true);
  expect(parseJson('{"a":1,"a":2')).toMatchObject({ ok: false, error: { kind: 'not-json' } });
});

test('whether members come twice is told of random objects as by counting them', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', '"', '\\', '\n', ''), fc.string({ maxLength: 3 }));
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('1', '"}"', '"{,\\""', 'null'),
      fc.array(tie('node'), { maxLength: 4 }).map((parts) => `[${parts.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(name, tie('node')), { selector: ([key]) => key, maxLength: 40 })
        .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(' ,')}}`),
    ),
  })).node;
  fc.assert(
    fc.property(tree, name, (text, key) => {
      expect(parseJson(text).ok).toBe(true);
      const member = JSON.stringify(key);
      expect(parseJson(`{${member}:${text},"z~":[${text}],${member} :${text}}`).ok).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});
