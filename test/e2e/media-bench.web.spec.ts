import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';

const media = (name: string): string => example(`media/${name}`);

test('captions are corrected on the timeline, a video is cut without a new encoding, and each use is one step', {
  tag: ['@media', '@long'],
}, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-bench-'));
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+V');
  await page.getByLabel('Campaign name').fill('Rolls');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Rolls/ })).toBeVisible();
  await desk.drop(
    [media('kitchen-roll-spot.mp4'), media('kitchen-roll-spot.vtt')],
    desk.inspector.getByText(/Drop an MP4 or MOV file/),
  );
  await expect(desk.inspector.locator('video')).toBeVisible();
  await desk.openList('Media');
  await (await desk.cell('kitchen-roll-spot.mp4', 'File')).click();
  await desk.inspector.getByRole('button', { name: /^Edit video/ }).click();

  const main = page.getByRole('main', { name: 'Edit video' });
  const captions = main.getByRole('region', { name: 'Captions' });
  const list = captions.getByRole('list', { name: 'Captions in order' });
  const position = main.getByRole('slider', { name: 'Position in the video' });
  const goTo = async (seconds: number): Promise<void> => {
    await position.fill(String(seconds));
    await expect.poll(() => main.locator('video').evaluate((video: HTMLVideoElement) => video.seeking)).toBe(false);
  };
  const rows = list.getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  await expect(main.locator('video')).toHaveJSProperty('videoWidth', 1280);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await faults(page)).toEqual([]);
  }

  await test.step('a caption is split, joined, shifted and typed, and what is wrong is said', async () => {
    const start = Number((await captions.getByLabel('Start of caption 1').inputValue()).replace(/^00:/, ''));
    await goTo(start + 0.2);
    await captions.getByRole('button', { name: 'Split here' }).click();
    await expect(rows).toHaveCount(before + 1);
    await expect(rows.first()).toContainText('Too fast to read');
    await captions.getByRole('button', { name: 'Join with next' }).click();
    await expect(rows).toHaveCount(before);
    await expect(list.getByText('Too fast to read')).toHaveCount(0);
    await captions.getByLabel('Shift by seconds').fill('0.25');
    await captions.getByRole('button', { name: 'Shift all' }).click();
    await expect(captions.getByLabel('Start of caption 1')).toHaveValue(`00:0${(start + 0.25).toFixed(3)}`);
    await captions.getByLabel('Text of caption 1').fill('Stronger than it looks');
    await captions.getByLabel('End of caption 1').fill('00:00.001');
    await page.keyboard.press('Tab');
    await expect(rows.first()).toContainText('Ends before it starts');
    await expect(captions.getByRole('button', { name: 'Use captions' })).toBeDisabled();
    await captions.getByLabel('End of caption 1').fill('00:03.000');
    await page.keyboard.press('Tab');
    await captions.getByRole('button', { name: 'Use captions' }).click();
    await expect(captions.getByRole('button', { name: 'Use captions' })).toBeDisabled();
    await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Stronger than it looks');
    await expect(page.getByRole('button', { name: 'Undo: Use captions' })).toBeVisible();
  });

  await test.step('captions are imported and refused with a reason', async () => {
    const srt = join(folder, 'other.srt');
    writeFileSync(srt, '1\n00:00:01,000 --> 00:00:03,000\nImported\n\n2\n00:99:00,000 --> x\nLost\n');
    const picker = captions.locator('input[type="file"]');
    await picker.setInputFiles(srt);
    await expect(rows).toHaveCount(1);
    await expect(captions.getByText(/1 caption without valid times skipped \(line 6\)/)).toBeVisible();
    const note = join(folder, 'note.srt');
    writeFileSync(note, 'A note.');
    await picker.setInputFiles(note);
    await expect(captions.getByText(/note\.srt contains no captions with times/)).toBeVisible();
    const saved = page.waitForEvent('download');
    await captions.getByRole('button', { name: 'Export captions' }).click();
    expect((await saved).suggestedFilename()).toBe('kitchen-roll-spot.srt');
    const styled = join(folder, 'styled.vtt');
    writeFileSync(styled, 'WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:03.000\nRed\n');
    await picker.setInputFiles(styled);
    await captions.getByLabel('Text of caption 1').fill('Blue');
    const edited = page.waitForEvent('download');
    await captions.getByRole('button', { name: 'Export captions' }).click();
    expect(readFileSync(await (await edited).path(), 'utf8')).toBe(
      'WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:00:01.000 --> 00:00:03.000\nBlue\n',
    );
    await captions.getByRole('button', { name: 'Discard changes' }).click();
    await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Stronger than it looks');
  });

  await test.step('captions that are not used yet are still there after another place, and in another window', async () => {
    await captions.getByLabel('Text of caption 1').fill('Not used yet');
    await main.getByRole('button', { name: 'Back to the library' }).click();
    await page.reload();
    await desk.ready();
    await desk.openList('Media');
    await (await desk.cell('kitchen-roll-spot.mp4', 'File')).click();
    await desk.inspector.getByRole('button', { name: /^Edit video/ }).click();
    await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Not used yet');
    await captions.getByRole('button', { name: 'Discard changes' }).click();
    await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Stronger than it looks');
    await expect(main.locator('video')).toHaveJSProperty('videoWidth', 1280);
  });

  await test.step('a frame becomes the poster, as a file of its own, until the step is undone', async () => {
    await goTo(2);
    await main.getByRole('button', { name: 'Use this frame' }).click();
    await expect(main.getByText('The frame is in the media library.')).toBeVisible();
    await main.getByRole('button', { name: 'Back to the library' }).click();
    const poster = desk.grid.getByText('kitchen-roll-spot poster.jpg');
    await expect(poster).toBeVisible();
    await expect(await desk.cell('kitchen-roll-spot poster.jpg', 'Type')).toHaveText('Poster');
    await page.getByText('Gallery', { exact: true }).click();
    const picture = page.getByRole('option', { name: /kitchen-roll-spot\.mp4/ }).locator('img');
    const drawn = () =>
      picture.evaluate(async (img: HTMLImageElement) => {
        const bytes = await (await fetch(img.src)).arrayBuffer();
        return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].join();
      });
    const chosen = await drawn();
    await page.getByRole('button', { name: 'Undo: Use this frame' }).click();
    await expect.poll(drawn).not.toBe(chosen);
    await page.getByText('Table', { exact: true }).click();
    await expect(poster).toHaveCount(0);
    await desk.inspector.getByRole('button', { name: /^Edit video/ }).click();
    await expect(main.locator('video')).toHaveJSProperty('videoWidth', 1280);
  });

  await test.step('the video is cut, and the campaign uses the new file until the step is undone', async () => {
    const length = main.getByRole('region', { name: 'Length' });
    await goTo(3);
    await length.getByRole('button', { name: 'End here' }).click();
    await expect(length.getByText(/Too short/)).toBeVisible();
    await expect(length.getByRole('button', { name: 'Use trimmed video' })).toBeDisabled();
    await goTo(7);
    await length.getByRole('button', { name: 'End here' }).click();
    await length.getByRole('button', { name: 'Use trimmed video' }).click();
    await expect(main.getByRole('heading', { level: 1, name: 'kitchen-roll-spot trimmed.mp4' })).toBeVisible();
    const duration = () => main.locator('video').evaluate((video: HTMLVideoElement) => video.duration);
    await expect.poll(duration).toBeGreaterThan(6.5);
    expect(await duration()).toBeLessThanOrEqual(7);
    await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Stronger than it looks');
    await desk.openCampaign('Rolls');
    const used = desk.inspector.getByLabel('Video', { exact: true });
    await desk.navigation
      .getByRole('button', { name: /^Video profiles/ })
      .last()
      .click();
    await expect(used).toContainText('kitchen-roll-spot trimmed.mp4');
    await page.getByRole('button', { name: 'Undo: Use trimmed video' }).click();
    await expect(used).toContainText('kitchen-roll-spot.mp4');
  });
  rmSync(folder, { recursive: true });
});
