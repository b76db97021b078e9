import { countText, plural } from '../../app/locale/numbers.ts';

export const syncTexts = {
  planning: 'Preparing the sync plan…',
  days: (min: number, max: number) => (min === max ? plural(max, 'day') : `${countText(min)}–${plural(max, 'day')}`),
} as const;
