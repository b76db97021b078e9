import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test.use({ sample: true });

test('a file that an agency drops is attached to the campaign in its name', { tag: ['@media', '@long'] }, async ({
  page,
  adslate,
}) => {
  await expect(page.getByRole('main')).toBeVisible();
  await handsOn(page).command('watched folder');
  await page.getByRole('switch', { name: 'Watch a folder' }).press('Space');
  await expect(page.getByText('Watching')).toBeVisible();
  await page.getByLabel('Try with example names').fill('Garden hose video_spring.mp4\nRoses.mp4');
  const results = page.getByRole('list', { name: 'Where the examples go' });
  await expect(results).toContainText('"Garden hose video", creative "spring"');
  await expect(results).toContainText('No campaign is named "Roses"');

  const workspaces = join(adslate.dataDir, 'workspaces');
  const incoming = join(workspaces, readdirSync(workspaces)[0] ?? '', 'incoming');
  copyFileSync(example('media/kitchen-roll-spot.mp4'), join(incoming, 'garden-hose-video.mp4'));
  const files = page.getByRole('group', { name: 'Files' });
  await expect(files).toContainText('Attached to "Garden hose video" as its video.');
});
