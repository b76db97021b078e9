export const campaignFormTexts = {
  /** What the form calls otherwise than the grid does, and what is no field of a row. */
  labels: {
    name: 'Campaign name',
    totalBudget: 'Total budget (USD)',
    dailyBudget: 'Daily budget (USD)',
    keywords: 'Keywords, one per line',
    bid: 'Default bid (USD)',
  },
  keywordsHint: 'You can add match type and bid after tabs. Otherwise the default bid and match type are used.',
  cancel: 'Cancel',
  line: (n: number, problem: string) => `Line ${n}: ${problem}`,
} as const;
