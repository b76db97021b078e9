import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const MANY = 420;

test('in a small window the right pane covers rows, and nothing to press above them or in the lower panel', {
  tag: ['@issues', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Small pots', 'pot  1\texact\t1.50');
  await desk.openList('Campaigns');
  await desk.filter('pots');
  await page.keyboard.press('Escape');
  for (const [width, height, tab] of [
    [1280, 800, 'Details'],
    [1000, 700, 'Change'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await desk.inspector.getByRole('tab', { name: tab }).click();
    for (const name of ['Filter', 'Group', 'Columns', 'Save view', 'Clear']) {
      const buttons = page.getByRole('main').getByRole('button', { name, exact: true });
      for (const button of await buttons.all()) await button.click({ trial: true });
      expect(await buttons.count(), name).toBeGreaterThan(0);
    }
    for (const list of ['Issues', 'Changes']) {
      await desk.drawer.getByRole('tab', { name: new RegExp(`^${list}`) }).click();
      const lines = desk.drawer.getByRole('list', { name: list });
      await expect(lines.getByRole('button').first()).toBeVisible();
      // A trial fails where something else would get the press.
      for (const button of await desk.drawer.getByRole('button').all()) await button.click({ trial: true });
    }
  }
});

test('issues and changes of any number are listed to the last, and one press solves all of a kind', {
  tag: ['@issues', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  const lines = Array.from({ length: MANY }, (_, i) => `pot  ${i}\texact\t1.50`);
  await desk.newManual('Many pots', lines.join('\n'));

  await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
  const changes = desk.drawer.getByRole('list', { name: 'Changes' });
  await expect(changes.getByRole('listitem').first()).toBeVisible();
  await changes.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(changes.getByText('pot  419')).toBeVisible();
  expect(await faults(page, '[role="tabpanel"]')).toEqual([]);

  await desk.drawer.getByRole('tab', { name: /^Issues/ }).click();
  const issues = desk.drawer.getByRole('list', { name: 'Issues' });
  const blanks = issues.getByRole('listitem').filter({ hasText: 'Extra spaces in keywords' });
  const kind = blanks.getByRole('button', { name: /^Suggestion / });
  await expect(kind).toContainText(String(MANY));
  await kind.click();
  await expect(issues.getByText('pot 0, exact').first()).toBeVisible();
  await issues.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(issues.getByText('pot 419, exact').first()).toBeVisible();
  await issues.locator('..').evaluate((box) => box.scrollTo(0, 0));
  expect(await faults(page, '[role="tabpanel"]')).toEqual([]);
  await blanks.getByRole('button', { name: `Clean up ${MANY}` }).click();
  await expect(blanks).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Undo: Fix ${MANY} issues` })).toBeVisible();

  await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
  const find = desk.drawer.getByLabel('Find change');
  await find.fill('many 417');
  await expect(changes.getByRole('listitem')).toHaveCount(1);
  await find.fill('no such thing');
  await expect(desk.drawer.getByText('No matching changes.')).toBeVisible();
  await find.press('Escape');
  await expect(changes.getByText('Many pots').first()).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.drawer.getByRole('button', { name: 'Copy as text' }).click();
  await expect(page.getByText(/changes copied$/)).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('Many pots\n- campaign Many pots: new');
  expect(copied).toContain('- keyword pot 419, exact: new');

  await desk.drawer.getByRole('button', { name: 'Revert all' }).click();
  const confirm = page.getByRole('dialog', { name: 'Revert all changes?' });
  await expect(confirm.getByRole('button', { name: 'Keep changes' })).toBeFocused();
  await confirm.getByRole('button', { name: 'Revert all' }).click();
  await expect(page.getByText('Nothing to revert: all changes are new rows.')).toBeVisible();
  await expect(changes.getByText('Many pots').first()).toBeVisible();

  await test.step('the check says when it was over, and a kind of issue is muted for the account', async () => {
    await desk.drawer.getByRole('tab', { name: /^Issues/ }).click();
    await expect(desk.drawer.getByText('Not checked against the service yet')).toBeVisible();
    await page.keyboard.press('F7');
    await expect(page.getByText(/^Checked: \d+ errors?, \d+ warnings?\.$/)).toBeVisible();
    await expect(desk.drawer.getByText(/^All rules checked/)).toBeVisible();
    await issues.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const more = desk.drawer.getByRole('button', { name: /^More:/ }).last();
    await more.click();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    // Escape closes the menu, and not the panel that it belongs to.
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    await more.click();
    await page.getByRole('menuitem', { name: 'Mute this rule in this account' }).click();
    await desk.drawer.getByRole('button', { name: '1 rule muted' }).click();
    await desk.drawer.getByRole('button', { name: /^Unmute:/ }).click();
    await expect(desk.drawer.getByRole('button', { name: '1 rule muted' })).toBeHidden();
  });

  await test.step('a step shows what it changed, and one field or everything goes back', async () => {
    await desk.drawer.getByRole('tab', { name: 'History' }).click();
    await desk.drawer.getByLabel('Find edit').fill('fix');
    const steps = desk.drawer.getByRole('list', { name: 'History' }).getByRole('listitem');
    await expect(steps).toHaveCount(1);
    await steps.getByRole('button', { name: `Fix ${MANY} issues` }).click();
    const step = desk.drawer.getByRole('region', { name: `Fix ${MANY} issues` });
    const entries = step.getByRole('list', { name: 'Changes in this edit' });
    await expect(entries.getByText('pot  0 → pot 0')).toBeVisible();
    expect(await faults(page, '[role="tabpanel"]')).toEqual([]);
    await entries.getByRole('button', { name: 'Restore Keyword of keyword pot 0, exact' }).click();
    await expect(page.getByText('1 field restored. Press Ctrl+Z to undo.')).toBeVisible();
    await step.getByRole('button', { name: 'Restore to before this edit' }).click();
    const sure = page.getByRole('dialog', { name: 'Restore to before this edit?' });
    await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await sure.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(page.getByText(`${MANY - 1} fields restored. Press Ctrl+Z to undo.`)).toBeVisible();
  });
});
