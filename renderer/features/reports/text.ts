import { fullDayText } from '../../app/locale/numbers.ts';

export const reportsTexts = {
  types: {
    campaign: 'By campaign',
    adGroup: 'By ad group',
    adItem: 'By ad item',
    keyword: 'By keyword',
    platform: 'By platform',
    pageType: 'By page type',
    brand: 'By brand',
    category: 'By category',
  } as Readonly<Record<string, string>>,
  name: (type: string, from: string, to: string) => `${type}, ${fullDayText(from)} to ${fullDayText(to)}`,
} as const;
