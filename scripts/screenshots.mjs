/**
 * `npm run screenshots`: draws every screen again into docs/pictures, light and dark, in two sizes. The end-to-end run
 * compares with them, so check the changes before you commit them.
 */
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, root } from './repository-root.mjs';
import { runProgram } from './run-program.mjs';

ensureInstalled();
ensureBuilt();
const browser = await ensureChromium();
if ('missing' in browser) exitWithError('No browser to take screenshots.', browser.missing);
/** The first draws most of them; the others draw states that are expensive to reach. */
const SPECS = ['pictures', 'conflicts', 'sync-faults', 'secrets', 'damaged', 'team'];
const args = [
  'test',
  ...SPECS,
  '--config',
  join(root, 'playwright.config.ts'),
  '--project',
  'web',
  '--project',
  'long',
];
process.exitCode = await runProgram('node_modules/@playwright/test/cli.js', [...args, '--update-snapshots=all'], {
  env: 'executable' in browser ? { CHROMIUM: browser.executable } : {},
});
