import { countText, plural } from './numbers.ts';

const SHOWN = 3;

/** Texts about looking items up at the service. */
export const enItems = {
  nothing: 'All items have been checked.',
  confirmed: (asked: number, found: number) => `${plural(asked, 'item')} checked, ${countText(found)} found.`,
  suggested: (bid: string) => `suggested bid ${bid}`,
  page: 'Item page',
  picture: 'Picture',
  refused: (ids: readonly string[]) =>
    `${plural(ids.length, 'item')} can't be added: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ' and more' : ''}. See the reasons in Issues.`,
} as const;
