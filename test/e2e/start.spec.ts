import { expect, test } from './fixture.ts';

test.use({ isFirstStart: true });

test('a practice start loads nothing from outside, the console stays without errors, and About says what it carries', {
  tag: '@accounts',
}, async ({ page, adslate }) => {
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const own = new URL(page.url()).host;
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && host !== own) foreign.push(request.url());
  });
  // Not while it signs in: its code is used up by then, and the answer would be lost.
  await expect(page.getByText(/practice/i).first()).toBeVisible();
  await page.reload();
  await expect(page).toHaveTitle(/Adslate/);
  await expect(page.getByText(/practice/i).first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('About Adslate');
  await page.keyboard.press('Enter');
  const about = page.getByRole('region', { name: 'About Adslate' });
  await expect(about.getByRole('tab', { name: 'Reliability' })).toBeVisible();
  await expect(about.getByText('Updates', { exact: true }), 'no feed, no updates').toBeHidden();
  await about.getByRole('tab', { name: 'Reliability' }).click();
  await expect(about.getByRole('region', { name: 'Reliability' })).toContainText('Simulated lives');
  await about.getByRole('tab', { name: 'Licenses' }).click();
  await expect(about.getByRole('region', { name: 'Licenses' })).toContainText(/zod \d+\.\d+\.\d+ \(MIT\)/);
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
  expect(adslate.dataDir).not.toBe('');
});
