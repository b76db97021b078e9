import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { aPng } from '../media/builders.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';

/** The media files of an import are shown before it is applied, and each can stay out. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-import-files-'));
let shop: TestExchange;
beforeAll(async () => {
  shop = await anExchange(join(folder, 'shop'));
  for (const name of ['kitchen-roll-spot.mp4', 'kitchen-roll-spot.vtt'])
    copyFileSync(resolve('examples/media', name), join(folder, name));
  writeFileSync(join(folder, 'logo.png'), aPng(100, 100));
});
afterAll(async () => {
  await shop.close();
  rmSync(folder, { recursive: true, force: true });
});

async function sheet(name: string, lines: readonly string[]) {
  const path = join(folder, name);
  const head = 'Type,Campaign,Ad group,Campaign type,Targeting,Brand,Headline,Logo,Video,Caption,Media name';
  writeFileSync(path, [head, ...lines].join('\n'));
  const preview = await shop.preview(await shop.grant(path));
  if (preview.errorCount > 0) throw new Error(JSON.stringify(preview.errors));
  return preview;
}
const library = async () => (await shop.account.workspace.readMedia()).map(({ values }) => values.fileName);
const profiles = async (campaign: string) => {
  const tree = (await shop.account.workspace.readTrees('all')).find((each) => each.campaign.values.name === campaign);
  return { logo: tree?.sbaProfiles[0]?.values.logo, video: tree?.videoProfiles[0]?.values.video };
};

test('a logo that is ticked off stays out, and its row comes in without one', async () => {
  const preview = await sheet('brand.csv', [
    'campaign,Brand,,sba,manual,,,,,,',
    'ad group,Brand,Main,,,,,,,,',
    'sba profile,Brand,Main,,,Softly,Rolls for all,logo.png,,,',
  ]);
  expect(preview.files).toMatchObject([
    { what: 'added', fileName: 'logo.png', mediaType: 'logo', rows: 1, changes: [] },
  ]);
  expect(preview.files[0]?.bytes).toBe(aPng(100, 100).length);
  const leaveOutFiles = preview.files.map(({ key }) => key);
  expect(await shop.apply(preview.previewId, { leaveOut: [], take: [], leaveOutFiles })).toMatchObject({ added: 3 });
  expect(await library()).toEqual([]);
  expect((await profiles('Brand')).logo).toBeNull();
});

test('a caption stays out alone; what would go along with a video that stays out stays out as well', async () => {
  const lines = (campaign: string) => [
    `campaign,${campaign},,video,manual,,,,,,`,
    `ad group,${campaign},Main,,,,,,,,`,
    `video profile,${campaign},Main,,,,,,kitchen-roll-spot.mp4,kitchen-roll-spot.vtt,Spring cut`,
  ];
  const both = await sheet('both-out.csv', lines('Film'));
  expect(both.files.map(({ fileName, mediaType }) => `${mediaType} ${fileName}`)).toEqual([
    'video kitchen-roll-spot.mp4',
    'caption kitchen-roll-spot.vtt',
  ]);
  const video = both.files.filter(({ mediaType }) => mediaType === 'video').map(({ key }) => key);
  await shop.apply(both.previewId, { leaveOut: [], take: [], leaveOutFiles: video });
  expect((await profiles('Film')).video).toBeNull();
  expect((await library()).includes('kitchen-roll-spot.mp4')).toBe(false);

  const one = await sheet('caption-out.csv', lines('Film two'));
  const caption = one.files.filter(({ mediaType }) => mediaType === 'caption').map(({ key }) => key);
  await shop.apply(one.previewId, { leaveOut: [], take: [], leaveOutFiles: caption });
  const [row] = (await shop.account.workspace.readMedia()).filter(({ values }) => values.mediaType === 'video');
  expect((await profiles('Film two')).video).toBe(row?.id);
  expect(row?.values).toMatchObject({ caption: null, mediaName: 'Spring cut' });
});

test('a video that is here already is listed when its name changes, and keeps it when that is ticked off', async () => {
  const line = 'video profile,Film two,Main,,,,,,kitchen-roll-spot.mp4,,Autumn cut';
  const preview = await sheet('renamed.csv', [line]);
  expect(preview.files).toMatchObject([{ what: 'changed', fileName: 'kitchen-roll-spot.mp4', changes: ['mediaName'] }]);
  const nameOf = async () =>
    (await shop.account.workspace.readMedia()).find(({ values }) => values.mediaType === 'video')?.values.mediaName;
  await shop.apply(preview.previewId, { leaveOut: [], take: [], leaveOutFiles: preview.files.map(({ key }) => key) });
  expect(await nameOf()).toBe('Spring cut');
  await shop.apply((await sheet('renamed-again.csv', [line])).previewId);
  expect(await nameOf()).toBe('Autumn cut');
});

test('a file of an archive that no row uses can be ticked off', async () => {
  const other = await anExchange(join(folder, 'other'));
  try {
    writeFileSync(join(folder, 'spare.png'), aPng(100, 100, 7));
    await shop.addMedia(join(folder, 'spare.png'));
    const withSpare = join(folder, 'spare.adslate');
    await shop.archive('archive', withSpare);
    const preview = await other.preview(await other.grant(withSpare));
    const spare = preview.files.filter(({ mediaType }) => mediaType === null);
    expect(spare).toMatchObject([{ fileName: 'spare.png', rows: 0, bytes: null }]);
    await other.apply(preview.previewId, { leaveOut: [], take: [], leaveOutFiles: spare.map(({ key }) => key) });
    const names = (await other.account.workspace.readMedia()).map(({ values }) => values.fileName);
    expect(names).toContain('kitchen-roll-spot.mp4');
    expect(names).not.toContain('spare.png');
  } finally {
    await other.close();
  }
});

/** Videos that somebody uploaded elsewhere, as a refresh has them. */
async function onService(...named: readonly (readonly [remoteId: string, mediaName: string])[]): Promise<void> {
  const { outbox } = shop.account.workspace;
  const { epoch } = await outbox.takeOver();
  const rows = named.map(([remoteId, mediaName]) => ({
    kind: 'media' as const,
    remoteId: remoteId as RemoteId,
    campaignId: null,
    adGroupId: null,
    values: { mediaType: 'video', mediaName, mediaState: 'available' },
  }));
  await outbox.merge({ epoch, rows });
}
const shownBy = async (campaign: string) => {
  const { video } = await profiles(campaign);
  return (await shop.account.workspace.readMedia()).find(({ id }) => id === video) ?? null;
};
const videoRows = (campaign: string, video: string, mediaName: string) => [
  `campaign,${campaign},,video,manual,,,,,,`,
  `ad group,${campaign},Main,,,,,,,,`,
  `video profile,${campaign},Main,,,,,,${video},,${mediaName}`,
];

