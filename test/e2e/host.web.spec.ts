import { deskPage } from './desk-page.ts';
import { expect, test, watchPolicy } from './fixture.ts';
import { handsOn } from './hands.ts';

/** The web host under its window: killed, started again, opened without its link, left by everybody. */
test('a window outlives its host, and pages of earlier starts, without a link or signed out show nothing', {
  tag: ['@safety', '@accounts'],
}, async ({ page, adslate, context, browser }) => {
  const desk = deskPage(page);
  const signedOut = { name: 'This window is not signed in' } as const;
  await desk.ready();

  await test.step('it says that its host was killed, and has what was on screen again; an earlier start is signed out', async () => {
    await desk.newManual('Kettles that stay', 'kettle');
    const earlier = await context.newPage();
    const token = await page.evaluate(() => sessionStorage.getItem('adslate.token'));
    await earlier.addInitScript((kept) => sessionStorage.setItem('adslate.token', kept ?? ''), token);
    await adslate.kill();
    await expect(page.getByText('Reconnecting…')).toBeVisible();
    await adslate.restart();
    await earlier.goto(new URL('/', page.url()).href);
    await expect(earlier.getByRole('heading', signedOut)).toBeVisible();
    await earlier.close();
    await desk.ready();
    await desk.openCampaign('Kettles that stay');
    await desk.openList('Keywords');
    await expect(await desk.cell('kettle', 'Keyword')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(desk.navigation.getByRole('button', { name: /Kettles that stay/ })).toHaveCount(0);
  });

  await test.step('without its start link a page shows no account, and what its policy forbids is noticed', async () => {
    const other = await browser.newContext();
    const policy = watchPolicy(other);
    const tempted = await other.newPage();
    await tempted.goto(new URL('/', page.url()).href);
    await expect(tempted.getByRole('heading')).toHaveCount(1);
    // While the host runs, starting another one opens nothing.
    await expect(tempted.getByText('press Enter in the terminal where Adslate runs')).toBeVisible();
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

  await test.step('signing out everywhere ends this window and every other, for good', async () => {
    await handsOn(page).command('About Adslate');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByRole('heading', signedOut)).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', signedOut)).toBeVisible();
    const second = await context.newPage();
    await second.goto(new URL(page.url()).origin);
    await expect(second.getByRole('heading', signedOut)).toBeVisible();
    // A start link opened in a tab of the host differs from its address in the fragment alone.
    const [answer] = await Promise.all([
      second.waitForResponse(/\/session$/),
      second.evaluate(() => location.assign('/#code=of-an-earlier-start')),
    ]);
    expect(answer.ok()).toBe(false);
    await expect(second.getByRole('heading', signedOut)).toBeVisible();
  });
});
