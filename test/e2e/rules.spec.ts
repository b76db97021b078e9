import { readFile } from 'node:fs/promises';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('a rule of the user is tried while it is typed, found among the findings, switched off, saved and taken in', {
  tag: '@findings',
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const dialog = page.getByRole('dialog', { name: 'Rules of your own' });
  const findings = desk.drawer.getByRole('list', { name: 'Findings' });
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pans');
  await page.getByLabel('Bid of items and keywords, USD').fill('2');
  await page.getByLabel('Keywords, one per line').fill('iron pan\ncopper pan');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pans/ })).toBeVisible();

  await test.step('written by keys alone, with what it finds', async () => {
    await hands.command('rules of your own');
    await expect(dialog).toContainText('No rules yet');
    await hands.push(dialog.getByRole('button', { name: 'New rule' }));
    await hands.reach(dialog.getByRole('textbox', { name: /^Name/ }));
    await page.keyboard.type('Copper is dear');
    await hands.reach(dialog.getByRole('textbox', { name: /^Finds rows with/ }));
    await page.keyboard.type('bid<oops');
    await expect(dialog.getByRole('status')).toContainText('"oops" is not a number');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('copper');
    await expect(dialog.getByRole('status')).toHaveText('Finds 1 row at the moment.');
    await hands.push(dialog.getByRole('button', { name: 'Save the rule' }));
    await expect(dialog.getByRole('row').filter({ hasText: 'Copper is dear' })).toContainText('Warning');
  });

  await test.step('its row is a finding, and no longer once it is off', async () => {
    const onOff = dialog.getByRole('checkbox', { name: 'Rule Copper is dear is on' });
    await expect(findings).toContainText('Copper is dear');
    await onOff.click();
    await expect(onOff).not.toBeChecked();
    await expect(findings).not.toContainText('Copper is dear');
  });

  await test.step('as a file it comes back after it was removed', async () => {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save as a file' }).click();
    const text = await readFile(await (await saving).path(), 'utf8');
    await dialog.getByRole('button', { name: 'Remove rule Copper is dear' }).click();
    await expect(dialog).toContainText('No rules yet');
    await dialog.getByRole('button', { name: 'Take in rules…' }).click();
    const box = dialog.getByRole('textbox', { name: 'Rules as text' });
    await box.fill('not rules');
    await dialog.getByRole('button', { name: 'Take them in' }).click();
    await expect(dialog).toContainText('This is no list of rules');
    await box.fill(text);
    await dialog.getByRole('button', { name: 'Take them in' }).click();
    await expect(dialog.getByRole('row').filter({ hasText: 'Copper is dear' })).toContainText('copper');
  });

  await test.step('its rows are shown in the grid', async () => {
    await dialog.getByRole('button', { name: 'Edit rule Copper is dear' }).click();
    await dialog.getByRole('button', { name: 'Show these rows' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
  });
});
