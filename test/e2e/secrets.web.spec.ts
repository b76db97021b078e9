import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { anOwnService } from './an-own-service.ts';
import { faults } from './axe.ts';
import { clippedTexts } from './clipped.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { takeEveryLook } from './pictured.ts';

// Its pictures are of the guide, which is in American English.
test.use({ locale: 'en-US' });

async function openSecrets(page: Page) {
  await deskPage(page).ready();
  await page.getByRole('button', { name: /Switch account/ }).click();
  await page.getByRole('menuitem', { name: 'Credentials' }).click();
  return page.getByRole('region', { name: 'Credentials' });
}

test('a passphrase is chosen, wanted again after a restart, and is nowhere on the disk', {
  tag: ['@accounts', '@long'],
}, async ({ page, adslate }) => {
  const passphrase = 'canary with three words';
  const dialog = await openSecrets(page);
  await dialog.getByLabel('Encrypted with a passphrase').check();
  await dialog.getByLabel(/New passphrase/).fill('too short');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('12 characters');
  await dialog.getByLabel(/New passphrase/).fill(passphrase);
  await dialog.getByLabel('Repeat passphrase').fill(passphrase);
  expect(await faults(page, 'main')).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Encrypted with your passphrase and unlocked');

  await adslate.restart();
  const locked = await openSecrets(page);
  await expect(locked).toContainText('Enter the passphrase to sync');
  await takeEveryLook(page, 'locked');
  await locked.getByLabel('Passphrase').fill('another passphrase');
  await page.keyboard.press('Enter');
  await expect(locked).toContainText('The passphrase is wrong');
  expect(await faults(page, 'main')).toEqual([]);
  await locked.getByLabel('Passphrase').fill(passphrase);
  await page.keyboard.press('Enter');
  await expect(locked).toContainText('Encrypted with your passphrase and unlocked');
  await locked.getByRole('button', { name: 'Lock now' }).click();
  await expect(locked).toContainText('Enter the passphrase to sync');

  await page.clock.install();
  await page.getByLabel('Lock credentials when idle').selectOption('5 minutes');
  await locked.getByLabel('Passphrase').fill(passphrase);
  await page.keyboard.press('Enter');
  await expect(locked).toContainText('Encrypted with your passphrase and unlocked');
  await page.clock.fastForward('04:00');
  await expect(locked).toContainText('Encrypted with your passphrase and unlocked');
  await page.clock.fastForward('02:00');
  await expect(locked).toContainText('Enter the passphrase to sync');
  const kept = readdirSync(join(adslate.dataDir, 'secrets'));
  expect(kept).toEqual(['choice.json']);
  expect(readFileSync(join(adslate.dataDir, 'secrets', 'choice.json'), 'utf8')).not.toContain('canary');
});

test('key and token that were in memory only are entered again after a restart, and nothing else', {
  tag: ['@accounts', '@long'],
}, async ({ page, adslate }) => {
  const folder = mkdtempSync(join(adslate.dataDir, 'own-'));
  const service = await anOwnService(folder, folder, 'Northwind', 'demo');
  const dialog = page.getByRole('dialog');
  const connect = async (): Promise<void> => {
    const files = { 'Private key file (PEM)': 'key.pem', 'Access token file': 'token.txt' };
    for (const [label, file] of Object.entries(files)) {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog.getByRole('button', { name: label }).click(),
      ]);
      await chooser.setFiles(service.place(file));
    }
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(dialog).toBeHidden();
  };
  await page.getByRole('button', { name: /Switch account/ }).click();
  await page.getByRole('menuitem', { name: 'Connect account…' }).click();
  for (const [label, value] of Object.entries(service.form)) await dialog.getByLabel(label).fill(value);
  await connect();
  // A new account is read at once.
  await expect(page.getByText(/^Refreshed \d/)).toBeVisible();

  await adslate.restart();
  const account = page.getByRole('button', { name: /Switch account/ });
  await account.click();
  await page.getByRole('menuitem', { name: /^Northwind/ }).click();
  await expect(account).toContainText('No key or token');
  await page.keyboard.press('F9');
  await expect(page.getByText('Unlock or enter them in Settings > Credentials.')).toBeVisible();
  expect(await clippedTexts(page)).toEqual([]);
  const credentials = await openSecrets(page);
  await expect(credentials).toContainText('The key and token of Northwind are missing.');
  await credentials.getByRole('button', { name: 'Enter key and token again…' }).click();
  for (const [label, value] of Object.entries(service.form)) await expect(dialog.getByLabel(label)).toHaveValue(value);
  await connect();
  await expect(account).toContainText('Connected');
  await service.close();
  await page.keyboard.press('F9');
  await expect(account).toContainText('Service not responding');
});
