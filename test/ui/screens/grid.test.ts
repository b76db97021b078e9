import { test } from 'vitest';
import { asRowId } from '../../../shared/model/scalars.ts';
import { after } from '../answering.ts';
import { type App, faults, openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

// --- paste
test('a pasted table adds and changes rows after each of them was seen', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\texact\t1.00');
  await app.openKeywords();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
  await app.command('paste a table');
  const dialog = page.getByRole('dialog', { name: 'Paste a table: Keywords' });
  const table = 'Keyword\tMatch type\tBid\nred pot\texact\t1.40\nblue lid\tphrase\t0.90\ngreen bowl\tnonsense\t1.00';
  await dialog.getByRole('textbox').paste(table);
  await expect(dialog.getByText('1 to add')).toBeVisible();
  await dialog.getByRole('button', { name: 'Paste another table' }).press('Enter');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await dialog.getByRole('textbox').paste(table);
  await expect(dialog.getByText('1 to change')).toBeVisible();
  await expect(dialog.getByText('1 with errors')).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'First row is a header' })).toBeChecked();
  await expect(dialog.getByRole('row', { name: /green bowl/ })).toContainText('nonsense');
  expect(await faults('[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Paste 2 rows' }).click();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
  await expect(await app.cell('red pot', 'Bid')).toHaveText('$1.40');
  await page.keyboard.press('Control+z');
  await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
});

test('a cell without an end date is edited with the words that it shows', async () => {
  const app = await openApp();
  await app.newManual('Pots');
  await app.edit({ kind: 'campaign' }, 'endDate', '9999-12-30');
  await app.openList('Campaigns');
  const end = await app.cell('Pots', 'End');
  await expect(end).toHaveText('No end date');
  await end.click();
  await page.keyboard.press('F2');
  const editor = page.getByRole('textbox', { name: 'New value for End' });
  await expect(editor).toHaveValue('No end date');
  await page.keyboard.press('Enter');
  await expect(editor).toHaveCount(0);
  await expect(end).toHaveText('No end date');
});

test('a pasted table whose dates can all mean two days is asked about once', async () => {
  const app = await openApp();
  await app.newManual('Pots');
  await app.openList('Campaigns');
  await app.command('paste a table');
  const dialog = page.getByRole('dialog', { name: 'Paste a table: Campaigns' });
  await dialog.getByRole('textbox').paste('Campaign\tCampaign type\tStart\nLids\tsponsoredProducts\t4/5/2030');
  const question = dialog.getByRole('group', { name: 'Order of dates in this table' });
  await question.getByRole('button', { name: 'Day/month/year (31/12/2026)' }).click();
  await expect(dialog.getByText('1 to add')).toBeVisible();
  await expect(question).toHaveCount(0);
  await expect(dialog.getByRole('row', { name: /Lids/ })).toContainText(/May.* 2030|2030-05-04/);
  await dialog.getByRole('button', { name: 'Paste 1 row' }).click();
  await expect(await app.cell('Lids', 'Campaign')).toBeVisible();
});

test('a paste that ends after its dialog was closed leaves the dialog open that was opened since', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const app = await openApp({
    main: ({ paste }) => ({
      'paste.apply': after(() => {
        asked.resolve();
        return held.promise;
      }, paste.apply),
    }),
  });
  await app.newManual('Pots', 'red pot\texact\t1.00');
  await app.openKeywords();
  await app.command('paste a table');
  const dialog = page.getByRole('dialog', { name: 'Paste a table: Keywords' });
  await dialog.getByRole('textbox').paste('Keyword\tMatch type\tBid\nblue lid\tphrase\t0.90');
  await dialog.getByRole('button', { name: 'Paste 1 row' }).click();
  await asked.promise;
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await app.filter('pot OR lid');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save view' }).click();
  const naming = page.getByRole('dialog', { name: 'Save view' });
  await naming.getByRole('textbox').fill('My pots');
  held.resolve();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
  await expect(page.getByText('1 row added.')).toBeVisible();
  await expect(naming.getByRole('textbox')).toHaveValue('My pots');
});

test('columns of a pasted table that are chosen one right after the other are all kept', async () => {
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const app = await openApp({
    main: ({ paste }) => ({
      'paste.preview': after(() => (isHeld ? held.promise : null), paste.preview),
    }),
  });
  await app.newManual('Pots');
  await app.openKeywords();
  await app.command('paste a table');
  const dialog = page.getByRole('dialog', { name: 'Paste a table: Keywords' });
  await dialog.getByRole('textbox').paste('Term\tMatch type\tAmount\nred pot\texact\t1.40\nblue lid\tbroad\t1.50');
  isHeld = true;
  const columns = dialog.getByRole('group', { name: 'Columns' }).getByRole('combobox');
  await columns.nth(0).selectOption('Keyword');
  await columns.nth(2).selectOption('Bid');
  held.resolve();
  await expect(dialog.getByText('2 to add')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /red pot/ })).toContainText('$1.40');
});

