import { deskPage } from './desk-page.ts';
import { expect, test, watchPolicy } from './fixture.ts';

/** The web host under its window: killed, started again, opened without its link. */
test('a window says that its host was killed, has what was on screen again, and an earlier start is signed out', {
  tag: '@safety',
}, async ({ page, adslate, context }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Kettles that stay', 'kettle');
  const earlier = await context.newPage();
  const token = await page.evaluate(() => sessionStorage.getItem('adslate.token'));
  await earlier.addInitScript((kept) => sessionStorage.setItem('adslate.token', kept ?? ''), token);
  await adslate.kill();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await adslate.restart();
  await earlier.goto(new URL('/', page.url()).href);
  await expect(earlier.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible();
  await earlier.close();
  await desk.ready();
  await desk.openCampaign('Kettles that stay');
  await desk.openList('Keywords');
  await expect(await desk.cell('kettle', 'Keyword')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(desk.navigation.getByRole('button', { name: /Kettles that stay/ })).toHaveCount(0);
});

test('without its start link a page shows no account, and what its policy forbids is noticed', {
  tag: '@safety',
}, async ({ page, browser }) => {
  await deskPage(page).ready();
  const other = await browser.newContext();
  const policy = watchPolicy(other);
  const tempted = await other.newPage();
  await tempted.goto(new URL('/', page.url()).href);
  await expect(tempted.getByRole('heading')).toHaveCount(1);
  await expect(tempted.getByText(/practice/i)).toHaveCount(0);
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
