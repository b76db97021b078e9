import { type DeskPage, deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const titles = (desk: DeskPage): Promise<readonly string[]> =>
  desk.grid.getByRole('columnheader').locator('[data-title]').allTextContents();
const firstTitles = async (desk: DeskPage): Promise<readonly string[]> => (await titles(desk)).slice(0, 3);

test('the fill handle repeats the selection as far as it is dragged; columns are moved and resized by drag', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'pot\npan\nlid\nsieve\nbowl\ntray');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
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
