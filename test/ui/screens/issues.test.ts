import { test } from 'vitest';
import type { InboxEntry } from '../../../shared/api/overview.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { after } from '../answering.ts';
import { openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

// --- drawer
// --- rules
test('a rule of the user is tried while it is typed, found among the issues, switched off, saved and taken in', async () => {
  const app = await openApp();
  const dialog = page.getByRole('region', { name: 'Custom rules' });
  const issues = app.drawer.getByRole('list', { name: 'Issues' });
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pans');
  await page.getByLabel('Default bid (USD)').fill('2');
  await page.getByLabel('Keywords, one per line').fill('iron pan\ncopper pan');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pans/ })).toBeVisible();

  await step('written by keys alone, with what it finds', async () => {
    await app.command('custom rules');
    await expect(dialog).toContainText('No custom rules yet');
    await dialog.getByRole('button', { name: 'New rule' }).click();
    await dialog.getByRole('textbox', { name: /^Name/ }).focus();
    await page.keyboard.type('Copper is dear');
    await dialog.getByRole('textbox', { name: /^Condition/ }).focus();
    await page.keyboard.type('bid<oops');
    await expect(dialog.getByRole('status')).toContainText('"oops" is not a number');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('copper');
    await expect(dialog.getByRole('status')).toHaveText('1 row matches.');
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(dialog.getByRole('row').filter({ hasText: 'Copper is dear' })).toContainText('Warning');
  });

  await step('its row is an issue, and no longer once it is off', async () => {
    const onOff = dialog.getByRole('checkbox', { name: 'Rule Copper is dear is on' });
    await page.keyboard.press('Escape');
    await expect(issues).toContainText('Copper is dear');
    await app.command('custom rules');
    await onOff.click();
    await expect(onOff).not.toBeChecked();
    await page.keyboard.press('Escape');
    await expect(issues).not.toContainText('Copper is dear');
    await app.command('custom rules');
  });

  await step('as a file it comes back after it was removed', async () => {
    await dialog.getByRole('button', { name: 'Export rules…' }).click();
    const text = await (await app.saved()).text();
    await dialog.getByRole('button', { name: 'Delete rule Copper is dear' }).click();
    await expect(dialog).toContainText('No custom rules yet');
    await dialog.getByRole('button', { name: 'Import rules…' }).click();
    const box = dialog.getByRole('textbox', { name: 'Rule pack' });
    await box.fill('not rules');
    await dialog.getByRole('button', { name: 'Import rules' }).click();
    await expect(dialog).toContainText('This is not a rule pack');
    await box.fill(text);
    await dialog.getByRole('button', { name: 'Import rules' }).click();
    await expect(dialog.getByRole('row').filter({ hasText: 'Copper is dear' })).toContainText('copper');
  });

  await step('its rows are shown in the grid', async () => {
    await dialog.getByRole('button', { name: 'Edit rule Copper is dear' }).click();
    await dialog.getByRole('textbox', { name: /^Condition/ }).fill('copper bid>1');
    await dialog.getByRole('button', { name: 'Show matching rows' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
    await expect(app.grid).toContainText('copper pan');
    await expect(app.grid).not.toContainText('iron pan');
  });

  await step('what was changed is still in the form', async () => {
    await app.command('custom rules');
    await expect(dialog.getByRole('textbox', { name: /^Condition/ })).toHaveValue('copper bid>1');
    await dialog.getByRole('button', { name: 'Back to list' }).click();
    await expect(dialog.getByRole('row').filter({ hasText: 'Copper is dear' })).not.toContainText('bid>1');
  });
});

test('the status bar and the tab of issues count the same, suggestions among them', async () => {
  const app = await openApp();
  const bar = page.getByRole('contentinfo', { name: 'Account status' });
  const rule = { id: 'copper', name: 'Copper', kind: 'keyword', query: 'copper', severity: 'advice' } as const;
  await app.newManual('Pans', 'copper pan\ncopper pot');
  await expect(page.getByRole('tab', { name: 'Issues 3' })).toBeVisible();
  await expect(bar.getByRole('button', { name: '1 error 2 warnings' })).toBeVisible();
  await app.client().rules.save({ workspaceId: app.workspaceId, rule: { ...rule, enabled: true } });
  await expect(page.getByRole('tab', { name: 'Issues 5' })).toBeVisible();
  await bar.getByRole('button', { name: '1 error 2 warnings 2 suggestions' }).click();
  await expect(app.drawer.getByRole('list', { name: 'Issues' })).toContainText('Copper');
});

