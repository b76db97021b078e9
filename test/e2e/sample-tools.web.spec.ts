import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

test('two sides and two moments are compared, cells are colored by what edits cost, and bids are tried', {
  tag: ['@grid', '@editing', '@issues', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const list = page.getByRole('list', { name: 'Differences' });
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();

  await test.step('the account differs from the service in its changes, and a value is copied over', async () => {
    await page.keyboard.press('Alt+w');
    const bid = list.getByRole('checkbox', { name: /^Select Bid, keyword/ });
    await expect(bid).toHaveCount(3);
    expect(await faults(page)).toEqual([]);
    await bid.first().check();
    await page.getByRole('button', { name: 'Use 1 selected value' }).click();
    await expect(bid).toHaveCount(2);
  });

  await test.step('two campaigns stand side by side', async () => {
    const left = page.getByRole('region', { name: 'Left side' });
    const right = page.getByRole('region', { name: 'Right side' });
    await right.getByRole('combobox', { name: 'Right side' }).click();
    await page.getByRole('option', { name: 'As it is now' }).click();
    await left.getByRole('combobox', { name: 'Campaign' }).click();
    await page.getByRole('option', { name: 'Garden hose video' }).click();
    await right.getByRole('combobox', { name: 'Campaign' }).click();
    await page.getByRole('option', { name: 'Kitchen roll video' }).click();
    await expect(list.getByText('Garden hose video', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: /^Only right/ }).click();
    await expect(list.getByText('only right').first()).toBeVisible();
  });

  await test.step('one key colors each cell by what an edit costs now, and a hint has the words of the service', async () => {
    await desk.navigation.getByRole('button', { name: 'SBA profiles' }).click();
    await expect(desk.grid).toBeVisible();
    await page.keyboard.press('F4');
    const legend = page.getByRole('list', { name: 'Impact of edits' });
    await expect(legend.getByText('Pause first, then review')).toBeVisible();
    // A banner of a live campaign, and one of a draft.
    const words = 'The service responds: You cannot update the enabled one';
    await expect(desk.grid.getByTitle(words).first()).toBeVisible();
    await expect(desk.grid.getByTitle('Sent when the row is created').first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await desk.openList('Keywords');
    await expect(desk.grid.getByTitle('Takes effect immediately').first()).toBeVisible();
    await page.keyboard.press('F4');
    await expect(legend).toHaveCount(0);
  });

  await test.step('the details of a keyword show its bid by placement, and sliders write multipliers as drafts', async () => {
    await desk.openList('Keywords');
    await (await desk.cell('insulated water bottle', 'Bid')).click();
    await page.keyboard.press('Alt+i');
    const bids = page.getByRole('region', { name: 'Effective bid' });
    await expect(bids.getByRole('row').nth(1)).toContainText('$');
    await bids.getByRole('slider', { name: 'Multiplier for App' }).focus();
    for (let i = 0; i < 7; i += 1) await page.keyboard.press('ArrowRight');
    await expect(bids.locator('ins').first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await expect(bids.getByText(/cuts to whole cents/)).toBeVisible();
    await bids.getByRole('button', { name: 'Save 1 multiplier as draft' }).click();
    await expect(bids.locator('ins')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Undo: Try multipliers' })).toBeVisible();
  });

  await test.step('the slider shows an earlier moment read-only, and restores a value and then everything', async () => {
    for (const keyword of ['garden hose', 'hose nozzle']) {
      await (await desk.cell(keyword, 'Bid')).click();
      await page.keyboard.type('9.99');
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Alt+Shift+w');
    // Before the last edit. Until the history has both edits, the slider stands one step further back.
    await expect(list.getByText('$9.99')).toHaveCount(1);
    await page.getByRole('slider', { name: 'Moment' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(list.getByText('$9.99')).toHaveCount(2);
    expect(await faults(page)).toEqual([]);
    await list.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Use 1 selected value' }).click();
    await expect(list.getByText('$9.99')).toHaveCount(1);
    await page.getByRole('button', { name: 'Rows at that moment' }).click();
    await page.getByRole('button', { name: 'Keywords' }).last().click();
    const rows = page.getByRole('list', { name: 'Rows at that moment' });
    await expect(rows.getByText('garden hose, exact').first()).toBeVisible();
    await expect(page.getByText('Run', { exact: true })).toBeVisible();
    await expect(rows.getByText('$9.99')).toHaveCount(0);
    await page.getByRole('button', { name: 'Restore all' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('button', { name: 'Changed since then' }).click();
    await expect(page.getByText('No differences')).toBeVisible();
  });
});
