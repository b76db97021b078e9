import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('only the selected row is sent, with the new parents it needs; the rest stays until it is ticked', {
  tag: '@sync',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Lamps');
  await page.getByLabel('Daily budget').fill('75');
  await page.getByLabel('Keywords, one per line').fill('reading lamp\texact\t1.50\nnight light\texact\t1.60');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Lamps/ })).toBeVisible();
  await desk.openList('Keywords');
  const chips = page.getByRole('group', { name: 'Show only' });
  const sync = page.getByRole('dialog', { name: 'Sync' });
  await expect(chips.getByRole('button', { name: 'Changed 2' })).toBeVisible();

  await test.step('from the grid', async () => {
    await (await desk.cell('night light', 'Keyword')).click();
    await page.keyboard.press('Control+Shift+Enter');
    await expect(sync.getByText('Only the chosen row;')).toBeVisible();
    const along = sync.getByRole('group').filter({ hasText: 'Goes along' });
    await expect(along).toContainText('new, and a chosen row hangs from it');
    await expect(along).toContainText('Lamps');
    await expect(sync.getByText('Left out')).toBeVisible();
    await expect(sync.getByText(/^A review waits until everything/)).toBeVisible();
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await sync.getByRole('button', { name: 'Send now' }).click();
    await sync.getByRole('button', { name: 'Close' }).last().click();
    await expect(chips.getByRole('button', { name: 'Changed 1' })).toBeVisible();
  });

  await test.step('from the list of changes', async () => {
    await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
    const line = desk.drawer.getByRole('listitem').filter({ hasText: 'reading lamp' }).first();
    await line.getByRole('checkbox', { name: /reading lamp.* for a sync of its own$/ }).click();
    await desk.drawer.getByRole('button', { name: 'Sync only 1 row…' }).click();
    await expect(sync.getByText('Goes along')).toBeHidden();
    await sync.getByRole('button', { name: 'Send now' }).click();
    await sync.getByRole('button', { name: 'Close' }).last().click();
    await expect(chips.getByRole('button', { name: 'Changed 0' })).toBeVisible();
  });
});
