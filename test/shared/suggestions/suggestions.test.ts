import { describe, test } from 'vitest';
import * as alerts from '../../../shared/suggestions/alerts.ts';
import * as bannerSwap from '../../../shared/suggestions/banner-swap.ts';
import * as bid from '../../../shared/suggestions/bid.ts';
import * as exposure from '../../../shared/suggestions/exposure.ts';
import * as holdSpend from '../../../shared/suggestions/hold-spend.ts';
import * as multipliers from '../../../shared/suggestions/multipliers.ts';
import * as noSale from '../../../shared/suggestions/no-sale.ts';
import * as pacing from '../../../shared/suggestions/pacing.ts';
import * as shrinkage from '../../../shared/suggestions/shrinkage.ts';
import * as whatIf from '../../../shared/suggestions/what-if.ts';
import * as words from '../../../shared/suggestions/words.ts';
import { type Arithmetic, CASES } from './cases.ts';

const arithmetic: Arithmetic = {
  ...alerts,
  ...bannerSwap,
  ...bid,
  ...exposure,
  ...holdSpend,
  ...multipliers,
  ...noSale,
  ...pacing,
  ...shrinkage,
  ...whatIf,
  ...words,
};

describe('the arithmetic of suggestions', () => {
  test.each(Object.entries(CASES))('%s', (_, check) => check(arithmetic));
});
