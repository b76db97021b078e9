import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { deskPage, openSyncPlan, send } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';

/** A press of a button takes a newcomer so long, and a key this part of a second. */
const PRESS_S = 1;
const KEYS_PER_S = 4;

/** Counts what somebody does who reads nothing but the screen. */
function walk(page: Page) {
  const began = Date.now();
  let presses = 0;
  let keys = 0;
  return {
    press: async (target: Locator, button: 'left' | 'right' = 'left'): Promise<void> => {
      presses += 1;
      await target.click({ button });
    },
    type: async (text: string): Promise<void> => {
      keys += text.length;
      await page.keyboard.type(text);
    },
    key: async (name: string): Promise<void> => {
      keys += 1;
      await page.keyboard.press(name);
    },
    /** How long it took a newcomer, in seconds. */
    done: (): number => {
      const waited = (Date.now() - began) / 1000;
      const seconds = presses * PRESS_S + keys / KEYS_PER_S;
      console.log(
        `${presses} presses and ${keys} keys: ${seconds} s of a newcomer; ${waited.toFixed(1)} s in this run`,
      );
      return seconds;
    },
  };
}

const result = (page: Page): Locator =>
  page.getByRole('heading', { level: 1, name: /^((\d+ of|All) \d+ changes are|The change is) on the service$/ });

test.describe(() => {
  test.use({ practice: false });
  test('a newcomer comes from the welcome page to the end of a first sync within three minutes', {
    tag: ['@accounts', '@sync', '@long'],
  }, async ({ page }) => {
    const { press, type, done } = walk(page);
    const navigation = page.getByRole('navigation');
    const steps = page.getByRole('region', { name: 'Get to know Adslate' });
    const showMe = async (step: string): Promise<void> => {
      if (!(await steps.isVisible())) await press(navigation.getByRole('button', { name: /^Overview/ }));
      await expect(steps.locator('[aria-current="step"]')).toContainText(step);
      await press(steps.getByRole('button', { name: 'Show me' }));
    };

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
    await press(page.getByRole('main', { name: 'Add rows' }).getByRole('button', { name: 'Add', exact: true }).last());
    await expect(page.getByRole('main', { name: 'Add rows' })).toBeHidden();

    await showMe('Check the plan');
    await expect(page.getByRole('heading', { level: 1, name: /^Sync plan: \d+ changes?$/ })).toBeVisible();
    await press(page.getByRole('button', { name: /^Send \d+ changes? to / }));
    await expect(result(page)).toBeVisible();

    expect(done()).toBeLessThan(180);
  });
});

const KEYWORDS = 500;

test('500 bids are raised by 10 %, looked at, undone and redone, and sent', {
  tag: ['@editing', '@sync', '@long'],
}, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  const sheet = join(dataDir, 'pots.csv');
  writeFileSync(
    sheet,
    [
      'Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start,Item ID,Keyword,Match type,Bid',
      ...Array.from({ length: KEYWORDS / 100 }, (_, n) => [
        `campaign,Pots ${n},,sponsoredProducts,manual,5000.00,50.00,2030-06-01,,,,`,
        `ad group,Pots ${n},Group,,,,,,,,,`,
        ...Array.from({ length: 100 }, (_, i) => `keyword,Pots ${n},Group,,,,,,,pot ${n} ${i},exact,2.00`),
      ]).flat(),
    ].join('\r\n'),
  );
  await desk.ready();
  await desk.drop([sheet]);
  await desk.applySheet();
  await openSyncPlan(page);
  await send(page);
  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('main', { name: 'Overview' })).toBeVisible();

  const { press, type, key, done } = walk(page);
  await press(desk.navigation.getByRole('button', { name: /^All campaigns/ }));
  await press(page.getByRole('tab', { name: /^Keywords/ }));
  const bid = await desk.cell('pot 0 0', 'Bid');
  await press(bid);
  await key('Control+a');
  await press(bid, 'right');
  await press(page.getByRole('menuitem', { name: /^Adjust bids/ }));
  await press(page.getByLabel('Formula'));
  await type('+10%');
  await press(page.getByRole('button', { name: `Apply to ${KEYWORDS} bids` }));
  await expect(bid).toHaveText('$2.20');
  await press(page.getByRole('button', { name: /^Undo:/ }));
  await expect(bid).toHaveText('$2.00');
  await press(page.getByRole('button', { name: /^Redo:/ }));
  await press(page.getByRole('button', { name: `Sync ${KEYWORDS} changes` }));
  await press(page.getByRole('button', { name: 'Show the changes in Pots 0' }));
  await expect(page.getByText('average bid $2.00 → $2.20').first()).toBeVisible();
  await press(page.getByRole('button', { name: `Send ${KEYWORDS} changes to Practice` }));
  await expect(result(page)).toHaveText(`All ${KEYWORDS} changes are on the service`);
  expect(done()).toBeLessThan(60);
});

test('a rejected review is understood, fixed and resubmitted from the inbox', {
  tag: ['@launch', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.drop(['campaigns.csv', 'media/northwind-logo.png'].map(example));
  await desk.applySheet();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');
  await openSyncPlan(page);
  await send(page);
  await page.keyboard.press('Alt+p');
  const reject = page.getByRole('region', { name: 'Practice clock' }).getByRole('button', { name: 'Reject' });
  await expect(reject.first()).toBeVisible();
  const open = await reject.count();
  await reject.first().click();
  await expect(reject).toHaveCount(open - 1);
  await page.keyboard.press('Alt+1');

  const { press, type, key, done } = walk(page);
  await press(desk.navigation.getByRole('button', { name: /^Inbox/ }));
  const entries = page.getByRole('group', { name: 'Reviews' }).getByRole('option');
  const rejected = entries.filter({ hasText: /rejected/i });
  await press(rejected);
  await expect(page.getByText('The reviewer wrote')).toBeVisible();
  // What else the review has rejected is in the same entry, and no notification is beside it.
  await expect(rejected).toContainText(/also \d+ ad item/);
  await expect(page.getByRole('heading', { name: 'Rejected keywords' })).toBeVisible();
  await expect(page.getByRole('option', { name: /: review rejected/ })).toHaveCount(0);
  const listed = await page.getByRole('listbox', { name: 'Entries' }).getByRole('option').count();
  await expect(page.getByRole('button', { name: `Open ${listed}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save and submit for review' })).toBeDisabled();
  await expect(page.getByText(/^Fix what was rejected first/)).toBeVisible();
  await press(page.getByRole('main').getByLabel(/^Headline/));
  await key('Control+a');
  await type('A calmer headline');
  await press(page.getByRole('button', { name: 'Save and submit for review' }));
  await expect(entries.filter({ hasText: /rejected/i })).toHaveCount(0);
  expect(done()).toBeLessThan(60);
});
