import { faults } from './axe.ts';
import { deskPage, openSyncPlan, send, sendButton, syncPage, syncResult } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

test('the plan says what a rollback can restore, one click restores it, and the service has it again', {
  tag: '@long',
}, async ({ page }) => {
  const desk = deskPage(page);
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
  await desk.openList('Campaigns');
  const budget = async (): Promise<string> => (await desk.cell('Water bottles manual', 'Daily budget')).innerText();
  const before = await budget();
  await desk.edit('Water bottles manual', 'Daily budget', '77');
  expect(await budget()).not.toBe(before);

  const restored =
    await test.step('before anything is sent: how much can be restored, and what cannot and why', async () => {
      await openSyncPlan(page);
      const rehearsed = syncPage(page).getByText(/^You can roll back this sync: \d+ values? can be restored\./);
      await expect(rehearsed).toContainText(/can't/);
      const text = await rehearsed.innerText();
      return Number(/sync: (\d+)/.exec(text)?.[1]);
    });

  await test.step('after it: one click, and the same number of values', async () => {
    await sendButton(page).click();
    await expect(syncResult(page)).toBeVisible();
    await page.getByRole('button', { name: 'Roll back this sync…' }).click();
    const restore = page.getByRole('button', { name: /^Restore \d+ values?$/ });
    await expect(restore).toBeEnabled();
    expect(Number(/\d+/.exec(await restore.innerText())?.[0])).toBe(restored);
    await expect(page.getByText("Can't be rolled back")).toBeVisible();
    expect(await faults(page, 'main')).toEqual([]);
    await restore.click();
    await expect(sendButton(page)).toBeEnabled();
    await send(page, true);
  });

  await test.step('what is read from the service is what it was', async () => {
    await desk.openList('Campaigns');
    expect(await budget()).toBe(before);
    await page.keyboard.press('F9');
    await expect(page.getByText(/^Refreshed/).first()).toBeVisible();
    expect(await budget()).toBe(before);
    await expect(page.getByRole('button', { name: /conflict/i })).toHaveCount(0);
  });
});
