import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const ACCOUNTS = 50;

test('of fifty accounts one is found by typing its name, and opens with its own rows', { tag: '@accounts' }, async ({
  page,
  adslate,
  dataDir,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  const file = join(dataDir, 'accounts.json');
  const { version, accounts } = JSON.parse(await readFile(file, 'utf8'));
  const [first] = accounts;
  const more = Array.from({ length: ACCOUNTS - 1 }, (_, i) => ({
    ...first,
    workspaceId: `shop-${i + 2}`,
    name: `Shop ${i + 2}`,
    practice: false,
    baseUrl: 'https://127.0.0.1:9',
    extensions: false,
    secrets: { kept: 'box' },
  }));
  await writeFile(file, JSON.stringify({ version, accounts: [...accounts, ...more] }));
  await adslate.restart();
  await desk.ready();

  const switcher = page.getByRole('button', { name: /^Switch account/ });
  const open = async (name: string): Promise<void> => {
    await switcher.click();
    await page.getByRole('searchbox', { name: 'Find an account' }).fill(name);
    await expect(page.getByRole('menuitem', { name: /^Shop/ })).toHaveCount(1);
    await page.getByRole('menuitem', { name: new RegExp(`^${name} `) }).click();
    await expect(switcher).toContainText(name);
    await desk.ready();
  };
  await open('Shop 47');
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Only here');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Only here/ })).toBeVisible();
  await open('Shop 23');
  await expect(desk.navigation).not.toContainText('Only here');
  await open('Shop 47');
  await expect(desk.navigation).toContainText('Only here');

  // The network of the machine cannot be taken away here without the line to the host, so the browser is told.
  const status = page.getByRole('contentinfo');
  await expect(status).toContainText('Online');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    dispatchEvent(new Event('offline'));
  });
  await expect(status).toContainText('Offline');
});
