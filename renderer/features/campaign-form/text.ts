export const campaignFormTexts = {
  /** What the form calls otherwise than the grid does, and what is no field of a row. */
  labels: {
    name: 'Campaign name',
    totalBudget: 'Total budget (USD)',
    dailyBudget: 'Daily budget (USD)',
    items: 'Item IDs, one per line',
    keywords: 'Keywords, one per line',
    bid: 'Default bid (USD)',
  },
  itemsHint: 'You can add a bid after a space or tab: 5012345678 1.60',
  keywordsHint: 'You can add match type and bid after tabs. Otherwise the values below are used.',
  cancel: 'Cancel',
  line: (n: number, problem: string) => `Line ${n}: ${problem}`,
} as const;
