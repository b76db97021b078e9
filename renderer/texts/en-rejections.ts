import { plural } from './numbers.ts';

/** Texts of what reviews rejected earlier, and of what had changed until then. */
export const enRejections = {
  title: 'All rejections so far',
  hint: 'Kept with exactly what the reviewers saw. A draft that shows the same again is warned about.',
  more: (n: number) => `${plural(n, 'more rejection')}: find ${n === 1 ? 'it' : 'them'} by campaign, reason or words.`,
  on: (day: string) => `Rejected on ${day}`,
  noReason: 'No reason was given.',
  changed: 'Since the approval before:',
  unchanged: 'Nothing has changed since the approval before.',
  parts: { headline: 'Headline', brand: 'Brand name', clickUrl: 'Click URL', file: 'Logo or video' },
  none: 'none',
  unknownFile: 'a file that is not here',
} as const;
