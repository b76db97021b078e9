import { countText } from './numbers.ts';

/** Texts of the two matrices: keywords by match type, and multipliers with the bids they make. */
export const enMatrix = {
  asTable: 'Table',
  asMatrix: 'Matrix',
  view: 'Show rows as',
  keyword: 'Keyword',
  find: 'Find a keyword',
  add: 'New keyword',
  addButton: 'Add',
  distinct: (n: number, max: number) => `${countText(n)} of ${countText(max)} distinct keywords`,
  full: 'Full: further keywords need another campaign.',
  cell: (text: string, matchType: string) => `Bid of "${text}", ${matchType}`,
  hint: 'A bid in an empty cell adds the keyword with that match type. Sums such as +10% work on the bid that is there.',
  none: 'No keyword yet. Type the first one above.',
  createLabel: (text: string) => `Add keyword ${text}`,
  editLabel: (text: string) => `Edit bid of ${text}`,
  more: (shown: number, all: number) =>
    `The first ${countText(shown)} of ${countText(all)} keywords. Find narrows them.`,
  placements: 'Placement',
  platforms: 'Platform',
  multiplier: (name: string) => `Multiplier for ${name}, %`,
  base: 'For a bid of',
  baseHint: 'The highest bid of the campaign. Type another to see what becomes of it.',
  effective: 'What becomes of the bid',
  noPlacement: 'Elsewhere',
  percent: '%',
  money: (amount: string) => `$${amount}`,
  noneOffered: 'Only sponsored products campaigns have bid multipliers.',
  truncated: 'Decimals beyond the second are cut, as the service does: 12.349 becomes 12.34.',
  zero: '0 % is not documented: the bid may stay or become nothing.',
  addLabel: (name: string) => `Multiplier for ${name}`,
} as const;
