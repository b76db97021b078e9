import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';

const media = (name: string): string => example(`media/${name}`);

test('files are checked and fitted as they are added, and attached by drop and by drag', { tag: '@media' }, async ({
  page,
  dataDir,
}) => {
  const desk = deskPage(page);
  await desk.ready();

  await test.step('a file that only pretends to be a video gets its own verdict and stops no other', async () => {
    const pretender = join(dataDir, 'spot.mp4');
    writeFileSync(pretender, 'This is a note, not a video.');
    await desk.drop([pretender, media('northwind-logo.png')]);
    const dialog = page.getByRole('dialog', { name: 'Add files' });
    await expect(dialog.getByText("Can't be used")).toBeVisible();
    await expect(dialog.getByText(/spot\.mp4 is/)).toBeVisible();
    await expect(dialog.getByText('Added to the library')).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await desk.navigation.getByRole('button', { name: /^Media library/ }).click();
    const cards = page.getByRole('listbox', { name: 'Media' }).getByRole('option');
    await expect(cards).toHaveCount(1);
    await expect(cards).toContainText('Not used');
    await page.getByRole('listbox', { name: 'Media' }).press('Enter');
    await desk.inspector.getByRole('button', { name: '2×' }).click();
    await expect(desk.inspector.getByRole('img', { name: /on a dark background$/ })).toHaveAttribute('width', '200');
    await expect(desk.inspector.getByRole('list', { name: 'File checks' })).toContainText('100 × 100');
    expect(await faults(page, 'main')).toEqual([]);
    await desk.openList('Media');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
  });

  await test.step('a picture that is no logo yet is fitted, after it was seen, and takes the place of the one it was made of', async () => {
    const wide = join(dataDir, 'wide.png');
    const photo = join(dataDir, 'photo.jpg');
    // The browser draws the pictures, since it is what can write both formats.
    const [png, jpeg] = await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.width = 320;
      canvas.height = 160;
      const paper = canvas.getContext('2d');
      if (paper === null) throw new Error('nothing to draw on');
      paper.fillStyle = '#0b7285';
      paper.fillRect(40, 20, 200, 100);
      return [canvas.toDataURL('image/png'), canvas.toDataURL('image/jpeg')].map((url) => url.split(',')[1] ?? '');
    });
    writeFileSync(wide, Buffer.from(png ?? '', 'base64'));
    writeFileSync(photo, Buffer.from(jpeg ?? '', 'base64'));
    await desk.drop([wide, photo]);
    const dialog = page.getByRole('dialog', { name: 'Add files' });
    const fits = dialog.getByRole('group', { name: 'Resize to 100 × 100' });
    await expect(fits).toHaveCount(2);
    await expect(dialog.getByText(/has 320 x 160 pixels/)).toBeVisible();
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await fits.first().getByRole('button', { name: 'Use: fit the whole image (adds margins)' }).click();
    await expect(fits).toHaveCount(1);
    // In the place of the card that had the button, not behind the other files.
    await expect(dialog.getByRole('listitem').first()).toContainText('wide-100.png');
    await fits.getByRole('button', { name: 'Use: fill the square (crops the edges)' }).click();
    await expect(dialog.getByText('photo-100.png')).toBeVisible();
    await expect(dialog.getByText('Added to the library')).toHaveCount(2);
    await expect(fits).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await desk.openList('Media');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
    await expect(page.getByText(/has 320 x 160 pixels/)).toBeHidden();

    // A file that fails its check leaves the library again where it failed.
    await desk.drop([wide]);
    await expect(dialog.locator('input[type=file]')).toHaveAttribute('accept', /\.jpg,.*\.gif/);
    await dialog.getByRole('button', { name: 'Remove from library' }).click();
    await expect(dialog.getByText('wide.png')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
  });

  await test.step('files dropped on the details of a profile are attached to it, and undone as one step', async () => {
    await page.keyboard.press('Alt+Shift+V');
    await page.getByLabel('Campaign name').fill('Rolls');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Rolls/ })).toBeVisible();

    const place = desk.inspector.getByText(/Drop an MP4 or MOV file/);
    await expect(place).toBeVisible();
    await desk.drop([media('kitchen-roll-spot.mp4'), media('kitchen-roll-spot.vtt')], place);
    await expect(desk.inspector.locator('video')).toBeVisible();
    await expect(desk.inspector.getByLabel('Video', { exact: true })).toContainText('kitchen-roll-spot.mp4');
    const player = desk.inspector.locator('video');
    const cues = () => player.evaluate((video: HTMLVideoElement) => video.textTracks[0]?.cues?.length ?? 0);
    await expect.poll(cues, 'its caption is shown along with it').toBeGreaterThan(0);

    await desk.openList('Media');
    await (await desk.cell('kitchen-roll-spot.mp4', 'File')).click();
    const checks = desk.inspector.getByRole('list', { name: 'File checks' });
    await expect(checks.getByRole('listitem').filter({ hasText: 'Length 5–45 s' })).toContainText('Passed');
    const frame = page.waitForEvent('download');
    await desk.inspector.getByRole('button', { name: 'Save frame as image' }).click();
    expect((await frame).suggestedFilename()).toMatch(/^kitchen-roll-spot .*s\.png$/);
    const usage = desk.inspector.getByRole('region', { name: 'Used by' });
    await usage.getByRole('button', { name: 'Rolls' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Video profiles/ })).toBeVisible();
    await expect(desk.inspector.getByLabel('Video', { exact: true })).toContainText('kitchen-roll-spot.mp4');
    await page.keyboard.press('Control+z');
    await expect(place).toBeVisible();
  });

  await test.step('from the library it is dragged onto the campaign, whose profile gets it', async () => {
    await desk.openList('Media');
    const campaign = desk.navigation.getByRole('button', { name: /^Rolls/ }).first();
    await desk.grid.getByRole('row').filter({ hasText: 'kitchen-roll-spot.mp4' }).getByRole('rowheader').hover();
    await page.mouse.down();
    await campaign.hover();
    await campaign.hover({ position: { x: 60, y: 12 } });
    await page.mouse.up();
    await expect(page.getByText('kitchen-roll-spot.mp4 attached to Rolls.')).toBeVisible();
    await desk.openCampaign('Rolls');
    await desk.navigation
      .getByRole('button', { name: /^Video profiles/ })
      .last()
      .click();
    await expect(desk.inspector.getByLabel('Video', { exact: true })).toContainText('kitchen-roll-spot.mp4');
  });
});
