import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SavedView } from '../../shared/api/views.ts';
import { compareViews, printViews, readViews } from '../../shared/api/views-file.ts';

const aView = (changes: Partial<SavedView> = {}, view: Partial<SavedView['view']> = {}): SavedView => ({
  id: 1,
  name: 'Dear keywords',
  view: { kind: 'keyword', filter: 'bid>1.70', sort: [], campaignId: null, only: 'all', ...view },
  layout: { 'shown.keyword.bid': false, 'order.keyword': 'text,bid' },
  ...changes,
});
const read = (text: string) => {
  const views = readViews(text);
  if (!views.ok) throw new Error(views.error);
  return views.value;
};
const compared = (file: readonly SavedView[], here: readonly SavedView[]) =>
  compareViews(read(printViews(file)), here).map(({ is }) => is);

test('a view is new, here already, or has a name that another one has', () => {
  expect(compared([aView()], [])).toEqual(['new']);
  expect(compared([aView()], [aView({ id: 9 })])).toEqual(['same']);
  expect(compared([aView()], [aView({ name: 'dear KEYWORDS' }, { filter: 'bid>2' })])).toEqual(['taken']);
  expect(compared([aView()], [aView({}, { kind: 'adItem' })])).toEqual(['new']);
  expect(compared([aView(), aView({}, { filter: 'bid>3' })], [])).toEqual(['new']);
});

test('a filter that cannot be read here is named, and the other views come in', () => {
  expect(compared([aView({ name: 'Odd' }, { filter: '"open' }), aView()], [])).toEqual(['bad-filter', 'new']);
});

test('what belongs to one account does not travel', () => {
  const [view] = read(printViews([aView({}, { campaignId: 7 as never, report: 'r1' })]));
  expect(view?.view).toEqual({ kind: 'keyword', filter: 'bid>1.70', sort: [], only: 'all' });
});

test('columns of another kind, and settings that are none of columns, are passed over', () => {
  const layout = { 'shown.keyword.bid': true, 'shown.adItem.bid': true, 'keys.sync.plan': 'Ctrl+Q', 'size.drawer': 9 };
  expect(read(printViews([aView({ layout })]))[0]?.layout).toEqual({ 'shown.keyword.bid': true });
});

test('a file of a newer version, and anything that is no such file, is refused by its reason', () => {
  const newer = JSON.stringify({ format: 'adslate-views', version: 2, shelves: [] });
  expect(readViews(newer)).toEqual({ ok: false, error: 'newer' });
  const wrong = [
    '',
    'null',
    '[]',
    '{"format":"adslate-rules","version":1,"views":[]}',
    '{"format":"adslate-views","version":1}',
  ];
  for (const text of wrong) expect(readViews(text), text).toEqual({ ok: false, error: 'not-views' });
  const odd = printViews([aView()]).replace('"keyword"', '"banner"');
  expect(readViews(odd)).toEqual({ ok: false, error: 'not-views' });
});

test('views that are saved and taken in again are the same, whatever they are, and no text breaks the reader', () => {
  const views = fc.array(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 40 }).filter((name) => name.trim() === name && name !== ''),
      kind: fc.constantFrom('campaign', 'keyword', 'adItem'),
      only: fc.constantFrom('all', 'changed', 'commented'),
      descending: fc.boolean(),
      width: fc.nat(900),
    }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(views, (some) => {
      const saved = some.map(
        ({ name, kind, only, descending, width }, id): SavedView => ({
          id,
          name: `${id} ${name}`,
          view: { kind, only, filter: '', sort: [{ column: 'name', descending }], campaignId: null },
          layout: { [`width.${kind}.bid`]: width },
        }),
      );
      expect(compared(saved, saved)).toEqual(saved.map(() => 'same'));
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readViews(text).ok).toBe(false);
    }),
  );
});