test('a video that is on the service is named by its media name, or by its id where several have the name', async () => {
  await onService(['6600001', 'Bath cut'], ['6600002', 'Double'], ['6600003', 'Double']);
  const named = await sheet('by-name.csv', videoRows('By name', '', 'Bath cut'));
  expect(named.files).toEqual([]);
  await shop.apply(named.previewId);
  expect(await shownBy('By name')).toMatchObject({ remoteId: '6600001', dirty: 0 });

  await shop.apply((await sheet('by-id.csv', videoRows('By id', 'service:6600003', 'Other name'))).previewId);
  expect(await shownBy('By id')).toMatchObject({ remoteId: '6600003', dirty: 0, values: { mediaName: 'Double' } });

  const path = join(folder, 'double.csv');
  const head = 'Type,Campaign,Ad group,Campaign type,Targeting,Brand,Headline,Logo,Video,Caption,Media name';
  writeFileSync(path, [head, ...videoRows('Twice', '', 'Double'), ...videoRows('Gone', 'service:1', '')].join('\n'));
  const { errors } = await shop.preview(await shop.grant(path));
  expect(errors.map(({ column, message }) => [column, message])).toEqual([
    ['Media name', expect.stringContaining('service:6600002 or service:6600003')],
    ['Video', expect.stringContaining('Refresh the account')],
  ]);
});

test('an export and an archive keep the video that is on the service, and reading them back changes nothing', async () => {
  const [campaign] = (await shop.account.workspace.readTrees('all')).filter(
    ({ campaign: { values } }) => values.name === 'By id',
  );
  expect(campaign?.videoProfiles).toHaveLength(1);
  const target = join(folder, 'everything.csv');
  await shop.export({ target, format: 'csv', view: null });
  expect(readFileSync(target, 'utf8')).toContain('service:6600003');
  expect(await shop.preview(await shop.grant(target))).toMatchObject({
    added: 0,
    changed: 0,
    errorCount: 0,
    files: [],
  });
  const archive = join(folder, 'everything.adslate');
  await shop.archive('archive', archive);
  expect(await shop.preview(await shop.grant(archive))).toMatchObject({ added: 0, changed: 0, errorCount: 0 });
});
