import { deskPage, sendButton, syncPage, syncResult } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('with the keyboard alone: a manual campaign is drafted, mended, sent and found again', {
  tag: ['@everyone', '@editing'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const { keyboard } = page;
  await desk.ready();

  await test.step('draft a campaign from the palette', async () => {
    await hands.command('new manual');
    await expect(page.getByLabel('Campaign name')).toBeFocused();
    await expect(page.getByLabel('Campaign name'), 'the ring of every control').toHaveCSS('outline-style', 'solid');
    await keyboard.type('Kettles by hand');
    for (const text of ['1500', '12.50']) {
      await keyboard.press('Tab');
      await keyboard.type(text);
    }
    await hands.reach(page.getByLabel('Start date', { exact: true }));
    await keyboard.type('2030-03-04');
    await hands.reach(page.getByLabel('Search items'));
    await keyboard.type('3952872549 2.40');
    await keyboard.press('Enter');
    await hands.reach(page.getByLabel('Keywords, one per line'));
    await keyboard.type('kettle\nwhite kettle\nkettle 2 l');
    await hands.push(page.getByRole('button', { name: 'Create draft' }));
    await expect(page.getByRole('heading', { level: 1, name: /Kettles by hand/ })).toBeVisible();
  });

  await test.step('edit keywords in the grid: type, fill down, undo, redo', async () => {
    await hands.command('show all');
    await hands.reach(page.getByRole('tab', { name: /^Items/ }));
    await keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: /^Keywords/ })).toBeFocused();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
    await hands.reach(desk.grid);
    await keyboard.press('Control+Home');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await keyboard.type('2.75');
    await keyboard.press('Enter');
    await expect(desk.activeCell()).toHaveText('$1.50');
    await keyboard.press('ArrowUp');
    await expect(desk.activeCell()).toHaveText('$2.75');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Control+d');
    await expect(desk.activeCell()).toHaveText('$2.75');
    await keyboard.press('Control+z');
    await expect(desk.activeCell()).toHaveText('$1.50');
    await keyboard.press('Control+y');
    await expect(desk.activeCell()).toHaveText('$2.75');
  });

  await test.step('go from pane to pane and back to where each was left', async () => {
    await hands.reach(desk.grid);
    const commands = page.getByRole('region', { name: 'Main toolbar' });
    const status = page.getByRole('contentinfo', { name: 'Account status' });
    for (const pane of [desk.drawer, desk.inspector, status, desk.navigation, commands]) {
      await keyboard.press('F6');
      await expect(pane.locator(':focus')).toHaveCount(1);
    }
    await keyboard.press('F6');
    await expect(desk.grid).toBeFocused();
    await keyboard.press('Control+f');
    await keyboard.press('F6');
    await expect(desk.drawer.locator(':focus')).toHaveCount(1);
    await keyboard.press('Shift+F6');
    await expect(page.getByRole('textbox', { name: 'Filter rows' })).toBeFocused();
  });

  await test.step('send it and hear the outcome', async () => {
    await keyboard.press('Control+Enter');
    await hands.push(sendButton(page));
    await expect(syncResult(page)).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'on the service' })).toBeAttached();
    await keyboard.press('Escape');
    await expect(syncPage(page)).toBeHidden();
  });

  await test.step('type into the palette before its code has come', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/Palette-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await expect(
      page
        .getByRole('navigation')
        .or(page.getByRole('heading', { level: 1 }))
        .first(),
    ).toBeVisible();
    await keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')).toBeFocused();
    await keyboard.type('new manual');
    await keyboard.press('Enter');
    release();
    await expect(page.getByLabel('Campaign name')).toBeFocused();
    await hands.command('all campaigns');
  });

  await test.step('go from list to list: the keys go along', async () => {
    await hands.reach(desk.grid);
    for (const [name, grid] of [
      ['keywords', 'Keywords grid'],
      ['ad items', 'Ad items grid'],
    ] as const) {
      await hands.command(name);
      await expect(desk.grid.and(page.getByLabel(grid))).toBeFocused();
    }
    await keyboard.press('Alt+3');
    await expect(desk.grid.and(page.getByLabel('Campaigns grid'))).toBeFocused();
  });

  await test.step('leave the grid with Tab: nobody is trapped in it', async () => {
    await hands.reach(desk.grid);
    await keyboard.press('Control+Home');
    await keyboard.press('Shift+Tab');
    await expect(desk.grid).not.toBeFocused();
  });
});
