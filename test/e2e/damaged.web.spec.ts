import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import { takeEveryLook } from './pictured.ts';

// Its pictures are of the guide, which is in American English.
test.use({ locale: 'en-US' });

/** The last page of the file is lost; the rest of it can still be read. */
const PAGE_BYTES = 4096;

test('an account whose file is damaged says so, and is read as far as it goes when there is no backup', {
  tag: ['@accounts', '@long'],
}, async ({ page, adslate, dataDir }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  const keywords = Array.from({ length: 150 }, (_, i) => `iron pan number ${i}`);
  await desk.newManual('Pans', keywords.join('\n'));
  // An end in order writes everything into the one file that is damaged then.
  await adslate.restart('SIGTERM');
  await expect(desk.navigation).toContainText('Pans');
  await adslate.kill();
  const workspaces = join(dataDir, 'workspaces');
  const [id = ''] = await readdir(workspaces);
  for (const name of await readdir(join(workspaces, id))) {
    if (name.startsWith('workspace.db-')) await rm(join(workspaces, id, name));
  }
  const file = join(workspaces, id, 'workspace.db');
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0xff, bytes.length - PAGE_BYTES));
  await adslate.restart();

  await expect(page.getByText('The account file is damaged. Open Backups in').first()).toBeVisible();
  await hands.command('backups');
  const dialog = page.getByRole('region', { name: 'Backups' });
  await expect(dialog).toContainText("The account file is damaged and can't be opened.");
  await expect(dialog).toContainText('No backups yet');
  await expect(page.getByRole('button', { name: 'Sync plan' })).toBeVisible();
  await takeEveryLook(page, 'damaged');
  await dialog.getByRole('button', { name: 'Recover data…' }).click();
  const question = page.getByRole('dialog', { name: 'Recover data from the damaged file?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Recover data' }).click();
  await expect(page.getByText(/rows? recovered\./)).toBeVisible();
  await desk.ready();
  await hands.command('backups');
  await expect(dialog).toContainText('Adslate recovered what it could from the damaged file.');
});
