import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('cells are copied and pasted as a spreadsheet does, and a value that does not fit is said so', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'pot\npan\nlid\nsieve');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '5');

  await (await desk.cell('pot', 'Bid')).dblclick();
  const editor = page.getByRole('textbox', { name: 'New value for Bid' });
  await editor.fill('a lot');
  await expect(desk.grid.getByRole('alert')).toContainText('is not a number');
  await editor.fill('2.10');
  await editor.press('Enter');
  await expect(await desk.cell('pot', 'Bid')).toHaveText('$2.10');

  await (await desk.cell('pot', 'Bid')).click();
  await page.keyboard.press('Control+c');
  await (await desk.cell('pan', 'Bid')).click();
  await (await desk.cell('sieve', 'Bid')).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+v');
  for (const keyword of ['pan', 'lid', 'sieve']) await expect(await desk.cell(keyword, 'Bid')).toHaveText('$2.10');

  await page.keyboard.press('Control+z');
  await expect(await desk.cell('lid', 'Bid')).toHaveText('$1.50');
});

test.describe('the grid of the sample account', () => {
  test.use({ sample: true, viewport: { width: 1280, height: 800 } });

  test('rows and columns fill a window of 1280 x 800 in each density, and groups fold by key', {
    tag: '@grid',
  }, async ({ page }) => {
    const desk = deskPage(page);
    await desk.ready();
    await expect(desk.grid).toBeVisible();

    /** Titles of the columns inside the grid, and how far the last one ends from the edge of the grid. */
    const fits = () =>
      desk.grid.evaluate((grid) => {
        const edge = grid.getBoundingClientRect().left + grid.clientWidth;
        const titles = [...grid.querySelectorAll('[role="columnheader"] [data-title]')];
        const ends = titles.map((title) => title.parentElement?.getBoundingClientRect().right ?? 0);
        const cut = titles.filter((title) => title.scrollWidth > title.clientWidth).map((title) => title.textContent);
        return { gap: Math.round(edge - Math.max(...ends)), cut };
      });
    for (const tab of [/^Campaigns/, /^Items/, /^Keywords/]) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(desk.grid.getByRole('columnheader', { name: 'ROAS' })).toBeVisible();
      expect(await fits()).toEqual({ gap: 0, cut: [] });
    }

    const groups = desk.grid.locator('[aria-expanded]');
    await expect(desk.grid).toHaveAttribute('role', 'treegrid');
    const lines = Number(await desk.grid.getAttribute('aria-rowcount'));
    const first = groups.first();
    await expect(first).toContainText('Garden hose video');
    await first.getByText('Garden hose video').click();
    await page.keyboard.press('ArrowLeft');
    await expect(first).toHaveAttribute('aria-expanded', 'false');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', String(lines - 5));
    await page.keyboard.press('ArrowRight');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', String(lines));
    await expect(page.getByRole('region', { name: 'Totals of 5 selected rows' })).toBeVisible();

    await page.keyboard.press('Control+g');
    await expect(page.getByRole('menuitemradio', { name: 'Campaign' })).toBeChecked();
    await page.keyboard.press('Escape');
    await desk.grid.focus();
    await page.keyboard.press('Control+Shift+F');
    await expect(page.getByRole('dialog', { name: 'Filter' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(desk.grid).toBeFocused();

    for (const [name, rows] of [
      ['Compact', 28],
      ['Regular', 22],
      ['Roomy', 17],
    ] as const) {
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await page.getByText(name, { exact: true }).click();
      await page.keyboard.press('Escape');
      const full = () =>
        desk.grid.evaluate((grid) => {
          const row = grid.querySelector('[role="row"][aria-rowindex="2"]')?.getBoundingClientRect().height ?? 1;
          const head = grid.querySelector('[role="columnheader"]')?.getBoundingClientRect().height ?? 0;
          return Math.floor((grid.clientHeight - head) / row);
        });
      await expect.poll(full).toBeGreaterThanOrEqual(rows);
    }
  });
});
