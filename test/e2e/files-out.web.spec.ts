import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { deskPage } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';

/** Files that leave the window: what a browser is given as a drag begins, and who may fetch it. */
const LOGO = example('media/northwind-logo.png');

/** Begins a drag with the mouse and tells what the browser was handed for the place where it ends. */
async function dragged(page: Page, file: Locator): Promise<{ type: string; name: string; address: string }> {
  await page.evaluate(() => {
    const keep = (event: DragEvent): void =>
      void Reflect.set(window, 'handed', event.dataTransfer?.getData('DownloadURL') ?? '');
    window.addEventListener('dragstart', keep, { once: true });
  });
  await file.hover();
  await page.mouse.down();
  await page.mouse.move(600, 400, { steps: 8 });
  await expect.poll(() => page.evaluate(() => typeof Reflect.get(window, 'handed'))).toBe('string');
  const handed = String(await page.evaluate(() => Reflect.get(window, 'handed')));
  await page.mouse.up();
  const [, type = '', name = '', address = ''] = /^([^:]*):([^:]*):(.*)$/.exec(handed) ?? [];
  return { type, name, address };
}

test('a file of the library and an export are dragged out under their names, by this window alone', {
  tag: ['@media', '@long'],
}, async ({ page, playwright }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.drop([LOGO]);
  await page.getByRole('dialog', { name: 'Add files' }).getByText('Added to the library').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await desk.openList('Media');
  await (await desk.cell('northwind-logo.png', 'File')).click();
  const file = desk.inspector.getByRole('link', { name: 'northwind-logo.png' });
  const logo = await dragged(page, file);
  expect(logo).toMatchObject({ type: 'image/png', name: 'northwind-logo.png' });
  expect(new URL(logo.address).origin).toBe(new URL(page.url()).origin);

  const whole = await page.request.get(logo.address);
  expect((await whole.body()).equals(readFileSync(LOGO))).toBe(true);
  const stranger = await playwright.request.newContext();
  expect((await stranger.get(logo.address)).status(), 'without the session of this window').toBe(403);
  await stranger.dispose();
  const unknown = `${logo.address.slice(0, -32)}${'f'.repeat(32)}`;
  expect((await page.request.get(unknown)).status()).toBe(404);

  const saved = page.waitForEvent('download');
  await file.press('Enter');
  expect((await saved).suggestedFilename()).toBe('northwind-logo.png');

  const exported = page.waitForEvent('download');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('export as csv');
  await page.keyboard.press('Enter');
  const name = (await exported).suggestedFilename();
  const sheet = await dragged(page, page.getByRole('link', { name }));
  expect(sheet).toMatchObject({ type: 'text/csv', name });
});
