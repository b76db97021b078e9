import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
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

const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');
const scripts = Object.keys((JSON.parse(readPage('package.json')) as { scripts: object }).scripts);
/** Every file of the repository and every folder above one. */
const places = new Set<string>();
for (const file of listed.split('\0')) {
  for (let place = file; place !== '.' && place !== ''; place = posix.dirname(place)) places.add(place);
}
/** Folders of a user's data, a file that a reader is told to write, and ends of names. */
const ELSEWHERE = new Set(['quarantine/', 'first-call.mjs', 'our-release.yml', '.test.ts', '.test.tsx']);

/** @returns files and folders in backticks, and scripts, that a page names and that are not there */
function deadNames(page: string, text: string): readonly string[] {
  const isThere = (name: string): boolean => {
    const path = name.replace(/\/$/, '');
    return places.has(posix.join(dirname(page), path)) || [...places].some((place) => `/${place}`.endsWith(`/${path}`));
  };
  const quoted = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  const files = quoted.filter(
    (name) => /^[\w./@-]*(\.(tsx?|mjs|cjs|md|css|yml|sh)|\/)$/.test(name) && !/^[./]/.test(name),
  );
  const named = [...text.matchAll(/npm run ([\w:][\w:-]*)/g)].map(([, name = '']) => name);
  return [
    ...files.filter((name) => !ELSEWHERE.has(name) && !isThere(name)),
    ...named.filter((name) => !scripts.includes(name)),
  ];
}

test('every file, folder and script that a page names is there', () => {
  const dead = pages.flatMap((page) => deadNames(page, readPage(page)).map((name) => `${page}: ${name}`));
  expect(dead).toEqual([]);
});

test('a name of a file, a folder or a script that is not there is found', () => {
  const text = '`none.ts`, `pages.test.ts`, `gates/`, `none/`, `npm run none`, `npm run test:soak`, `v1/none`';
  expect(deadNames('test/README.md', text)).toEqual(['none.ts', 'none/', 'none']);
});

test.each(['shared', 'main', 'renderer', 'sandbox', 'test'])('the page of %s/ names every folder in it', (folder) => {
  const inside = [...places].filter((place) => posix.dirname(place) === folder && !posix.basename(place).includes('.'));
  const page = readPage(`${folder}/README.md`);
  expect(inside.filter((place) => !page.includes(`\`${posix.basename(place)}/\``))).toEqual([]);
});

test('every relative link of every page leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(20);
  const dead = pages.flatMap((page) => deadLinks(page, readPage(page)).map((to) => `${page}: ${to}`));
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
