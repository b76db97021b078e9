import { countText, plural } from '../../app/locale/numbers.ts';

export const syncTexts = {
  title: 'Sync',
  planning: 'Preparing the sync plan…',
  nothing: 'Nothing to sync',
  requests: (n: number) => plural(n, 'request'),
  confirm: 'Send now',
  confirmTo: (account: string) => `Send to ${account}`,
  cancel: 'Cancel',
  days: (min: number, max: number) => (min === max ? plural(max, 'day') : `${countText(min)}–${plural(max, 'day')}`),
} as const;