// --- the cell
test('Show selects the cell of the field that the issue is about', async () => {
  const app = await openApp();
  await app.newManual('Lamps', 'reading lamp\texact\t1.50\nnight light\texact\t9999');
  const kind = app.drawer.getByRole('listitem').filter({ hasText: 'Keyword bid very high' });
  await kind.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(app.activeCell()).toHaveText(/9,999/);

  await step('also if its column was hidden', async () => {
    await app.command('hide column');
    await expect(app.grid.getByRole('columnheader', { name: 'Bid', exact: true })).toHaveCount(0);
    await kind.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(app.activeCell()).toHaveText(/9,999/);
  });
});

test('a row that is there twice is deleted from the issue of its cell', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'pot\nPot');
  await app.openKeywords();
  await (await app.cell('pot', 'Keyword')).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Alt+Enter');
  const issue = page.getByRole('dialog', { name: 'Issue' });
  await expect(issue).toContainText('Keyword added twice');
  await issue.getByRole('button', { name: 'Delete row' }).click();
  await expect(issue).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Keywords 1' })).toBeVisible();
  await expect(app.grid).toBeFocused();
});

test('more keywords than an ad group can have are spread into new campaigns from the list of issues and from a cell', async () => {
  const app = await openApp();
  const words = (theme: string, count: number): string =>
    Array.from({ length: count }, (_, at) => `${theme} ${at + 1}`).join('\n');
  const undo = () => page.getByRole('button', { name: /^Undo: Spread keywords/ });
  await app.newManual('Full of pots', words('pot', 215));
  await app.newManual('Full of pans', words('pan', 410));
  const kind = app.drawer.getByRole('listitem').filter({ hasText: 'Too many keywords' });
  await expect(kind).toContainText('225');

  await step('the menu of the kind has the whole sentence of a row', async () => {
    await kind.getByRole('button', { name: 'More: Too many keywords' }).click();
    const menu = page.getByRole('menu');
    await expect(menu).toContainText(/^For example: The ad group has more than 200 distinct enabled keywords\./);
    await expect(menu).toContainText("or another one. Errors can't be muted.");
    await page.keyboard.press('Escape');
  });

  await step('all full campaigns at once, however many rows report it', async () => {
    await kind.getByRole('button', { name: 'Spread into a new campaign' }).click();
    const ask = page.getByRole('dialog', { name: 'Spread 380 keywords into 3 new campaigns?' });
    await expect(ask).toContainText(/This adds \$[\d,.]+ to the total daily budget\./);
    await ask.getByRole('button', { name: 'Create 3 new campaigns' }).click();
    await expect(page.getByText('380 keywords moved to 3 new campaigns. Press Ctrl+Z to undo.')).toBeVisible();
    await expect(kind).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
    await expect(app.activeCell()).toContainText('Full of');
    await undo().click();
    await expect(kind).toContainText('225');
    await expect(page.getByText(/^Undone: /)).toBeVisible();
    // By itself it would close after 5 seconds.
    const before = () => page.getByText(/Press Ctrl\+Z to undo\.$/).count();
    await expect.poll(before, { timeout: 3000, message: 'it would undo the step before' }).toBe(0);
  });

  await step('the campaign of a cell', async () => {
    await app.openCampaign('Full of pots');
    await app.openKeywords();
    await app.filter('issue:keyword.too-many');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '16');
    await (await app.cell('pot', 'Keyword')).click();
    await page.keyboard.press('Alt+Enter');
    await page
      .getByRole('dialog', { name: 'Issue' })
      .getByRole('button', { name: 'Spread into a new campaign' })
      .click();
    await page.getByRole('button', { name: 'Create 1 new campaign' }).click();
    await expect(page.getByText('107 keywords moved to a new campaign. Press Ctrl+Z to undo.')).toBeVisible();
    await expect(kind).toContainText('210');
  });
});

