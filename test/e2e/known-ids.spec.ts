import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('ids of campaigns are pasted, judged line by line, asked after, and listed with where they came from', {
  tag: '@sync',
}, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  await desk.ready();
  const { command } = handsOn(page);
  await command('Add campaigns by id');
  const dialog = page.getByRole('dialog', { name: 'Add campaigns by id' });
  await dialog.getByLabel('Campaign ids, one a line').fill('987654321\tElsewhere\n1.23E+09\n987654321');
  await expect(dialog.getByRole('row', { name: /987654321 Elsewhere/ })).toContainText('New: will be looked for');
  await expect(dialog.getByRole('row', { name: /1\.23E\+09/ })).toContainText('Not an id');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Look for 1 campaign' }).click();
  await expect(dialog.getByText('No campaign was added.')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /987654321/ })).toContainText('Not on the service');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await command('Known ids');
  const known = page.getByRole('dialog', { name: 'Known ids' });
  await known.getByLabel('Search known ids').fill('987654321');
  await expect(known.getByText('No known id matches')).toBeVisible();
  await page.keyboard.press('Escape');

  await test.step('a sheet that names such ids hands them over, and is previewed anew afterwards', async () => {
    const path = join(dataDir, 'theirs.csv');
    await writeFile(path, 'Type;Campaign;Campaign id;Daily budget\ncampaign;Elsewhere;987654321;1,50');
    await desk.drop([path]);
    const sheet = page.getByRole('dialog', { name: /sheet|theirs.csv/ });
    await sheet.getByRole('button', { name: '1,50 with a comma' }).click();
    await expect(sheet).toContainText('The file names 1 campaign or ad group by ids that this account does not have.');
    await sheet.getByRole('button', { name: 'Add campaigns by id…' }).click();
    await expect(dialog.getByRole('row', { name: /987654321 Elsewhere/ })).toContainText('New: will be looked for');
    await dialog.getByRole('button', { name: 'Look for 1 campaign' }).click();
    await expect(dialog.getByRole('row', { name: /987654321/ })).toContainText('Not on the service');
    await dialog.getByRole('button', { name: 'Back to the sheet' }).click();
    await expect(page.getByRole('dialog', { name: 'theirs.csv' })).toContainText('1lines with problems');
  });
});
