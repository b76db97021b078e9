import { countText, plural } from './numbers.ts';

const SHOWN = 3;

/** Texts about looking items up at the service. */
export const enItems = {
  nothing: 'Every item has been looked up already.',
  confirmed: (asked: number, found: number) => `${plural(asked, 'item')} looked up, ${countText(found)} found.`,
  suggested: (bid: string) => `suggested bid ${bid}`,
  page: 'Item page',
  picture: 'Picture',
  refused: (ids: readonly string[]) =>
    `${plural(ids.length, 'item')} cannot be added: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ' and more' : ''}. The findings say why.`,
} as const;
