import { deskPage, openSyncPlan, send } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

const FILES = [
  'campaigns.csv',
  'media/kitchen-roll-spot.mp4',
  'media/kitchen-roll-spot.vtt',
  'media/northwind-logo.png',
].map(example);

test('what happened while nobody looked is counted, listed and leads to its place', {
  tag: ['@launch', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  const inbox = async (): Promise<void> => {
    await page.keyboard.press('Alt+2');
    await expect(page.getByRole('listbox', { name: 'Entries' })).toBeVisible();
  };
  const entries = page.getByRole('group', { name: 'Notifications' }).getByRole('option');

  await test.step('at first nothing needs attention', async () => {
    await inbox();
    await expect(page.getByText('Nothing needs attention.')).toBeVisible();
  });

  await test.step('quiet hours are found by their name, and kept for this computer', async () => {
    const hands = handsOn(page);
    await hands.command('quiet hours');
    const quiet = page.getByRole('switch', { name: 'Quiet hours' });
    await expect(quiet).toBeFocused();
    await page.keyboard.press('Space');
    await expect(page.getByLabel('Quiet hours: from')).toHaveValue('20:00');
    await page.getByLabel('Quiet hours: to').fill('08:30');
    await quiet.focus();
    await page.getByLabel('Quiet hours: from').fill('');
    await quiet.focus();
    await expect(page.getByLabel('Quiet hours: from')).toHaveValue('20:00');
    await page.reload();
    await desk.ready();
    await hands.command('quiet hours');
    await expect(page.getByLabel('Quiet hours: to')).toHaveValue('08:30');
    await page.keyboard.press('Escape');
  });

  await test.step('a sync that ended is news, and leads to what came of it', async () => {
    await desk.drop(FILES);
    await desk.applySheet();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
    await openSyncPlan(page);
    await send(page);
    await inbox();
    const finished = entries.filter({ hasText: /Sync finished: \d+ sent/ });
    await expect(finished).toHaveCount(1);
    await finished.click();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('main', { name: 'Sync plan' })).toBeVisible();
  });

  await test.step('so are a review that was decided and a video that is ready', async () => {
    await page.keyboard.press('Alt+p');
    const clock = page.getByRole('region', { name: 'Practice clock' });
    const approve = clock.getByRole('button', { name: 'Approve' });
    await expect(approve.first()).toBeVisible();
    const open = await approve.count();
    await approve.first().click();
    await expect(approve).toHaveCount(open - 1);
    await clock.getByRole('button', { name: '+30 min' }).click();
    await expect(clock.getByRole('button', { name: '+30 min' })).toBeEnabled();
    await page.keyboard.press('Escape');
    await inbox();
    await expect(entries.filter({ hasText: /: review approved/ })).toHaveCount(1);
    await expect(entries.filter({ hasText: / is ready/ })).toHaveCount(1);
    await entries.filter({ hasText: / is ready/ }).click();
    await page.getByRole('main').getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Media' })).toBeVisible();
  });

  await test.step('the next window of the account knows it, too', async () => {
    await page.reload();
    await desk.ready();
    await inbox();
    await expect(entries.filter({ hasText: /: review approved/ })).toHaveCount(1);
    await expect(entries.filter({ hasText: /Sync finished: \d+ sent/ })).not.toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('the list is cleared when it has been read', async () => {
    await inbox();
    await page.getByRole('button', { name: 'Clear notifications' }).click();
    await expect(entries).toHaveCount(0);
  });
});
