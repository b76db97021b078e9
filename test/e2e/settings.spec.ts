import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('settings of the deployment are in use at once, refused with the reason, and put back as usual', {
  tag: '@accounts',
}, async ({ page }) => {
  const desk = deskPage(page);
  const dialog = page.getByRole('dialog', { name: 'Account settings' });
  const status = page.getByRole('contentinfo');
  await desk.ready();
  await expect(status).toContainText('Practice service');
  await expect(status).toContainText('3,000 of 3,000 changes left');
  await expect(status).toContainText('Next look');

  await page.keyboard.press('Control+,');
  const rate = dialog.getByRole('textbox', { name: 'Changes the service takes in an hour' });
  await rate.fill('many');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('"many" is not a number');
  await rate.fill('40');
  await expect(dialog).toContainText('1 otherwise than usual');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('usually 3000');
  await expect(status).toContainText('40 of 40 changes left');

  await dialog.getByRole('button', { name: 'All of it as text' }).click();
  await expect(dialog.getByRole('textbox', { name: 'All of it as text' })).toHaveValue('rate.opsPerHour=40\n');
  await dialog.getByRole('button', { name: 'Back to the fields' }).click();
  await dialog.getByRole('button', { name: 'Set Changes the service takes in an hour as usual' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('all as usual');
  await expect(status).toContainText('3,000 of 3,000 changes left');
});

test('an account set to read-only cannot send, and the toolbar says so', { tag: '@accounts' }, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const dialog = page.getByRole('dialog', { name: 'Account settings' });
  await desk.ready();
  await hands.command('account settings');
  await dialog.getByRole('radio', { name: /^Read-only/ }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Switch account/ })).toContainText('Read-only');
  await expect(page.getByRole('button', { name: /^Sync/ })).toBeDisabled();
});

test('a connection that fails says how far its check came', { tag: '@accounts' }, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const dialog = page.getByRole('dialog', { name: 'Connect an account' });
  const key = join(dataDir, 'no-key.pem');
  const token = join(dataDir, 'token.txt');
  await writeFile(key, 'this is no key');
  await writeFile(token, 'a-token');
  await desk.ready();
  await hands.command('connect an account');
  const fields = {
    'Name of the account': 'Real shop',
    'Base URL of the service': 'https://127.0.0.1:9',
    'Advertiser id': '7',
    'Consumer id': 'c',
    'Retail site host': 'www.example.com',
  };
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
  for (const [label, path] of [
    ['Private key file (PEM)', key],
    ['Access token file', token],
  ] as const) {
    const choosing = page.waitForEvent('filechooser');
    await dialog.getByLabel(label).click();
    await (await choosing).setFiles(path);
  }
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  const steps = dialog.getByRole('list', { name: 'Steps of the check' }).getByRole('listitem');
  await expect(steps).toHaveText([
    /addresses.*holds/,
    /private key.*fails/,
    /token.*not tried/,
    /answers.*not tried/,
    /clock.*not tried/,
    /access.*not tried/,
  ]);
  await expect(dialog.getByRole('alert')).toContainText('private key could not be read');
});
