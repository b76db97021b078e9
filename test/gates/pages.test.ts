import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tool.ts';

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const pages = listed.split('\0').filter((file) => file.endsWith('.md') && existsSync(join(root, file)));

/** @returns relative links of a page, and the headings in this repository, that lead nowhere */
function deadLinks(page: string, text: string): readonly string[] {
  const links = [...text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, to = '']) => to,
  );
  return links.filter((to) => {
    const [path = '', heading] = to.split('#');
    if (/^[a-z]+:/.test(to)) return false;
    const target = path === '' ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(target)) return true;
    return heading !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(heading);
  });
}

const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

test('every relative link of every page leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(20);
  const dead = pages.flatMap((page) =>
    deadLinks(page, readFileSync(join(root, page), 'utf8')).map((to) => `${page}: ${to}`),
  );
  expect(dead).toEqual([]);
});

test('a link to a missing page and to a missing heading is found', () => {
  const text =
    '[a](none.md) [b](README.md#none) [c](README.md#documentation) [d](https://example.org/none.md) `[e](f.md)`';
  expect(deadLinks('docs/page.md', text)).toEqual(['none.md', 'README.md#none']);
});

test('there are at most 15 READMEs', () => {
  expect(pages.filter((page) => /(^|\/)README\.md$/.test(page)).length).toBeLessThanOrEqual(15);
});
