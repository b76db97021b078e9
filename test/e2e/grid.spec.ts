import type { Page } from '@playwright/test';
import { type DeskPage, deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const titles = (desk: DeskPage): Promise<readonly string[]> =>
  desk.grid.getByRole('columnheader').locator('[data-title]').allTextContents();
const firstTitles = async (desk: DeskPage): Promise<readonly string[]> => (await titles(desk)).slice(0, 3);

/** Keys that a keyboard keeps for itself while it puts a text together: of an input method, or of an accent. */
type Own = 'Process' | 'Dead';

/** What such a keyboard does: a text that grows with each key, Enter which is its own as well, and the text at the end. */
async function compose(page: Page, key: Own, grows: readonly string[], end: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const press = async (name: string, windowsVirtualKeyCode: number): Promise<void> => {
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: name, windowsVirtualKeyCode });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: name, windowsVirtualKeyCode });
  };
  for (const text of grows) {
    await press(key, 229);
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await press('Enter', 13);
  await session.send('Input.insertText', { text: end });
  await session.detach();
}

test('cells are copied, pasted, filled and typed into as in a spreadsheet; columns are moved and resized by drag', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'pot\npan\nlid\nsieve\nbowl\ntray');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');

  await test.step('cells are copied and pasted, and a value that does not fit is said so', async () => {
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

  await test.step('the fill handle repeats the selection as far as it is dragged; columns are moved and resized by drag', async () => {
    for (const [keyword, bid] of [
      ['pot', '2.00'],
      ['pan', '3.00'],
    ] as const) {
      await (await desk.cell(keyword, 'Bid')).dblclick();
      await page.getByRole('textbox', { name: 'New value for Bid' }).fill(bid);
      await page.keyboard.press('Enter');
    }
    await (await desk.cell('pot', 'Bid')).click();
    await (await desk.cell('pan', 'Bid')).click({ modifiers: ['Shift'] });
    await desk.grid.getByTitle('Drag to fill').hover();
    await page.mouse.down();
    await (await desk.cell('bowl', 'Bid')).hover();
    await page.mouse.up();
    await expect(await desk.cell('lid', 'Bid')).toHaveText('$2.00');
    await expect(await desk.cell('sieve', 'Bid')).toHaveText('$3.00');
    await expect(await desk.cell('bowl', 'Bid')).toHaveText('$2.00');
    await expect(await desk.cell('tray', 'Bid')).toHaveText('$1.50');
    await expect(page.getByRole('button', { name: 'Undo: Fill down 3 cells' })).toBeVisible();

    const title = (name: string) => desk.grid.getByRole('columnheader', { name, exact: true });
    await expect.poll(() => firstTitles(desk)).toEqual(['Keyword', 'Match', 'Bid']);
    await title('Bid').hover();
    await page.mouse.down();
    await title('Match').hover();
    await title('Keyword').hover();
    await page.mouse.up();
    await expect.poll(() => firstTitles(desk)).toEqual(['Bid', 'Keyword', 'Match']);
    const widths = () =>
      desk.grid.getByRole('columnheader').evaluateAll((all) => all.map((each) => (each as HTMLElement).offsetWidth));
    const before = await widths();
    await desk.grid.getByTitle('Resize column Keyword').hover();
    await page.mouse.down();
    const { x, y } = await title('Keyword')
      .boundingBox()
      .then((box) => box ?? { x: 0, y: 0 });
    await page.mouse.move(x + (before[1] ?? 0) + 40, y + 8, { steps: 4 });
    await page.mouse.up();
    // The others had shares of the room, and keep them. What the last one loses is only its end.
    await expect.poll(async () => (await widths()).slice(0, -1)).not.toEqual(before.slice(0, -1));
    const after = await widths();
    expect(
      after
        .map((width, at) => width - (before[at] ?? 0))
        .slice(0, -1)
        .filter((more) => more !== 0),
    ).toHaveLength(1);
    // All columns fit a usual window.
    await page.setViewportSize({ width: 640, height: 800 });
    await desk.grid.focus();
    await page.keyboard.press('Control+End');
    await expect(desk.grid).not.toHaveJSProperty('scrollLeft', 0);
    await page.keyboard.press('Control+Home');
    await expect(desk.grid).toHaveJSProperty('scrollLeft', 0);
  });

  await test.step('what is typed reaches its cell: by an input method, with accents, and when the mouse goes on to another cell', async () => {
    const keyword = page.getByRole('textbox', { name: 'New value for Keyword' });
    await page.setViewportSize({ width: 1440, height: 900 });

    await (await desk.cell('pot', 'Keyword')).click();
    await compose(page, 'Process', ['に', 'にほ', 'にほん'], '日本');
    await expect(keyword).toHaveValue('日本');
    await keyword.press('Enter');
    await expect(await desk.cell('日本', 'Keyword')).toBeVisible();

    await (await desk.cell('pan', 'Keyword')).click();
    await compose(page, 'Dead', ['´'], 'é');
    await expect(keyword).toHaveValue('é');
    await keyword.press('Escape');
    await expect(await desk.cell('pan', 'Keyword')).toHaveText('pan');

    await (await desk.cell('lid', 'Bid')).dblclick();
    await page.getByRole('textbox', { name: 'New value for Bid' }).fill('2.22');
    await (await desk.cell('pan', 'Bid')).click();
    await expect(await desk.cell('lid', 'Bid')).toHaveText('$2.22');
    await expect(await desk.cell('pan', 'Bid')).toHaveAttribute('aria-selected', 'true');

    // The field that is clicked instead of Enter has the focus, and the value is written all the same.
    await (await desk.cell('pan', 'Bid')).dblclick();
    await page.getByRole('textbox', { name: 'New value for Bid' }).fill('3.33');
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect(await desk.cell('pan', 'Bid')).toHaveText('$3.33');
  });
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

    // What is wrong with a value is read to its end in the last column too.
    await page.getByRole('tab', { name: /^Campaigns/ }).click();
    await (await desk.cell('Paper towels auto', 'End')).click();
    await page.keyboard.type('12/1/2030');
    await page.keyboard.press('Enter');
    const problem = desk.grid.getByRole('alert');
    await expect(problem).toContainText('2030-12-01');
    const right = await problem.evaluate((told) => told.getBoundingClientRect().right);
    expect(right).toBeLessThanOrEqual(await desk.grid.evaluate((grid) => grid.getBoundingClientRect().right));
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: /^Keywords/ }).click();

    // An amount that does not fit its column is short instead of cut.
    const bid = await desk.cell('hose', 'Bid');
    await bid.dblclick();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('123456.78');
    await page.keyboard.press('Enter');
    await expect(bid).toHaveText('$123,456.78');
    await expect(bid).toHaveAttribute('title', /^\$123,456\.78/);
    const shown = () =>
      bid.evaluate((cell) => {
        const amount = cell.querySelector('[data-short]');
        const { top, height } = cell.getBoundingClientRect();
        const text = amount?.firstElementChild?.getBoundingClientRect();
        const isWhole = text !== undefined && text.top < top + height / 2;
        return `${isWhole} ${amount?.getAttribute('data-short')}`;
      });
    expect(await shown()).toMatch(/^false \$123\.5k$/i);
    await page.keyboard.press('Control+z');

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
