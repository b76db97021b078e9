import type { AcceptedIds, DamagedItemId } from '../../../shared/api/items.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { guardCell } from '../../../shared/spreadsheet/cell-guard.ts';

const HEADER = [
  'Item id',
  'Problem',
  'Rows',
  'First place',
  'Replaced by',
  'Item name',
  'Suggested bid',
  'Item page',
  'Picture',
  'Found by',
  'Other candidates',
];

const PROBLEM: Readonly<Record<DamagedItemId['damage'], string>> = {
  legacy: 'id of the old form',
  'too-new': 'id of the new form before the migration',
  scientific: 'shown as a number with an exponent',
  'decimal-ending': 'read as a number with decimals',
  grouped: 'read as a number and grouped',
  marked: 'signs or blanks around it',
  'lost-zeros': 'fewer than 10 digits',
  'too-long': 'more than 10 digits',
  unreadable: 'no id can be made out',
};
const FOUND_BY: Readonly<Record<DamagedItemId['candidates'][number]['source'], string>> = {
  service: 'the service renamed it',
  search: 'item search, by id',
  account: 'an item of this account',
  name: 'item search, by name',
};

/** What became of every damaged id, one row each, for colleagues of the same advertiser. */
export function mappingRows(damaged: readonly DamagedItemId[], accepted: AcceptedIds): readonly (readonly string[])[] {
  const byId = new Map(accepted.map(({ from, to }) => [from, to]));
  const rows = damaged.map(({ itemId, damage, rows: count, first, candidates }) => {
    const to = byId.get(itemId);
    const taken = candidates.find((candidate) => candidate.itemId === to);
    const others = candidates.filter((candidate) => candidate !== taken).map((candidate) => candidate.itemId);
    const foundBy = to === undefined ? 'not replaced' : taken === undefined ? 'typed' : FOUND_BY[taken.source];
    return [
      itemId,
      PROBLEM[damage],
      String(count),
      placeOf(first),
      to ?? '',
      taken?.name ?? '',
      formatCell('adItem', 'bid', taken?.facts?.suggestedBidCents ?? null),
      taken?.facts?.pageUrl ?? '',
      taken?.facts?.imageUrl ?? '',
      foundBy,
      others.join(' '),
    ];
  });
  return [HEADER, ...rows.map((row) => row.map(guardCell))];
}

function placeOf([first]: DamagedItemId['first']): string {
  if (first === undefined) return '';
  return [first.campaign, first.line === null ? '' : `line ${first.line}`].filter((part) => part !== '').join(', ');
}
