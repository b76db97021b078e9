import { countText, plural } from './numbers.ts';

/** Texts about rows that the service refused: beside its own words, where the next step is taken. */
export const enSyncErrors = {
  said: 'The service said',
  cause: 'Why',
  next: 'What to do',
  about: 'About',
  wholeRow: 'the row as a whole',
  unknown: 'Adslate does not know this message. Look at the findings of the row; if there are none, ask the retailer.',
  correlationId: 'Correlation id',
  notSent: 'Found by the item search, before anything was sent.',
  copy: 'Copy for support',
  copied: 'Copied. It holds no key and no token.',
  copyFailed: 'The browser keeps the clipboard closed. Mark the text and press Ctrl+C.',
  rows: (n: number) => plural(n, 'row'),
  more: (n: number) => `${countText(n)} more`,
  inCampaign: (campaign: string) => `in ${campaign}`,
  showAll: 'Show them all',
  places: {
    field: 'Go to the cell',
    row: 'Go to the row',
    'mend-ids': 'Mend item ids…',
    'find-items': 'Search items…',
    reviews: 'Go to the reviews',
    refresh: 'Refresh from the service',
    sync: 'Look at the next sync…',
    keys: 'Keys and tokens…',
    settings: 'Account settings…',
  },
  support: {
    message: 'Message',
    at: 'Received',
    request: 'Request',
    correlationId: 'Correlation id',
    row: 'Row',
    remoteId: 'Id at the service',
  },
} as const;
