import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

const HEAD = 'Type;Campaign;Ad group;Campaign type;Keyword;Match type;Bid;Daily budget';

test('a sheet is asked how it writes amounts; its bad lines are saved; the account goes out as XLSX and comes back', {
  tag: '@sheets',
}, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  const commas = join(dataDir, 'commas.csv');
  const lines = [
    'campaign;Pans;;sponsoredProducts;;;;12,50',
    'ad group;Pans;Group;;;;;',
    'keyword;Pans;Group;;iron pan;exact;1,75;',
    'keyword;Pans;Group;;copper pan;sideways;1,80;',
  ];
  await writeFile(commas, [HEAD, ...lines].join('\r\n'));
  const sheet = page.getByRole('dialog', { name: /sheet|commas.csv/ });

  await test.step('amounts with commas are asked about once', async () => {
    await desk.drop([commas]);
    await expect(sheet).toContainText('How does this sheet write amounts?');
    await sheet.getByRole('button', { name: '1,50 with a comma' }).click();
    await expect(sheet).toContainText('1lines with problems');
  });

  await test.step('lines with problems are saved as a sheet to correct', async () => {
    const saving = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Save these rows as a sheet' }).click();
    expect(await readFile(await (await saving).path(), 'utf8')).toContain('copper pan');
    await sheet.getByRole('button', { name: 'Apply 3 rows' }).click();
    await desk.openList('Keywords');
    await expect(await desk.cell('iron pan', 'Bid')).toHaveText('1.75');
  });

  await test.step('what goes out as XLSX changes nothing when it is dropped again', async () => {
    const saving = page.waitForEvent('download');
    await hands.command('export for excel');
    const saved = await saving;
    const path = join(dataDir, saved.suggestedFilename());
    await saved.saveAs(path);
    expect(path).toMatch(/\.xlsx$/);
    await desk.drop([path]);
    await expect(page.getByText('Nothing to apply: the sheet says what is here already.')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('exactly the rows shown go out, also as a page to print', async () => {
    await page.getByLabel('Filter rows').fill('iron');
    await expect(desk.grid.getByRole('row').filter({ hasText: 'iron pan' })).toBeVisible();
    const saving = page.waitForEvent('download');
    await hands.command('rows shown as a page');
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/\.html$/);
    const html = await readFile(await saved.path(), 'utf8');
    expect(html).toContain('<caption>keyword (1)</caption>');
    expect(html).toContain('iron pan');
  });

  await test.step('everything goes out as an archive', async () => {
    const saving = page.waitForEvent('download');
    await hands.command('archive');
    expect((await saving).suggestedFilename()).toMatch(/\.adslate$/);
  });
});
