import { plural } from './numbers.ts';

/** Texts of what reviews rejected earlier, and of what had changed until then. */
export const enRejections = {
  title: 'Rejection history',
  hint: 'Stored with the exact creative that was rejected. Adslate warns you when a draft uses the same creative again.',
  more: (n: number) => `${plural(n, 'more rejection')}. Search by campaign, reason or text.`,
  on: (day: string) => `Rejected on ${day}`,
  noReason: 'No reason given.',
  changed: 'Changed since the last approval:',
  unchanged: 'Nothing has changed since the last approval.',
  parts: { headline: 'Headline', brand: 'Brand name', clickUrl: 'Click URL', file: 'Logo or video' },
  none: 'none',
  unknownFile: 'a file that is no longer in the library',
} as const;
