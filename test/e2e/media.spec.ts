import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../examples/media/${name}`, import.meta.url));

test('files dropped on the details of a profile are attached to it, and undone as one step', async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+V');
  await page.getByLabel('Campaign name').fill('Rolls');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Rolls/ })).toBeVisible();

  const place = desk.inspector.getByText(/Drop an MP4 or MOV here/);
  await expect(place).toBeVisible();
  await desk.drop([example('kitchen-roll-spot.mp4'), example('kitchen-roll-spot.vtt')], place);
  await expect(desk.inspector.locator('video')).toBeVisible({ timeout: 20_000 });
  await expect(desk.inspector.getByLabel('Video', { exact: true })).toContainText('kitchen-roll-spot.mp4');
  await page.keyboard.press('Control+z');
  await expect(place).toBeVisible();
});

test('a file that only pretends to be a video gets its own verdict and stops no other', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-media-'));
  const pretender = join(folder, 'spot.mp4');
  writeFileSync(pretender, 'This is a note, not a video.');
  const desk = deskPage(page);
  await desk.ready();
  await desk.drop([pretender, example('northwind-logo.png')]);
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  await expect(dialog.getByText('Not usable')).toBeVisible({ timeout: 20_000 });
  await expect(dialog.getByText(/spot\.mp4 is/)).toBeVisible();
  await expect(dialog.getByText('Added to the library')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await desk.openList('Media');
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
  rmSync(folder, { recursive: true });
});
