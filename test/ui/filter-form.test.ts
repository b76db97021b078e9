import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BESIDE_FIELDS,
  type Condition,
  conditionsOf,
  fieldKey,
  needsValue,
  operatorsFor,
  queryOf,
} from '../../renderer/features/shell/FilterLines.tsx';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { parseSearch } from '../../shared/search/parse-search.ts';
import { MARKS, printSearch } from '../../shared/search/query.ts';

const words = fc.constantFrom('towel', 'two words', 'none', 'a"b', '-x', 'OR');

/** A value that a field takes, written as the form writes it back. */
function aValue(kind: Kind, field: string): fc.Arbitrary<string> {
  const own = field.startsWith(':') ? field.slice(1) : null;
  if (field === 'is') return fc.constantFrom(...MARKS);
  const type = own === null ? undefined : fieldSpec(kind, own)?.type;
  if (type?.is === 'choice') return fc.constantFrom(...type.choices);
  if (type?.is === 'money' || type?.is === 'factor') return fc.nat(9999).map((n) => (n / 100).toFixed(2));
  if (type?.is === 'date') return fc.constantFrom('2026-05-04', '2027-01-31');
  return type?.is === 'count' ? fc.nat(9999).map(String) : words;
}

const aLine = (kind: Kind): fc.Arbitrary<Condition> =>
  fc
    .constantFrom(...BESIDE_FIELDS, ...fieldNames(kind).map(fieldKey))
    .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...operatorsFor(kind, field))))
    .chain(([field, op]) => {
      const line = { field, op, value: '' };
      return needsValue(line) ? aValue(kind, field).map((value) => ({ ...line, value })) : fc.constant(line);
    });

test('what the form writes is read back as the same lines, for every kind', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS).chain((kind) => fc.tuple(fc.constant(kind), fc.array(aLine(kind), { maxLength: 4 }))),
      ([kind, lines]) => {
        const query = queryOf(lines, kind);
        if (!query.ok) throw new Error(query.error.problem);
        const read = parseSearch(printSearch(query.value, kind), kind);
        if (!read.ok) throw new Error(read.error.problem);
        expect(conditionsOf(read.value, kind)).toEqual(lines);
      },
    ),
  );
});

test('lines that are not finished are left out, and a value that does not fit is told by its line', () => {
  const bid = { field: fieldKey('bid'), op: '<', value: '' } as const;
  expect(queryOf([bid], 'keyword')).toEqual({ ok: true, value: { is: 'all' } });
  const misfit = queryOf(
    [
      { field: 'text', op: 'has', value: 'a' },
      { ...bid, value: 'dear' },
    ],
    'keyword',
  );
  expect(misfit).toMatchObject({ ok: false, error: { line: 1 } });
});

test.each(['bid<1 OR bid>2', 'state:enabled,paused', '-(pot lid)'])('%s says more than lines can', (text) => {
  const query = parseSearch(text, 'keyword');
  expect(query.ok && conditionsOf(query.value, 'keyword')).toBeNull();
});
