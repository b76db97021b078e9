import type { Locator } from '@playwright/test';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

/** How many lines the tab of a kind counts. */
const countOf = async (tab: Locator): Promise<number> => Number(/\d+$/.exec((await tab.innerText()).trim())?.[0] ?? 0);

test('a target brings suggestions, which are accepted in one step, undone, adjusted and dismissed', {
  tag: ['@reports', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  const side = page.getByRole('complementary').filter({ has: page.getByRole('heading', { level: 2 }) });
  const bids = page.getByRole('tab', { name: /^Bids/ });

  await test.step('without a target there are no bids, and the column says so', async () => {
    await desk.navigation.getByRole('button', { name: 'Suggestions' }).click();
    await page.getByRole('button', { name: /^(Goals|Set a target)$/ }).click();
    for (const goal of await side.getByRole('button', { name: /^Remove goal/ }).all()) await goal.click();
    await expect(bids).toHaveCount(0);
    await desk.openList('Keywords');
    await (await desk.cell('garden watering set', 'Suggested bid')).scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Set a target' }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Set a target' }).first().click();
  });

  await test.step('spend is held at the amount of now, which can be changed', async () => {
    await side.getByRole('combobox', { name: 'Applies to' }).selectOption('All campaigns');
    await side.getByRole('combobox', { name: 'Goal' }).selectOption('Keep spend steady');
    await side.getByRole('button', { name: 'Save goal' }).click();
    await expect(bids).toBeVisible();
    await page.getByRole('button', { name: /^(Goals|Set a target)$/ }).click();
    await expect(side.getByText(/^Keep spend at \$[\d,.]+ per day$/)).toBeVisible();
    await expect(side.getByLabel('Daily spend')).toHaveValue(/^[\d.]+$/);
  });

  await test.step('a target for the account brings them, each with its arithmetic', async () => {
    await side.getByRole('combobox', { name: 'Applies to' }).selectOption('All campaigns');
    await side.getByRole('combobox', { name: 'Goal' }).selectOption('Target ROAS');
    await side.getByLabel('Sales per dollar of spend').fill('4');
    await side.getByLabel('Monthly spend plan').fill('3000');
    expect(await faults(page)).toEqual([]);
    await side.getByRole('button', { name: 'Save goal' }).click();
    await expect(bids).toBeVisible();
    await page.getByRole('button', { name: /^(Goals|Set a target)$/ }).click();
    await expect(side.getByText('ROAS 4.00, $3,000.00 per month')).toBeVisible();
    await side.getByRole('button', { name: 'Show suggestions' }).click();
    await bids.click();
    await expect(side.getByRole('list').getByRole('listitem').nth(3)).toBeVisible();
    expect(await faults(page)).toEqual([]);
  });

  await test.step('in a small window names have room beside the details', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    const head = await page.getByText('Suggestion', { exact: true }).boundingBox();
    expect(head?.width).toBeGreaterThan(80);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const before = await countOf(bids);
  const sync = page.getByRole('button', { name: /^Sync \d+ changes?$/ });
  const changes = async (): Promise<number> => Number(/\d+/.exec(await sync.innerText())?.[0] ?? 0);
  const atFirst = await changes();

  await test.step('all are accepted as one step, and undone as one', async () => {
    await page.getByRole('button', { name: /^Accept \d+ suggestions?$/ }).click();
    await expect.poll(changes).toBeGreaterThan(atFirst);
    await list.or(page.getByText('No suggestions')).first().focus();
    await page.keyboard.press('Control+z');
    await expect.poll(changes).toBe(atFirst);
    await expect.poll(() => countOf(bids)).toBe(before);
  });

  await test.step('the card of one goes with a click elsewhere, and shows all in the grid before any is written', async () => {
    await desk.openList('Keywords');
    const title = desk.grid.getByRole('columnheader', { name: 'Suggested bid', exact: true });
    const place = `[aria-colindex="${await title.getAttribute('aria-colindex')}"]`;
    const bid = desk.grid.locator(`[role="gridcell"]${place}`).filter({ hasText: '$' }).first();
    const card = page.getByRole('dialog', { name: /^Suggested \$/ });
    await bid.click();
    await page.mouse.move(0, 0);
    await page.keyboard.press('Alt+q');
    await expect(card.getByRole('button', { name: /^Use \$/ })).toBeFocused();
    await expect(card.getByLabel('How it is calculated')).toContainText('$');
    expect(await faults(page)).toEqual([]);
    // A cell of the same row: a row at the edge would scroll the list, and the bid with it.
    await bid.locator('xpath=..').getByRole('gridcell').nth(1).click();
    await expect(card).toBeHidden();
    await bid.click();
    await page.mouse.move(0, 0);
    await page.keyboard.press('Alt+q');
    await expect(card.getByRole('button', { name: /^Use \$/ })).toBeFocused();
    await card.getByRole('button', { name: /^Apply to \d+ rows…$/ }).click();
    await expect(card).toBeHidden();
    const pane = page.getByRole('tabpanel', { name: 'Change' });
    await expect(pane.getByRole('button', { name: 'Suggested bid' })).toHaveAttribute('aria-pressed', 'true');
    await expect(pane.getByRole('region', { name: 'Preview' })).toContainText('Average bid');
    await expect(desk.grid.getByRole('columnheader', { name: 'New bid' })).toBeVisible();
    expect(await changes()).toBe(atFirst);
    await pane.getByRole('button', { name: 'Cancel' }).click();
    await expect(pane).toBeHidden();
  });

  await test.step('the tool for bids shows them in the grid, writes them as one step, and keeps each row that has none', async () => {
    await desk.openList('Keywords');
    await desk.grid.focus();
    await page.keyboard.press('Alt+Shift+C');
    const pane = page.getByRole('tabpanel', { name: 'Change' });
    await pane.getByLabel('Formula').fill('+10%');
    await pane.getByRole('button', { name: 'Suggested bid' }).click();
    await expect(pane.getByLabel('Formula')).toHaveValue('');
    await expect(pane.getByLabel('At least')).toHaveCount(0);
    const preview = pane.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText('Skipped, no suggested bid');
    await expect(desk.grid.getByRole('columnheader', { name: 'New bid' })).toBeVisible();
    expect(await faults(page)).toEqual([]);
    const apply = pane.getByRole('button', { name: /^Apply to \d+ bids?$/ });
    const meant = Number(/\d+/.exec(await apply.innerText())?.[0]);
    await apply.click();
    await expect(pane).toBeHidden();
    await expect.poll(changes).toBe(atFirst + meant);
    await page.keyboard.press('Control+z');
    await expect.poll(changes).toBe(atFirst);
    await desk.navigation.getByRole('button', { name: 'Suggestions' }).click();
  });

  await test.step('one is dismissed, and another one adjusted in its cell', async () => {
    await bids.click();
    await list.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => countOf(bids)).toBe(before - 1);
    await list.focus();
    await page.keyboard.press('F2');
    await expect(desk.grid).toBeFocused();
  });

  await test.step('the period and its calendar have no fault', async () => {
    await page.getByRole('button', { name: /^Period/ }).click();
    await expect(page.getByRole('region', { name: 'Days of the period' }).getByText('Settled')).not.toHaveCount(0);
    expect(await faults(page)).toEqual([]);
    const period = page.getByRole('dialog', { name: 'Period of the metrics' });
    await period.getByLabel('Start date', { exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: /^Period: .+ – / })).toBeVisible();
    await period.getByRole('button', { name: 'Last 30 days' }).click();
    await page.keyboard.press('Escape');
    await desk.grid.focus();
    await page.keyboard.press('[');
    await expect(page.getByRole('button', { name: /^Period: .+ – / })).toBeVisible();
    await page.keyboard.press(']');
    await expect(page.getByRole('button', { name: 'Period: Last 30 days' })).toBeVisible();
  });
});
