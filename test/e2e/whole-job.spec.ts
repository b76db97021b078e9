import { deskPage, send } from './desk-page.ts';
import { EVERYTHING, example } from './examples.ts';
import { expect, test } from './fixture.ts';

test('with the mouse: a dropped sheet and its media become campaigns that are live', {
  tag: ['@sync', '@launch'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();

  await test.step('drop the sheet together with the files it names, and apply it', async () => {
    await desk.drop(EVERYTHING);
    const sheet = page.getByRole('dialog', { name: 'campaigns.csv' });
    await expect(sheet.getByRole('button', { name: /^Import \d+ rows$/ })).toBeEnabled();
    await expect(sheet).toContainText("0lines can't be imported");
    await desk.applySheet();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
  });

  await test.step('look at a video and change a bid in place', async () => {
    await desk.openList('Media');
    await expect(desk.inspector.locator('video')).toBeVisible();
    await desk.openList('Keywords');
    await (await desk.cell('kitchen roll', 'Bid')).dblclick();
    await page.getByRole('textbox', { name: 'New value for Bid' }).fill('1.90');
    await page.getByRole('textbox', { name: 'New value for Bid' }).press('Enter');
    await expect(await desk.cell('kitchen roll', 'Bid')).toHaveText('$1.90');
  });

  const sync = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Sync \d+ changes?$/ }).click();
    await send(page);
  };
  const clock = page.getByRole('region', { name: 'Practice clock' });
  const openClock = (): Promise<void> => page.keyboard.press('Alt+p');
  const closeClock = (): Promise<void> => page.keyboard.press('Escape');

  await test.step('send it; the videos then need half an hour of processing', async () => {
    await sync();
    await openClock();
    await clock.getByRole('button', { name: '+30 min' }).click();
    await expect(clock.getByRole('button', { name: '+30 min' })).toBeEnabled();
    await closeClock();
    await sync();
  });

  await test.step('approve every review and move to the first day of the flight', async () => {
    await openClock();
    const approve = clock.getByRole('button', { name: 'Approve' });
    // Two videos and two brands; the list is read again when the dialog opens.
    await expect(approve).toHaveCount(4);
    for (let left = 4; left > 0; left -= 1) {
      await approve.first().click();
      await expect(approve).toHaveCount(left - 1);
    }
    await clock.getByLabel('Date').fill('2030-03-06');
    await clock.getByRole('button', { name: 'Move to this date' }).click();
    await expect(clock).toContainText('March 2030');
    await closeClock();
  });

  await test.step('see the campaigns live', async () => {
    await desk.openList('Campaigns');
    await expect(desk.navigation.getByText('Live')).toHaveCount(6);
  });

  await test.step('a video that comes a second time is known by its media id, and used once more without an upload', async () => {
    await desk.drop([example('media/garden-hose-spot.mp4')]);
    const dialog = page.getByRole('dialog', { name: 'Add files' });
    await expect(dialog.getByText(/^Already uploaded as media \d+\./)).toBeVisible();
    const campaign = dialog.getByRole('region', { name: 'Used by' }).getByRole('button');
    await expect(campaign).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Use in a campaign…' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('1 file ready to attach.')).toBeVisible();
  });
});
