import type { Kind } from '../../../shared/model/kinds.ts';
import { printSearch, type Query } from '../../../shared/search/query.ts';

/** Where the rows are that a row of a report is about: a kind and a filter that finds them and no others. */
export interface RowPlace {
  readonly kind: Kind;
  readonly filter: string;
  /** Whether such rows have a bid. */
  readonly hasBid: boolean;
  /** The field that switches such rows on and off. */
  readonly state: 'status' | 'state';
}

/** Groupings of a report that name rows of the account: their kind, and the field that has the name; null for the id. */
const NAMED: Readonly<Record<string, readonly [Kind, string | null]>> = {
  campaignName: ['campaign', 'name'],
  campaignId: ['campaign', null],
  adGroupId: ['adGroup', null],
  adItemId: ['adItem', null],
  itemId: ['adItem', 'itemId'],
  itemName: ['adItem', 'itemName'],
  keywordId: ['keyword', null],
  keyword: ['keyword', 'text'],
  keywordText: ['keyword', 'text'],
};

/** @returns null for a row that names no rows of the account, such as a day or a platform */
export function placeOf(groupBy: string, label: string): RowPlace | null {
  const [kind, field] = NAMED[groupBy] ?? [];
  if (kind === undefined || field === undefined || label === '') return null;
  const query: Query = field === null ? { is: 'id', id: label } : { is: 'compare', field, op: '=', value: label };
  return {
    kind,
    filter: printSearch(query, kind),
    hasBid: kind === 'adItem' || kind === 'keyword',
    state: kind === 'keyword' ? 'state' : 'status',
  };
}
