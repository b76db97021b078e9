import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('a backup is made, shows what it would change, and is put back', { tag: ['@accounts', '@long'] }, async ({
  page,
}) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const dialog = page.getByRole('region', { name: 'Backups' });
  await desk.ready();
  await desk.newManual('Kept');

  await test.step('made now, by keys alone', async () => {
    await hands.command('backups');
    await expect(dialog).toContainText('No backups yet');
    await hands.push(dialog.getByRole('button', { name: 'Back up now' }));
    await expect(dialog.getByRole('row').filter({ hasText: 'Manual' })).toContainText('Yes');
  });

  await test.step('right away it would change nothing, and cannot be put back', async () => {
    await dialog.getByRole('button', { name: /^Preview restore/ }).click();
    await expect(dialog).toContainText('would change nothing');
    await expect(dialog.getByRole('button', { name: 'Restore backup' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: 'Back up now' })).toBeVisible();
  });

  await test.step('after more work it says what goes, and the safe answer has the focus', async () => {
    await desk.newManual('Passing');
    await hands.command('backups');
    await dialog.getByRole('button', { name: /^Preview restore/ }).click();
    await expect(dialog.getByRole('row').filter({ hasText: 'Campaigns' }).getByRole('cell')).toHaveText([
      '0',
      '1',
      '0',
    ]);
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Passing' }).first()).toContainText('removed');
    await expect(dialog.getByRole('button', { name: 'Back to list' })).toBeFocused();
  });

  await test.step('one campaign alone goes back to what it was, and Ctrl+Z takes that back', async () => {
    await dialog.getByRole('button', { name: 'Restore Passing from this backup' }).click();
    await expect(page.getByText(/removed\. Press Ctrl\+Z to undo\.$/)).toBeVisible();
    await expect(dialog).toContainText('would change nothing');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await hands.command('backups');
    await dialog.getByRole('button', { name: /^Preview restore/ }).click();
    await expect(dialog.getByRole('button', { name: 'Restore Passing from this backup' })).toBeVisible();
  });

  await test.step('put back, the desk shows what was there then, and what was there now is a backup', async () => {
    await dialog.getByRole('button', { name: 'Restore backup' }).click();
    await expect(dialog.getByRole('button', { name: 'Back up now' })).toBeVisible();
    await page.keyboard.press('Alt+3');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
    await expect(desk.grid.getByRole('row').filter({ hasText: 'Kept' })).toBeVisible();
    await hands.command('backups');
    await expect(dialog.getByRole('row').filter({ hasText: 'Before a restore' })).toBeVisible();
    await expect(dialog).toContainText('Backup restored. The next sync asks about everything');
  });
});
