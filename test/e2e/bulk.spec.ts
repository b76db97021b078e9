import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('a column of thousands is filled, calculated and cleared from the grid, each as one step', {
  tag: ['@editing', '@long'],
}, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  await desk.ready();
  const sheet = join(dataDir, 'pots.csv');
  const keywords = Array.from({ length: 2200 }, (_, i) => `keyword,Pots,Group,,pot ${i},exact,1.50`);
  const head = ['Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid', 'campaign,Pots,,sponsoredProducts,,,'];
  writeFileSync(sheet, [...head, 'ad group,Pots,Group,,,,', ...keywords].join('\r\n'));
  await desk.drop([sheet]);
  await page.getByRole('button', { name: /^Import \d/ }).click();
  await desk.openList('Keywords');
  await (await desk.cell('pot 0', 'Bid')).click();
  await page.keyboard.press('Control+Shift+ArrowDown');
  await page.keyboard.type('*2');
  await page.keyboard.press('Control+Enter');
  await expect(desk.activeCell()).toHaveText('$3.00');
  await page.keyboard.press('Control+z');
  await expect(desk.activeCell()).toHaveText('$1.50');
  await page.keyboard.press('Delete');
  await expect(desk.activeCell()).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(desk.activeCell()).toHaveText('$1.50');
  await page.keyboard.press('Control+Home');
  await (await desk.cell('pot 0', 'Bid')).click();
  await page.keyboard.type('2.75');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+ArrowDown');
  await page.keyboard.press('Control+d');
  await expect(desk.activeCell()).toHaveText('$2.75');
});
