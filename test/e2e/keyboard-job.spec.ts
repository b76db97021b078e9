import { deskPage, sendButton, syncResult } from './desk-page.ts';
import { MEDIA, SHEET } from './examples.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('with the keyboard alone: dropped media and a chosen sheet become campaigns that are live', {
  tag: ['@everyone', '@sync', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const { keyboard } = page;
  await desk.ready();

  await test.step('the dropped files are checked and kept', async () => {
    await desk.drop(MEDIA);
    const dialog = page.getByRole('dialog', { name: 'Add files' });
    await expect(dialog.getByText('Added to the library')).toHaveCount(MEDIA.length);
    await hands.push(dialog.getByRole('button', { name: 'Done' }));
    await expect(dialog).toBeHidden();
  });

  await test.step('choose the sheet that names them, and apply it', async () => {
    const choosing = page.waitForEvent('filechooser');
    await keyboard.press('Control+o');
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await hands.push(dialog.getByRole('button', { name: 'Choose a file…' }));
    await (await choosing).setFiles(SHEET);
    const sheet = page.getByRole('dialog', { name: 'campaigns.csv' });
    await expect(sheet).toContainText("0lines can't be imported");
    await hands.push(sheet.getByRole('button', { name: /^Import \d+ rows$/ }));
    await expect(sheet).toBeHidden();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
  });

  await test.step('change the daily budget of the first campaign in the grid', async () => {
    await hands.reach(desk.grid);
    await keyboard.press('Control+Home');
    const column = await desk.grid
      .getByRole('columnheader', { name: 'Daily budget', exact: true })
      .getAttribute('aria-colindex');
    const active = desk.activeCell();
    for (let stop = 0; stop < 40 && (await active.getAttribute('aria-colindex')) !== column; stop += 1) {
      await keyboard.press('ArrowRight');
    }
    await keyboard.type('38.50');
    await keyboard.press('Enter');
    await keyboard.press('ArrowUp');
    await expect(active).toHaveText('$38.50');
  });

  const sync = async (): Promise<void> => {
    await keyboard.press('Control+Enter');
    await hands.push(sendButton(page));
    await expect(syncResult(page)).toBeVisible();
    await hands.push(page.getByRole('button', { name: 'Done' }));
  };
  const clock = page.getByRole('region', { name: 'Practice clock' });

  await test.step('send it; the videos then need half an hour of processing', async () => {
    await sync();
    await hands.command('practice clock');
    await hands.push(clock.getByRole('button', { name: '+30 min' }));
    await expect(clock.getByRole('button', { name: '+30 min' })).toBeEnabled();
    await keyboard.press('Escape');
    await expect(clock).toBeHidden();
    await sync();
  });

  await test.step('approve every review and move to the first day of the flight', async () => {
    await hands.command('practice clock');
    const approve = clock.getByRole('button', { name: 'Approve' });
    await expect(approve).toHaveCount(4);
    for (let left = 4; left > 0; left -= 1) {
      await hands.push(approve.first());
      await expect(approve).toHaveCount(left - 1);
    }
    await hands.reach(clock.getByLabel('Date'));
    await keyboard.type('2030-03-06');
    await hands.push(clock.getByRole('button', { name: 'Move to this date' }));
    await expect(clock).toContainText('March 2030');
    await keyboard.press('Escape');
    await expect(clock).toBeHidden();
  });

  await test.step('see the campaigns live', async () => {
    await hands.command('show all');
    await expect(desk.navigation.getByText('Live')).toHaveCount(6);
  });
});
