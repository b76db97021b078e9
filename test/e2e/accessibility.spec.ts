import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { faults } from './axe.ts';
import { type DeskPage, deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

const DIALOGS: readonly (readonly [string, string])[] = [
  ['Control+k', 'Commands'],
  ['Control+Enter', 'Sync'],
  ['Alt+Shift+B', 'New campaign'],
  ['Alt+m', 'Add files'],
  ['Control+o', 'Import a sheet'],
  ['Alt+p', 'Practice clock'],
  ['F1', 'Keyboard shortcuts'],
  ['Control+,', 'Account settings'],
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
    await aboutTheAccount(page);
    await importing(page, desk);
  });
}

/** Dialogs with more than one face, each with something in it. */
async function aboutTheAccount(page: Page): Promise<void> {
  const hands = handsOn(page);
  const look = async (what: string): Promise<void> => {
    expect(await faults(page, '[role="dialog"]'), what).toEqual([]);
  };
  await hands.command('backups');
  const backups = page.getByRole('dialog', { name: 'Backups' });
  await backups.getByRole('button', { name: 'Make a backup now' }).click();
  await expect(backups.getByRole('row').filter({ hasText: 'made by hand' })).toBeVisible();
  await look('Backups');
  await backups
    .getByRole('button', { name: /See what would change/ })
    .first()
    .click();
  await expect(backups).toContainText('would change nothing');
  await look('What a backup would change');
  await page.keyboard.press('Escape');

  await hands.command('rules of your own');
  const rules = page.getByRole('dialog', { name: 'Rules of your own' });
  await rules.getByRole('button', { name: 'New rule' }).click();
  await rules.getByRole('textbox', { name: /^Name/ }).fill('Towels');
  await rules.getByRole('textbox', { name: /^Finds rows with/ }).fill('towel');
  await expect(rules.getByRole('status')).toHaveText('Finds 1 row at the moment.');
  await look('A rule');
  await rules.getByRole('button', { name: 'Save the rule' }).click();
  await expect(rules.getByRole('row').filter({ hasText: 'Towels' })).toBeVisible();
  await look('Rules of your own');
  await rules.getByRole('button', { name: 'Take in rules…' }).click();
  await look('Rules as text');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^What happened/ }).click();
  await expect(page.getByRole('dialog', { name: 'What happened' })).toBeVisible();
  await look('What happened');
  await page.keyboard.press('Escape');
}

async function importing(page: Page, desk: DeskPage): Promise<void> {
  await desk.drop([fileURLToPath(new URL('../../examples/campaigns.csv', import.meta.url))]);
  const sheet = page.getByRole('dialog', { name: 'campaigns.csv' });
  await expect(sheet.getByRole('checkbox', { name: /^Line 2 comes in/ })).toBeVisible({ timeout: 30_000 });
  expect(await faults(page, '[role="dialog"]'), 'Rows of a sheet').toEqual([]);
}
