import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type DeskPage, deskPage, syncPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import { type HostileDesk, openHostileDesk, openWatched } from './hostile-desk.ts';
import { disputedAccount } from './hostile-service.ts';
import { SCRIPT_STRINGS } from './script-strings.ts';

/** Opens a desk of such texts, lets the spec look at it, and holds it to what must not have happened. */
async function through<D extends Omit<HostileDesk, 'files'>>(
  opened: Promise<D>,
  look: (hostile: D) => Promise<void>,
): Promise<void> {
  const hostile = await opened;
  try {
    await look(hostile);
    await hostile.verify();
  } finally {
    await hostile.close();
  }
}

/** Looks at a list to its end: rows are only there while they are on screen. */
async function lookThrough(page: Page, name: string): Promise<void> {
  const desk = deskPage(page);
  await desk.openList(name);
  await desk.grid.focus();
  for (const key of ['Control+Home', ...Array.from({ length: 6 }, () => 'PageDown'), 'Control+End']) {
    await page.keyboard.press(key);
  }
}

const command = (page: Page, name: string): Promise<void> => handsOn(page).command(name);

test('60 texts that would be scripts are texts in every view: nothing runs and nothing is asked for', {
  tag: ['@safety', '@long'],
}, async ({ dataDir, context }) => {
  await through(openHostileDesk(dataDir, context), async ({ page, desk, files }) => {
    for (const list of ['Campaigns', 'Keywords', 'SBA profiles', 'Video profiles']) await lookThrough(page, list);
    await desk.openList('Media');
    for (const campaign of ['00 <script', '12 <img', '13 <img', '01 <SCRIPT']) {
      await desk.openList('Campaigns');
      await desk.openCampaign(campaign);
      await expect(desk.inspector).toBeVisible();
      await page.keyboard.press('ArrowDown');
    }
    for (const tab of ['Issues', 'Changes', 'Sync', 'History']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      await expect(desk.drawer.getByRole('tabpanel')).toBeVisible();
      await page.mouse.wheel(0, 2000);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('<img');
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await expect(syncPage(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Switch account/ }).click();
    await expect(page.getByRole('menu')).toContainText('<img src=x');
    await page.keyboard.press('Escape');
    await desk.drop(files);
    await expect(page.getByRole('dialog')).toContainText("<img src=x onerror='window.ran=1'>");
  });
});

test('and in the views of single jobs: launch, reports, matrices, pasting, notes, backups, rules, about', {
  tag: ['@safety', '@long'],
}, async ({ dataDir, context }) => {
  await through(openHostileDesk(dataDir, context), async ({ page, desk }) => {
    await test.step('launch and reports', async () => {
      await command(page, 'Launch timeline');
      await expect(page.getByText('<script>window.ran=1</script>').first()).toBeVisible();
      await page.mouse.wheel(0, 4000);
      await command(page, 'Reports');
      await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
    });
    await test.step('a matrix of keywords', async () => {
      await desk.openList('Campaigns');
      await desk.openCampaign('12 <img');
      await desk.openKeywords();
      await page.getByRole('button', { name: 'Matrix' }).click();
      await expect(page.getByLabel(/^Bid of "<img src=x onerror/).first()).toBeVisible();
    });
    await test.step('a label, a comment and a saved view', () => notesAndViews(page, desk));
    await test.step('60 pasted rows', () => pasteRows(page, desk));
    await test.step('tools for many rows, with what they would write', () => manyRows(page, desk));
    for (const name of ['Keyboard shortcuts', 'Connect account']) {
      await command(page, name);
      await expect(page.getByRole('dialog').first()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    for (const name of ['Backups', 'Custom rules', 'Campaign IDs', 'Practice clock', 'About Adslate']) {
      await command(page, name);
      await expect(page.getByRole('region', { name })).toBeVisible();
    }
  });
});

test(
  'and where the service and the drafts do not agree: questions, conflicts, multipliers, the history',
  { tag: ['@safety', '@long'] },
  async ({ dataDir, context }, info) => {
    mkdirSync(info.outputDir, { recursive: true });
    const endService = await disputedAccount(dataDir, info.outputDir);
    try {
      await through(openWatched(dataDir, context), async ({ page, desk }) => {
        await page.getByRole('tab', { name: /^Sync/ }).click();
        const panel = desk.drawer.getByRole('tabpanel');
        await expect(panel.getByText(/<script>window\.ran=1<\/script>/).first()).toBeVisible();
        await expect(panel.getByRole('heading', { name: /^Conflicts/ })).toBeVisible();
        await page.getByRole('tab', { name: /^History/ }).click();
        await expect(panel).toBeVisible();
        await desk.openCampaign('<img src=x');
        await page.getByRole('tab', { name: /^Placement/ }).click();
        await page.getByRole('button', { name: 'Matrix' }).click();
        await expect(page.getByLabel(/^Multiplier for /).first()).toBeVisible();
        await desk.openList('Campaigns');
        await command(page, 'New campaign based on this one');
        await expect(page.getByRole('main', { name: 'New campaign' }).getByRole('heading').first()).toBeVisible();
      });
    } finally {
      await endService();
    }
  },
);

const TEXT = '<img src=x onerror=window.ran=1>';

async function notesAndViews(page: Page, desk: DeskPage): Promise<void> {
  await desk.openList('Keywords');
  await (await desk.cell('<script>window', 'Keyword')).click();
  await desk.inspector.getByLabel('New label').fill(TEXT);
  await page.keyboard.press('Enter');
  await expect(desk.inspector.getByText(TEXT).first()).toBeVisible();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog', { name: 'Save view' }).getByLabel('View name').fill(TEXT);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name: TEXT })).toBeVisible();
}

async function pasteRows(page: Page, desk: DeskPage): Promise<void> {
  await desk.openList('Campaigns');
  await desk.openCampaign('13 <img');
  await desk.openKeywords();
  await command(page, 'paste a table');
  const dialog = page.getByRole('dialog', { name: 'Paste a table: Keywords' });
  const table = ['Keyword\tMatch type\tBid', ...SCRIPT_STRINGS.map((text) => `${text}\texact\t1.00`)].join('\n');
  await dialog.getByRole('textbox').evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, table);
  await expect(dialog.getByText('<script>window.ran=1</script>').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/** Every tool on all keywords, each with the first rows as they are and as they would be. */
async function manyRows(page: Page, desk: DeskPage): Promise<void> {
  await desk.openList('Keywords');
  await (await desk.cell('<script>window', 'Keyword')).click();
  await page.keyboard.press('Control+a');
  await command(page, 'find and replace');
  await desk.inspector.getByLabel('Find', { exact: true }).fill('window');
  await desk.inspector.getByLabel('Replace with').fill(TEXT);
  await expect(desk.grid.getByText('<script><img src=x').first()).toBeVisible();
  await page.keyboard.press('Escape');
  for (const name of ['Bulk edit', 'Adjust bids and budgets', 'Copy or move to', 'Find duplicates']) {
    await command(page, name);
    await expect(desk.inspector.getByLabel('Action', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(desk.inspector).toBeHidden();
  }
  for (const name of ['Add rows', 'New video campaign']) {
    await command(page, name);
    const main = page.getByRole('main', { name: name === 'Add rows' ? name : 'New campaign' });
    await expect(main.getByRole('heading').first()).toBeVisible();
  }
}
