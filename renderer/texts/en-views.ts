import { plural } from './numbers.ts';

/** Texts about saved views that go to a file and come from one. */
export const enViews = {
  save: 'Save all views as a file',
  fileName: 'adslate-views.json',
  open: 'Take in views from a file…',
  title: 'Take in views',
  intro:
    'Filter, order and columns of views that somebody saved as a file. Nothing here changes before you take them in.',
  list: 'Views of the file',
  none: 'There is no view in this file.',
  pick: 'Choose a file…',
  take: (n: number) => `Take in ${plural(n, 'view')}`,
  taken: (n: number) => `${plural(n, 'view')} taken in.`,
  is: {
    new: 'new',
    same: 'is here already',
    taken: 'another view here has this name; a tick replaces it',
    'bad-filter': 'its filter cannot be read here',
  },
  problems: {
    'not-views': 'This is no file of views. Choose one that was saved from the menu of views.',
    newer: 'This file is of a newer Adslate. Ask for it in the form of this version, or update.',
  },
} as const;
