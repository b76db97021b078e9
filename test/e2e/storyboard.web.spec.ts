import { readFile } from 'node:fs/promises';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

test('a client comments on the page without a network, and the comments come back to their fields', {
  tag: ['@launch', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
  const run = async (command: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(command);
    await page.getByRole('option', { name: command }).first().click();
  };
  await desk.navigation.getByRole('button', { name: 'SBA profiles' }).click();
  await expect(desk.grid).toBeVisible();
  await desk.grid.focus();
  await page.keyboard.press('Control+a');
  const exported = page.waitForEvent('download');
  await run('Export client storyboard (HTML)');
  const path = await (await exported).path();

  const context = await page.context().browser()?.newContext({ offline: true });
  if (context === undefined) throw new Error('no browser');
  const client = await context.newPage();
  const loaded: string[] = [];
  client.on('request', (request) => loaded.push(request.url()));
  await client.setContent(await readFile(path, 'utf8'));
  await expect(client.getByRole('heading', { name: 'Northwind paper brand' })).toBeVisible();
  expect(await faults(client)).toEqual([]);
  await client.getByRole('button', { name: 'Comment on Headline' }).first().click();
  await client.getByRole('textbox', { name: 'Comment on Headline' }).fill('Say napkins first');
  await client.getByRole('button', { name: 'Reject' }).first().click();
  await client.getByRole('button', { name: 'Save comments' }).click();
  await expect(client.getByRole('status')).toHaveText('Enter your name first');
  await client.getByLabel('Your name').fill('Jo Client');
  const saved = client.waitForEvent('download');
  await client.getByRole('button', { name: 'Save comments' }).click();
  await expect(client.getByRole('status')).toHaveText('Saved. Send the file back.');
  const buffer = await readFile(await (await saved).path());
  expect(loaded.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([]);
  await context.close();

  const chooser = page.waitForEvent('filechooser');
  await run('Import client comments…');
  await (await chooser).setFiles({ name: 'comments.adslate-comments', mimeType: 'application/json', buffer });
  await expect(page.getByText('2 comments of Jo Client added, with 0 approved and 1 rejected.')).toBeVisible();
});