test('a match type is added to all keywords or, where one step cannot add them, to none', async () => {
  const app = await openApp();
  const { workspaceId } = app;
  for (const name of ['Pots', 'Pans']) {
    await app.add('Add', [
      {
        kind: 'campaign',
        parent: null,
        values: { name, campaignType: 'sponsoredProducts', targetingType: 'manual' },
      },
      { kind: 'adGroup', parent: { at: 0 }, values: { name: `${name} group` } },
      ...Array.from({ length: 5100 }, (_, at) => ({
        kind: 'keyword' as const,
        parent: { at: 1 },
        values: { text: `${name} ${at}`, matchType: 'exact', bid: 150 },
      })),
    ]);
  }
  const keywords = async () =>
    (await app.client().workspace.openView({ workspaceId, view: { kind: 'keyword' } })).length;
  const before = await keywords();
  await app.drawer.getByRole('button', { name: /^Add match type to \d+/ }).click();
  await expect(page.getByText('Nothing was added. One step can add up to 10,000 keywords.')).toBeVisible();
  expect(await keywords()).toBe(before);
  await app.openCampaign('Pots');
  await page.getByText('This campaign', { exact: true }).click();
  await app.drawer.getByRole('button', { name: 'Add match type to 1', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Undo: Add match type' })).toBeVisible();
  expect(await keywords()).toBe(before + 5100);
});

test('in the inbox, what is typed stays with its entry when another one comes before it', async () => {
  const app = await openApp();
  const values = {
    name: 'Kettles',
    campaignType: 'sponsoredProducts',
    targetingType: 'manual',
    totalBudget: 500_000,
    dailyBudget: 5000,
    startDate: '2030-12-01',
    status: 'enabled',
  };
  await app.add('Create', [
    { kind: 'campaign', parent: null, values },
    { kind: 'adGroup', parent: { at: 0 }, values: { status: 'enabled' } },
    { kind: 'adItem', parent: { at: 1 }, values: { itemId: '4711471100', bid: 160, status: 'enabled' } },
  ]);
  await page.keyboard.press('Alt+2');
  const inbox = page.getByRole('main', { name: 'Inbox' });
  const entries = inbox.getByRole('option');
  const nameless = entries.filter({ hasText: 'Ad group' });
  const name = inbox.locator('[data-detail]').getByLabel(/^Name/);
  await expect(nameless).toHaveCount(1);
  await expect(nameless).toHaveAttribute('aria-selected', 'true');
  const before = entries.all().length;
  await name.fill('Kettles group');
  await app.add('Create', [
    { kind: 'campaign', parent: null, values: { name: 'Pots', campaignType: 'sponsoredProducts' } },
  ]);
  await expect(entries).not.toHaveCount(before);
  await expect(entries.first()).toHaveAttribute('aria-selected', 'false');
  await expect(name).toHaveValue('Kettles group');
  await page.keyboard.press('Meta+Enter');
  await expect(nameless).toHaveCount(0);
  await expect(inbox.getByRole('listbox', { name: 'Entries' })).toBeFocused();

  await step('a letter in the menu of an entry is no key of the list', async () => {
    const entry = entries.filter({ hasText: 'not verified' });
    await entry.click();
    await inbox.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'Until Monday' }).focus();
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    await expect(entry).toHaveAttribute('aria-selected', 'true');
  });

  await step('an item ID that was corrected is saved, not verified as it was', async () => {
    await entries.filter({ hasText: 'not verified' }).click();
    await inbox
      .locator('[data-detail]')
      .getByLabel(/^Item ID/)
      .fill('4711471101');
    await page.keyboard.press('Control+Enter');
    await expect(inbox.getByText('4711471101').first()).toBeVisible();
  });
});

const aRejection = (of: Partial<InboxEntry>): InboxEntry => ({
  id: 'rejected banner',
  group: 'reviews',
  is: 'rejection',
  asks: true,
  at: null,
  tone: 'bad',
  rows: 1,
  kind: null,
  filter: '',
  only: 'all',
  also: [],
  campaignId: null,
  rowId: null,
  label: '',
  campaign: 'Banners',
  campaigns: 1,
  field: null,
  ref: '',
  text: '',
  place: null,
  submitBy: '2030-05-04',
  startDate: '2030-05-08',
  resultBy: '2030-05-03',
  snoozedUntil: null,
  isDone: false,
  ...of,
});

