import type { Locator } from '@playwright/test';
import { expect, test } from './fixture.ts';

test.use({ practice: false });

/** A press of a button takes a newcomer so long, and a key this part of a second. */
const PRESS_S = 1;
const KEYS_PER_S = 4;

test('a newcomer comes from the welcome page to the end of a first sync within three minutes', {
  tag: ['@accounts', '@sync', '@long'],
}, async ({ page }) => {
  test.setTimeout(120_000);
  let presses = 0;
  let keys = 0;
  const press = async (target: Locator): Promise<void> => {
    presses += 1;
    await target.click();
  };
  const type = async (text: string): Promise<void> => {
    keys += text.length;
    await page.keyboard.type(text);
  };
  const navigation = page.getByRole('navigation');
  const steps = page.getByRole('region', { name: 'Get to know Adslate' });
  const showMe = async (step: string): Promise<void> => {
    if (!(await steps.isVisible())) await press(navigation.getByRole('button', { name: /^Overview/ }));
    await expect(steps.locator('[aria-current="step"]')).toContainText(step);
    await press(steps.getByRole('button', { name: 'Show me' }));
  };
  const began = Date.now();

  await press(page.getByRole('button', { name: 'Open a sample account' }));
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  await expect(page.getByText('1 error').first()).toBeVisible();

  await showMe('Fix the headline');
  await press(page.getByRole('button', { name: /^Shorten/ }));
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();

  await showMe('Raise three bids');
  await press(page.getByLabel('Formula'));
  await type('+10%');
  await press(page.getByRole('button', { name: /^Apply to 3 bids$/ }));

  await showMe('Add an item');
  await press(page.getByRole('radio', { name: 'Water bottles manual' }));
  await press(page.getByLabel('Search items'));
  await type('bottle');
  await press(page.getByRole('option').filter({ hasText: 'Cobalt Compact' }).getByText('Add').first());
  await press(page.getByRole('button', { name: 'Add', exact: true }).first());

  await showMe('Check the plan');
  await expect(page.getByRole('heading', { level: 1, name: /^Sync plan: \d+ changes?$/ })).toBeVisible();
  await press(page.getByRole('button', { name: /^Send \d+ changes? to / }));
  await expect(
    page.getByRole('heading', { level: 1, name: /^(\d+ of|All) \d+ changes are on the service$/ }),
  ).toBeVisible({ timeout: 60_000 });

  const waited = (Date.now() - began) / 1000;
  const seconds = presses * PRESS_S + keys / KEYS_PER_S;
  console.log(`${presses} presses and ${keys} keys: ${seconds} s of a newcomer; ${waited.toFixed(1)} s in this run`);
  expect(seconds).toBeLessThan(180);
});
