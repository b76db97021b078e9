import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tool.ts';

/** Dialogs that stay: each asks one question or is over after one choice. Longer work is a page or a pane. */
const STAY = [
  'ConnectDialog.tsx',
  'UnlockDialog.tsx',
  'ImportDialog.tsx',
  'MediaDialog.tsx',
  'Palette.tsx',
  'ShortcutsDialog.tsx',
  'Confirm.tsx',
  'NameDialog.tsx',
];
/** Stands for the palette until its code has come. */
const SHELLS = ['PaletteShell.tsx'];

test('no component is a dialog but the eight that stay', () => {
  const dialogs = globSync('renderer/**/*.tsx', { cwd: root }).filter((file) =>
    /<(Modal|Dialog|Drawer|dialog)(\.Root)?[\s>]|role="(alert)?dialog"/.test(
      readFileSync(join(root, file), 'utf8').replaceAll('<Drawer workspaceId', ''),
    ),
  );
  const names = dialogs.map((file) => basename(file)).filter((name) => !SHELLS.includes(name));
  expect(names.filter((name) => !STAY.includes(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(STAY));
});