test('after a suggested bid is used from its card, the keys work in the grid', async () => {
  const app = await openApp({
    main: () => ({
      'suggestions.ofRows': async ({ ids }) => ({
        version: '1',
        rows: ids.map(asRowId).map((id) => ({
          id,
          hasGoal: true,
          suggestion: {
            ...({ key: `bid ${id}`, kind: 'bid', type: 'keyword', id, campaignId: id, campaign: 'Pots' } as const),
            ...({ label: 'red pot', field: 'bid', current: 100, suggested: 120, evidence: 'fair' } as const),
            ...({ low: null, high: null, effect: 'immediate', reason: 'Sales', numbers: {} } as const),
          },
        })),
      }),
    }),
  });
  await app.client().app.preferences.set({ layout: { 'shown.keyword.metric.suggestedBid': true } });
  await app.reload();
  await app.newManual('Pots', 'red pot\texact\t1.00');
  await app.openKeywords();
  const value = await app.grid.locator('[data-suggestion]').first().element();
  value.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }));
  await page.getByRole('button', { name: 'Use $1.20' }).click();
  await expect(app.grid).toBeFocused();
});

// --- grid-tools
/** A manual campaign with these keywords, its keywords in the grid. */
async function openKeywords(keywords: readonly string[]): Promise<App> {
  const app = await openApp();
  await app.newManual('Pots', keywords.join('\n'));
  await app.openKeywords();
  await expect(app.grid).toHaveAttribute('aria-rowcount', String(keywords.length + 1));
  return app;
}

const titles = (app: App): readonly string[] =>
  app.grid.getByRole('columnheader').locator('[data-title]').allTextContents();
const firstTitles = (app: App): readonly string[] => titles(app).slice(0, 3);

test('sums typed into a money cell work on the value that is there, and cells have a menu', async () => {
  const app = await openKeywords(['pot', 'pan', 'lid']);
  await (await app.cell('pot', 'Bid')).dblclick();
  const editor = page.getByRole('textbox', { name: 'New value for Bid' });
  await editor.fill('+10%');
  await expect(app.grid.getByText('= 1.65')).toBeVisible();
  await editor.press('Enter');
  await expect(await app.cell('pot', 'Bid')).toHaveText('$1.65');
  const totals = page.getByRole('region', { name: 'Totals of all rows' });
  await expect(totals).toContainText('Average of bid in 3 rows: $1.55');
  await app.filter('bid>1.60');
  await expect(totals).toContainText('Average of bid in 1 row: $1.65');
  await app.filter('');
  await (await app.cell('pot', 'Bid')).click();
  await (await app.cell('lid', 'Bid')).click({ modifiers: ['Shift'] });
  await expect(page.getByText('Sum 4.65 · Average 1.55')).toBeVisible();
  await page.keyboard.type('*2');
  await page.keyboard.press('Control+Enter');
  await expect(await app.cell('pot', 'Bid')).toHaveText('$3.30');
  await expect(await app.cell('lid', 'Bid')).toHaveText('$3.00');
  await page.keyboard.press('Control+z');
  await expect(await app.cell('lid', 'Bid')).toHaveText('$1.50');

  await step('cells have a menu by mouse and by key; what it does can be undone', async () => {
    await (await app.cell('pan', 'Bid')).click({ button: 'right' });
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem', { name: 'Copy Ctrl+C' })).toBeVisible();
    await menu.getByRole('menuitem', { name: 'Clear cells' }).click();
    await expect(await app.cell('pan', 'Bid')).toHaveText('');
    await page.keyboard.press('Control+z');
    await expect(await app.cell('pan', 'Bid')).toHaveText('$1.50');
    await app.grid.focus();
    await page.keyboard.press('Shift+F10');
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(app.grid).toBeFocused();
    await (await app.cell('pan', 'Keyword')).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Show only rows with this value' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
  });
});

