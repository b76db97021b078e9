import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test.use({ sample: true });

test('a copied link opens its row and field, and searches for a row that is not here', {
  tag: ['@grid', '@long'],
}, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const hands = handsOn(page);
  await expect(page.getByRole('main')).toBeVisible();
  await hands.command('Keywords');
  const cell = page.getByRole('gridcell', { name: /water bottle/ }).first();
  await cell.click();
  const words = ((await cell.textContent()) ?? '').trim();
  await page.keyboard.press('Alt+Shift+L');
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/#open\/[a-z0-9-]+\/keyword\/\d+\/text\?advertiser=\d+&id=\d+&find=/,
  );

  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('grid')).toBeHidden();
  await page.goto(link);
  const active = page.locator('[role=gridcell][id]').filter({ hasText: words }).first();
  await expect(active).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');

  // As on the computer of a colleague: the numbers are others, and the words find it.
  await page.keyboard.press('Alt+1');
  await hands.command(link.replace(/keyword\/\d+/, 'keyword/999999').replace(/&id=\d+/, '&id=424242'));
  await expect(page.getByText('You see the rows with its name.')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: words }).first()).toBeVisible();

  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('grid')).toBeHidden();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog').getByRole('combobox');
  await expect(palette).toBeFocused();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByText('in the tab where you are signed in')).toBeVisible();
  await expect(active).toBeVisible();
  await expect(palette, 'the dialog keeps the keys').toBeFocused();
  await page.keyboard.press('Escape');
  await hands.command(link.replace(/open\/[a-z0-9-]+\//, 'open/nobody/').replace(/advertiser=\d+/, 'advertiser=5'));
  await expect(page.getByText('an account that is not on this computer')).toBeVisible();
});
