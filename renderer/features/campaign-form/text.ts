import { countText } from '../../app/locale/numbers.ts';

export const campaignFormTexts = {
  /** Labels that differ from those in the grid, and labels of inputs that are no row fields. */
  labels: {
    name: 'Campaign name',
    totalBudget: 'Total budget (USD)',
    dailyBudget: 'Daily budget (USD)',
    keywords: 'Keywords, one per line',
    bid: 'Default bid (USD)',
  },
  keywordsHint: 'You can add match type and bid after tabs. Otherwise the default bid and match type are used.',
  cancel: 'Cancel',
  line: (n: number, problem: string) => `Line ${countText(n)}: ${problem}`,
} as const;