test('a question about rows means those it was asked about, also when others stand in their places by then', async () => {
  const app = await openKeywords(['lid\texact\t1.00', 'pan\texact\t1.00', 'pot\texact\t1.00']);
  const last = app.grid.locator('[role="row"]').last();
  await app.grid.getByRole('columnheader', { name: 'Keyword', exact: true }).click();
  await (await app.cell('pot', 'Bid')).click();
  await app.grid.paste('2.00\n3.00');
  const paste = page.getByRole('button', { name: 'Overwrite 1 row' });
  await expect(paste).toBeVisible();
  await app.edit({ kind: 'keyword', filter: 'lid' }, 'text', 'zester');
  await expect(last).toContainText('zester');
  await paste.click();
  await expect(await app.cell('pot', 'Bid')).toHaveText('$2.00');
  await expect(await app.cell('zester', 'Bid')).toHaveText('$1.00');

  await (await app.cell('zester', 'Keyword')).click();
  await page.keyboard.press('Control+Delete');
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toBeVisible();
  await app.edit({ kind: 'keyword', filter: 'zester' }, 'text', 'lid');
  await expect(last).toContainText('pot');
  await remove.click();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
  await expect(await app.cell('pot', 'Bid')).toBeVisible();
});

test('rows are sorted by several columns; columns are moved by key, frozen and hidden, and stay so after a reload', async () => {
  const app = await openKeywords(['pot\texact\t2.00', 'pan\tbroad\t2.00', 'lid\texact\t1.00']);
  const title = (name: string) => app.grid.getByRole('columnheader', { name, exact: true });
  const first = (n: number) => app.grid.getByRole('row').nth(n).locator('[aria-colindex="2"]');
  await title('Bid').click();
  await title('Bid').click();
  await title('Keyword').click({ modifiers: ['Shift'] });
  await expect(title('Bid')).toHaveAttribute('aria-sort', 'descending');
  await expect(title('Keyword')).toHaveAttribute('aria-sort', 'ascending');
  await expect(first(1)).toHaveText('pan');
  await expect(first(2)).toHaveText('pot');
  await expect(first(3)).toHaveText('lid');

  await step('the order stays when the filters are cleared, and the keyboard has somewhere to go', async () => {
    await app.filter('bid>1.50');
    await page.keyboard.press('Escape');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    const filters = page.getByRole('region', { name: 'Filters' });
    const clear = filters.getByRole('button', { name: 'Clear' });
    await clear.press('Enter');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
    await expect(title('Bid')).toHaveAttribute('aria-sort', 'descending');
    await expect(app.grid).toBeFocused();
  });

  await expect.poll(() => firstTitles(app)).toEqual(['Keyword', 'Match', 'Bid']);
  await (await app.cell('pot', 'Bid')).click();
  await page.keyboard.press('Alt+PageUp');
  await expect.poll(() => firstTitles(app)).toEqual(['Keyword', 'Bid', 'Match']);

  await step('while new values stand among them, each command means the column that is active', async () => {
    await page.keyboard.press('Alt+Shift+C');
    await app.details.getByLabel('Formula', { exact: true }).fill('+10%');
    await title('New bid').click({ button: 'right' });
    await expect(page.getByRole('menu', { name: 'Column Bid' })).toBeVisible();
    await page.keyboard.press('Escape');
    await title('Match').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move column left' }).click();
    await expect.poll(() => titles(app).slice(0, 4)).toEqual(['Keyword', 'Match', 'Bid', 'New bid']);
    await (await app.cell('pot', 'Bid')).click();
    await page.keyboard.press('Alt+PageUp');
    await expect.poll(() => titles(app).slice(0, 4)).toEqual(['Keyword', 'Bid', 'New bid', 'Match']);
    await page.keyboard.press('Escape');
    await expect(title('New bid')).toHaveCount(0);
  });

  await title('Bid').click({ button: 'right' });
  await expect(page.getByRole('dialog', { name: 'Column' })).toBeVisible();
  expect(await faults('[role="dialog"]')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Freeze columns up to this one' }).click();
  await title('Match').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect(title('Match')).toHaveCount(0);
  await app.reload();
  await app.openList('Keywords');
  await expect(title('Keyword')).toBeVisible();
  const shown = titles(app);
  expect(shown.indexOf('Keyword')).toBeLessThan(shown.indexOf('Bid'));
  expect(shown).not.toContain('Match');
});

// --- filter
test('rows are narrowed by views that count, and by chips that are the same filter as the text', async () => {
  const app = await openApp();
  // Its keywords belong to another list, so they may not be counted in the one that is open.
  await app.newManual('Pans', 'pan\texact\t1.00');
  await app.newManual('Pots', 'pot\texact\t1.00\nlid\tbroad\t2.00\nsieve\tbroad\t3.00');
  await app.openKeywords();
  const views = page.getByRole('tablist', { name: 'Views' });
  await expect(views.getByRole('tab', { name: 'All 3' })).toHaveAttribute('aria-selected', 'true');
  await expect(views.getByRole('tab', { name: 'Changed 3' })).toBeVisible();
  const filters = page.getByRole('region', { name: 'Filters' });
  const form = page.getByRole('dialog', { name: 'Filter' });

  await step('a form writes a chip, and the chip opens its form', async () => {
    await page.keyboard.press('Control+Shift+F');
    await form.getByLabel('Field').selectOption('Bid');
    await form.getByLabel('Condition', { exact: true }).selectOption('more than');
    await form.getByLabel('Value').fill('1.50');
    expect(await faults('[role="dialog"]')).toEqual([]);
    await form.getByRole('button', { name: 'Apply' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await filters.getByRole('button', { name: 'Bid more than 1.50', exact: true }).click();
    await form.getByLabel('Value').fill('2.50');
    await form.getByRole('button', { name: 'Apply' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
    expect(await faults('section[aria-label="Filters"]')).toEqual([]);
  });

  await step('keys typed before the form has the focus edit no cell, and Escape closes it', async () => {
    await (await app.cell('sieve', 'Bid')).click();
    // Without a pause between them, as a busy window gets them.
    await Promise.all(['Control+Shift+F', '9', 'Escape'].map((keys) => page.keyboard.press(keys)));
    await expect(form).toHaveCount(0);
    await expect(app.grid).toBeFocused();
    await expect(app.grid.getByRole('textbox')).toHaveCount(0);
  });

  await step('Ctrl+F shows the same filter as text and back; what no chip can say stays one', async () => {
    await page.keyboard.press('Control+f');
    const text = page.getByRole('textbox', { name: 'Filter rows' });
    await expect(text).toHaveValue('bid>2.50');
    await text.fill('bid<<');
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Control+Shift+F');
    await expect(form.getByRole('textbox')).toHaveValue('bid<<');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await text.fill('bid<2.50 (pot OR lid)');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await page.keyboard.press('Control+f');
    await expect(filters.getByRole('button', { name: 'Bid less than 2.50', exact: true })).toBeVisible();
    await expect(filters.getByRole('button', { name: 'pot OR lid', exact: true })).toBeVisible();
    await filters.getByRole('button', { name: 'Remove filter: Bid less than 2.50' }).click();
    await page.keyboard.press('Control+f');
    await expect(text).toHaveValue('pot OR lid');
    await page.keyboard.press('Control+f');
    await filters.getByRole('button', { name: 'Clear' }).click();
    await expect(filters).toBeHidden();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  });

  await step('values of a column are listed with their counts, and ticking them narrows the rows', async () => {
    await (await app.cell('lid', 'Match')).click();
    await page.keyboard.press('Alt+ArrowDown');
    const column = page.getByRole('dialog', { name: 'Column' });
    await expect(column.getByRole('listitem').first()).toHaveText('Broad2');
    expect(await faults('[role="dialog"]')).toEqual([]);
    await column.getByRole('checkbox', { name: /^Broad/ }).click();
    await expect(column.getByText('1 of 3')).toBeVisible();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
    await page.keyboard.press('Escape');
    await filters.getByRole('button', { name: 'Match type is Exact', exact: true }).click();
    await form.getByRole('button', { name: 'All' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  });

  await step('All shows all rows also where more values are than are listed', async () => {
    const parts = Array.from({ length: 201 }, (_, i) => `part ${i}`);
    await app.newManual('Spares', parts.join('\n'));
    await app.openKeywords();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '202');
    await (await app.cell('part 0', 'Keyword')).click();
    await page.keyboard.press('Alt+ArrowDown');
    const column = page.getByRole('dialog', { name: 'Column' });
    await expect(column.getByText(/^Only the first 200 values/)).toBeVisible();
    await column.getByRole('checkbox').first().click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '2');
    await column.getByRole('button', { name: 'All' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '202');
  });
});

// --- locale
test('in German numbers and dates are shown and typed as Germans do, and nothing that has two readings is guessed', async () => {
  const app = await openApp();

  await step('the choice applies at once, and is seen', async () => {
    await app.command('number and date format');
    const dialog = page.getByRole('region', { name: 'Numbers and dates' });
    await dialog.getByLabel('Number and date format').selectOption('German (Germany)');
    await expect(dialog).toContainText('123.456,78');
    await expect(dialog).toContainText('04.05.2030');
    await page.keyboard.press('Escape');
  });

  await step('a campaign is typed with commas', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await page.getByLabel('Campaign name').fill('Kessel');
    await page.getByLabel('Total budget (USD)').fill('1.500');
    await page.getByLabel('Daily budget (USD)').fill('25,50');
    await page.getByLabel('Start date', { exact: true }).fill('4.5.2030');
    await page.getByLabel('Start date', { exact: true }).blur();
    await expect(page.getByLabel('Start date', { exact: true })).toHaveValue('04.05.2030');
    await page.getByLabel('Search items').fill('3952872549 2,40');
    await page.keyboard.press('Enter');
    await page.getByLabel('Keywords, one per line').fill('kessel\texact\t1,75\nweißer kessel\texact\t3,00');
    const create = page.getByRole('button', { name: 'Create draft' });
    await create.click();
    await expect(
      page.getByText('"1.500" can mean 1500 or 1,500. Enter the one you want.', { exact: true }),
    ).toBeVisible();
    await page.getByLabel('Total budget (USD)').fill('1.500,00');
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /Kessel/ })).toBeVisible();
    await expect(await app.cell('3952872549', 'Bid')).toHaveText('2,40\u00a0$');
    await app.openList('Campaigns');
    await expect(await app.cell('Kessel', 'Total budget')).toHaveText('1.500,00\u00a0$');
    await expect(await app.cell('Kessel', 'Start')).toHaveText('04.05.2030');
    await (await app.cell('Kessel', 'Start')).dblclick();
    const start = page.getByRole('textbox', { name: 'New value for Start' });
    await expect(start).toHaveValue('2030-05-04');
    await start.fill('6.5.2030');
    await start.press('Enter');
    await expect(await app.cell('Kessel', 'Start')).toHaveText('06.05.2030');
  });

  await step('cells take amounts and sums, and refuse what has two readings', async () => {
    await app.openList('Keywords');
    const bid = await app.cell('weißer', 'Bid');
    await bid.dblclick();
    const editor = page.getByRole('textbox', { name: 'New value for Bid' });
    await expect(editor).toHaveValue('3,00');
    await editor.fill('1.234');
    await editor.press('Enter');
    await expect(page.getByText('"1.234" can mean 1234 or 1,234. Enter the one you want.')).toBeVisible();
    await editor.fill('+0,5*2');
    await expect(page.getByRole('status').filter({ hasText: '4,00' })).toBeVisible();
    await editor.press('Enter');
    await expect(bid).toHaveText('4,00\u00a0$');
    await bid.click();
    await page.keyboard.press('Control+c');
    await expect.poll(() => app.clipboard.readText()).toBe('4,00');
  });

  await step('a filter takes the comma and is kept with a point; a comma that may part a list is refused', async () => {
    await app.filter('bid<2,5');
    const filter = page.getByLabel('Filter rows');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await expect(filter).toHaveValue('bid<2.5');
    await filter.fill('bid:1,75');
    await expect(page.getByText(/can be one amount or a list. Enter bid:1\.75 for the amount/)).toBeVisible();
    await filter.fill('');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  });

  await step('many bids are reckoned with, seen before and after', async () => {
    await app.grid.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Alt+Shift+C');
    const many = app.details;
    await many.getByLabel('Formula', { exact: true }).fill('*1,1');
    await expect(app.grid.getByText('1,92').first()).toBeVisible();
    await many.getByLabel('Formula', { exact: true }).fill('*1.100');
    await expect(many.getByText('"1.100" can mean 1100 or 1,100.')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await step('it stays so when the window is loaded anew', async () => {
    await app.reload();
    await app.openList('Campaigns');
    await expect(await app.cell('Kessel', 'Daily budget')).toHaveText('25,50\u00a0$');
  });

  await step('the symbol is behind the amount, as in suggested bids and the field for an example bid', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await page.getByLabel('Search items').fill('lamp');
    await expect(
      page
        .getByRole('option')
        .filter({ hasText: /Suggested \d,\d\d\s\$/ })
        .first(),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await app.openCampaign('Kessel');
    await page.getByRole('tab', { name: /^Placement/ }).click();
    await page.getByRole('button', { name: 'Matrix' }).click();
    const symbol = await page.locator('label').filter({ hasText: '$' }).locator('[aria-hidden]').element();
    expect(symbol.style.order).toBe('1');
  });
});

// --- notes
test('a view is saved with its filter, order and columns, and rows carry labels and comments', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'pot\texact\t2.00\npan\texact\t0.90\nlid\tbroad\t1.00');
  await app.openList('Keywords');
  const title = (name: string) => app.grid.getByRole('columnheader', { name, exact: true });

  await step('save a view and come back to it', async () => {
    await app.filter('bid<1.50');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
    await title('Bid').click();
    await title('Match').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await app.command('Save view');
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('View name').fill('Low bids');
    expect(await faults('[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(page.getByText('View "Low bids" saved.')).toBeVisible();
    await app.openList('Campaigns');
    await page.getByRole('button', { name: 'More views' }).click();
    await page.getByRole('menuitem', { name: /^Low bids/ }).click();
    await expect(page.getByRole('tab', { name: 'Low bids 2' })).toHaveAttribute('aria-selected', 'true');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
    await expect(title('Bid')).toHaveAttribute('aria-sort', 'ascending');
    await expect(title('Match')).toHaveCount(0);
  });

  await step('its tab says that the filter is another one now, and brings the saved one back', async () => {
    await app.filter('bid<0.95');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await page.getByRole('tab', { name: 'Low bids edited' }).click();
    await expect(page.getByRole('tab', { name: 'Low bids 2' })).toBeVisible();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  });

  await step(
    'a view gets another name; a name that is too long stays in the dialog; one that is taken is asked about',
    async () => {
      const views = page.getByRole('button', { name: 'More views' });
      await views.click();
      await page.getByRole('menuitem', { name: 'Rename view "Low bids"…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename view' });
      await dialog.getByLabel('View name').fill('x'.repeat(101));
      await page.keyboard.press('Enter');
      await expect(page.getByText('This text has 101 characters. The maximum is 100.')).toBeVisible();
      await dialog.getByLabel('View name').fill('Cheap');
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('tab', { name: 'Cheap 2' })).toBeVisible();
      await page.getByRole('tab', { name: /^All/ }).click();
      await page.getByRole('button', { name: 'Save view' }).first().click();
      await page.getByRole('dialog', { name: 'Save view' }).getByLabel('View name').fill('cheap');
      // The keys of a tab open none behind a dialog.
      for (const at of [2, 3]) await page.keyboard.press(`Control+Alt+${at}`);
      await expect(page.getByRole('tab', { name: /^All/ })).toHaveAttribute('aria-selected', 'true');
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'Replace view Cheap?' });
      await question.getByRole('button', { name: 'Keep view' }).click();
      await expect(page.getByRole('tab', { name: 'Cheap 2' })).toBeVisible();
      await page.getByRole('tab', { name: 'Cheap 2' }).click();
      await views.click();
      await page.getByRole('menuitem', { name: 'Rename view "Cheap"…' }).click();
      await dialog.getByLabel('View name').fill('Low bids');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('tab', { name: 'Low bids 2' })).toBeVisible();
    },
  );

  await step('views go to a file, and come back after a look', async () => {
    const views = page.getByRole('button', { name: 'More views' });
    await views.click();
    await page.getByRole('menuitem', { name: 'Export all views…' }).click();
    const file = await app.saved();
    const takeIn = page.getByRole('dialog', { name: 'Import views' });
    const look = async (): Promise<void> => {
      await views.click();
      await page.getByRole('menuitem', { name: 'Import views…' }).click();
      await takeIn.getByLabel('Choose a file…').setInputFiles([file]);
    };
    await look();
    await expect(takeIn.getByRole('listitem').filter({ hasText: 'Low bids' })).toContainText('already in your views');
    await page.keyboard.press('Escape');
    await views.click();
    await page.getByRole('menuitem', { name: 'Delete view "Low bids"…' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await expect(page.getByRole('tab', { name: /^Low bids/ })).toHaveCount(0);
    await expect(page.getByRole('tab', { name: /^All/ })).toHaveAttribute('aria-selected', 'true');
    await look();
    await expect(takeIn.getByRole('listitem').filter({ hasText: 'Low bids' })).toContainText('new');
    expect(await faults('[role="dialog"]')).toEqual([]);
    await takeIn.getByRole('button', { name: 'Import 1 view' }).click();
    await expect(takeIn).toBeHidden();
    await views.click();
    await expect(page.getByRole('menuitem', { name: /^Low bids/ })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await step('the open view has a tab, also when more are saved than there is room for', async () => {
    const view = { kind: 'keyword' as const, campaignId: null, filter: '', only: 'all' as const, sort: [] };
    const layout = { 'shown.keyword.matchType': false };
    for (let i = 1; i <= 8; i += 1)
      await app.client().views.save({ workspaceId: app.workspaceId, name: `View ${i}`, view, layout });
    await page.getByRole('button', { name: 'More views' }).click();
    await page.getByRole('menuitem', { name: /^View 8/ }).click();
    await expect(page.getByRole('tab', { name: /^View 8/ })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('tab', { name: /^All/ }).click();
    await expect(page.getByRole('tab', { name: /^View 8/ })).toHaveCount(0);
  });

  await step('label a row, find it by its label, and comment on it', async () => {
    await (await app.cell('pan', 'Keyword')).click();
    await app.details.getByLabel('New label').fill('season');
    await page.keyboard.press('Enter');
    await expect(app.details.getByRole('button', { name: 'Remove label season' })).toBeVisible();
    await app.details.getByLabel('New comment').fill('Ask Kim about this bid');
    await page.keyboard.press('Enter');
    await expect(app.details.getByText('Ask Kim about this bid')).toBeVisible();
    await app.details.getByRole('button', { name: 'Resolve' }).click();
    await expect(app.details.getByText(/resolved/)).toBeVisible();
    expect(await faults('aside')).toEqual([]);
    await app.filter('label:season');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await app.filter('comment:open');
    await expect(app.grid).toBeHidden();
    await app.filter('comment:resolved');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await (await app.cell('pan', 'Keyword')).click();
    const shown = app.details.getByRole('group', { name: 'Show comments' });
    await shown.getByRole('button', { name: 'Open 0' }).click();
    await expect(app.details.getByText('Ask Kim about this bid')).toBeHidden();
    await shown.getByRole('button', { name: 'Resolved 1' }).click();
    await expect(app.details.getByText('Ask Kim about this bid')).toBeVisible();
  });

  await step('a comment that is not added yet is still there after another row', async () => {
    await app.filter('');
    await (await app.cell('pan', 'Keyword')).click();
    await app.details.getByLabel('New comment').fill('Half a sent');
    await (await app.cell('pot', 'Keyword')).click();
    await expect(app.details.getByLabel('New comment')).toHaveValue('');
    await (await app.cell('pan', 'Keyword')).click();
    await expect(app.details.getByLabel('New comment')).toHaveValue('Half a sent');
    await app.details.getByLabel('New comment').fill('');
  });

  await step('several rows get a label at once, and lose it at once', async () => {
    await app.filter('');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '5');
    await (await app.cell('pan', 'Keyword')).click();
    await app.grid.focus();
    await page.keyboard.press('Control+a');
    const labels = app.details.getByRole('region', { name: 'Labels' });
    await expect(labels.getByText(/^1 of \d+$/)).toBeVisible();
    await labels.getByLabel('New label').fill('autumn');
    await page.keyboard.press('Enter');
    await expect(labels.getByRole('button', { name: 'Remove label autumn' })).toBeVisible();
    await expect(labels.getByText(/ of /)).toHaveCount(1);
    await labels.getByRole('button', { name: 'Remove label autumn' }).click();
    await expect(labels.getByRole('button', { name: 'Remove label autumn' })).toHaveCount(0);
  });

  await step('comment on a cell by key and by menu; cell, row and field show it until it is resolved', async () => {
    await app.filter('');
    const bid = await app.cell('pan', 'Bid');
    await bid.click();
    await page.keyboard.press('Shift+F2');
    const about = app.details.getByRole('combobox', { name: 'Applies to' });
    await expect(about).toHaveValue('bid');
    const options = (group: string) => about.locator(`optgroup[label="${group}"] > option`).allTextContents();
    expect(about.locator('option').allTextContents()[0]).toBe('Entire row');
    expect(options('Editable fields')).toEqual(['Keyword', 'Match type', 'Bid', 'Run']);
    expect(options('Read-only fields'), 'metrics are no fields').toEqual(['Review', 'Review reason']);
    await expect(app.details.getByLabel('New comment')).toBeFocused();
    await page.keyboard.type('Too dear?');
    await page.keyboard.press('Enter');
    const onBid = app.details.getByRole('list', { name: 'Comments: Bid' });
    await expect(onBid).toContainText('Too dear?');
    await expect(bid).toContainText('1 open comment');
    await page.keyboard.press('Escape');
    await expect(app.grid).toBeFocused();

    const keyword = await app.cell('pan', 'Keyword');
    await keyword.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Edit labels…' }).click();
    await expect(app.details.getByLabel('New label')).toBeFocused();
    await keyword.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Comment on cell…' }).click();
    await expect(about).toHaveValue('text');
    await page.keyboard.type('In plural as well?');
    await page.keyboard.press('Enter');
    await expect(keyword).toContainText('1 open comment');
    await expect(app.grid.getByRole('rowheader').filter({ hasText: '2 open comments' })).toHaveCount(1);
    expect(await faults('aside')).toEqual([]);
    expect(await faults('[role="treegrid"]')).toEqual([]);

    const shownAbout = app.details.getByRole('group', { name: 'Comments about' });
    await shownAbout.getByRole('button', { name: 'Keyword 1' }).click();
    await expect(onBid).toBeHidden();
    await shownAbout.getByRole('button', { name: 'Bid 1' }).click();
    await expect(onBid).toContainText('Too dear?');
    await shownAbout.getByRole('button', { name: 'Everything' }).click();
    await app.filter('comment.bid:open');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
    await app.filter('comment.matchType:open');
    await expect(app.grid).toBeHidden();
    await app.filter('');

    await (await app.cell('pan', 'Bid')).click();
    // Its column is hidden in this view, so the details have its field.
    await app.details.getByRole('button', { name: 'Comment on Match', exact: true }).click();
    await expect(about).toHaveValue('matchType');
    await page.keyboard.type('Too narrow?');
    await page.keyboard.press('Enter');
    await expect(app.details.getByRole('button', { name: 'Comment on Match: 1 open comment' })).toBeVisible();
    await onBid.getByRole('button', { name: 'Resolve', exact: true }).click();
    await expect(bid).not.toContainText('open comment');
    await expect(app.grid.getByRole('rowheader').filter({ hasText: '2 open comments' })).toHaveCount(1);
  });

  await step('rename the account', async () => {
    await page.getByRole('button', { name: /Switch account/ }).click();
    await page.getByRole('menuitem', { name: 'Rename account…' }).click();
    await page.getByRole('dialog', { name: 'Rename account' }).getByLabel('Account name').fill('Rehearsal');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /Switch account.*Rehearsal/ })).toBeVisible();
  });
});

test('more rows than were ever on screen are selected and copied whole; what would be markup is shown as it is', async () => {
  const app = await openApp();
  await step('texts that would be markup', async () => {
    const hostile = '<img src=x onerror="window.ran=1">';
    await app.newManual(hostile, `${hostile}\texact\t1.00`);
    await app.openList('Keywords');
    await expect(await app.cell(hostile, 'Keyword')).toHaveText(hostile);
    await expect(app.grid.getByRole('row').nth(1), 'the head of its campaign').toContainText(hostile);
    expect(document.querySelector('img[onerror]')).toBeNull();
  });

  const keywords = Array.from({ length: 1020 }, (_, i) => `pot ${i}`);
  await app.newManual('Pots', keywords.join('\n'));
  await app.openKeywords();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '1021');
  await app.grid.focus();
  await page.keyboard.press('Control+a');
  await expect(app.details.getByRole('heading', { name: '1,020 rows selected' })).toBeVisible();
  await step('the active cell stays, and is named wherever the grid is scrolled to', async () => {
    await expect(app.grid).toHaveAttribute('aria-activedescendant', 'grid-active-cell');
    await expect(app.activeCell()).toHaveText('pot 0');
    await expect(app.activeCell()).toHaveAttribute('aria-selected', 'true');
    const grid = app.grid.all()[0];
    if (grid === undefined) throw new Error('There is no grid.');
    grid.scrollTop = 14_000;
    grid.dispatchEvent(new Event('scroll'));
    await expect(app.grid.getByText('pot 500', { exact: true })).toBeVisible();
    await expect(app.activeCell()).toHaveText('pot 0');
    await page.keyboard.press('ArrowDown');
    await expect(app.activeCell()).toHaveText('pot 1');
    await page.keyboard.press('Control+a');
  });
  const strip = page.getByRole('contentinfo', { name: 'Account status' });
  await expect(strip.getByText('1,020 rows selected')).toBeVisible();
  await expect(app.details.getByRole('button', { name: 'Adjust bids and budgets…' })).toBeVisible();
  await page.keyboard.press('Control+c');
  await expect.poll(async () => (await app.clipboard.readText()).split('\n').length).toBe(1020);
  const table = (await app.clipboard.readText()).split('\n').map((line) => line.split('\t'));
  expect(new Set(table.map((cells) => cells[0]))).toEqual(new Set(keywords));
  expect(new Set(table.map((cells) => cells[1]))).toEqual(new Set(['broad']));
});

test('a filter keeps the active row in view, and without that row the list starts at its top', async () => {
  const app = await openApp();
  await app.newManual('Pots', Array.from({ length: 420 }, (_, i) => `pot ${i}`).join('\n'));
  await app.openKeywords();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '421');
  const top = (): number => app.grid.all()[0]?.scrollTop ?? -1;
  await app.grid.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Home');
  await expect(app.activeCell()).toHaveText('pot 419');

  await step('the row is active and in view among fewer rows', async () => {
    await app.filter('pot 41');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '15');
    await expect(app.activeCell()).toHaveText('pot 419');
    await expect.poll(top).toBe(0);
  });
  await step('the first row is active where the row is not listed', async () => {
    await app.filter('pot 3');
    await expect(app.activeCell()).toHaveText('pot 3');
    await app.filter('pot 333');
    await expect(app.activeCell()).toHaveText('pot 333');
  });
  await step('the row stays active, and is scrolled to, among all rows', async () => {
    await app.filter('');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '421');
    await expect(app.activeCell()).toHaveText('pot 333');
    await expect.poll(top).toBeGreaterThan(333 * 28 - 560);
    await app.filter('kettle');
    await expect(page.getByText('No rows match the filter')).toBeVisible();
    await app.filter('');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '421');
    await expect.poll(top).toBe(0);
    await expect(app.activeCell()).toHaveText('pot 0');
  });
});
