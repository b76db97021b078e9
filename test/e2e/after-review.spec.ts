import { faults } from './axe.ts';
import { deskPage, openSyncPlan, send, syncPage } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';

test('edits made during a review are kept for after it, told when it is over, and sent with one click', {
  tag: ['@launch', '@sync', '@issues', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.drop(['campaigns.csv', 'media/northwind-logo.png'].map(example));
  await desk.applySheet();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
  await openSyncPlan(page);
  await send(page);

  await desk.openList('SBA profiles');
  for (const text of ['Soft on hands', 'Everything that grows']) await desk.edit(text, 'Headline', `${text}, more`);

  await test.step('they stand in a lane of their own, with what they wait for', async () => {
    await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
    const kept = desk.drawer.getByRole('region', { name: 'Changes waiting for a review' });
    await expect(kept.getByRole('listitem')).toHaveCount(2);
    await expect(kept).toContainText('1 changed row will be sent after this review');
    await expect(kept).toContainText('Reviews take 1–3 days');
    await desk.drawer.getByRole('button', { name: 'After review 2' }).click();
    const changes = desk.drawer.getByRole('list', { name: 'Changes' });
    await expect(changes.getByRole('listitem')).toHaveCount(2);
    expect(await faults(page, '[role="tabpanel"]')).toEqual([]);
  });

  await test.step('cancelling the review, sending them and asking anew is one plan', async () => {
    const restart = desk.drawer.getByRole('button', { name: /^Cancel review and resubmit:/ });
    await restart.first().click();
    const sync = syncPage(page);
    await expect(sync.getByText(/^Adslate cancels the review of /)).toBeVisible();
    await test.step('it is scheduled as it is shown', async () => {
      await sync.getByText('Send later').click();
      await sync.getByRole('button', { name: 'Schedule sync' }).click();
      await page
        .getByRole('contentinfo')
        .getByRole('button', { name: /^Sync scheduled/ })
        .click();
      const scheduled = desk.drawer.getByRole('region', { name: 'Sync scheduled' });
      await expect(scheduled).toContainText('1 change left to send.');
      await scheduled.getByRole('button', { name: 'Cancel sync' }).click();
      await expect(scheduled).toBeHidden();
      await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
      await restart.first().click();
    });
    await sync.getByRole('tab', { name: 'Technical' }).click();
    await expect(sync.getByRole('list', { name: 'Requests in order' }).getByRole('listitem')).toHaveCount(3);
    expect(await faults(page, 'main')).toEqual([]);
    await send(page, true);
    await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
    await expect(restart).toHaveCount(1);
  });

  await test.step('the end of the other review is news that leads to one click', async () => {
    // A review that ended with a rejection has the entry of the rejection, which sends these edits too.
    await desk.openList('SBA profiles');
    await (await desk.cell('Everything that grows, more', 'Headline')).click();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cancel review');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+2');
    const entry = page.getByRole('option', { name: /^Review finished: 1 change ready to sync/ });
    await entry.click();
    const inbox = page.getByRole('main', { name: 'Inbox' });
    await inbox.getByRole('button', { name: 'Sync and submit for review' }).click();
    await expect(entry).toHaveCount(0);
  });
});
