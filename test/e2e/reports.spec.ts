import { readFile } from 'node:fs/promises';
import { faults } from './axe.ts';
import { deskPage, openSyncPlan, send } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('a campaign that has run for days is looked at in a report, which stays after a restart', {
  tag: ['@reports', '@long'],
}, async ({ page, adslate }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  let lastDay = '';
  let impressions = '';

  await test.step('before anything has run, the report says so', async () => {
    await desk.navigation.getByRole('button', { name: 'Reports' }).click();
    // The overview, which is opened at first, may have asked already.
    await expect(page.getByText(/^No (reports yet|data for these days)$/)).toBeVisible();
    lastDay = await page.getByLabel('End date').inputValue();
    await page.getByRole('button', { name: 'Get report' }).click();
    await expect(page.getByText('No data for these days')).toBeVisible();
  });

  await test.step('a campaign goes live and runs', async () => {
    await hands.command('new automatic');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Campaign name').fill('Towels by themselves');
    await page.getByLabel('Total budget (USD)').fill('1500');
    await page.getByLabel('Daily budget (USD)').fill('25');
    await page.getByLabel('Start date', { exact: true }).fill(tomorrow);
    await page.getByLabel('Search items').fill('3952872549 2.40');
    await page.keyboard.press('Enter');
    await page.getByLabel('Search items').fill('0553680321 2.10');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Towels by themselves/ })).toBeVisible();
    await openSyncPlan(page);
    await send(page);
    await hands.command('practice clock');
    const clock = page.getByRole('region', { name: 'Practice clock' });
    for (let times = 0; times < 4; times += 1) {
      await clock.getByRole('button', { name: '+3 days' }).click();
      await expect(clock.getByRole('button', { name: '+3 days' })).toBeEnabled();
    }
    await page.keyboard.press('Escape');
  });

  await test.step('the report of these days has totals, charts and a table that agree', async () => {
    await hands.command('reports');
    // The days follow the practice clock.
    await expect(page.getByLabel('End date')).not.toHaveValue(lastDay);
    await page.getByRole('button', { name: 'Get report' }).click();
    const total = page.getByRole('list', { name: 'Totals' }).getByRole('listitem').filter({ hasText: 'Impressions' });
    await expect(total).toHaveText(/^[\d,]+Impressions$/);
    const shown = (await total.innerText()).split('\n')[0] ?? '';
    impressions = shown;
    const row = page.getByRole('row').filter({ hasText: 'Towels by themselves' });
    await expect(row.getByRole('cell').first()).toHaveText(shown);
    await expect(page.getByRole('row').filter({ hasText: 'Total' }).getByRole('cell').first()).toHaveText(shown);
    await expect(page.locator('.recharts-line-curve').first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
  });

  await test.step('figures are chosen with what they mean, and rows by day are sorted', async () => {
    await page.getByRole('button', { name: /^Metrics/ }).click();
    await page.getByRole('checkbox', { name: 'Sales, 3 days' }).check();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('columnheader', { name: 'Sort by Sales, 3 days' })).toBeVisible();
    await page.getByLabel('Group by').selectOption('date');
    const day = page.getByRole('rowheader').first();
    // Until the days are there the columns move, and a click may end beside its button.
    await expect(day).toHaveText(/^\d{1,2} \w+ \d{4}$/);
    await page.getByRole('button', { name: 'Sort by Clicks' }).click();
    await expect(page.getByRole('columnheader', { name: 'Sort by Clicks' })).toHaveAttribute('aria-sort', 'descending');
    await expect(day).toHaveText(/^\d{1,2} \w+ \d{4}$/);
  });

  await test.step('the same days are not asked for twice in a day, unless the user wants it', async () => {
    const saved = page.getByLabel('Saved reports').getByRole('option');
    const [days = ''] = (await saved.and(page.locator(':checked')).innerText()).split(' · ');
    await page.getByRole('button', { name: 'Get report' }).click();
    await expect(page.getByText('Showing the report saved today.', { exact: false })).toBeVisible();
    await expect(saved.filter({ hasText: days })).toHaveCount(1);
    await page.getByRole('button', { name: 'Get latest data' }).click();
    await expect(saved.filter({ hasText: days })).toHaveCount(2);
  });

  await test.step('two figures are drawn against each other, each on its axis, and printed with the table', async () => {
    const lines = page.locator('.recharts-line-curve');
    await page.getByLabel('Left axis').selectOption({ label: 'Clicks' });
    await page.getByLabel('Right axis').selectOption({ label: 'Spend' });
    await expect(lines.nth(1)).toBeVisible();
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print or PDF' }).click();
    await expect(page.locator('body[data-printed]')).toHaveCount(1);
    const total = page.getByRole('row').filter({ hasText: 'Total' });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ media: 'print', colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      // Dark on white, whatever the window looks like.
      await expect(total).toHaveCSS('color', 'rgb(20, 26, 36)');
      await expect(page.locator('body')).toHaveCSS('background-color', /^rgb\(255, 255, 255\)$|^rgba\(0, 0, 0, 0\)$/);
    }
    await expect(total).toBeVisible();
    await expect(page.getByRole('navigation')).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  });

  await test.step('it is saved as the service sent it', async () => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const saved = await readFile(await (await saving).path(), 'utf8');
    expect(saved).toContain('campaignName');
    expect(saved).toContain('Towels by themselves');
    await expect(page.getByRole('link', { name: /^campaign-.*\.csv$/ })).toHaveAttribute('draggable', 'true');
  });

  await test.step('a row that the report names by its ID has the name of its campaign too', async () => {
    await page.getByLabel('Group by').selectOption('campaignId');
    await expect(page.getByRole('rowheader').filter({ hasText: /^Towels by themselves \d+$/ })).toBeVisible();
  });

  await test.step('from a row of the report to its row in the grid, and the figures beside it', async () => {
    await page.getByLabel('Group by').selectOption('campaignName');
    await page.getByRole('button', { name: 'Actions for Towels by themselves' }).click();
    await page.getByRole('menuitem', { name: 'Show in grid' }).click();
    const filters = page.getByRole('region', { name: 'Filters' });
    await expect(filters.getByRole('button', { name: 'Name is Towels by themselves', exact: true })).toBeVisible();
    await expect(await desk.cell('Towels by themselves', 'Campaign')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Last 30 days' })).toBeVisible();
    await page.keyboard.press('Alt+Shift+F');
    await expect(page.getByRole('columnheader', { name: 'Spend', exact: true })).toHaveCount(0);
    await page.keyboard.press('Alt+Shift+F');
    await expect(page.getByRole('columnheader', { name: 'Spend', exact: true })).toBeVisible();
    // Each metric once, without its change and its other windows.
    await desk.grid.evaluate((box) => box.scrollTo(box.scrollWidth, 0));
    await expect(desk.grid.getByRole('columnheader', { name: 'Coverage', exact: true })).toBeVisible();
    await expect(desk.grid.getByRole('columnheader', { name: /change$|, 3 days$/ })).toHaveCount(0);
    await desk.grid.evaluate((box) => box.scrollTo(0, 0));
    // Only columns in view are drawn.
    const title = desk.grid.getByRole('columnheader', { name: 'Impressions', exact: true });
    await expect(async () => {
      await desk.grid.evaluate((box) => box.scrollBy(300, 0));
      await expect(title).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(await desk.cell('Towels by themselves', 'Impressions')).toHaveText(impressions);
    await filters.getByRole('button', { name: 'Clear' }).click();
    await title.click();
    await expect(title).toHaveAttribute('aria-sort', 'descending');
    const shown = page.locator(`[role="gridcell"][aria-colindex="${await title.getAttribute('aria-colindex')}"]`);
    const numbers = async () => (await shown.allTextContents()).map((text) => Number(text.replaceAll(',', '')) || -1);
    await expect.poll(async () => (await numbers())[0]).toBeGreaterThan(0);
    await expect.poll(async () => String(await numbers())).toBe(String((await numbers()).toSorted((a, b) => b - a)));
  });

  await test.step('from a row of another report to the bid of its item', async () => {
    await hands.command('reports');
    await page.getByLabel('Report', { exact: true }).selectOption('adItem');
    await page.getByRole('button', { name: 'Get report' }).click();
    await page.getByLabel('Group by').selectOption('itemId');
    await page.getByRole('button', { name: 'Actions for 3952872549' }).click();
    await page.getByRole('menuitem', { name: 'Adjust bids…' }).click();
    await desk.inspector.getByLabel('Formula', { exact: true }).fill('+10%');
    await expect(await desk.cell('3952872549', 'New bid')).toContainText('2.64');
    await desk.inspector.getByRole('button', { name: 'Apply to 1 bid' }).click();
    await expect(desk.inspector).toBeHidden();
    await expect(await desk.cell('3952872549', 'Bid')).toHaveText('$2.64');
  });

  await test.step('and from such a row to switching its item off, and to taking it to another campaign', async () => {
    const act = async (what: string): Promise<void> => {
      await hands.command('reports');
      await page.getByLabel('Saved reports').selectOption({ index: 0 });
      await page.getByLabel('Group by').selectOption('itemId');
      await page.getByRole('button', { name: 'Actions for 0553680321' }).click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await act('Enable or pause…');
    await desk.inspector.getByLabel('New value').selectOption({ label: 'Disabled' });
    await desk.inspector.getByRole('button', { name: /^Apply to 1 / }).click();
    await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
    const changes = desk.drawer.getByRole('list', { name: 'Changes' });
    await expect(changes).toContainText(/Before Enabled.*After Disabled/s);
    await act('Copy or move to…');
    await expect(desk.inspector.getByLabel('Find campaign')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('after a restart it is still there, without a question to the service', async () => {
    await adslate.restart('SIGKILL');
    await desk.ready();
    await hands.command('reports');
    await expect(page.getByRole('list', { name: 'Totals' })).toContainText('Impressions');
    await expect(page.getByRole('row').filter({ hasText: 'Towels by themselves' })).toBeVisible();
  });
});
