import { type DeskPage, deskPage, syncPage } from './desk-page.ts';
import { SHEET } from './examples.ts';
import { expect, test } from './fixture.ts';
import { type Hands, handsOn } from './hands.ts';
import { noFaults } from './looks.ts';

type Page = Parameters<typeof noFaults>[0];

/** Dialogs by the name of their command, each with its own name where it is another. */
const DIALOGS: readonly (readonly [command: string, name: string | RegExp])[] = [
  ['add media files', 'Add files'],
  ['import…', 'Import'],
  ['keyboard shortcuts', 'Keyboard shortcuts'],
  ['connect account', 'Connect account'],
  ['paste a table', /Paste/],
];
/** Steps of the pane beside the rows. */
const TOOLS = [
  'bulk edit',
  'adjust bids and budgets',
  'find and replace',
  'paste special',
  'find duplicates',
  'copy or move to',
];
/** Sections of the settings by the name of their command. */
const SECTIONS: readonly (readonly [command: string, name: string])[] = [
  ['settings', 'Appearance'],
  ['number and date format', 'Numbers and dates'],
  ['quiet hours', 'Notifications'],
  ['account settings', 'Sync mode'],
  ['credentials', 'Credentials'],
  ['deployment settings', 'Deployment settings'],
  ['practice clock', 'Practice clock'],
  ['storage limit', 'Response log'],
  ['campaign ids', 'Campaign IDs'],
  ['repair item ids', 'Repair item IDs'],
  ['refresh outdated', 'Outdated campaigns'],
  ['about adslate', 'About Adslate'],
];
const DIALOG = '[role="dialog"]';

test.describe(() => {
  test.use({ practice: false });
  // The usual look is that of `welcome.spec.ts`.
  test('the first screen has no fault in any look', { tag: ['@everyone', '@long'] }, async ({ page }) => {
    await expect(page.getByRole('button', { name: 'Open a sample account' })).toBeVisible();
    await noFaults(page, 'Welcome');
  });
});

// In the usual look `measurements.web.spec.ts` looks for faults on every screen.
test('no screen and no dialog has a fault in any look', { tag: ['@everyone', '@long'] }, async ({ page }) => {
  const desk = await withCampaigns(page);
  const hands = handsOn(page);
  await noFaults(page, 'Keywords of a campaign');
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByLabel('New keyword')).toBeVisible();
  await noFaults(page, 'Keyword matrix');
  await page.getByRole('tab', { name: /^Placement/ }).click();
  await expect(page.getByLabel('Example bid')).toBeVisible();
  await noFaults(page, 'Multipliers');
  await page.getByRole('button', { name: 'Table' }).click();
  for (const list of [
    'Campaigns',
    'Ad groups',
    'Ad items',
    'Keywords',
    'SBA profiles',
    'Placement multipliers',
    'Media',
  ]) {
    await desk.openList(list);
    await noFaults(page, list, 'main');
  }
  await desk.openList('SBA profiles');
  await (await desk.cell('Towels', 'Headline')).click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await noFaults(page, 'Menu of a cell');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+Shift+1');
  for (const tab of ['Issues', 'Changes', 'Sync', 'History']) {
    await desk.drawer.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await noFaults(page, tab, '[role="tabpanel"]');
  }
  for (const [keys, name] of [
    ['Alt+Shift+B', 'New campaign'],
    ['Alt+n', 'Add rows'],
    ['Control+Enter', 'Sync plan'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('main', { name }).getByRole('heading').first()).toBeVisible();
    await noFaults(page, name);
    // A form has the focus, and Ctrl+Enter would submit it.
    if (name !== 'Sync plan') await page.keyboard.press('Escape');
  }
  for (const tab of ['Changes', 'Not included', 'Technical']) {
    await syncPage(page)
      .getByRole('tab', { name: new RegExp(`^${tab}`) })
      .click();
    await noFaults(page, `Sync plan, ${tab}`, 'main');
  }
  await hands.command('roll back a sync');
  await noFaults(page, 'Roll back a sync', 'main');
  await hands.command('launch timeline');
  await expect(page.getByRole('list', { name: 'Upcoming and live campaigns' })).toBeVisible();
  await noFaults(page, 'Launch');
  for (const [keys, name] of [
    ['Alt+1', 'Overview'],
    ['Alt+2', 'Inbox'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('main', { name }).getByRole('heading').first()).toBeVisible();
    await noFaults(page, name);
  }
  await hands.command('reports');
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await page.getByRole('button', { name: 'Get report' }).click();
  await expect(page.getByRole('button', { name: 'Export as CSV' })).toBeVisible();
  await noFaults(page, 'Reports');

  await desk.openCampaign('Kettles');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await noFaults(page, 'Commands', DIALOG);
  await page.keyboard.press('Escape');
  for (const [command, name] of DIALOGS) {
    await hands.command(command);
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog, command).toBeVisible();
    await noFaults(page, command, DIALOG);
    await page.keyboard.press('Escape');
    await expect(dialog, command).toBeHidden();
  }
  for (const command of TOOLS) {
    await hands.command(command);
    await expect(desk.inspector.getByLabel('Action'), command).toBeVisible();
    await noFaults(page, command, 'aside');
  }
  await desk.inspector.getByRole('tab', { name: 'Details' }).click();
  await expect(desk.inspector.getByRole('heading').first()).toBeVisible();
  await noFaults(page, 'Details', 'aside');
  await page.keyboard.press('Escape');
  for (const [command, name] of SECTIONS) {
    await hands.command(command);
    await expect(page.getByRole('region', { name })).toBeVisible();
    await noFaults(page, name, 'main');
  }
  await backups(page, hands);
  await rules(page, hands);
  await importing(page, desk);
});

