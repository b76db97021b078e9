import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test(
  'a view is saved with its filter, order and columns, and rows carry labels and comments',
  {
    tag: ['@editing', '@grid'],
  },
  async ({ page }, info) => {
    const desk = deskPage(page);
    await desk.ready();
    await page.keyboard.press('Alt+Shift+M');
    await page.getByLabel('Campaign name').fill('Pots');
    await page.getByLabel('Keywords, one per line').fill('pot\texact\t2.00\npan\texact\t0.90\nlid\tbroad\t1.00');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Pots/ })).toBeVisible();
    await desk.openList('Keywords');
    const title = (name: string) => desk.grid.getByRole('columnheader', { name, exact: true });

    await test.step('save a view and come back to it', async () => {
      await page.getByRole('textbox', { name: 'Filter rows' }).fill('bid<1.50');
      await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
      await title('Bid').click();
      await title('Match type').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Hide this column' }).click();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByLabel('Name of the view').fill('Low bids');
      expect(await faults(page, '[role="dialog"]')).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(page.getByText('The view Low bids is saved.')).toBeVisible();
      await desk.openList('Campaigns');
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: /^Low bids/ }).click();
      await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
      await expect(title('Bid')).toHaveAttribute('aria-sort', 'ascending');
      await expect(title('Match type')).toHaveCount(0);
    });

    await test.step('views go to a file, and come back after a look', async () => {
      const views = page.getByRole('button', { name: 'Views' });
      await views.click();
      const saved = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Save all views as a file' }).click();
      const file = info.outputPath('adslate-views.json');
      await (await saved).saveAs(file);
      const takeIn = page.getByRole('dialog', { name: 'Take in views' });
      const look = async (): Promise<void> => {
        await views.click();
        await page.getByRole('menuitem', { name: 'Take in views from a file…' }).click();
        await takeIn.getByLabel('Choose a file…').setInputFiles(file);
      };
      await look();
      await expect(takeIn.getByRole('listitem').filter({ hasText: 'Low bids' })).toContainText('is here already');
      await page.keyboard.press('Escape');
      await views.click();
      await page.getByRole('menuitem', { name: 'Delete the view Low bids' }).click();
      await look();
      await expect(takeIn.getByRole('listitem').filter({ hasText: 'Low bids' })).toContainText('new');
      expect(await faults(page, '[role="dialog"]')).toEqual([]);
      await takeIn.getByRole('button', { name: 'Take in 1 view' }).click();
      await expect(takeIn).toBeHidden();
      await views.click();
      await expect(page.getByRole('menuitem', { name: /^Low bids/ })).toBeVisible();
      await page.keyboard.press('Escape');
    });

    await test.step('label a row, find it by its label, and comment on it', async () => {
      await (await desk.cell('pan', 'Keyword')).click();
      await desk.inspector.getByLabel('New label').fill('season');
      await page.keyboard.press('Enter');
      await expect(desk.inspector.getByRole('button', { name: 'Take off season' })).toBeVisible();
      await desk.inspector.getByLabel('New comment').fill('Ask Kim about this bid');
      await page.keyboard.press('Enter');
      await expect(desk.inspector.getByText('Ask Kim about this bid')).toBeVisible();
      await desk.inspector.getByRole('button', { name: 'Resolve' }).click();
      await expect(desk.inspector.getByText(/resolved/)).toBeVisible();
      expect(await faults(page, 'aside')).toEqual([]);
      await page.getByRole('textbox', { name: 'Filter rows' }).fill('label:season');
      await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
      await page.getByRole('textbox', { name: 'Filter rows' }).fill('comment:open');
      await expect(desk.grid).toBeHidden();
      await page.getByRole('textbox', { name: 'Filter rows' }).fill('comment:resolved');
      await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
      await (await desk.cell('pan', 'Keyword')).click();
      const shown = desk.inspector.getByRole('group', { name: 'Comments shown' });
      await shown.getByRole('button', { name: 'Open 0' }).click();
      await expect(desk.inspector.getByText('Ask Kim about this bid')).toBeHidden();
      await shown.getByRole('button', { name: 'Resolved 1' }).click();
      await expect(desk.inspector.getByText('Ask Kim about this bid')).toBeVisible();
    });

    await test.step('comment on a cell by key and by menu; cell, row and field show it until it is resolved', async () => {
      await page.getByRole('textbox', { name: 'Filter rows' }).fill('');
      const bid = await desk.cell('pan', 'Bid');
      await bid.click();
      await page.keyboard.press('Shift+F2');
      const about = desk.inspector.getByRole('combobox', { name: 'About' });
      await expect(about).toHaveValue('bid');
      await expect(desk.inspector.getByLabel('New comment')).toBeFocused();
      await page.keyboard.type('Too dear?');
      await page.keyboard.press('Enter');
      const onBid = desk.inspector.getByRole('list', { name: 'Comments: Bid' });
      await expect(onBid).toContainText('Too dear?');
      await expect(bid).toContainText('1 open comment');
      await page.keyboard.press('Escape');
      await expect(desk.grid).toBeFocused();

      const keyword = await desk.cell('pan', 'Keyword');
      await keyword.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Comment on the cell…' }).click();
      await expect(about).toHaveValue('text');
      await page.keyboard.type('In plural as well?');
      await page.keyboard.press('Enter');
      await expect(keyword).toContainText('1 open comment');
      await expect(desk.grid.getByRole('rowheader').filter({ hasText: '2 open comments' })).toHaveCount(1);
      expect(await faults(page, 'aside')).toEqual([]);
      expect(await faults(page, '[role="grid"]')).toEqual([]);

      const shownAbout = desk.inspector.getByRole('group', { name: 'Comments about' });
      await shownAbout.getByRole('button', { name: 'Keyword 1' }).click();
      await expect(onBid).toBeHidden();
      await shownAbout.getByRole('button', { name: 'Bid 1' }).click();
      await expect(onBid).toContainText('Too dear?');
      await shownAbout.getByRole('button', { name: 'Everything' }).click();
      const filter = page.getByRole('textbox', { name: 'Filter rows' });
      await filter.fill('comment.bid:open');
      await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
      await filter.fill('comment.matchType:open');
      await expect(desk.grid).toBeHidden();
      await filter.fill('');

      await (await desk.cell('pan', 'Bid')).click();
      await desk.inspector.getByRole('button', { name: 'Comment on Bid: 1 open comment' }).click();
      await expect(about).toHaveValue('bid');
      await onBid.getByRole('button', { name: 'Resolve', exact: true }).click();
      await expect(bid).not.toContainText('open comment');
      await expect(desk.grid.getByRole('rowheader').filter({ hasText: '1 open comment' })).toHaveCount(1);
    });

    await test.step('rename the account', async () => {
      await page.getByRole('button', { name: /Switch account/ }).click();
      await page.getByRole('menuitem', { name: 'Rename this account…' }).click();
      await page.getByRole('dialog', { name: 'Rename account' }).getByLabel('Name of the account').fill('Rehearsal');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: /Switch account.*Rehearsal/ })).toBeVisible();
    });
  },
);
