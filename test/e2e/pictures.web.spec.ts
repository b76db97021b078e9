import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type DeskPage, deskPage, openSyncPlan, sendButton, syncPage, syncResult } from './desk-page.ts';
import { EVERYTHING, example } from './examples.ts';
import { type Adslate, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import {
  closed,
  firstFrame,
  lists,
  noNotes,
  overTheRows,
  SMALL,
  scrolledTo,
  type Take,
  takeIn,
  withMetrics,
} from './pictured.ts';

// The guide is in American English, and so are its days and amounts. What the sample sells, and so what is suggested,
// follows from the day.
test.use({ locale: 'en-US', today: '2026-11-29' });

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
    test(`an empty account looks as in the guide, ${scheme}`, { tag: ['@everyone', '@long'] }, async ({ page }) => {
      const desk = deskPage(page);
      await desk.ready();
      await page.setViewportSize(SMALL);
      await emptyAccount(page, desk, takeIn(page, scheme));
    });
  });

  test.describe(() => {
    test.use({ sample: true, colorScheme: scheme });
    for (const [what, draw] of [
      ['the lists', lists],
      ['tools', overTheRows],
      ['forms', forms],
      ['a sync', sending],
      ['settings', settings],
      ['what compares and explains', explaining],
      ['what comes from others', fromOthers],
    ] as const) {
      test(`${what} of the sample look as in the guide, ${scheme}`, {
        tag: ['@everyone', '@long'],
      }, async ({ page, adslate }) => {
        await page.setViewportSize(SMALL);
        await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
        await draw(page, deskPage(page), takeIn(page, scheme), adslate);
      });
    }
  });
}

