import { test } from 'vitest';
import type { Updates } from '../../../main/app/host-ports.ts';
import type { UpdateState } from '../../../shared/api/app.ts';
import { aCampaignOfKettles } from '../an-account.ts';
import { after } from '../answering.ts';
import { openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

test('a newcomer steps through the ways to begin with the arrow keys and starts empty', async () => {
  const app = await openApp({ practice: false });
  await expect(page.getByRole('button', { name: 'Open a sample account' })).toBeFocused();
  for (const name of ['Connect your account', 'Join a team', 'Open a file', 'Start empty']) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('button', { name: new RegExp(name) })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  const sample = page.getByRole('button', { name: 'Open a sample account' });
  expect(sample.all()[0]?.hasAttribute('data-loading'), 'only the chosen way shows that it works').not.toBe(true);
  await expect(page.getByRole('button', { name: 'New campaign', exact: true })).toBeVisible();
  await expect.poll(() => document.activeElement !== document.body).toBe(true);
  expect(await app.client().accounts.list()).toMatchObject([{ practice: true, isSample: false }]);
});

test('rows are typed into, filled down, narrowed, mended and selected by keyboard and mouse', async () => {
  const app = await openApp();
  await aCampaignOfKettles(app.client(), app.workspaceId, 20);
  await app.openList('Keywords');
  // Beside the keywords there are the heads of the table and of their campaign.
  await expect(app.grid).toHaveAttribute('aria-rowcount', '22');
  const undo = (label: string) => page.getByRole('button', { name: `Undo: ${label}` });

  await step('the grid names its active cell and arrow keys move it', async () => {
    await expect(app.activeCell()).toHaveText('kettle 1');
    await app.grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(app.activeCell()).toHaveText('$1.51');
    await expect(app.grid).toHaveAttribute('aria-activedescendant', 'grid-active-cell');
  });

  await step('Alt+I opens the details also after a tool, and Escape in the rows closes what covers them', async () => {
    await page.keyboard.press('Control+h');
    await expect(app.details.getByLabel('Find')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(app.details).toBeHidden();
    await expect(app.grid).toBeFocused();
    await page.keyboard.press('Alt+i');
    await expect(app.details.getByRole('tab', { name: 'Details', selected: true })).toBeVisible();
    await page.keyboard.press('F2');
    await page.keyboard.press('Escape');
    await expect(app.details).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(app.details).toBeHidden();
    await expect(app.grid).toBeFocused();
  });

  await step('the period opens with its form in focus, also before the code of the form has loaded', async () => {
    const period = page.getByRole('button', { name: 'Period: Last 30 days' });
    const form = page.getByRole('dialog', { name: 'Period of the metrics' });
    for (const _time of ['first', 'second']) {
      await period.focus();
      await page.keyboard.press('Enter');
      await expect(form.getByRole('button', { name: 'Last 30 days' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(form).toBeHidden();
      await expect(period).toBeFocused();
    }
  });

  await step('the View menu turns each look of the rows on and off', async () => {
    await page.getByRole('button', { name: 'View', exact: true }).click();
    const lens = page.getByRole('switch', { name: 'Impact of edits' });
    const legend = page.getByRole('list', { name: 'Impact of edits' });
    await expect(lens).toHaveAttribute('aria-checked', 'false');
    await lens.click();
    await expect(lens).toHaveAttribute('aria-checked', 'true');
    await expect(legend).toBeVisible();
    await lens.click();
    await expect(legend).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'View', exact: true })).toBeFocused();
  });

  await step('a selection is filled down to its last row as one step', async () => {
    await (await app.cell('kettle 1', 'Bid')).click();
    await (await app.cell('kettle 3', 'Bid')).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+d');
    await expect(undo('Fill down 2 cells')).toHaveAttribute('title', 'Undo: Fill down 2 cells (Ctrl+Z)');
    await expect(await app.cell('kettle 2', 'Bid')).toHaveText('$1.50');
    await expect(await app.cell('kettle 3', 'Bid')).toHaveText('$1.50');
  });

  await step('a typed value is checked, written and undone by name; Escape leaves the cell as it was', async () => {
    const bid = await app.cell('kettle 1', 'Bid');
    const editor = page.getByRole('textbox', { name: 'New value for Bid' });
    await bid.dblclick();
    await editor.fill('one');
    await expect(page.getByRole('alert')).toContainText('is not a number');
    await editor.fill('2.345');
    await editor.press('Enter');
    await expect(bid).toHaveText('$2.34');
    await expect(undo('Edit bid')).toBeEnabled();
    await bid.dblclick();
    await editor.fill('9');
    await editor.press('Escape');
    await expect(editor).toBeHidden();
    await expect(bid).toHaveText('$2.34');
    await page.keyboard.press('Control+z');
    await expect(bid).toHaveText('$1.50');
    await expect(page.getByText('Undone: Edit bid.')).toBeVisible();
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await expect(bid).toHaveText('$2.34');
    await expect(page.getByText('Redone: Edit bid.')).toBeVisible();
    await expect(page.getByText('Undone: Edit bid.')).toBeHidden();
    await page.keyboard.press('Control+y');
    await expect(page.getByText('Nothing to redo.')).toBeVisible();
  });

  await step('a dialog gives the keys back to the rows', async () => {
    await app.grid.focus();
    await page.keyboard.press('F1');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect.poll(async () => (await keys.element()).contains(document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(app.grid).toBeFocused();
  });

  await step('a view narrows the rows, and the rows say when nothing is left', async () => {
    const spoken = () => document.querySelector('[role="status"][aria-live="polite"]')?.textContent;
    await page.getByRole('tab', { name: /^Needs attention/ }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '5');
    await expect.poll(spoken).toBe('3 keywords');
    await app.filter('no such thing');
    await expect(page.getByText('No rows match the filter')).toBeVisible();
    await expect.poll(spoken).toBe('0 keywords');
    await app.filter('');
    for (const [keys, shown] of [
      ['Alt+c', page.getByRole('tab', { name: /^Changed/ })],
      ['Control+f', page.getByRole('textbox', { name: 'Filter rows' })],
      ['Control+Shift+f', page.getByRole('dialog', { name: 'Filter' })],
    ] as const) {
      await page.keyboard.press('Alt+1');
      await expect(page.getByRole('main', { name: 'Overview' })).toBeVisible();
      await page.keyboard.press(keys);
      await expect(shown).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: /^All/ }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '22');
  });

  await step('what is wrong is said at its row, leads to its cell, and all of a kind is mended at once', async () => {
    await expect(page.getByText('Has an error').first()).toBeVisible();
    await expect(app.grid.getByTitle(/^Keyword "kettle +4, exact" has no bid/)).toBeVisible();
    await app.openList('Campaigns');
    const blanks = app.drawer.getByRole('listitem').filter({ hasText: 'Extra spaces in keywords' }).first();
    await blanks.getByRole('button', { expanded: false }).first().click();
    await app.drawer
      .getByText(/kettle 4\b.*extra spaces/)
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
    await expect(app.activeCell()).toContainText('4');
    await app.drawer.getByRole('button', { name: 'Clean up 3' }).first().click();
    await expect(undo('Fix 3 issues')).toBeEnabled();
    await expect(blanks).toHaveCount(0);
  });

  await step('the palette counts the selected rows that are still there', async () => {
    await app.openList('Keywords');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '22');
    await app.grid.focus();
    await page.keyboard.press('Control+a');
    const { workspaceId } = app;
    const rows = await app.rows({ kind: 'keyword' }, 2);
    await app.client().workspace.remove({ workspaceId, rows: rows.map(({ id }) => ({ kind: 'keyword', id })) });
    await expect(app.grid).toHaveAttribute('aria-rowcount', '20');
    await page.keyboard.press('Control+k');
    await expect(page.getByText('Keywords, 18 rows selected')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await step('when the open campaign is gone with the step that made it, all campaigns are shown', async () => {
    await app.newManual('Never mind', 'pan');
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
  });
});

test('the header of a group selects no rows of the next one, also before the groups have loaded', async () => {
  let load = (): void => {};
  const loading = new Promise<void>((resolve) => (load = resolve));
  const app = await openApp({
    main: ({ views }) => ({
      'views.outline': after(() => loading, views.outline),
    }),
  });
  await aCampaignOfKettles(app.client(), app.workspaceId, 400);
  await app.newManual('Lids', 'blue lid\ngreen lid');
  await app.openList('Keywords');
  await app.grid.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+h');
  await expect(app.details.getByLabel('Find')).toBeFocused();
  const rows = app.details.getByLabel('Rows');
  await expect(rows).not.toContainText('402 selected keywords');
  load();
  await expect(rows).toContainText('400 selected keywords');
});

test('a row that a change leads to is found among cards, and in a list that was narrowed', async () => {
  const app = await openApp();
  await app.add('Profiles', [
    { kind: 'campaign', parent: null, values: { name: 'Pots', campaignType: 'sba' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Pots group' } },
    ...['Red pots', 'Green pots', 'Blue pans'].map((headline) => ({
      ...{ kind: 'sbaProfile' as const, parent: { at: 1 }, values: { headline, brand: 'Acme' } },
    })),
  ]);
  await app.openList('SBA profiles');
  await (await app.cell('Red pots', 'Headline')).click();
  await page.keyboard.press('Control+g');
  await page.getByRole('menuitemradio', { name: 'Campaign' }).click();
  await (await app.cell('Red pots', 'Headline')).click();
  for (const key of ['End', 'Control+Home', 'ArrowDown']) await page.keyboard.press(key);
  await expect(app.activeCell(), 'the first column').toContainText('Acme');
  await page.keyboard.press('Control+g');
  await page.getByRole('menuitemradio', { name: 'No groups' }).click();
  await page.getByRole('button', { name: 'Banners' }).click();
  const cards = page.getByRole('listbox', { name: 'SBA profiles' });
  await expect(cards.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await app.drawer.getByRole('tab', { name: /^Changes/ }).click();
  const pans = app.drawer.getByRole('button', { name: /Blue pans/ });
  await pans.click();
  const card = cards.getByRole('option').filter({ hasText: 'Blue pans' });
  await expect(card).toHaveAttribute('aria-selected', 'true');
  await expect(cards).toBeFocused();
  for (const name of ['Hide column', 'Column menu', 'Fill down', 'Group rows…']) {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('combobox').fill(name);
    const entry = palette.getByRole('option').filter({ hasText: name }).first();
    await expect(entry).toContainText('Open a table with rows first');
    await page.keyboard.press('Escape');
  }

  await page.getByRole('button', { name: 'Table' }).click();
  await app.filter('Red');
  await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
  await pans.click();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  await expect(app.details.getByRole('heading', { name: 'Blue pans' })).toBeVisible();
  // What failed would be told before what comes after it.
  await page.keyboard.press('Alt+Shift+L');
  const told = await page.getByText(/^(Link copied|The list was closed)/).element();
  expect(told.textContent).toContain('Link copied');
});

test('About checks for updates where the host has them, and restarts only when nothing is under way', async () => {
  const asked: string[] = [];
  let state: UpdateState = { state: 'newest' };
  const updates = (changed: () => void): Updates => ({
    state: () => state,
    check: () => {
      asked.push('check');
      state = { state: 'ready', version: '9.0.0' };
      changed();
    },
    restart: async () => 'sync',
  });
  const app = await openApp({ core: { updates } });
  await app.command('About Adslate');
  const about = page.getByRole('region', { name: 'About Adslate' });
  await expect(about.getByText('This is the newest version.')).toBeVisible();
  await about.getByRole('button', { name: 'Check for updates' }).click();
  await expect(about.getByText('Adslate 9.0.0 is downloaded and verified.')).toBeVisible();
  await about.getByRole('button', { name: 'Restart to update' }).click();
  await expect(page.getByText('A sync is running. Restart when it has finished.')).toBeVisible();
  expect(asked).toEqual(['check']);
});

test('example names of a watched folder stay when its patterns are saved', async () => {
  const app = await openApp();
  await app.command('watched folder');
  const section = page.getByRole('region', { name: 'Watched folder' });
  await expect(section).toContainText(`workspaces/${app.workspaceId}/incoming in the Adslate data folder`);
  const examples = page.getByLabel('Try with example names');
  await examples.fill('Pots video_spring.mp4');
  await page.getByLabel('Name patterns').fill('{campaign} video_{creative}');
  await page.getByRole('button', { name: 'Save patterns' }).click();
  await expect(page.getByRole('button', { name: 'Save patterns' })).toBeDisabled();
  await expect(examples).toHaveValue('Pots video_spring.mp4');
});

test('hundreds of campaigns are one Tab stop, and arrow keys, Home and End go through all of them', async () => {
  const app = await openApp();
  await app.add(
    'New campaigns',
    Array.from({ length: 400 }, (_, n) => ({
      kind: 'campaign' as const,
      parent: null,
      values: { name: `Pots ${String(n + 1).padStart(3, '0')}`, campaignType: 'sponsoredProducts' },
    })),
  );
  const list = app.navigation.getByRole('list', { name: 'Campaigns' });
  const campaign = (name: string) => list.getByRole('button', { name: new RegExp(`^${name}`) });
  await app.navigation.getByRole('button', { name: /^All campaigns/ }).focus();
  await page.keyboard.press('Tab');
  await expect(campaign('Pots 001')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(campaign('Pots 002')).toBeFocused();

  await page.keyboard.press('End');
  await expect(campaign('Pots 400')).toBeFocused();
  await expect(list.locator('[aria-posinset="400"]')).toHaveAttribute('aria-setsize', '400');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Pots 400 › Campaigns' })).toBeVisible();
  await campaign('Pots 400').focus();
  await page.keyboard.press('Tab');
  await expect(app.navigation.getByRole('button', { name: /^SBA profiles/ })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(campaign('Pots 400')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(campaign('Pots 001')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(campaign('Pots 001')).toBeFocused();
});

test('panes are resized and hidden by keyboard, and stay so after a reload', async () => {
  const app = await openApp();
  const handle = page.getByRole('separator', { name: 'Resize: Campaign list' });
  const before = Number(await handle.getAttribute('aria-valuenow'));
  await handle.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 32));
  await page.keyboard.press('Alt+j');
  await expect(app.drawer).toBeHidden();
  await expect.poll(async () => (await app.client().app.preferences.get()).layout['hidden.drawer']).toBe(true);
  await app.reload();
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 32));
  await expect(app.drawer).toBeHidden();
});
