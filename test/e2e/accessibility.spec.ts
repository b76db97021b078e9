import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const DIALOGS: readonly (readonly [string, string])[] = [
  ['Control+k', 'Commands'],
  ['Control+Enter', 'Sync'],
  ['Alt+Shift+B', 'New campaign'],
  ['Alt+m', 'Add files'],
  ['Control+o', 'Import a sheet'],
  ['Alt+p', 'Practice clock'],
  ['F1', 'Keyboard shortcuts'],
];

const LOOKS = [
  { colorScheme: 'light', contrast: 'no-preference' },
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'more' },
] as const;

for (const look of LOOKS) {
  test(`no screen and no dialog has a serious fault, ${look.colorScheme}, contrast ${look.contrast}`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    await page.emulateMedia(look);
    const desk = deskPage(page);
    await desk.ready();
    await page.keyboard.press('Alt+Shift+B');
    await page.getByLabel('Campaign name').fill('Towels');
    await page.getByLabel('Keywords, one per line').fill('towel');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Towels/ })).toBeVisible();
    expect(await faults(page), 'SBA profile').toEqual([]);
    for (const list of ['Campaigns', 'Keywords', 'Media']) {
      await desk.openList(list);
      expect(await faults(page), list).toEqual([]);
    }
    for (const tab of ['Findings', 'Changes', 'Sync', 'History']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      expect(await faults(page, '[role="tabpanel"]'), tab).toEqual([]);
    }
    for (const [keys, name] of DIALOGS) {
      await page.keyboard.press(keys);
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      expect(await faults(page, '[role="dialog"]'), name).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name })).toBeHidden();
    }
  });
}
