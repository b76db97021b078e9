import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('shortcuts are changed by pressing others, keep their meaning after a restart, and go back', {
  tag: '@frame',
}, async ({ page, adslate }) => {
  const desk = deskPage(page);
  const { keyboard } = page;
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const colours = page.locator('html');
  await desk.ready();

  await test.step('a command is run by its name', async () => {
    await keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('dark colours');
    await keyboard.press('Enter');
    await expect(colours).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('history');
    await keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'History', selected: true })).toBeVisible();
  });

  await test.step('keys that are typing are refused with the reason, others are taken', async () => {
    await keyboard.press('F1');
    await sheet.getByRole('button', { name: /^All commands….*Change the keys/ }).click();
    await keyboard.press('a');
    await expect(sheet.getByRole('alert')).toContainText('Hold Ctrl or Alt');
    await keyboard.press('Control+Shift+U');
    await expect(sheet.getByRole('button', { name: /^All commands….*Ctrl\+Shift\+U/ })).toBeVisible();
  });

  await test.step('keys of another command move over', async () => {
    await sheet.getByRole('button', { name: /^Undo:.*Change the keys/ }).click();
    await keyboard.press('F9');
    await expect(sheet.getByRole('button', { name: /^Undo: F9/ })).toBeVisible();
    await expect(sheet.getByRole('button', { name: /^Refresh from the service: no keys/ })).toBeVisible();
    await keyboard.press('Escape');
  });

  await test.step('they work at once and after a restart, where the command run last comes first', async () => {
    await keyboard.press('Control+k');
    await expect(palette).toBeHidden();
    await keyboard.press('Control+Shift+U');
    await expect(palette).toBeVisible();
    await keyboard.press('Escape');
    await adslate.restart();
    await desk.ready();
    await expect(colours).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await keyboard.press('Control+Shift+U');
    await expect(palette.getByRole('option').first()).toContainText('History');
    await keyboard.press('Escape');
  });

  await test.step('all as they were', async () => {
    await keyboard.press('F1');
    await sheet.getByRole('button', { name: 'Reset all' }).click();
    await expect(sheet.getByRole('button', { name: /^Undo: Ctrl\+Z/ })).toBeVisible();
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await expect(palette).toBeVisible();
  });
});
