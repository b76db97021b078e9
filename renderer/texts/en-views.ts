import { plural } from './numbers.ts';

/** Texts about saved views that go to a file and come from one. */
export const enViews = {
  save: 'Export all views…',
  fileName: 'adslate-views.json',
  open: 'Import views…',
  title: 'Import views',
  intro: 'Filters, sort orders and columns from an exported file. Nothing changes until you import them.',
  list: 'Views in the file',
  none: 'This file has no views.',
  pick: 'Choose a file…',
  take: (n: number) => `Import ${plural(n, 'view')}`,
  taken: (n: number) => `${plural(n, 'view')} imported.`,
  is: {
    new: 'new',
    same: 'already in your views',
    taken: 'name already in use; select it to replace that view',
    'bad-filter': "its filter can't be read",
  },
  problems: {
    'not-views': 'This is not a views file. Choose a file that was exported from the Views menu.',
    newer: 'This file needs a newer version of Adslate. Update Adslate and import it again.',
  },
} as const;
