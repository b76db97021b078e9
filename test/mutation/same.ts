/**
 * Planted faults that change nothing: no draft exists for which the rules would answer otherwise, so no test can
 * notice them. Each with its reason; the run names them apart and never counts them as caught.
 */
export const SAME: readonly { readonly file: string; readonly what: string; readonly because: string }[] = [
  {
    file: 'campaign-budget.ts',
    what: '> becomes >= in if (bid > 0 && bid <= daily && daily < bid * FEW_CLICKS) {',
    because: 'with a bid of 0 the budget would have to be below 0, which returned before',
  },
  {
    file: 'campaign-budget.ts',
    what: '> becomes >= in if (bid !== null && bid > highest',
    because: 'the highest of two equal bids is that bid',
  },
  {
    file: 'keyword.ts',
    what: '< becomes <= in for (let i = 0; i < text.length; i++) {',
    because: 'the character code after the end is no number and compares with nothing',
  },
  {
    file: 'keyword.ts',
    what: '> becomes >= in if (i > 0 && text.charCodeAt(i - 1) === 0x20) blanks = true;',
    because: 'the character code before the start is no number and compares with nothing',
  },
  {
    file: 'keyword.ts',
    what: '< becomes <= in } else if (unit < 0x20',
    because: 'the blank, 0x20, was taken by the branch before; 0x7f and 0xa0 have cases of their own',
  },
  {
    file: 'keyword.ts',
    what: '< becomes <= in else if (unit < 0x80',
    because: '0x80 is a control character and was taken by the branch before',
  },
  {
    file: 'keyword.ts',
    what: '> becomes >= in if ([...tallies.values()]',
    because: 'the second look finds nothing where no text waits for it; it only costs time',
  },
  {
    file: 'multiplier.ts',
    what: '<= becomes < in if (daily === null || daily <= 0) return;',
    because: 'with a budget of 0 only a bid of 0 is compared, and no multiplier raises it',
  },
  {
    file: 'video-file.ts',
    what: '> becomes >= in if (Math.abs(width / height / RATIO - 1) > 0.01)',
    because: 'a difference from 1 is a multiple of 2^-53, which 0.01 is not, so the two are never equal',
  },
];
