import { formatCell } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { usageStop } from './stop.ts';

/** The kinds of row in the words of the sheet's Type column. */
const WORDS: Readonly<Record<Kind, string>> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  adItem: 'ad item',
  keyword: 'keyword',
  sbaProfile: 'sba profile',
  videoProfile: 'video profile',
  placementMultiplier: 'placement multiplier',
  platformMultiplier: 'platform multiplier',
  media: 'media',
};
export const wordOf = (kind: Kind): string => WORDS[kind];

/** `ad item`, `adItem` and `ad-item` are the same type. */
export function kindOf(word: string, of = '--type'): Kind {
  const found = KINDS.find((kind) => letters(kind) === letters(word) || letters(wordOf(kind)) === letters(word));
  if (found === undefined) throw usageStop(`${of} is one of ${KINDS.map(wordOf).join(', ')}.`);
  return found;
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A value as it stands in a sentence. */
export const cellWord = (kind: Kind, field: string, value: Cell): string => formatCell(kind, field, value) || 'empty';
