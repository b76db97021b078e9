import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CELL_MAX_CHARACTERS, rowProblem } from '../../main/files/spreadsheet/csv.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { testFolder } from '../folder.ts';
import { aPng } from '../media/builders.ts';
import { create, done, mergeRemote } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { anExchange, refresh, type TestExchange } from './an-exchange.ts';

describe('import files', () => {
  /** The media files of an import are shown before it is applied, and each can stay out. */
  const folder = testFolder('import-files');
  let shop: TestExchange;
  beforeAll(async () => {
    shop = await anExchange(join(folder, 'shop'));
    for (const name of ['kitchen-roll-spot.mp4', 'kitchen-roll-spot.vtt'])
      copyFileSync(resolve('examples/media', name), join(folder, name));
    writeFileSync(join(folder, 'logo.png'), aPng(100, 100));
    return () => shop.close();
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

  test('a new row that is archived or deleted already is skipped and named, and no ad group is made for it', async () => {
    const path = join(folder, 'final.csv');
    const head = 'Type,Campaign,Ad group,Campaign type,Targeting,Keyword,Match type,Bid,Item id,Status';
    const rows = [
      'campaign,Old,,sponsoredProducts,manual,,,,,',
      'keyword,Old,,,,old tea,exact,1.00,,archived',
      'ad item,Old,Main,,,,,1.00,0012345678,deleted',
    ];
    writeFileSync(path, [head, ...rows].join('\n'));
    const preview = await shop.preview(await shop.grant(path));
    expect(preview).toMatchObject({ rows: 3, added: 1, leftOut: 2, errorCount: 0 });
    expect(preview.warnings.map(({ line, message }) => [line, message])).toEqual([
      [3, 'This keyword is archived, so it is skipped.'],
      [4, 'This ad item is deleted, so it is skipped.'],
    ]);
    expect(await shop.apply(preview.previewId)).toMatchObject({ added: 1 });
    const tree = (await shop.account.workspace.readTrees('all')).find(({ campaign }) => campaign.values.name === 'Old');
    expect([tree?.adGroups, tree?.keywords, tree?.adItems]).toEqual([[], [], []]);
  });

  test('errors below a row with an error follow the others and name its line', async () => {
    const path = join(folder, 'below.csv');
    const head = 'Type,Campaign,Ad group,Campaign id,Ad group id,Campaign type,Keyword,Match type,Bid,Start';
    const rows = [
      'keyword,Torn,Main,,,,early,exact,1.00,',
      'campaign,Torn,,,,sponsoredProducts,,,,2026-13-40',
      'ad group,Torn,Main,,,,,,,',
      'keyword,Torn,Main,,,,late,exact,1.00,',
      'keyword,Gone,Main,,,,alone,exact,1.00,',
      'campaign,By ID,,991,,sponsoredProducts,,,,2026-13-40',
      'ad group,,Side,991,992,,,,,',
      'keyword,,,991,992,,by ID,exact,1.00,',
    ];
    writeFileSync(path, [head, ...rows].join('\n'));
    const preview = done(await shop.tryPreview(await shop.grant(path), { decimals: 'point', asNew: true }));
    expect(preview).toMatchObject({ errorCount: 8, followUpCount: 5 });
    expect(preview.errors.map(({ line, causeLine }) => [line, causeLine])).toEqual([
      [3, undefined],
      [6, undefined],
      [7, undefined],
      [2, 3],
      [4, 3],
      [5, 3],
      [8, 7],
      [9, 7],
    ]);
    const message = 'The campaign "Torn" has an error in line 3. Correct that line first.';
    expect(preview.errors.slice(4, 6)).toMatchObject([{ message }, { message }]);
    const shown = await shop.rows(preview.previewId, 'error', 3, 1);
    expect(shown.rows).toMatchObject([{ line: 2, message: `Campaign: ${message}` }]);
  });

  test('rows of an ad group whose own row has an error or is skipped get no ad group in its place', async () => {
    const path = join(folder, 'bad-group.csv');
    const head = 'Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid,Status';
    const rows = [
      'keyword,Bad group,Main,,early,exact,1.00,',
      'campaign,Bad group,,sponsoredProducts,,,,',
      'ad group,Bad group,Main,,,,,maybe',
      'keyword,Bad group,Main,,late,exact,1.00,',
      'keyword,Bad group,,,unnamed,exact,1.00,',
      'keyword,Bad group,Other,,other,exact,1.00,',
      'campaign,Skipped group,,sponsoredProducts,,,,',
      'ad group,Skipped group,Main,,,,,',
      'keyword,Skipped group,Main,,below,exact,1.00,',
    ];
    writeFileSync(path, [head, ...rows].join('\n'));
    const preview = await shop.preview(await shop.grant(path));
    expect(preview).toMatchObject({ added: 4, errorCount: 5, followUpCount: 3 });
    expect(preview.errors.map(({ line, causeLine }) => [line, causeLine])).toEqual([
      [4, undefined],
      [7, undefined],
      [2, 4],
      [5, 4],
      [6, 4],
    ]);
    const message = 'The ad group "Main" has an error in line 4. Correct that line first.';
    expect(preview.errors.slice(2)).toMatchObject([{ message }, { message }, { message }]);
    expect(await shop.apply(preview.previewId, { leaveOut: [9], take: [] })).toMatchObject({ added: 2 });
    const trees = await shop.account.workspace.readTrees('all');
    const made = trees.filter(({ campaign }) => campaign.values.name?.endsWith(' group'));
    expect(made.map(({ adGroups, keywords }) => [adGroups, keywords])).toEqual([
      [[], []],
      [[], []],
    ]);
  });

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
    expect(preview.files).toMatchObject([
      { what: 'changed', fileName: 'kitchen-roll-spot.mp4', changes: ['mediaName'] },
    ]);
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
    const rows = named.map(([remoteId, mediaName]) => ({
      kind: 'media' as const,
      remoteId: remoteId as RemoteId,
      campaignId: null,
      adGroupId: null,
      values: { mediaType: 'video', mediaName, mediaState: 'available' },
    }));
    await mergeRemote(shop.account.workspace, rows);
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
});

test('the columns below a title and words of other editors are read, and rows with errors are counted once each', async () => {
  const folder = testFolder('titled');
  const desk = await anExchange(join(folder, 'data'));
  onTestFinished(() => desk.close());
  const rows = [
    'Agency export',
    'Campaign Name;Ad Group;Keyword;Match Type;Max CPC;Status',
    'Towels;Group;bath;Exact match;1.25;Active',
    'Towels;Group;beach;Negative;abc;Active',
    'Towels;Group;kitchen;phrase;1.10;Paused',
  ];
  const path = join(folder, 'titled.csv');
  writeFileSync(path, rows.join('\n'));
  done(
    await desk.account.workspace.apply({
      label: 'Parents',
      source: 'user',
      creates: [
        create('campaign', null, { name: 'Towels', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
        create('adGroup', { at: 0 }, { name: 'Group' }),
      ],
    }),
  );
  const answered = await desk.tryPreview(await desk.grant(path), { rowType: 'keyword' });
  expect(done(answered)).toMatchObject({
    ...{ rows: 3, added: 2, errorRows: 1, errorCount: 2, warningCount: 1 },
    warnings: [{ line: 1, message: '"Agency export" is above the headings. This line is skipped.' }],
    errors: [{ line: 4 }, { line: 4 }],
  });
});

test('a row exactly at each limit comes in, and one beyond it is refused; the header is no row', () => {
  const wide = Array.from({ length: 256 }, () => '');
  const long = 'x'.repeat(CELL_MAX_CHARACTERS);
  expect([rowProblem([''], 201, 200), rowProblem(wide, 2, 200), rowProblem([long], 2, 200)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(rowProblem([''], 202, 200)?.reason).toBe('too-many-rows');
  expect(rowProblem([...wide, ''], 2, 200)?.reason).toBe('too-many-columns');
  expect(rowProblem([`${long}x`], 2, 200)?.reason).toBe('cell-too-long');
});

describe('leave columns out', () => {
  /** What leaving single columns out does to a preview, cell by cell. */
  const folder = testFolder('leave-columns');
  let shop: TestExchange;
  beforeAll(async () => {
    shop = await anExchange(join(folder, 'shop'));
    await refresh(shop);
    return () => shop.close();
  });

  const HEAD =
    'Type,Campaign,Ad group,Campaign type,Daily budget,Keyword,Match type,Bid,Status,Brand,Headline,Logo,Campaign id,Row id';
  async function previewed(name: string, lines: readonly string[]) {
    const path = join(folder, name);
    writeFileSync(path, [HEAD, ...lines].join('\n'));
    return shop.preview(await shop.grant(path));
  }
  const keyword = (campaign: string, text: string) => async () => {
    const trees = await shop.account.workspace.readTrees('all');
    const tree = trees.find((each) => each.campaign.values.name === campaign);
    return tree?.keywords.find(({ values }) => values.text === text)?.values;
  };

  test('each column that changes something is counted, by rows that can do without it and new rows that cannot', async () => {
    const { columns } = await previewed('counted.csv', [
      'campaign,Live 1,,,60.00,,,,,,,,,',
      'campaign,Live 2,,,70.00,,,,,,,,,',
      'keyword,Live 1,Group 1,,,tea,exact,0.75,,,,,,',
      'keyword,Live 1,Group 1,,,pot,exact,0.80,,,,,,',
    ]);
    expect(columns).toEqual([
      { column: 'Daily budget', changes: 2, needed: 0, problems: 0, isLeftOut: false },
      { column: 'Bid', changes: 2, needed: 0, problems: 0, isLeftOut: false },
      { column: 'Keyword', changes: 0, needed: 1, problems: 0, isLeftOut: false },
      { column: 'Match type', changes: 0, needed: 1, problems: 0, isLeftOut: false },
    ]);
  });

  test('a new row keeps what it cannot do without, and is one step to undo', async () => {
    const { previewId } = await previewed('new.csv', ['keyword,Live 1,Group 1,,,mug,broad,0.90,paused,,,,,']);
    await shop.leaveColumnsOut(previewId, ['Keyword', 'Match type', 'Bid']);
    expect(await shop.apply(previewId)).toMatchObject({ added: 1 });
    expect(await keyword('Live 1', 'mug')()).toMatchObject({ matchType: 'broad', bid: null, state: 'paused' });
    await call(shop.account.workspace, 'workspace', 'undo');
    expect(await keyword('Live 1', 'mug')()).toBeUndefined();
  });

  test('an ad group that a row would imply is not made for a row that stays out', async () => {
    const { previewId } = await previewed('implied.csv', [
      'campaign,Bare,,sponsoredProducts,10.00,,,,,,,,,',
      'keyword,Bare,,,,pan,exact,0.90,,,,,,',
    ]);
    const without = await shop.leaveColumnsOut(previewId, ['Keyword', 'Match type', 'Bid', 'Status']);
    expect(without).toMatchObject({ added: 1, leftOut: 1 });
    await shop.apply(previewId);
    const trees = await shop.account.workspace.readTrees('all');
    expect(trees.find(({ campaign }) => campaign.values.name === 'Bare')?.adGroups).toEqual([]);
    await call(shop.account.workspace, 'workspace', 'undo');
  });

  test('a cell that cannot be read stops its row no longer once its column is left out, and does again with it', async () => {
    const { previewId, ...first } = await previewed('broken.csv', [
      'keyword,Live 1,Group 1,,,tea,exact,much,paused,,,,,',
      'keyword,Live 1,Group 1,,,jug,sideways,0.90,,,,,,',
    ]);
    expect(first).toMatchObject({ changed: 0, errorCount: 2 });
    expect(first.columns).toEqual([{ column: 'Bid', changes: 0, needed: 0, problems: 1, isLeftOut: false }]);
    const without = await shop.leaveColumnsOut(previewId, ['Bid', 'Match type']);
    // How a keyword matches is what it is: a row that does not say it cannot come in.
    expect(without).toMatchObject({ changed: 1, errorCount: 1, errors: [{ line: 3, column: 'Match type' }] });
    expect(await shop.leaveColumnsOut(previewId, ['Match type'])).toMatchObject({ changed: 0, errorCount: 2 });
    await shop.leaveColumnsOut(previewId, ['Bid']);
    expect(await shop.apply(previewId)).toMatchObject({ changed: 1 });
    expect(await keyword('Live 1', 'tea')()).toMatchObject({ bid: 50, state: 'paused' });
    await call(shop.account.workspace, 'workspace', 'undo');
  });

  test('a change of what is fixed on the service is no problem once its column is left out', async () => {
    const { previewId, ...first } = await previewed('fixed.csv', [
      'keyword,Live 1,Group 1,,,coffee,exact,0.66,,,,,,10101',
    ]);
    expect(first).toMatchObject({ errorCount: 1, errors: [{ column: 'Keyword' }] });
    expect(first.columns).toEqual([{ column: 'Keyword', changes: 0, needed: 0, problems: 1, isLeftOut: false }]);
    const without = await shop.leaveColumnsOut(previewId, ['Keyword']);
    expect(without).toMatchObject({ errorCount: 0, changed: 1 });
    expect(without.columns).toMatchObject([{ column: 'Bid' }, { column: 'Keyword', isLeftOut: true }]);
    await shop.apply(previewId);
    expect(await keyword('Live 1', 'tea')()).toMatchObject({ bid: 66 });
    await call(shop.account.workspace, 'workspace', 'undo');
  });

  test('a logo that cannot be used stops its row no longer once logos are left out', async () => {
    writeFileSync(join(folder, 'logo.png'), aPng(100, 100));
    const { previewId, ...first } = await previewed('logos.csv', [
      'sba profile,Live 1,Group 1,,,,,,,New,Here,missing.png,,',
      'sba profile,Live 2,Group 1,,,,,,,New,There,logo.png,,',
    ]);
    expect(first).toMatchObject({ added: 1, errorCount: 1, files: [{ fileName: 'logo.png' }] });
    expect(await shop.leaveColumnsOut(previewId, ['Logo'])).toMatchObject({ added: 2, errorCount: 0, files: [] });
    expect(await shop.apply(previewId)).toMatchObject({ added: 2 });
    expect(await shop.account.workspace.readMedia()).toEqual([]);
    await call(shop.account.workspace, 'workspace', 'undo');
  });

  test('a conflict stands in its columns alone: without them the rest of the row comes in', async () => {
    const campaign = async () => {
      const trees = await shop.account.workspace.readTrees('all');
      const found = trees.find((each) => each.campaign.values.name === 'Live 1')?.campaign;
      if (found === undefined) throw new Error('the campaign is not there');
      return found;
    };
    const { id } = await campaign();
    const edit = (values: Readonly<Record<string, string | number>>) =>
      shop.account.workspace.apply({
        label: 'Edit',
        source: 'user',
        updates: Object.entries(values).map(([field, value]) => ({ kind: 'campaign' as const, id, field, value })),
      });
    await edit({ dailyBudget: 9900, status: 'paused' });
    const changes = join(folder, 'conflict.adslate-changes');
    await shop.archive('changes', changes);
    await call(shop.account.workspace, 'workspace', 'undo');
    await edit({ dailyBudget: 8800 });
    const { previewId, conflicts } = await shop.preview(await shop.grant(changes));
    expect(conflicts).toBe(1);
    expect(await shop.leaveColumnsOut(previewId, ['Daily budget'])).toMatchObject({ conflicts: 0, changed: 1 });
    await shop.apply(previewId);
    expect((await campaign()).values).toMatchObject({ dailyBudget: 8800, status: 'paused' });
  });
});
