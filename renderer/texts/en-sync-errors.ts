import { countText, plural } from './numbers.ts';

/** Texts about rows that the service refused: beside its own words, where the next step is taken. */
export const enSyncErrors = {
  said: 'Service message',
  cause: 'Cause',
  next: 'Next step',
  about: 'Field',
  wholeRow: 'entire row',
  unknown:
    'Adslate does not recognize this message. Check the issues of the row. If there are none, contact the retailer.',
  correlationId: 'Correlation ID',
  notSent: 'Found by item search. Nothing was sent.',
  copy: 'Copy for support',
  copied: 'Copied. Contains no credentials.',
  copyFailed: 'Your browser does not allow copying. Select the text and press Ctrl+C.',
  rows: (n: number) => plural(n, 'row'),
  more: (n: number) => `${countText(n)} more`,
  inCampaign: (campaign: string) => `in ${campaign}`,
  showAll: 'Show all',
  places: {
    field: 'Go to cell',
    row: 'Go to row',
    'mend-ids': 'Repair item IDs…',
    'find-items': 'Search items…',
    reviews: 'Go to reviews',
    refresh: 'Refresh all campaigns',
    sync: 'Open sync plan…',
    keys: 'Credentials…',
    settings: 'Account settings…',
  },
  support: {
    message: 'Message',
    at: 'Received',
    request: 'Request',
    correlationId: 'Correlation ID',
    row: 'Row',
    remoteId: 'Service ID',
  },
} as const;
