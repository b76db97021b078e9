import { writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { type DeskPage, deskPage, openSyncPlan, sendButton, syncPage, syncResult } from './desk-page.ts';
import { EVERYTHING, example } from './examples.ts';
import { test } from './fixture.ts';
import { handsOn } from './hands.ts';
import {
  dialogsOfTheAccount,
  firstFrame,
  SMALL,
  swapOfBanners,
  type Take,
  takeIn,
  toolsOfRows,
  viewsFromAFile,
} from './pictured.ts';

/**
 * Every screen, light and dark, in two sizes, beside the pictures of the user guide. `npm run screenshots` draws them
 * anew. States that are dear to reach are drawn by the spec that reaches them (`takeEveryLook`).
 */
for (const scheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ practice: false, colorScheme: scheme });
    test(`the welcome looks as in the guide, ${scheme}`, { tag: ['@everyone', '@long'] }, async ({ page }) => {
      await expect(page.getByRole('button', { name: 'Open a sample account' })).toBeVisible();
      await takeIn(page, scheme)('welcome');
    });
  });

  test.describe(() => {
    test.use({ colorScheme: scheme });
    test(`every screen looks as in the guide, ${scheme}`, { tag: ['@everyone', '@long'] }, async ({ page }) => {
      test.setTimeout(420_000);
      const take = takeIn(page, scheme);
      const desk = deskPage(page);
      await desk.ready();
      await page.setViewportSize(SMALL);
      await beginning(page, desk, take);
      await importing(page, desk, take);
      await rows(page, desk, take);
      await toolsOfRows(page, desk, take);
      await desk.openList('Keywords');
      await dialogs(page, take);
      await spoiledIds(page, take);
      await sending(page, desk, take);
      await dialogsOfTheAccount(page, desk, take);
      await viewsFromAFile(page, desk, take);
      await aboutTheAccount(page, take);
      await swapOfBanners(page, desk, take);
    });
  });
}

/** An account without a campaign, and files as they are judged when they come in. */
async function beginning(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await expect(page.getByRole('button', { name: 'New campaign' })).toBeVisible();
  await expect(page.getByText('No issues')).toBeVisible();
  await take('empty-desk');
  await desk.drop([example('media/kitchen-roll-spot.mp4'), example('media/northwind-logo.png'), example('README.md')]);
  const files = page.getByRole('dialog', { name: 'Add files' });
  await expect(files.getByText("Can't be used")).toBeVisible({ timeout: 30_000 });
  await expect(files.getByText('Checking')).toHaveCount(0, { timeout: 30_000 });
  await take('files');
  await files.getByRole('button', { name: 'Done' }).click();
}

async function importing(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.drop(EVERYTHING);
  await expect(page.getByRole('button', { name: /^Import \d+ rows$/ })).toBeEnabled({ timeout: 30_000 });
  await take('import');
  await page.getByRole('button', { name: /^Import \d+ rows$/ }).click();
  // A note stays for as long as the pointer rests on it.
  await page.mouse.move(0, 0);
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
  await expect(page.getByText(/added, .* changed/)).toBeHidden({ timeout: 15_000 });
  await take('campaigns');
}

async function rows(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.openList('Keywords');
  await (await desk.cell('kitchen roll', 'Bid')).click();
  await take('keywords');
  await (await desk.cell('kitchen roll', 'Bid')).click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await take('cell-menu');
  await page.keyboard.press('Escape');
  await desk.openList('SBA profiles');
  await expect(desk.inspector.getByRole('figure').first()).toBeVisible();
  await take('sba-profile');
  await desk.openList('Video profiles');
  await firstFrame(desk);
  await take('video-profile');
  await desk.openList('Media');
  await firstFrame(desk);
  await take('media');
  await desk.openCampaign('Water bottles manual');
  await desk.openKeywords();
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByLabel('New keyword')).toBeVisible();
  await take('keyword-matrix');
  await desk.navigation
    .getByRole('button', { name: /^Placement multipliers/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByLabel('Example bid')).toBeVisible();
  await take('multipliers');
  await page.getByRole('button', { name: 'Table' }).click();
  await desk.openList('Keywords');
  await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
  await expect(desk.drawer.getByRole('listitem').first()).toBeVisible();
  await take('changes');
  await desk.drawer.getByRole('tab', { name: /^Issues/ }).click();
}

async function dialogs(page: Page, take: Take): Promise<void> {
  await page.keyboard.press('Alt+n');
  await page.getByRole('radio', { name: 'Water bottles manual' }).check();
  await expect(page.getByLabel('Keywords, one per line')).toBeVisible();
  await take('add-rows');
  await page.keyboard.press('Alt+Shift+B');
  await page.getByLabel('Search items').fill('bottle');
  await expect(page.getByRole('option').first()).toBeVisible({ timeout: 40_000 });
  await take('new-campaign');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Alt+Shift+C');
  await page.getByLabel('Formula').fill('+10%');
  await expect(page.getByRole('button', { name: /^Apply to \d/ })).toBeEnabled();
  await take('change-many');
  await page.keyboard.press('Escape');
  for (const [keys, name, picture] of [
    ['Control+k', 'Commands', 'commands'],
    ['F1', 'Keyboard shortcuts', 'shortcuts'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await take(picture);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name })).toBeHidden();
  }
  await page.keyboard.press('Alt+p');
  await expect(page.getByRole('region', { name: 'Practice clock' })).toBeVisible();
  await take('practice-clock');
  await page.keyboard.press('Escape');
}