test('in the inbox, what is typed for a rejected field stays in that field once it is saved', async () => {
  let rejected: InboxEntry | null = null;
  const planned = Promise.withResolvers<void>();
  const submitted = Promise.withResolvers<string>();
  let isPlanned = false;
  const app = await openApp({
    main: ({ inbox, review, sync }) => ({
      'inbox.list': async (input, options) => {
        const answer = await inbox.list(input, options);
        return rejected === null ? answer : { ...answer, entries: [rejected, ...answer.entries] };
      },
      'review.submit': after(({ workspaceId }) => submitted.resolve(workspaceId), review.submit),
      'sync.plan': async (...call) => {
        const answer = await sync.plan(...call);
        if (isPlanned) await planned.promise;
        return { ...answer, reviews: 1 };
      },
    }),
  });
  const { workspaceId } = app;
  const { touched } = await app.add('Banner', [
    { kind: 'campaign', parent: null, values: { name: 'Banners', campaignType: 'sba' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Banners' } },
    { kind: 'sbaProfile', parent: { at: 1 }, values: { headline: 'Dry in one wipe', brand: 'Best Ever Towels' } },
  ]);
  const [campaign, , profile] = touched;
  rejected = aRejection({
    kind: 'sbaProfile',
    campaignId: campaign?.id ?? null,
    rowId: profile?.id ?? null,
    field: 'brand',
    text: '"Best Ever" is a claim that is not proven',
  });
  await page.keyboard.press('Alt+2');
  const detail = page.getByRole('main', { name: 'Inbox' }).locator('[data-detail]');
  const brand = detail.getByLabel(/^Brand/);
  await expect(brand).toHaveValue('Best Ever Towels');
  await expect(detail).toContainText('Resubmit by May 4, 2030 to start on May 8, 2030');
  await expect(detail).toContainText('the result is expected by May 3, 2030');
  await brand.fill('Towels');
  const save = detail.getByRole('button', { name: 'Save only' });
  await save.click();
  await expect(save).toBeDisabled();
  await expect(brand).toHaveValue('Towels');
  await expect(detail.getByLabel(/^Headline/)).toHaveCount(0);

  await step('it is submitted in its account, also when another is open by then', async () => {
    isPlanned = true;
    await detail.getByRole('button', { name: 'Save and submit for review' }).click();
    await app.openSecondAccount();
    planned.resolve();
    expect(await submitted.promise).toBe(workspaceId);
    await expect(page.getByText('Submitting "Banners" for review.')).toBeVisible();
  });
});

test('a rejected video that was replaced says that it is uploaded and processed before it is submitted', async () => {
  let rejected: InboxEntry | null = null;
  let isUploaded = false;
  const app = await openApp({
    main: ({ inbox, sync }) => ({
      'inbox.list': async (input, options) => {
        const answer = await inbox.list(input, options);
        return rejected === null ? answer : { ...answer, entries: [rejected, ...answer.entries] };
      },
      'review.submit': async () => {
        isUploaded = true;
        return { runId: 'run' };
      },
      'sync.plan': async (...call) => {
        const answer = await sync.plan(...call);
        return isUploaded
          ? { ...answer, reviews: 0, uploads: [], leftOut: [{ reason: 'waits-for-media', rows: 1, first: [] }] }
          : { ...answer, reviews: 1, uploads: [{ mediaId: asRowId(1), file: 'new.mp4', bytes: 9 }] };
      },
    }),
  });
  const { touched } = await app.add('Video', [
    { kind: 'campaign', parent: null, values: { name: 'Rolls', campaignType: 'video' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Rolls' } },
    { kind: 'videoProfile', parent: { at: 1 }, values: {} },
  ]);
  const [campaign, , profile] = touched;
  rejected = aRejection({ kind: 'videoProfile', campaignId: campaign?.id ?? null, rowId: profile?.id ?? null });
  await page.keyboard.press('Alt+2');
  const detail = page.getByRole('main', { name: 'Inbox' }).locator('[data-detail]');
  await detail.getByRole('button', { name: 'Resubmit' }).click();
  await expect(page.getByText('Uploading the new video. Resubmit when it is processed.')).toBeVisible();
  await app.reload();
  await page.keyboard.press('Alt+2');
  await expect(detail).toContainText('The new video is still processing. Resubmit when it is ready.');
  await expect(detail.getByRole('button', { name: 'Resubmit' })).toBeDisabled();
});
