import { countText } from './numbers.ts';

/** Texts of the two matrices: keywords by match type, and multipliers with the bids they make. */
export const enMatrix = {
  asTable: 'Table',
  asMatrix: 'Matrix',
  view: 'Show rows as',
  keyword: 'Keyword',
  find: 'Find keyword',
  add: 'New keyword',
  addButton: 'Add',
  distinct: (n: number, max: number) => `${countText(n)} of ${countText(max)} distinct keywords`,
  full: 'Full. Add more keywords in another campaign.',
  cell: (text: string, matchType: string) => `Bid of "${text}", ${matchType}`,
  hint: 'Enter a bid in an empty cell to add the keyword with that match type. A formula such as +10% changes the existing bid.',
  none: 'No keywords yet. Enter the first one above.',
  createLabel: (text: string) => `Add keyword ${text}`,
  editLabel: (text: string) => `Edit bid of ${text}`,
  more: (shown: number, all: number) =>
    `Showing ${countText(shown)} of ${countText(all)} keywords. Use Find to narrow them down.`,
  placements: 'Placement',
  platforms: 'Platform',
  multiplier: (name: string) => `Multiplier for ${name} (%)`,
  base: 'Example bid',
  baseHint: 'The highest bid in the campaign. Enter another bid to see its effective bid.',
  effective: 'Effective bid',
  noPlacement: 'Other placements',
  percent: '%',
  money: (amount: string) => `$${amount}`,
  noneOffered: 'Only sponsored products campaigns have bid multipliers.',
  truncated: 'The service truncates to two decimals: 12.349 becomes 12.34.',
  zero: 'The effect of 0% is not documented: the bid might stay the same or become $0.00.',
  addLabel: (name: string) => `Multiplier for ${name}`,
} as const;
