import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EASE_MIN, GUIDE_PAGES, readingEase, sentencesOfPage } from './reading-ease.ts';
import { root } from './tool.ts';

/** One long sentence of long words, planted between the paragraphs of a page. */
const HARD =
  'Notwithstanding the aforementioned considerations regarding synchronization, administrators necessarily reconcile contradictory modifications individually, establishing authoritative information for subsequent operations.';

const pages = GUIDE_PAGES.map((page) => {
  const source = readFileSync(join(root, page), 'utf8');
  return { page, source, ease: readingEase(source) };
});

test('every page of the guide is easy to read', () => {
  const hard = pages.filter(({ ease }) => !(ease >= EASE_MIN));
  expect(hard.map(({ page, ease }) => `${page}: ${ease.toFixed(1)}`)).toEqual([]);
});

test.each(pages)('$page has sentences to measure', ({ source }) => {
  expect(sentencesOfPage(source).length).toBeGreaterThan(10);
});

test('every page for marketers in the table of documents is measured', () => {
  const table = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const listed = [...table.matchAll(/^\| \[([\w-]+\.md)\]\([\w-]+\.md\) \| Marketers:/gm)].map(
    ([, page]) => `docs/${page}`,
  );
  expect(listed.toSorted()).toEqual(GUIDE_PAGES.toSorted());
  expect(GUIDE_PAGES.every((page) => existsSync(join(root, page)))).toBe(true);
});

test('a hard page is noticed', () => {
  expect(readingEase(HARD)).toBeLessThan(0);
  const { source } = pages[0] ?? { source: '' };
  const mixed = source.replace(/\n\n/g, `\n\n${HARD}\n\n`);
  expect(readingEase(mixed)).toBeLessThan(EASE_MIN);
});

test('what is not prose is left out', () => {
  const text =
    '# Heading one\n\n| a | b |\n|---|---|\n\n1. Press `npm start` now. See [the page](a/b.md).\n2. Go on.\n\n![A picture](x.png)\n';
  expect(sentencesOfPage(text)).toEqual(['Press  now.', 'See [the page].', 'Go on.']);
});
