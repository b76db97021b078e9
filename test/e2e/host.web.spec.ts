import type { Page } from '@playwright/test';
import { deskPage } from './desk-page.ts';
import { expect, test, watchPolicy } from './fixture.ts';

/** The web host under its window: killed, started again, opened without its link. */
async function draftCampaign(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('new manual');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Campaign name')).toBeFocused();
  await page.keyboard.type(name);
  for (const amount of ['1500', '12.50']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(amount);
  }
  await page.getByLabel('Search items').fill('3952872549 2.40');
  await page.keyboard.press('Enter');
  await page.getByLabel('Keywords, one per line').focus();
  await page.keyboard.type('kettle');
  await page.getByLabel('Start date', { exact: true }).focus();
  await page.keyboard.type('2030-03-04');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible();
}

test('what was on screen is there after the host was killed, and can be undone', { tag: '@safety' }, async ({
  page,
  adslate,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  await draftCampaign(page, 'Kettles that stay');
  await adslate.restart('SIGKILL');
  await desk.ready();
  await desk.openCampaign('Kettles that stay');
  await desk.openList('Keywords');
  await expect(await desk.cell('kettle', 'Keyword')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(desk.navigation.getByRole('button', { name: /Kettles that stay/ })).toHaveCount(0);
});

test('the window says when the host is away', { tag: '@safety' }, async ({ page, adslate }) => {
  await deskPage(page).ready();
  await adslate.kill();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
});

test('a page of an earlier start is told that it is signed out', { tag: '@safety' }, async ({
  page,
  adslate,
  context,
}) => {
  await deskPage(page).ready();
  const earlier = await context.newPage();
  const token = await page.evaluate(() => sessionStorage.getItem('adslate.token'));
  await earlier.addInitScript((kept) => sessionStorage.setItem('adslate.token', kept ?? ''), token);
  await adslate.kill();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await adslate.restart();
  await earlier.goto(new URL('/', page.url()).href);
  await expect(earlier.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible();
  await earlier.close();
});

test('a page that tries what its policy forbids is noticed', { tag: '@safety' }, async ({ page, browser }) => {
  await deskPage(page).ready();
  const other = await browser.newContext();
  const policy = watchPolicy(other);
  const tempted = await other.newPage();
  await tempted.goto(new URL('/', page.url()).href);
  await tempted
    .evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = 1';
      document.head.append(script);
    })
    .catch(() => 'refused');
  await expect.poll(() => policy.breaches.length).toBeGreaterThan(0);
  expect(await tempted.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined();
  await other.close();
});

test('without its start link the window shows no account', { tag: '@safety' }, async ({ page, adslate, context }) => {
  await deskPage(page).ready();
  const stranger = await context.newPage();
  await stranger.goto(new URL('/', page.url()).href);
  await expect(stranger.getByRole('heading')).toHaveCount(1);
  await expect(stranger.getByText(/practice/i)).toHaveCount(0);
  expect(adslate.host).toBe('web');
  await stranger.close();
});
