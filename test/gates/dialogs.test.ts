import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tool.ts';

/** The only dialogs, which keep the rest of the window from its work: each asks one question or is over after one choice. Longer work is a page or a pane. */
const DIALOGS = [
  'Confirm.tsx',
  'ConnectDialog.tsx',
  'ImportDialog.tsx',
  'JoinDialog.tsx',
  'MediaDialog.tsx',
  'NameDialog.tsx',
  'Palette.tsx',
  'ShortcutsDialog.tsx',
  'UnlockDialog.tsx',
];

test('nine components are dialogs, and no other is', () => {
  const dialogs = globSync('renderer/**/*.tsx', { cwd: root }).filter((file) =>
    /<(Modal|Dialog|dialog)(\.Root)?[\s>]|aria-modal/.test(readFileSync(join(root, file), 'utf8')),
  );
  // The shell stands for the palette until its code has come.
  const names = dialogs.map((file) => basename(file)).filter((name) => name !== 'PaletteShell.tsx');
  expect(names.toSorted()).toEqual(DIALOGS);
});
