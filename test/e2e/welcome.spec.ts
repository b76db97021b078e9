import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ practice: false });

test('a newcomer is asked for what is missing to connect, and can practise at once instead', {
  tag: '@accounts',
}, async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Adslate' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect account' });
  await dialog.getByLabel('Account name').fill('Northwind');
  await dialog.getByLabel('Retail site host').fill('https://www.example.com/');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialog.getByText('Enter the host name only, such as www.example.com.')).toBeVisible();
  await expect(dialog.getByText('Choose a file.')).toHaveCount(2);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Open practice account' }).click();
  await deskPage(page).ready();
  await expect(page.getByRole('button', { name: /Switch account: Practice/ })).toBeVisible();
});