/** A desk with a campaign that has a banner, and one with keywords, which is open at them. */
async function withCampaigns(page: Page): Promise<DeskPage> {
  const desk = deskPage(page);
  await desk.ready();
  for (const [keys, name] of [
    ['Alt+Shift+B', 'Towels'],
    ['Alt+Shift+M', 'Kettles'],
  ] as const) {
    await page.keyboard.press(keys);
    await page.getByLabel('Campaign name').fill(name);
    await page.getByLabel('Keywords, one per line').fill('kettle\nwhite kettle');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible();
  }
  await page.getByRole('tab', { name: /^Keywords/ }).click();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
  return desk;
}

async function backups(page: Page, hands: Hands): Promise<void> {
  await hands.command('backups');
  const dialog = page.getByRole('region', { name: 'Backups' });
  await dialog.getByRole('button', { name: 'Back up now' }).click();
  await expect(dialog.getByRole('row').filter({ hasText: 'Manual' })).toBeVisible();
  await noFaults(page, 'Backups', 'main');
  await dialog
    .getByRole('button', { name: /Preview restor/ })
    .first()
    .click();
  await expect(dialog).toContainText('would change nothing');
  await noFaults(page, 'What a backup would change', 'main');
  await page.keyboard.press('Escape');
}

async function rules(page: Page, hands: Hands): Promise<void> {
  await hands.command('custom rules');
  const dialog = page.getByRole('region', { name: 'Custom rules' });
  await dialog.getByRole('button', { name: 'New rule' }).click();
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Kettles');
  await dialog.getByRole('textbox', { name: /^Condition/ }).fill('kettle');
  await expect(dialog.getByRole('status')).toHaveText(/^\d+ rows match\.$/);
  await noFaults(page, 'A rule', 'main');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog.getByRole('row').filter({ hasText: 'Kettles' })).toBeVisible();
  await noFaults(page, 'Custom rules', 'main');
  await dialog.getByRole('button', { name: 'Import rules…' }).click();
  await noFaults(page, 'Rule pack', 'main');
  await page.keyboard.press('Escape');
}

async function importing(page: Page, desk: DeskPage): Promise<void> {
  await desk.drop([SHEET]);
  const sheet = page.getByRole('dialog', { name: 'campaigns.csv' });
  await expect(sheet.getByRole('checkbox', { name: 'Import line 2', exact: true })).toBeVisible();
  await noFaults(page, 'Rows of a sheet', DIALOG);
}
