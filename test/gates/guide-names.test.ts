import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from './code-rule.ts';
import { textsOf, unknownNames } from './guide-names.ts';
import { root } from './tool.ts';

/** Pages for marketers; `docs/README.md` says which. */
const guide = [...readSource(root, 'docs/README.md').matchAll(/\]\(([\w-]+\.md)\) \| marketers:/g)].map(
  ([, page = '']) => page,
);
const FOLDER = 'renderer/messages';
const texts = readdirSync(join(root, FOLDER))
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => textsOf(readSource(root, `${FOLDER}/${file}`)));

test('every button, tab and command that the user guide names is in the window by that name', () => {
  expect(guide.length).toBeGreaterThan(10);
  expect(texts.length).toBeGreaterThan(1000);
  const unknown = guide.flatMap((page) =>
    unknownNames(readSource(root, `docs/${page}`), texts).map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('planted, a name the window does not have is noticed, over lines and with gaps as well', () => {
  const window = textsOf("/* it's no text */ const a = ['Send now', `Put them back`];");
  const page =
    '**Bold** is not, `*.mp4` is not; *Send now*, *Put … back* and *send\nnow* are; *Post*, *Put … away* fail.';
  expect(unknownNames(page, window)).toEqual(['Post', 'Put … away']);
});