/** A sheet whose ids a spreadsheet program took for numbers. */
async function spoiledIds(page: Page, take: Take): Promise<void> {
  const sheet = test.info().outputPath('spring-items.csv');
  const ids = ['799650557', '5.53680321E+8', '12 of 34'];
  const rows = ids.map((id) => `ad item,Towels,Towels group,${id},1.60`);
  writeFileSync(sheet, ['Type,Campaign,Ad group,Item id,Bid', ...rows].join('\r\n'));
  await handsOn(page).command('Repair item IDs');
  const dialog = page.getByRole('region', { name: 'Repair item IDs' });
  await dialog.getByLabel('Check a spreadsheet…').setInputFiles(sheet);
  await expect(dialog.getByLabel('Replace 799650557')).toHaveValue(/^0799650557/, { timeout: 30_000 });
  await take('mend-ids');
  await page.keyboard.press('Escape');
}

async function sending(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await openSyncPlan(page);
  await take('sync-plan');
  await sendButton(page).click();
  await expect(syncResult(page)).toBeVisible({ timeout: 90_000 });
  await expect(syncPage(page).getByRole('region', { name: 'Pending' })).toBeVisible();
  await take('sync-done');
  await page.getByRole('button', { name: 'Roll back this sync…' }).click();
  await expect(page.getByRole('button', { name: /^Restore \d+ values$/ })).toBeEnabled();
  await take('take-back');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('Alt+p');
  const clock = page.getByRole('region', { name: 'Practice clock' });
  await clock.getByRole('button', { name: 'Reject' }).first().click();
  await expect(clock.getByRole('button', { name: 'Reject' })).toHaveCount(1, { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+Shift+L');
  await expect(page.getByRole('list', { name: 'Upcoming and live campaigns' })).toBeVisible();
  await expect(page.getByText('Nothing missing').first()).toBeVisible();
  // The rejection has been read, of which the tab, the checklist and the counts below tell.
  await expect(desk.navigation.getByRole('button', { name: /^Inbox [1-9]/ })).toBeVisible({ timeout: 30_000 });
  await take('launch');
  await page.keyboard.press('Alt+2');
  await page
    .getByRole('option', { name: / rejected/ })
    .first()
    .click({ timeout: 30_000 });
  await expect(page.getByText('The reviewer wrote')).toBeVisible();
  await take('reviews');
  await page.keyboard.press('Alt+p');
  await clock.getByLabel('Date').fill('2030-03-20');
  await clock.getByRole('button', { name: 'Move to this date' }).click();
  await expect(clock).toContainText('March 2030', { timeout: 90_000 });
  await page.keyboard.press('Escape');
  await desk.navigation.getByRole('button', { name: 'Reports' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  // The form follows the clock that was moved.
  await expect(page.getByRole('textbox', { name: 'End date' })).toHaveValue('19 Mar 2030');
  await page.getByRole('button', { name: 'Get report' }).click();
  await expect(page.locator('.recharts-surface').first()).toBeVisible({ timeout: 60_000 });
  await take('reports');
}

/** Last, because a rule of one's own and a backup would show up in the other pictures. */
async function aboutTheAccount(page: Page, take: Take): Promise<void> {
  const hands = handsOn(page);
  await page.keyboard.press('Alt+2');
  await page.getByRole('group', { name: 'Notifications' }).getByRole('option').first().click();
  await take('news');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeVisible();
  await take('settings');
  await page.keyboard.press('Escape');

  await hands.command('custom rules');
  const rules = page.getByRole('region', { name: 'Custom rules' });
  for (const [name, query] of [
    ['Dear keywords', 'bid>1.70'],
    ['Broad and dear', 'matchType:broad bid>1.50'],
  ] as const) {
    await rules.getByRole('button', { name: 'New rule' }).click();
    await rules.getByRole('textbox', { name: /^Name/ }).fill(name);
    await rules.getByRole('textbox', { name: /^Condition/ }).fill(query);
    if (name === 'Dear keywords') {
      await expect(rules.getByRole('status')).toHaveText(/^\d+ rows match\.$/);
      await take('rule-form');
    }
    await rules.getByRole('button', { name: 'Save rule' }).click();
    await expect(rules.getByRole('row').filter({ hasText: name }).getByRole('cell', { name: /^\d+$/ })).toBeVisible();
  }
  await expect(page.getByText(/is checked from now on/)).toHaveCount(0, { timeout: 15_000 });
  await take('rules');
  await page.keyboard.press('Escape');

  await hands.command('backups');
  const backups = page.getByRole('region', { name: 'Backups' });
  await expect(backups.getByRole('row').filter({ hasText: 'Before a sync' }).first()).toBeVisible();
  await take('backups');
  await backups
    .getByRole('button', { name: /Preview restor/ })
    .last()
    .click();
  await expect(backups.getByRole('columnheader', { name: 'restored' })).toBeVisible({ timeout: 30_000 });
  await take('restore');
  await page.keyboard.press('Escape');
}
