import { faults } from './axe.ts';
import { deskPage, send } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

const DAY_MS = 86_400_000;

test('a review is asked for from its rows, cancelled and asked for again; edits say before what they cost', {
  tag: ['@launch', '@issues', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const profile = async (): Promise<void> => {
    await desk.openList('SBA profiles');
    await (await desk.cell('Soft on hands', 'Headline')).click();
  };
  const brand = async (): Promise<void> => {
    await desk.openList('Campaigns');
    await (await desk.cell('Northwind paper brand', 'Campaign')).click();
  };
  await desk.ready();
  await desk.drop(['campaigns.csv', 'media/northwind-logo.png'].map(example));
  await desk.applySheet();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');

  await test.step('without the tick a sync sends everything and asks for no review', async () => {
    await profile();
    await expect(desk.inspector.getByRole('heading', { name: /^Soft on hands/ })).toBeVisible();
    await expect(desk.inspector.getByText('Needs review')).toHaveCount(0);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('checkbox', { name: 'Submit for review' }).uncheck();
    await send(page);
    await expect(desk.inspector.getByText('Needs review').first()).toBeVisible();
  });

  await test.step('the selected campaign alone is put up for review, and what it shows is closed', async () => {
    await brand();
    await hands.command('submit for review');
    // While the palette is open, keys are its own.
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await profile();
    await expect(desk.inspector.getByText('Not allowed now').first()).toBeVisible();
  });

  await test.step('cancelled it is open again, and asked for by the menu of its row', async () => {
    await brand();
    await hands.command('cancel review');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await profile();
    await expect(desk.inspector.getByText('Needs review').first()).toBeVisible();
    await brand();
    await (await desk.cell('Northwind paper brand', 'Campaign')).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Sync, hold and review' }).hover();
    await page.getByRole('menuitem', { name: /^Submit for review/ }).click();
    await profile();
    await expect(desk.inspector.getByText('Not allowed now').first()).toBeVisible();
  });

  await test.step('a decision is fetched when it is asked for', async () => {
    await page.keyboard.press('Alt+p');
    const clock = page.getByRole('region', { name: 'Practice clock' });
    await clock.getByRole('button', { name: 'Approve' }).click();
    await expect(clock.getByRole('button', { name: 'Approve' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await hands.command('check review status');
    await page.keyboard.press('Alt+2');
    await expect(page.getByRole('option', { name: /: review approved/ })).toBeVisible();
  });

  await test.step('a first day that no review can meet is too late in words, and its draw shows what is left to wait for', async () => {
    await desk.openList('Campaigns');
    await desk.edit('Northwind garden brand', 'Start', new Date(Date.now() + DAY_MS).toISOString().slice(0, 10));
    await page.keyboard.press('Alt+8');
    const line = page
      .getByRole('list', { name: 'Upcoming and live campaigns' })
      .getByRole('listitem')
      .filter({ hasText: 'Northwind garden brand' });
    await expect(line).toContainText('Too late for its start date');
    await expect(line.getByTitle(/^In review: /)).toHaveCount(1);
    expect(await faults(page, 'main')).toEqual([]);
  });
});
