import { countText, plural } from '../../app/locale/numbers.ts';
import type { LineProblem } from './lines.ts';

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
  submitKeys: 'Ctrl+Enter',
  line: (n: number, problem: string) => `Line ${countText(n)}: ${problem}`,
  moreLines: (n: number) => `${plural(n, 'more line')} with errors.`,
} as const;

/** Lines named at once: a pasted table may have the same mistake in each of its lines. */
const LINES_NAMED = 5;

/** The problems of pasted lines, one per line of text. */
export function lineProblemsText(problems: readonly LineProblem[]): string {
  const named = problems.slice(0, LINES_NAMED).map(({ line, text }) => campaignFormTexts.line(line, text));
  const more = problems.length - named.length;
  return [...named, ...(more > 0 ? [campaignFormTexts.moreLines(more)] : [])].join('\n');
}
