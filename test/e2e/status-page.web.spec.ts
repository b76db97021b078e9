import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect, type Page } from '@playwright/test';
import { faults } from './axe.ts';
import { OUT } from './host-process.ts';

/** The status page of the simulated service, as a trainer uses it: the built sandbox in a process of its own. */
const test = base.extend<{ readonly control: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  control: async ({}, use) => {
    const args = ['--clock', 'virtual', '--now', '2026-05-05T12:00:00-07:00'];
    const child = spawn(process.execPath, [join(OUT, 'sandbox/cli.js'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const line: string = (await Promise.race([once(lines, 'line'), once(child, 'exit')]))[0];
    await use(JSON.parse(line).controlUrl);
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  },
});

const reviews = (page: Page) => page.getByRole('region', { name: /^Open reviews/ });
async function open(page: Page, control: string): Promise<void> {
  await page.goto(control);
  await expect(reviews(page).getByRole('row')).toHaveCount(3);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the status page has no serious fault, shows names as texts and no secret, ${colorScheme}`, {
    tag: ['@safety', '@long'],
  }, async ({ page, control }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, control);
    expect(await faults(page)).toEqual([]);
    const { accounts, campaigns } = await (await fetch(`${control}/state`)).json();
    const name = '<img src=x onerror=alert(1)>';
    const order = { method: 'POST', body: JSON.stringify({ name }) };
    expect((await fetch(`${control}/console/campaigns/${campaigns[0].campaignId}`, order)).status).toBe(200);
    await expect(page.getByRole('cell', { name })).toBeVisible();
    const text = await page.content();
    for (const { token, privateKeyPem } of accounts) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(privateKeyPem.slice(30, 90));
    }
  });
}

test('the keyboard moves the clock, approves and rejects, and is never lost', { tag: ['@safety', '@long'] }, async ({
  page,
  control,
}) => {
  await open(page, control);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Move the clock ahead by 30 minutes' })).toBeFocused();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Tab');
  const week = page.getByRole('button', { name: 'Move the clock ahead by 1 week' });
  await expect(week).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(reviews(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(/^Review \d+ is approved\.$/);
  // The row is gone; the next decision is at hand.
  await expect(reviews(page).getByRole('button', { name: /^Approve/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('status')).toHaveText(/^Review \d+ is rejected\.$/);
  await expect(reviews(page)).toContainText('No review is open.');
  await expect(reviews(page)).toBeFocused();
  await week.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Tuesday, May 12, 2026 at 12:00 PM PDT')).toBeVisible();
  await expect(week).toBeFocused();
});
