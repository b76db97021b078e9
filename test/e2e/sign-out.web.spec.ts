import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('signing out everywhere ends this window and every other, for good', { tag: '@accounts' }, async ({
  page,
  context,
}) => {
  await deskPage(page).ready();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('About Adslate');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const out = page.getByRole('heading', { name: 'This window is not signed in' });
  await expect(out).toBeVisible();
  await page.reload();
  await expect(out).toBeVisible();
  const second = await context.newPage();
  await second.goto(new URL(page.url()).origin);
  await expect(second.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible();
});
