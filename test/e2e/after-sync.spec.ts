import { writeFileSync } from 'node:fs';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

/** Runs a command by its name. */
async function command(page: import('@playwright/test').Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill(name);
  await page.keyboard.press('Enter');
}

test('a sync is taken back: looked at, put into the drafts, and left for the next sync', { tag: '@sync' }, async ({
  page,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Sent too soon');
  await page.getByLabel('Daily budget').fill('75');
  await page.getByLabel('Keywords, one per line').fill('garden hose\texact\t1.50\nhose reel\texact\t1.60');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Sent too soon/ })).toBeVisible();

  await page.keyboard.press('Control+Enter');
  const sync = page.getByRole('dialog', { name: 'Sync' });
  await sync.getByRole('button', { name: 'Send now' }).click();
  await sync.getByRole('button', { name: 'Take this sync back…' }).click();
  const back = page.getByRole('dialog', { name: 'Take a sync back' });
  await expect(back.getByText('Back to what was there before')).toBeVisible();
  await expect(back.getByText('What nothing takes back')).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await back.getByRole('button', { name: /^Put \d+ values back into the drafts$/ }).click();
  await expect(back).toBeHidden();
  await expect(desk.drawer.getByRole('list', { name: 'Changes' }).getByText('hose reel').first()).toBeVisible();
  await desk.drawer.getByRole('tab', { name: 'History' }).click();
  await desk.drawer.getByRole('button', { name: 'What was sent' }).click();
  const sent = desk.drawer.getByRole('list', { name: 'What was sent' }).getByRole('listitem');
  await expect(sent.first()).toBeVisible();
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await sent.first().innerText()) ?? [];
  expect(id).not.toBe('');
  await desk.drawer.getByLabel('Find by correlation id, path or campaign').fill(id);
  await expect(sent).toHaveCount(1);
  await sent.getByRole('button').click();
  const request = page.getByRole('dialog', { name: /^(POST|PUT) \/api\// });
  await expect(request.getByText(/^done$/).first()).toBeVisible();
  await expect(request.getByText('"code":"success"', { exact: false }).first()).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await request.getByRole('button', { name: 'Close' }).last().click();
  await desk.drawer.getByRole('tab', { name: /^Sync/ }).click();
  await expect(desk.drawer.getByText('Changed since: goes with the next sync')).toBeVisible();
  expect(await faults(page, '[role="tabpanel"]')).toEqual([]);
});

test('what may be out of date is counted before it is read, and a campaign leads to the answer it was read from', {
  tag: ['@sync', '@findings'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Read again');
  await page.getByLabel('Daily budget').fill('75');
  await page.getByLabel('Keywords, one per line').fill('garden hose\texact\t1.50');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Read again/ })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const sync = page.getByRole('dialog', { name: 'Sync' });
  await sync.getByRole('button', { name: 'Send now' }).click();
  await expect(sync.getByRole('heading', { name: /live now/ })).toBeVisible({ timeout: 60_000 });
  await sync.getByRole('button', { name: 'Close' }).last().click();
  await desk.openList('Campaigns');
  await (await desk.cell('Read again', 'Name')).click();
  await expect(desk.inspector.getByText('Not read whole yet')).toBeVisible();

  await page.keyboard.press('Control+F9');
  const refresh = page.getByRole('dialog', { name: 'Refresh what may be out of date' });
  await expect(refresh.getByText('1 not read for so long, or never')).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await refresh.getByLabel('Read again what was not read for').fill('many');
  await expect(refresh.getByText('A whole number from 0 to 8,760')).toBeVisible();
  await refresh.getByLabel('Read again what was not read for').fill('12');
  await refresh.getByRole('button', { name: 'Read 1 campaign' }).click();
  await expect(refresh).toBeHidden();
  const read = desk.inspector.getByRole('button', { name: /^Read .+: show the answer$/ });
  await expect(read).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Control+F9');
  await expect(refresh.getByText('None of 1 campaign has to be read.')).toBeVisible();
  await page.keyboard.press('Escape');

  await read.click();
  const answer = page.getByRole('dialog', { name: /^GET \/api\// });
  await expect(answer.getByText(/^Received .+, status 200/)).toBeVisible();
  await expect(answer.getByText('[removed] stands where they were', { exact: false })).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  const id = await answer.locator('.refusal-id').innerText();
  await answer.getByRole('button', { name: 'Close' }).last().click();
  await desk.drawer.getByRole('tab', { name: 'History' }).click();
  await desk.drawer.getByRole('button', { name: 'What was answered' }).click();
  const answers = desk.drawer.getByRole('list', { name: 'Answers' }).getByRole('listitem');
  await expect(answers.nth(1)).toBeVisible();
  await desk.drawer.getByLabel('Find by correlation id, path or status').fill(id);
  await expect(answers).toHaveCount(1);
  expect(await faults(page, '[role="tabpanel"]')).toEqual([]);

  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Account settings' });
  await settings.getByLabel('Keep at most (megabytes)').fill('0');
  await settings.getByRole('button', { name: 'Keep this much' }).click();
  await expect(settings.getByText('0 answers, 0 B')).toBeVisible();
});

test(
  'item ids that a spreadsheet has spoiled are looked through and mended before the import',
  { tag: '@sync' },
  async ({ page }, info) => {
    const sheet = info.outputPath('spoiled.csv');
    const lines = ['Type,Campaign,Ad group,Item id,Bid', 'ad item,Towels,Towels group,799650557,1.60'];
    writeFileSync(sheet, [...lines, 'ad item,Towels,Towels group,12 of 34,1.60'].join('\r\n'));
    await deskPage(page).ready();
    await command(page, 'Mend item ids');
    const dialog = page.getByRole('dialog', { name: 'Mend item ids' });
    await expect(dialog.getByText('No damaged item ids')).toBeVisible();
    await dialog.getByLabel('Look through a sheet…').setInputFiles(sheet);
    const found = page.getByRole('dialog', { name: 'spoiled.csv' });
    await expect(found.getByLabel('Instead of 799650557')).toHaveValue(
      /^0799650557 · .+ · suggested bid [\d.]+ · item search$/,
    );
    await expect(found.getByRole('link', { name: 'Item page' })).toHaveAttribute('href', /^https:.+0799650557$/);
    await expect(found.getByText('Nothing found: use the item search in the list of items.')).toBeVisible();
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    const download = page.waitForEvent('download');
    await found.getByRole('button', { name: 'Save the sheet with 1 id replaced' }).click();
    expect((await download).suggestedFilename()).toBe('spoiled-mended.csv');
  },
);
