import { flesch } from 'flesch';
import { syllable } from 'syllable';

/** The pages of the guide, which marketers read. Other pages may use the words of engineers. */
export const GUIDE_PAGES: readonly string[] = [
  'docs/first-campaign.md',
  'docs/bulk-work.md',
  'docs/working-as-a-team.md',
  'docs/media.md',
  'docs/sync.md',
  'docs/review-and-launch.md',
  'docs/spreadsheets.md',
  'docs/reports.md',
  'docs/bids-that-explain-themselves.md',
  'docs/accounts.md',
  'docs/backups.md',
  'docs/your-rules.md',
  'docs/status-and-news.md',
  'docs/shortcuts.md',
  'docs/compare.md',
  'docs/storyboard.md',
];

/** Flesch reading ease of every page: plain English. */
export const EASE_MIN = 60;

/** @returns the sentences of a page, without headings, tables, pictures, code and the targets of links */
export function sentencesOfPage(source: string): readonly string[] {
  const plain = source
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');
  return plain
    .split(/\n(?=\s*(?:\d+\.|[-*]) )|\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => !/^[#|]/.test(block))
    .flatMap((block) => block.replace(/^(?:\d+\.|[-*]) /, '').split(/(?<=[.!?]["')*]*)\s+/))
    .filter((sentence) => wordsOf(sentence).length > 0);
}

const wordsOf = (text: string): readonly string[] => text.match(/\p{L}[\p{L}'’-]*/gu) ?? [];

/** Flesch reading ease of a page: 60 and more is plain English, 30 and less needs a degree. */
export function readingEase(source: string): number {
  const sentences = sentencesOfPage(source);
  const words = sentences.flatMap(wordsOf);
  return flesch({
    sentence: sentences.length,
    word: words.length,
    syllable: words.reduce((sum, word) => sum + syllable(word), 0),
  });
}
