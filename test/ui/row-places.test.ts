import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOf } from '../../renderer/features/reports/MetricTable.tsx';
import { parseSearch } from '../../shared/search/parse-search.ts';

test('the filter of a row of a report asks for exactly its name, whatever is in it', () => {
  const name = fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() === text && text !== '');
  fc.assert(
    fc.property(name, (text) => {
      const place = placeOf('keywordText', text);
      const query = place === null ? null : parseSearch(place.filter, place.kind);
      expect(query).toEqual({ ok: true, value: { is: 'compare', field: 'text', op: '=', value: text } });
    }),
  );
});

test('rows that name nothing of the account lead nowhere', () => {
  for (const groupBy of ['date', 'platform', 'bid', 'something new']) expect(placeOf(groupBy, 'x')).toBeNull();
  expect(placeOf('campaignName', '')).toBeNull();
});

test('an id is looked for as an id, in the list of its kind', () => {
  expect(placeOf('keywordId', '7001')).toEqual({ kind: 'keyword', filter: 'id:7001', hasBid: true, state: 'state' });
  expect(placeOf('campaignId', '9')).toMatchObject({ kind: 'campaign', hasBid: false, state: 'status' });
});
