import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withCell } from '../../renderer/app/grid-commands.ts';
import {
  BESIDE_FIELDS,
  type Condition,
  conditionOf,
  fieldKey,
  leafOf,
  METRIC_FIELDS,
  needsValue,
  operatorsFor,
} from '../../renderer/features/grid-bar/FilterRow.tsx';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { isMetricName } from '../../shared/reports/account-metrics.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { parseSearch } from '../../shared/search/parse-search.ts';
import { MARKS, printSearch, SIGNALS, type SignalName } from '../../shared/search/query.ts';
import { CAMPAIGN_COLUMN, joinParts, partsOf, queryOfValues, valueFilterOf } from '../../shared/search/value-filter.ts';

const words = fc.constantFrom('towel', 'two words', 'none', 'a"b', '-x', 'OR');

/** A value that a field takes, written as the form writes it back. */
function aValue(kind: Kind, field: string): fc.Arbitrary<string> {
  const own = field.startsWith(':') ? field.slice(1) : null;
  const metric = field.startsWith('metric.') ? field.slice(7) : '';
  if (isMetricName(metric)) return fc.nat(9999).map((n) => (n / 100).toFixed(2));
  if (metric in SIGNALS) return fc.constantFrom(...SIGNALS[metric as SignalName]);
  if (field === 'is') return fc.constantFrom(...MARKS);
  const type = own === null ? undefined : fieldSpec(kind, own)?.type;
  if (type?.is === 'choice') return fc.constantFrom(...type.choices);
  if (type?.is === 'money' || type?.is === 'factor') return fc.nat(9999).map((n) => (n / 100).toFixed(2));
  if (type?.is === 'date') return fc.constantFrom('2026-05-04', '2027-01-31');
  return type?.is === 'count' ? fc.nat(9999).map(String) : words;
}

/** Counts are written without decimals. */
const MEASURED = METRIC_FIELDS.filter((field) => !/clicks|impressions|orders|units/.test(field));

const aLine = (kind: Kind): fc.Arbitrary<Condition> =>
  fc
    .constantFrom(...BESIDE_FIELDS, ...fieldNames(kind).map(fieldKey), ...(isReported(kind) ? MEASURED : []))
    .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...operatorsFor(kind, field))))
    .chain(([field, op]) => {
      const line = { field, op, value: '' };
      return needsValue(line) ? aValue(kind, field).map((value) => ({ ...line, value })) : fc.constant(line);
    });

test('what a form writes is read back as the same condition, for every kind', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS).chain((kind) => fc.tuple(fc.constant(kind), fc.array(aLine(kind), { maxLength: 4 }))),
      ([kind, lines]) => {
        const parts = lines.map((line) => {
          const part = leafOf(line, kind);
          if (!part.ok) throw new Error(part.error);
          return part.value;
        });
        const read = parseSearch(printSearch(joinParts(parts), kind), kind);
        if (!read.ok) throw new Error(read.error.problem);
        expect(partsOf(read.value).map((part) => conditionOf(part, kind))).toEqual(lines);
      },
    ),
  );
});

test('a value that does not fit its field is told', () => {
  expect(leafOf({ field: fieldKey('bid'), op: '<', value: 'dear' }, 'keyword')).toMatchObject({ ok: false });
});

test.each(['bid<1 OR bid>2', '-(pot lid)'])('%s says more than a condition can', (text) => {
  const query = parseSearch(text, 'keyword');
  expect(query.ok && conditionOf(query.value, 'keyword')).toBeNull();
});

test('values of one column, written as a filter, are read back as the same values', () => {
  const bids = fc.uniqueArray(fc.oneof(fc.constant(null), fc.nat(9999)), { minLength: 1, maxLength: 5 });
  const words = fc.uniqueArray(fc.constantFrom('towel', 'two words', 'none', 'a"b', 'OR'), { minLength: 1 });
  const filters = fc.oneof(
    fc.record({ field: fc.constant('bid'), values: bids, isNot: fc.boolean() }),
    fc.record({ field: fc.constantFrom('text', CAMPAIGN_COLUMN), values: words, isNot: fc.boolean() }),
  );
  fc.assert(
    fc.property(filters, (filter) => {
      const read = parseSearch(printSearch(queryOfValues(filter), 'keyword'), 'keyword');
      if (!read.ok) throw new Error(read.error.problem);
      const found = valueFilterOf(read.value);
      expect(found).toMatchObject({ field: filter.field, isNot: filter.isNot });
      expect(new Set<unknown>(found?.values)).toEqual(new Set<unknown>(filter.values));
    }),
  );
});

test.each(['a,b', 'none', '-x', 'a\\b', 'say "hi"', 'OR', 'a (b)'])(
  'the filter by a cell with %s has that text',
  (text) => {
    expect(parseSearch(withCell('', 'keyword', 'text', text), 'keyword')).toEqual({
      ok: true,
      value: { is: 'contains', field: 'text', text },
    });
  },
);

test('the filter by a cell narrows every alternative of the filter before it', () => {
  expect(parseSearch(withCell('mug OR cup', 'keyword', null, 'Kitchen'), 'keyword')).toEqual({
    ok: true,
    value: {
      is: 'and',
      parts: [
        {
          is: 'or',
          parts: [
            { is: 'text', text: 'mug' },
            { is: 'text', text: 'cup' },
          ],
        },
        { is: 'campaign', text: 'Kitchen' },
      ],
    },
  });
});
