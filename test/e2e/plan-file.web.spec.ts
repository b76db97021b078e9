import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const cliFile = join(process.env['OUT'] ?? join(import.meta.dirname, '..', '..', 'out'), 'main/cli.js');

test('a plan saved in the window runs on the command line, one saved there runs in the window, and edits since are listed', {
  tag: '@sync',
}, async ({ page, adslate }) => {
  test.setTimeout(180_000);
  const desk = deskPage(page);
  const file = (name: string): string => join(adslate.dataDir, name);
  const cli = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [cliFile, ...args, '--data', adslate.dataDir], { encoding: 'utf8' });
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Lamps');
  await page.getByLabel('Daily budget').fill('75');
  await page.getByLabel('Keywords, one per line').fill('reading lamp\texact\t1.50');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Lamps/ })).toBeVisible();

  await test.step('saved in the window', async () => {
    await page.keyboard.press('Control+Enter');
    const sync = page.getByRole('dialog', { name: 'Sync' });
    const saving = page.waitForEvent('download');
    await sync.getByRole('button', { name: 'Save the plan' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('plan.adslate-plan');
    await download.saveAs(file('desk.adslate-plan'));
    await sync.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('run on the command line, which writes the same bytes', async () => {
    // One program has the account at a time.
    await adslate.kill();
    expect(cli('plan', '--text', '--submit')).toBe(readFileSync(file('desk.adslate-plan'), 'utf8'));
    expect(cli('sync', '--plan', file('desk.adslate-plan'))).toContain('3 done, 0 refused');
  });

  await test.step('saved on the command line', async () => {
    const head = 'Type,Campaign,Ad group,Keyword,Match type,Bid';
    writeFileSync(file('sheet.csv'), `${head}\nkeyword,Lamps,Lamps group,night light,exact,1.60\n`);
    cli('import', file('sheet.csv'));
    writeFileSync(file('cli.adslate-plan'), cli('sync', '--dry-run'));
    await adslate.restart();
    await desk.ready();
  });

  const dialog = page.getByRole('dialog', { name: 'Run a saved plan' });
  await test.step('dropped on the window, it is as it was saved', async () => {
    await desk.drop([file('cli.adslate-plan')]);
    await expect(dialog.getByText('Nothing changed since the plan was saved.')).toBeVisible();
    await expect(dialog.getByText(/^cli\.adslate-plan · Drafts of .* · all changes · no review$/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Run this plan' })).toBeEnabled();
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  const choose = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('run a saved plan');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Choose a plan file…').setInputFiles(file(name));
  };

  await test.step('after an edit each line that differs is listed, and only the new plan can be sent', async () => {
    await desk.openList('Keywords');
    await (await desk.cell('night light', 'Bid')).click();
    await page.keyboard.type('2.25');
    await page.keyboard.press('Enter');
    await choose('cli.adslate-plan');
    const changes = dialog.getByRole('region', { name: 'Changed since the plan was saved' }).getByRole('listitem');
    await expect(changes).toHaveCount(2);
    await expect(changes.first()).toHaveText(/^Saved keyword night light, exact .*"bid":1\.60/);
    await expect(changes.last()).toHaveText(/^Now keyword night light, exact .*"bid":2\.25/);
    await expect(dialog.getByRole('button', { name: 'Run this plan' })).toHaveCount(0);
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Plan again' }).click();
    await expect(dialog.getByRole('button', { name: 'Send now' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Control+z');
    await expect(await desk.cell('night light', 'Bid')).toHaveText('1.60');
  });

  await test.step('a file of something else says so; the plan runs when nothing differs any longer', async () => {
    await choose('sheet.csv');
    await expect(dialog.getByRole('alert')).toContainText('sheet.csv holds no plan.');
    await dialog.getByLabel('Choose a plan file…').setInputFiles(file('cli.adslate-plan'));
    await dialog.getByRole('button', { name: 'Run this plan' }).click();
    const sync = page.getByRole('dialog', { name: 'Sync' });
    await expect(sync.getByText('1 change sent', { exact: false })).toBeVisible();
    await sync.getByRole('button', { name: 'Close' }).last().click();
  });
});