/** An account without a campaign, and files as they are judged when they come in. */
async function emptyAccount(page: Page, desk: DeskPage, take: Take): Promise<void> {
  // Both panes are open in most specs, but not in the window of a newcomer.
  await page.keyboard.press('Alt+i');
  await page.keyboard.press('Alt+j');
  await expect(desk.drawer).toBeHidden();
  await expect(page.getByRole('button', { name: 'New campaign', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Last 30 days' })).toBeVisible();
  await take('empty-desk');
  await desk.drop([example('media/kitchen-roll-spot.mp4'), example('media/northwind-logo.png'), example('README.md')]);
  const files = page.getByRole('dialog', { name: 'Add files' });
  await expect(files.getByText("Can't be used")).toBeVisible();
  await expect(files.getByText('Checking')).toHaveCount(0);
  await take('files');
  await files.getByRole('button', { name: 'Done' }).click();
  await desk.drop(EVERYTHING);
  const apply = page.getByRole('button', { name: /^Import \d+ rows$/ });
  await expect(apply).toBeEnabled();
  await take('import');
  await apply.click();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
  await desk.openList('Media');
  await page.getByRole('button', { name: 'Gallery' }).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Alt+i');
  await firstFrame(desk);
  await expect(page.getByRole('option').locator('img')).toHaveCount(4);
  await noNotes(page);
  await take('media');
  await page.keyboard.press('Alt+i');
  await desk.openList('Campaigns');
  await page.keyboard.press('Alt+Shift+1');
  await expect(desk.drawer.getByRole('list', { name: 'Issues' }).getByRole('listitem').nth(2)).toBeVisible();
  await take('issues');
}

async function forms(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.openList('Keywords');
  await page.keyboard.press('Alt+n');
  await page.getByRole('radio', { name: 'Water bottles manual' }).check();
  await page.getByLabel('Keywords, one per line').fill('camping bottle\nbottle with handle\nwide mouth bottle\n');
  await take('add-rows');
  await page.keyboard.press('Alt+Shift+B');
  await page.getByLabel('Campaign name').fill('Summer bottles');
  await page.getByLabel(/^Daily budget/).fill('15');
  await page.getByLabel('Brand name').fill('Northwind');
  await page.getByLabel('Headline').fill('Cold drinks, all day long');
  await page.getByLabel('Search items').fill('bottle');
  await expect(page.getByRole('option').first()).toBeVisible();
  await take('new-campaign');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await withMetrics(desk);
  for (const [keys, name, picture] of [
    ['Control+k', 'Commands', 'commands'],
    ['F1', 'Keyboard shortcuts', 'shortcuts'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await take(picture);
    await closed(page);
  }
  await handsOn(page).command('connect account');
  await expect(page.getByRole('dialog', { name: 'Connect account' })).toBeVisible();
  await take('connect');
  await closed(page);
  await page.keyboard.press('Alt+8');
  await expect(page.getByRole('list', { name: 'Upcoming and live campaigns' })).toBeVisible();
  await expect(page.getByText('Nothing missing').first()).toBeVisible();
  await take('launch');
  await page.keyboard.press('Alt+9');
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await page.getByRole('button', { name: 'Get report' }).click();
  const saved = page.getByLabel('Saved reports').locator('option:checked');
  await expect(saved).toHaveText(/^By campaign/);
  await expect(page.locator('.recharts-surface').first()).toBeVisible();
  await take('reports');
}

async function sending(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await openSyncPlan(page);
  // Two campaigns and three items, once their pictures have come.
  await expect(syncPage(page).locator('img')).toHaveCount(5);
  await take('sync-plan');
  await page.getByRole('tab', { name: 'Technical' }).click();
  await page.getByText('Create 3 ad items').click();
  await expect(page.getByText('"itemId"').first()).toBeVisible();
  await take('sync-technical');
  await page
    .getByRole('tab', { name: /^Changes \d/ })
    .first()
    .click();
  await sendButton(page).click();
  await expect(syncResult(page)).toBeVisible();
  await take('sync-done');
  await page.getByRole('button', { name: 'Roll back this sync…' }).click();
  await expect(page.getByRole('button', { name: /^Restore \d+ values$/ })).toBeEnabled();
  await take('take-back');
  await page.getByRole('button', { name: 'Close' }).click();
  await desk.openList('Campaigns');
  await page.keyboard.press('Alt+Shift+3');
  await expect(desk.drawer.getByText('Pending')).toBeVisible();
  await expect(await desk.cell('Water bottles manual', 'Spend')).toContainText('$');
  await take('sync-tab');
  await page.keyboard.press('Alt+Shift+4');
  await expect(desk.drawer.getByRole('listitem').first()).toBeVisible();
  await take('history');
  await page.keyboard.press('Alt+j');
  await page.keyboard.press('Alt+p');
  const clock = page.getByRole('region', { name: 'Practice clock' });
  await expect(clock.getByRole('button', { name: 'Reject' }).first()).toBeVisible();
  await take('practice-clock');
  await clock.getByRole('button', { name: 'Reject' }).first().click();
  await page.keyboard.press('Alt+2');
  const rejected = page.getByRole('option', { name: / rejected/ }).first();
  await rejected.click();
  await expect(page.getByText('The reviewer wrote')).toBeVisible();
  await take('reviews');
  await page.getByRole('group', { name: 'Notifications' }).getByRole('option').first().click();
  await take('news');
}

/** Settings and their sections. Last, because a rule of one's own and a backup would show up in the other pictures. */
async function settings(page: Page, desk: DeskPage, take: Take): Promise<void> {
  const hands = handsOn(page);
  await desk.openList('SBA profiles');
  await page.keyboard.press('Alt+i');
  await (await desk.cell('Everything for a green garden', 'Headline')).click();
  await desk.inspector.getByRole('button', { name: 'Swap banner without pausing…' }).click();
  const swap = page.getByRole('region', { name: 'Swap banner without pausing' });
  await swap.getByRole('button', { name: 'Start swap' }).click();
  await expect(swap.locator('[aria-current="step"]')).toContainText('Change the disabled profile');
  await page.mouse.move(0, 0);
  await take('swap');

  await page.keyboard.press('Control+,');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeVisible();
  await take('settings');
  for (const [command, name, picture] of [
    ['campaign ids', 'Campaign IDs', 'known-ids'],
    ['add campaigns by id', 'Campaign IDs', 'add-by-id'],
    ['credentials', 'Credentials', 'keys'],
    ['number and date format', 'Numbers and dates', 'numbers'],
    ['about adslate', 'About Adslate', 'about'],
  ] as const) {
    await hands.command(command);
    await expect(page.getByRole('region', { name })).toBeVisible();
    await expect(page.getByText(/^(Looking|Loading)/)).toHaveCount(0);
    await take(picture);
  }
  await spoiledIds(page, take);

  await hands.command('custom rules');
  const rules = page.getByRole('region', { name: 'Custom rules' });
  for (const [name, query] of [
    ['High bids', 'bid>1.60'],
    ['High broad bids', 'matchType:broad bid>1.50'],
  ] as const) {
    await rules.getByRole('button', { name: 'New rule' }).click();
    await rules.getByRole('textbox', { name: /^Name/ }).fill(name);
    await rules.getByRole('textbox', { name: /^Condition/ }).fill(query);
    if (name === 'High bids') {
      await expect(rules.getByRole('status')).toHaveText(/^\d+ rows match\.$/);
      await take('rule-form');
    }
    await rules.getByRole('button', { name: 'Save rule' }).click();
    await expect(rules.getByRole('row').filter({ hasText: name }).getByRole('cell', { name: /^\d+$/ })).toBeVisible();
  }
  await noNotes(page);
  await take('rules');

  await hands.command('backups');
  const backups = page.getByRole('region', { name: 'Backups' });
  await backups.getByRole('button', { name: 'Back up now' }).click();
  await expect(backups.getByRole('row').nth(1)).toBeVisible();
  await noNotes(page);
  await take('backups');
  await desk.openList('Keywords');
  await desk.edit('flexible garden hose', 'Bid', '0.70');
  await hands.command('backups');
  await backups
    .getByRole('button', { name: /Preview restor/ })
    .last()
    .click();
  await expect(backups.getByRole('columnheader', { name: 'Restored' })).toBeVisible();
  await take('restore');
}

/** A sheet whose ids a spreadsheet program took for numbers. */
async function spoiledIds(page: Page, take: Take): Promise<void> {
  const sheet = test.info().outputPath('spring-items.csv');
  const ids = ['751257005', '3.312749564E+9', '12 of 34'];
  const rows = ids.map((id) => `ad item,Towels,Towels group,${id},1.60`);
  writeFileSync(sheet, ['Type,Campaign,Ad group,Item id,Bid', ...rows].join('\r\n'));
  await handsOn(page).command('Repair item IDs');
  const section = page.getByRole('region', { name: 'Repair item IDs' });
  await section.getByLabel('Check a spreadsheet…').setInputFiles(sheet);
  await expect(section.getByLabel('Replace 751257005')).toHaveValue(/^0751257005/);
  await take('repair-ids');
}

/** Sides that are compared, moments, and what an edit or a bid comes to. */
async function explaining(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.openList('SBA profiles');
  await page.keyboard.press('F4');
  await expect(page.getByRole('list', { name: 'Impact of edits' })).toBeVisible();
  await (await desk.cell('Everything for a green garden', 'Headline')).click();
  await take('impact-lens');
  await page.keyboard.press('F4');
  await page.keyboard.press('Alt+i');
  await desk.inspector.getByRole('button', { name: 'Banner log' }).click();
  const log = page.getByRole('region', { name: 'Banner log' });
  await expect(log.getByRole('listitem').first()).toBeVisible();
  await scrolledTo(log, 'end');
  await page.mouse.move(0, 0);
  await take('banner-log');

  await desk.openList('Keywords');
  const bid = await desk.cell('insulated water bottle', 'Bid');
  await bid.click();
  const bids = page.getByRole('region', { name: 'Effective bid' });
  await expect(bids.getByRole('row').nth(1)).toContainText('$');
  await bids.getByRole('slider', { name: 'Multiplier for App' }).focus();
  for (let i = 0; i < 7; i += 1) await page.keyboard.press('ArrowRight');
  await expect(bids.locator('ins').first()).toBeVisible();
  await scrolledTo(bids, 'end');
  await scrolledTo(bid, 'center');
  await page.mouse.move(0, 0);
  await take('effective-bid');
  await page.keyboard.press('Alt+i');

  await desk.grid.focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
  await take('copy-link');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Alt+w');
  await expect(page.getByRole('list', { name: 'Differences' }).getByRole('checkbox').first()).toBeVisible();
  await take('compare');
  await desk.openList('Keywords');
  for (const keyword of ['garden hose', 'hose nozzle']) await desk.edit(keyword, 'Bid', '1.25');
  await page.keyboard.press('Alt+Shift+w');
  await page.getByRole('slider', { name: 'Moment' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('list', { name: 'Differences' }).getByText('$1.25')).toHaveCount(2);
  await noNotes(page);
  await take('time-machine');
}

/** Files of an agency, of clients, of colleagues and of other editors, and the proof that nothing is lost. */
async function fromOthers(page: Page, desk: DeskPage, take: Take, { dataDir }: Adslate): Promise<void> {
  const hands = handsOn(page);
  await desk.openList('SBA profiles');
  await desk.grid.focus();
  await page.keyboard.press('Control+a');
  const exported = page.waitForEvent('download');
  await hands.command('Export client storyboard (HTML)');
  const file = await (await exported).path();
  await page.getByRole('alert').getByRole('button').first().click();
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  // The page is to be printed: it has one look.
  if (!isDark) await storyboard(page, file);

  await hands.command('watched folder');
  await page.getByRole('switch', { name: 'Watch a folder' }).press('Space');
  await expect(page.getByText('Watching')).toBeVisible();
  const workspaces = join(dataDir, 'workspaces');
  const incoming = join(workspaces, readdirSync(workspaces)[0] ?? '', 'incoming');
  copyFileSync(example('media/kitchen-roll-spot.mp4'), join(incoming, 'garden-hose-video.mp4'));
  copyFileSync(example('media/northwind-logo.png'), join(incoming, 'Roses_logo.png'));
  await page.getByLabel('Try with example names').fill('Garden hose video_spring.mp4\nRoses.mp4');
  const files = page.getByRole('group', { name: 'Files' });
  await expect(files.getByRole('row')).toHaveCount(3);
  await expect(page.getByText('still arriving')).toHaveCount(0);
  await noNotes(page);
  await take('watched-folder');

  await hands.command('custom rules');
  await page.getByRole('button', { name: 'Import rules…' }).click();
  const rule = ['rule: high-broad-bids', 'type: keyword', 'message: High bid of a broad keyword'];
  const samples = [
    'find: matchType:broad bid>1.50',
    'finds: matchType=broad bid=1.60',
    'passes: matchType=exact bid=1.60',
  ];
  await page.getByRole('textbox', { name: 'Rule pack' }).fill(['adslate-rules 1', ...rule, ...samples, ''].join('\n'));
  await expect(page.getByText('All sample rows pass.')).toBeVisible();
  await take('rule-pack');
  await closed(page);

  await hands.command('data safety');
  await page.getByRole('button', { name: 'Run all checks now' }).click();
  await expect(page.getByRole('list', { name: 'Checks' }).getByText('Passed')).toHaveCount(4);
  await take('data-safety');

  await desk.openList('Campaigns');
  await desk.drop([example('other-editors/google-ads-editor.csv')]);
  const dialog = page.getByRole('dialog', { name: 'google-ads-editor.csv' });
  await expect(dialog.getByText('Converted from Google Ads Editor.')).toBeVisible();
  await dialog.getByText('Column mapping').click();
  await take('other-editors');
  await closed(page);

  const plan = test.info().outputPath('plan.csv');
  const keywords = [
    'water bottle,exact,1.55,North',
    'drinking bottle,broad,0.95,South',
    'bottle gift,exact,1.20,South',
  ];
  const rows = keywords.map((cells) => `Water bottles manual,Water bottles manual group,${cells}`);
  writeFileSync(plan, ['Campaign,Ad group,Search phrase,Match type,CPC limit,Region', ...rows].join('\r\n'));
  await desk.drop([plan]);
  const mapping = page.getByRole('region', { name: 'Column mapping' });
  await mapping.getByRole('combobox', { name: /no Type column/ }).selectOption('Keywords');
  await mapping.getByRole('combobox', { name: 'Import column Search phrase as' }).selectOption('Keyword');
  await mapping.getByRole('combobox', { name: 'Import column CPC limit as' }).selectOption('Bid');
  await expect(mapping).toContainText('1 column was not recognized');
  await take('map-columns');
}

/** The page that a client opens, beside the window. */
async function storyboard(page: Page, file: string): Promise<void> {
  const client = await page.context().newPage();
  await client.setContent(readFileSync(file, 'utf8'));
  await expect(client.getByRole('heading', { name: 'Northwind paper brand' })).toBeVisible();
  await client.getByRole('button', { name: 'Comment on Headline' }).first().click();
  await client.getByRole('textbox', { name: 'Comment on Headline' }).fill('Say who they are for');
  await takeIn(client, 'light')('storyboard');
  await client.close();
}
