import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareSides, type Side, type SideRow } from '../../shared/compare/compare.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { cents, id } from './builders.ts';

const row = (kind: SideRow['kind'], at: number | null, values: Readonly<Record<string, Cell>>): SideRow => {
  const label = String(values['name'] ?? values['text'] ?? values['headline'] ?? at);
  return {
    kind,
    id: at === null ? null : id(at),
    adGroupId: null,
    isNew: true,
    label,
    group: kind === 'keyword' ? 'Group' : '',
    values,
  };
};
const campaign = (at: number, name: string, rows: readonly SideRow[]) => ({
  id: id(at),
  name,
  rows: [row('campaign', at, { name }), row('adGroup', at + 1, { name: 'Group' }), ...rows],
});
const side = (...campaigns: Side['campaigns']): Side => ({ campaigns, media: new Map(), isPartial: false });
const keyword = (at: number, text: string, bid: number) =>
  row('keyword', at, { text, matchType: 'exact', bid: cents(bid) });

test('two campaigns differ in fields and in rows, and each difference says what writes it to the left', () => {
  const left = side(campaign(1, 'Hoses', [keyword(10, 'Garden hose', 100), keyword(11, 'old', 90)]));
  const right = side(campaign(50, 'Tubes', [keyword(60, 'garden  HOSE', 150), keyword(61, 'new', 80)]));
  const { differences, same } = compareSides(left, right, 'content');
  expect(same).toBe(1);
  expect(differences).toMatchObject([
    { kind: 'campaign', field: 'name', left: 'Hoses', right: 'Tubes' },
    { kind: 'keyword', field: 'text', left: 'Garden hose', right: 'garden  HOSE' },
    { field: 'bid', left: 100, right: 150, use: { is: 'value', id: 10, field: 'bid', value: 150 } },
    { what: 'left', label: 'old', use: { is: 'delete', id: 11 } },
    { what: 'right', label: 'new', use: { is: 'row', parent: 2, values: { text: 'new', bid: 80 } } },
  ]);
});

test('a banner whose headline changed is one change, and a plan is compared with what it names alone', () => {
  const banner = (at: number, headline: string) => row('sbaProfile', at, { brand: 'Northwind', headline });
  const left = side(campaign(1, 'A', [banner(5, 'Old words'), keyword(6, 'hose', 100)]));
  const right = side(campaign(1, 'A', [banner(5, 'New words')]));
  expect(compareSides(left, right, 'content').differences).toMatchObject([
    { what: 'field', field: 'headline', left: 'Old words', right: 'New words' },
    { what: 'left', label: 'hose' },
  ]);
  const plan: Side = {
    campaigns: [{ id: id(1), name: '', rows: [row('keyword', 6, { bid: cents(120) })] }],
    media: new Map(),
    isPartial: true,
  };
  expect(compareSides(left, plan, 'id').differences).toMatchObject([{ field: 'bid', left: 100, right: 120 }]);
});

test('a side is the same as itself, and using every difference makes the left side like the right', () => {
  const rows = fc.uniqueArray(
    fc.record({ text: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bid: fc.integer({ min: 100, max: 103 }) }),
    {
      selector: ({ text }) => text,
    },
  );
  fc.assert(
    fc.property(rows, rows, (mine, theirs) => {
      const of = (from: number, list: typeof mine) =>
        side(
          campaign(
            from,
            'A',
            list.map(({ text, bid }, at) => keyword(from + 10 + at, text, bid)),
          ),
        );
      const left = of(1, mine);
      const right = of(100, theirs);
      expect(compareSides(left, left, 'content').differences).toEqual([]);
      const bids = new Map<string, number>(mine.map(({ text, bid }) => [text, bid]));
      for (const { use, label } of compareSides(left, right, 'content').differences) {
        if (use?.is === 'value') bids.set(label, Number(use.value));
        if (use?.is === 'delete') bids.delete(label);
        if (use?.is === 'row') bids.set(String(use.values['text']), Number(use.values['bid']));
      }
      expect(bids).toEqual(new Map<string, number>(theirs.map(({ text, bid }) => [text, bid])));
    }),
  );
});
