import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tool.ts';

/** What the end-to-end specs are about, by their tag. */
const LINES = {
  '@frame': 'Shell: panes, commands, shortcuts, menus',
  '@grid': 'Grid: edit, copy, paste, columns, sort, views',
  '@editing': 'Editing: details, bulk edits, matrices, templates, copies',
  '@media': 'Media',
  '@issues': 'Issues, changes, history, conflicts, rules',
  '@sync': 'Sync and submit',
  '@launch': 'Review and launch, notifications',
  '@reports': 'Reports',
  '@accounts': 'Accounts, first run, practice, keys, backups',
  '@everyone': 'Accessibility, keyboard alone, zoom, languages, pictures',
  '@sheets': 'Spreadsheets and archives',
  '@safety': 'A hostile or failing world',
};

test('every end-to-end spec has a tag, and every line of the product has a spec', () => {
  const folder = join(root, 'test', 'e2e');
  const specs = readdirSync(folder).filter((file) => file.endsWith('.spec.ts'));
  const tagsByFile = new Map(
    specs.map((file) => [file, readFileSync(join(folder, file), 'utf8').match(/'@[a-z]+'/g) ?? []] as const),
  );
  expect(specs.length).toBeGreaterThan(10);
  expect(specs.filter((file) => tagsByFile.get(file)?.length === 0)).toEqual([]);
  // `@long` says when a spec runs, not what it is about.
  const tags = [...tagsByFile.values()]
    .flat()
    .map((tag) => tag.slice(1, -1))
    .filter((tag) => tag !== '@long');
  expect(new Set(tags)).toEqual(new Set(Object.keys(LINES)));
});
