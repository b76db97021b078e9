import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readSource } from './code-rule.ts';
import { deadWords, type Repository, unnamedFolders } from './page-words.ts';
import { root } from './tool.ts';

/** Every page of the project names only what is there: links, files, folders, scripts. */
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const Package = z.object({ scripts: z.record(z.string(), z.string()) });
const repository: Repository = {
  files: listed.split('\0').filter((file) => file !== ''),
  scripts: Object.keys(Package.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts),
};

test('no page names a link, a file, a folder or a script that is not there', () => {
  const pages = repository.files.filter((file) => file.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(80);
  expect(pages.flatMap((page) => deadWords(page, readSource(root, page), repository))).toEqual([]);
});

const MAPS = ['shared', 'main', 'main/host', 'main/workspace', 'renderer', 'renderer/screens', 'sandbox', 'test'];
test.each(MAPS)('the page of %s/ names every folder in it', (folder) => {
  expect(unnamedFolders(folder, readSource(root, `${folder}/README.md`), repository)).toEqual([]);
});

describe('planted, it is noticed', () => {
  test.each([
    ['[the map](../none.md)', 'docs/page.md names ../none.md, which is not there.'],
    ['[a section](none.md#part)', 'docs/page.md names none.md, which is not there.'],
    ['`main/host/none.ts`', 'docs/page.md names main/host/none.ts, which is not there.'],
    ['`none/`', 'docs/page.md names none/, which is not there.'],
    ['`npm run none`', 'docs/page.md names the script none, which is not there.'],
  ])('%s', (text, problem) => {
    expect(deadWords('docs/page.md', text, repository)).toEqual([problem]);
  });

  test('a folder that the map leaves out', () => {
    expect(
      unnamedFolders('main/host', '`web/` and cli/', {
        ...repository,
        files: ['main/host/web/a.ts', 'main/host/cli/a.ts', 'main/b/c.ts'],
      }),
    ).toEqual(['cli/']);
  });

  test('and only that', () => {
    const sound =
      '[map](README.md) [out](https://example.org/none.md) [here](#part) `web/server.ts` `host/` `a.b` `npm run demo`\n```\nnone.ts\n```';
    expect(deadWords('docs/page.md', sound, repository)).toEqual([]);
  });
});
