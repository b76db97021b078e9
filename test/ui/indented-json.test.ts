import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indented } from '../../renderer/features/sync/PlanTechnical.tsx';

test('a body is indented as a JSON writer would, whatever its texts are', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '"', '\\\\', '{', ']', ',', ':', '\\n', '\u{1F4E6}') });
  fc.assert(
    fc.property(fc.array(fc.record({ name: texts, bid: fc.integer() }), { minLength: 1 }), (rows) => {
      expect(indented(JSON.stringify(rows))).toBe(JSON.stringify(rows, null, 2));
    }),
  );
  expect(indented('[{"id":90410020030112345678}]')).toContain('"id": 90410020030112345678');
});
