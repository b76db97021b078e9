import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { noFaults } from './looks.ts';

test.use({ practice: false });

test('a newcomer opens the sample with one key, is asked for what is missing to connect, and can begin with a file', {
  tag: ['@accounts', '@everyone'],
}, async ({ page }) => {
  await test.step('the first step of the sample is done by looking', async () => {
    await expect(page.getByRole('heading', { level: 1, name: /^Plan it here/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open a sample account' })).toBeFocused();
    await noFaults(page, 'Welcome');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /Switch account: Northwind Home/ })).toBeVisible();
    await deskPage(page).ready();
    await expect(page.getByText('1 error', { exact: true }).first()).toBeVisible();

    // The day at the business is the same in the sidebar and on the overview.
    const clock = page.getByRole('navigation').getByRole('button', { name: /^Practice: \w+,? / });
    const day = (await clock.innerText()).match(/\d+/)?.[0];

    await page.getByRole('button', { name: /^First steps/ }).click();
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(new RegExp(`\\b${day}\\b`));
    await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('Headline too long');
    const list = page.getByRole('region', { name: 'Get to know Adslate' });
    await expect(list).toContainText('1 of 6 done');
    const now = list.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Show me' }) });
    await expect(now).toContainText('Fix the headline that is too long');
    await now.getByRole('button', { name: 'Show me' }).click();
    await expect(deskPage(page).activeCell()).toContainText('Soft napkins and strong towels for busy kitchens');

    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New value for Headline' }).fill('Soft napkins and strong towels');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^First steps/ }).click();
    await expect(list).toContainText('2 of 6 done');
    await list.getByRole('button', { name: 'Close the list' }).click();
    await expect(list).toBeHidden();

    await page.getByRole('button', { name: /Switch account/ }).click();
    await page.getByRole('menuitem', { name: 'Delete sample account' }).click();
    await expect(page.getByRole('button', { name: 'Open a sample account' })).toBeVisible();
  });

  await test.step('to connect, what is missing is asked for; a file can be opened instead', async () => {
    await page.getByRole('button', { name: /^Connect your account/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect account' });
    await dialog.getByLabel('Account name').fill('Northwind');
    await dialog.getByLabel('Retail site host').fill('https://www.example.com/');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(dialog.getByText(/^Choose the .* file\.$/)).toHaveCount(2);
    // A whole address will do.
    await expect(dialog.getByText('Enter the retail site host.')).toBeHidden();
    await page.keyboard.press('Escape');

    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Open a file/ }).click();
    const content = 'Campaign,Campaign type,Daily budget\nKettles,sba,20\n';
    await (await chooser).setFiles({ name: 'kettles.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await expect(page.getByRole('dialog', { name: 'kettles.csv' })).toContainText('1 row in the file');
    await expect(page.getByRole('button', { name: /Switch account: Practice/ })).toBeAttached();
  });
});
