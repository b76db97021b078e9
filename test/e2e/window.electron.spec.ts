import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

/** The window of the desktop app in the real runtime: what a page of ours cannot do there. */
const OWN = /^adslate-app:\/\/ui\//;

test('a page sees nothing of Node or Electron', { tag: '@frame' }, async ({ page }) => {
  await deskPage(page).ready();
  const seen = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'electron'].filter((name) => Reflect.has(window, name)),
  );
  expect(seen).toEqual([]);
  expect(await page.evaluate(() => Object.keys(Reflect.get(window, 'adslateFiles')))).toEqual([
    'grant',
    'chooseFolder',
    'lift',
    'drag',
  ]);
});

test('no way leads out of the page', { tag: '@frame' }, async ({ page }) => {
  await deskPage(page).ready();
  expect(await page.evaluate(() => window.open('https://example.org/'))).toBeNull();
  await page.evaluate(() => window.location.assign('https://example.org/'));
  await page.evaluate(() => document.body.append(document.createElement('webview')));
  for (const address of ['file:///etc/passwd', 'https://example.org/', 'http://127.0.0.1:1/']) {
    const answer = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      address,
    );
    expect(answer, address).toBe('refused');
  }
  await expect(page).toHaveURL(OWN);
});

test('the account that is shown stands in the address, and nothing of it is asked of the system', {
  tag: '@frame',
}, async ({ page }) => {
  await deskPage(page).ready();
  await expect(page).toHaveURL(/^adslate-app:\/\/ui\/#[a-z0-9-]+$/);
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'midi', 'camera'] as PermissionName[];
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
  });
  expect(states).toEqual(['denied', 'denied', 'denied', 'denied']);
});
