import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUIDE_PAGES } from './reading-ease.ts';
import { textsOf } from './text-lint.ts';
import { root } from './tool.ts';

/** The guide writes names of buttons, tabs and commands **in bold**; `…` in a name is what the window fills in. */
const NOT_PROSE = /```[\s\S]*?```|`[^`\n]*`/g;
const namesIn = (page: string): readonly string[] =>
  [...page.replace(NOT_PROSE, '').matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name.replace(/\s+/g, ' '));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A pattern of a text with gaps, each of which the window fills in. */
const withGaps = (text: string, gap: RegExp): string => text.toLowerCase().split(gap).map(escaped).join('(.+)');

/**
 * Names that are in none of the texts of the window: neither as a part of one, nor as one whose gaps are filled in with
 * numbers or with other texts of the window.
 */
function unknownNames(names: readonly string[], texts: readonly string[]): readonly string[] {
  const all = texts.join('\n').toLowerCase();
  const filled = texts.filter((text) => text.includes('{}')).map((text) => new RegExp(`^${withGaps(text, /\{\}/)}$`));
  const fits = (gap: string): boolean => /[\d…]/.test(gap) || all.includes(gap.replace(/s$/, ''));
  return names
    .filter((name) => !new RegExp(withGaps(name, /…/)).test(all))
    .filter((name) => !filled.some((pattern) => pattern.exec(name.toLowerCase())?.slice(1).every(fits)));
}

const texts = (['ui', 'text'] as const).flatMap((set) => textsOf(root, set).texts.map(({ text }) => text));

test.each(GUIDE_PAGES)('every button, tab and command that %s names is in the window by that name', (page) => {
  const names = namesIn(readFileSync(join(root, page), 'utf8'));
  expect(names.length).toBeGreaterThan(5);
  expect(unknownNames(names, texts)).toEqual([]);
});

test('planted, a name that the window does not have is noticed, over lines and with gaps as well', () => {
  const page = '*Emphasis* and `**code**` are not names; **Send now**, **send\nnow**, **Add 3 days**, **Put … away**.';
  expect(namesIn(page)).toEqual(['Send now', 'send now', 'Add 3 days', 'Put … away']);
  expect(unknownNames([...namesIn(page), 'Post'], ['Send now', 'Add {} days', 'Put {} back', 'Use {}'])).toEqual([
    'Put … away',
    'Post',
  ]);
  expect(unknownNames(['Use value', 'Use nothing'], ['Use {}', 'The value'])).toEqual(['Use nothing']);
});
