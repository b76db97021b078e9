import { test } from 'vitest';
import { faults, openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

test('the details show no field that a column shows, whatever columns are chosen', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\nblue pan');
  const further = app.details.getByRole('region', { name: 'More fields' });
  const repeated = (): readonly string[] => {
    const titles = app.grid.getByRole('columnheader').allTextContents();
    const labels = app.details.locator('label, dt').allTextContents();
    return labels.filter((label) => titles.includes(label));
  };

  await step('by default, for a row of every kind there is', async () => {
    for (const [list, row, column] of [
      ['Campaigns', 'Pots', 'Campaign'],
      ['Ad groups', 'Pots group', 'Ad group'],
      ['Keywords', 'red pot', 'Keyword'],
    ] as const) {
      await app.openList(list);
      await (await app.cell(row, column)).click();
      await expect(app.details.getByRole('heading', { name: row })).toBeVisible();
      expect(repeated()).toEqual([]);
    }
  });

  await step('a column that is hidden becomes a field, and what is entered there is written', async () => {
    await (await app.cell('red pot', 'Match')).click();
    await app.command('hide column');
    await further.getByLabel('Match', { exact: true }).selectOption('Exact');
    await expect(app.grid.getByRole('columnheader', { name: 'Match' })).toHaveCount(0);
    expect(repeated()).toEqual([]);
    expect(await faults('aside')).toEqual([]);
  });

  await step('several rows: the value they share, and where they differ that it is mixed', async () => {
    await app.grid.focus();
    await page.keyboard.press('Control+a');
    await expect(app.details.getByRole('heading', { name: '2 rows selected' })).toBeVisible();
    await expect(app.details.getByLabel('Match', { exact: true })).toContainText('mixed');
    expect(repeated()).toEqual([]);
  });

  await step(
    'an item that nothing is known of has an icon in the details of its campaign, and is named by its ID',
    async () => {
      await app.client().workspace.create({
        workspaceId: app.workspaceId,
        label: 'Create',
        rows: [
          { kind: 'campaign', parent: null, values: { name: 'Lids', campaignType: 'sponsoredProducts' } },
          { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Lids group' } },
          { kind: 'adItem', parent: { at: 1 }, values: { itemId: '4711471100', bid: 160 } },
        ],
      });
      await app.openList('Campaigns');
      await (await app.cell('Lids', 'Campaign')).click();
      const item = app.details.getByRole('region', { name: 'In this campaign' }).getByTitle('4711471100');
      await expect(item).toHaveText('4711471100');
      await expect(item.locator('svg')).toHaveCount(1);
    },
  );

  await step('a campaign says what is in it, and leads there', async () => {
    await app.openList('Campaigns');
    await (await app.cell('Pots', 'Campaign')).click();
    await app.details.getByRole('button', { name: /^Keywords ?2/ }).click();
    await expect(await app.cell('red pot', 'Keyword')).toBeVisible();
  });
});
