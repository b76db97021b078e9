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

  await step('a campaign says what is in it, and leads there', async () => {
    await app.openList('Campaigns');
    await (await app.cell('Pots', 'Campaign')).click();
    await app.details.getByRole('button', { name: /^Keywords ?2/ }).click();
    await expect(await app.cell('red pot', 'Keyword')).toBeVisible();
  });
});
