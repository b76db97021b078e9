import { test } from 'vitest';
import { fieldNames } from '../../../shared/model/fields.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { addRows, rowsOf } from '../../core/a-core.ts';
import { aFilm, aPng } from '../../media/builders.ts';
import { faults, openApp, step } from '../app.tsx';
import { expect, type Locator, page } from '../page.ts';

test('the details show no field that a column shows, whatever columns are chosen', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\nblue pan');
  const further = app.details.getByRole('region', { name: 'More fields' });
  const repeated = (): readonly string[] => {
    const titles = app.grid.getByRole('columnheader').allTextContents();
    const labels = app.details.locator('label, dt').allTextContents();
    return labels.filter((label) => titles.includes(label));
  };

  await step('by default, for a row of every kind there is', async () => {
    for (const [list, row, column] of [
      ['Campaigns', 'Pots', 'Campaign'],
      ['Ad groups', 'Pots group', 'Ad group'],
      ['Keywords', 'red pot', 'Keyword'],
    ] as const) {
      await app.openList(list);
      await (await app.cell(row, column)).click();
      await expect(app.details.getByRole('heading', { name: row })).toBeVisible();
      expect(repeated()).toEqual([]);
    }
  });

  await step('a column that is hidden becomes a field, and what is entered there is written', async () => {
    await (await app.cell('red pot', 'Match')).click();
    await app.command('hide column');
    await further.getByLabel('Match', { exact: true }).selectOption('Exact');
    await expect(app.grid.getByRole('columnheader', { name: 'Match' })).toHaveCount(0);
    expect(repeated()).toEqual([]);
    expect(await faults('aside')).toEqual([]);
  });

  await step('several rows: the value they share, and where they differ that it is mixed', async () => {
    await app.grid.focus();
    await page.keyboard.press('Control+a');
    await expect(app.details.getByRole('heading', { name: '2 rows selected' })).toBeVisible();
    await expect(app.details.getByLabel('Match', { exact: true })).toContainText('mixed');
    expect(repeated()).toEqual([]);
  });

  await step(
    'an item that nothing is known of has an icon in the details of its campaign, and is named by its ID',
    async () => {
      await app.add('Create', [
        { kind: 'campaign', parent: null, values: { name: 'Lids', campaignType: 'sponsoredProducts' } },
        { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Lids group' } },
        { kind: 'adItem', parent: { at: 1 }, values: { itemId: '4711471100', bid: 160 } },
      ]);
      await app.openList('Campaigns');
      await (await app.cell('Lids', 'Campaign')).click();
      const item = app.details.getByRole('region', { name: 'In this campaign' }).getByTitle('4711471100');
      await expect(item).toHaveText('4711471100');
      await expect(item.locator('svg')).toHaveCount(1);
    },
  );

  await step('a campaign says what is in it, and leads there', async () => {
    await app.openList('Campaigns');
    await (await app.cell('Pots', 'Campaign')).click();
    await app.details.getByRole('button', { name: /^Keywords ?2/ }).click();
    await expect(await app.cell('red pot', 'Keyword')).toBeVisible();
  });
});

test('what is typed into a field is written when a key leaves it with its row, and said where it cannot be', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\texact\t1.50\nblue pan\texact\t1.50');
  await app.openKeywords();
  await (await app.cell('red pot', 'Bid')).click();
  await app.command('hide column');
  const bid = app.details.getByLabel('Bid', { exact: true });
  for (const [keys, amount] of [
    ['Alt+3', '2.01'],
    ['Alt+1', '2.02'],
    ['Control+,', '2.03'],
    ['Alt+I', '2.04'],
  ] as const) {
    await step(`${keys} writes ${amount}`, async () => {
      await bid.fill(amount);
      await page.keyboard.press(keys);
      await expect(bid).toHaveCount(0);
      if (keys === 'Alt+I') await page.keyboard.press(keys);
      await app.openCampaign('Pots');
      await app.openKeywords();
      await (await app.cell('red pot', 'Keyword')).click();
      await expect(bid).toHaveValue(amount);
    });
  }

  await step('what cannot be read is said', async () => {
    await bid.fill('2.x');
    await page.keyboard.press('Alt+1');
    await expect(page.getByText(/^Bid is not saved\./)).toBeVisible();
  });

  await step('it is written to its own row when another one comes into its place', async () => {
    await app.openCampaign('Pots');
    await app.openKeywords();
    await (await app.cell('blue pan', 'Keyword')).click();
    await expect(app.details.getByRole('heading', { name: 'blue pan' })).toBeVisible();
    await bid.fill('2.06');
    const { workspaceId } = app;
    const rows = await app.rows({ kind: 'keyword', filter: 'red' }, 1);
    await app.client().workspace.remove({ workspaceId, rows: rows.map(({ id }) => ({ kind: 'keyword', id })) });
    await expect(app.grid.getByText('red pot')).toHaveCount(0);
    await (await app.cell('blue pan', 'Keyword')).click();
    await expect(bid).toHaveValue('2.06');
  });
});

test('a value that main refuses is not shown as if it were stored', async () => {
  let isGone = false;
  const app = await openApp({
    main: ({ workspace }) => ({
      'workspace.edit': (input, options) => {
        const changes = input.changes.map((change) => ({ ...change, id: asRowId(2_000_000) }));
        return workspace.edit(isGone ? { ...input, changes } : input, options);
      },
    }),
  });
  await app.add('Banner', [
    { kind: 'campaign', parent: null, values: { name: 'Banners', campaignType: 'sba' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Banners' } },
    { kind: 'sbaProfile', parent: { at: 1 }, values: { headline: 'Dry in one wipe', brand: 'Towels' } },
  ]);
  await app.openList('SBA profiles');
  await (await app.cell('Dry in one wipe', 'Brand name')).click();
  await app.command('hide column');
  const brand = app.details.getByLabel('Brand name', { exact: true });
  const banner = app.details.getByRole('figure', { name: 'Banner preview' });
  isGone = true;
  await brand.fill('Cloths');
  await expect(banner).toContainText('Cloths');
  await brand.press('Enter');
  await expect(page.getByText('This SBA profile no longer exists.')).toBeVisible();
  await expect(brand).toHaveValue('Towels');
  await expect(banner).toContainText('Towels');

  await step('the banner shows what is stored once the change is undone', async () => {
    isGone = false;
    await brand.fill('Cloths');
    await brand.press('Enter');
    await page.getByRole('button', { name: 'Undo: Edit brand name' }).click();
    await expect(brand).toHaveValue('Towels');
    await expect(banner).toContainText('Towels');
  });
});

test('a comparison keeps what is searched for when a row changes', async () => {
  const app = await openApp();
  await app.newManual('Lamps', 'reading lamp\nnight light');
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('Alt+W');
  const main = page.getByRole('main');
  const search = main.getByRole('textbox', { name: 'Find row or campaign' });
  const list = main.getByRole('list', { name: 'Differences' });
  await search.fill('reading');
  await expect(list).toContainText('reading lamp');
  await expect(list).not.toContainText('night light');
  const values = { name: 'Lamps for reading', campaignType: 'sponsoredProducts' };
  await app.add('New', [{ kind: 'campaign', parent: null, values }]);
  await expect(list).toContainText('Lamps for reading');
  await expect(search).toHaveValue('reading');
});

test('multipliers that are tried, new ones and others, are saved as one step', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\texact\t1.50');
  const rows = await app.rows({ kind: 'campaign' }, 1);
  const kind = 'platformMultiplier' as const;
  await app.add(
    'New',
    rows.map(({ id }) => ({ kind, parent: { id }, values: { platform: 'App', multiplier: 1000 } })),
  );
  await app.openKeywords();
  await (await app.cell('red pot', 'Bid')).click();
  const bids = app.details.getByRole('region', { name: 'Effective bid' });
  const app10 = bids.getByText('10%');
  await expect(app10).toHaveCount(1);
  for (const name of ['App', 'Mobile']) {
    await bids.getByRole('slider', { name: `Multiplier for ${name}` }).focus();
    await page.keyboard.press('ArrowRight');
  }
  await bids.getByRole('button', { name: 'Save 2 multipliers as draft' }).click();
  await expect(bids.getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo: Try multipliers' }).click();
  await expect(page.getByRole('button', { name: 'Undo: New' })).toBeVisible();
  await expect(app10).toHaveCount(1);
});

test('a swap that cannot be ended stays open with the reason', async () => {
  const banner = { id: asRowId(1), label: 'Dry in one wipe' };
  const app = await openApp({
    main: ({ workspace }) => ({
      'bannerSwaps.state': async () => ({
        from: banner,
        to: banner,
        under: { step: 'done', move: null, rejected: null },
        forgets: null,
      }),
      'bannerSwaps.end': () => Promise.reject(new Error('no connection')),
      // A banner that is on the service.
      'workspace.openView': async (...call) => {
        const opened = await workspace.openView(...call);
        return { ...opened, rows: opened.rows.map((row) => ({ ...row, dirty: 0 })) };
      },
    }),
  });
  await app.add('Banner', [
    { kind: 'campaign', parent: null, values: { name: 'Banners', campaignType: 'sba' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Banners' } },
    { kind: 'sbaProfile', parent: { at: 1 }, values: { headline: 'Dry in one wipe', brand: 'Towels' } },
    { kind: 'sbaProfile', parent: { at: 1 }, values: { headline: 'Soft and dry', brand: 'Towels' } },
  ]);
  await app.openList('SBA profiles');
  await (await app.cell('Dry in one wipe', 'Headline')).click();
  await app.details.getByRole('button', { name: 'Swap banner without pausing…' }).click();
  const swap = page.getByRole('region', { name: 'Swap banner without pausing' });
  await swap.getByRole('button', { name: 'Finish' }).click();
  await expect(swap.getByRole('alert')).toContainText('Adslate is not responding.');
});

test('a logo or a video dropped on a row of the grid is set there, or in the profile of its campaign', async () => {
  const app = await openApp();
  const { workspaceId } = app;
  const client = app.client();
  await addRows(client, workspaceId, 'Create', [
    { kind: 'campaign', parent: null, values: { name: 'Brand', campaignType: 'sba', targetingType: 'manual' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Group' } },
    { kind: 'sbaProfile', parent: { at: 1 }, values: { headline: 'Red pots' } },
    { kind: 'sbaProfile', parent: { at: 1 }, values: { headline: 'Blue pots' } },
    { kind: 'campaign', parent: null, values: { name: 'Film', campaignType: 'video', targetingType: 'manual' } },
    { kind: 'adGroup', parent: { at: 4 }, values: { name: 'Films' } },
  ]);
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  const aLogo = (side: number, name: string) => new File([new Uint8Array(aPng(side, side))], name);
  const drop = async (row: Locator, file: File): Promise<void> => {
    await row.drop([file]);
    await expect(page.getByText(new RegExp(`^${file.name} attached to .+ Press Ctrl\\+Z to undo\\.$`))).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
  };
  const filesOf = async (kind: 'sbaProfile' | 'videoProfile') => {
    const media = new Map((await rowsOf(client, workspaceId, { kind: 'media' })).map((row) => [row.id as number, row]));
    const column = fieldNames(kind).indexOf(kind === 'sbaProfile' ? 'logo' : 'video');
    return (await rowsOf(client, workspaceId, { kind })).map(
      ({ cells }) => media.get(Number(cells[column]))?.cells[fieldNames('media').indexOf('fileName')] ?? null,
    );
  };

  await app.openList('SBA profiles');
  await drop(await app.cell('Blue pots', 'Headline'), aLogo(400, 'blue.png'));
  expect(await filesOf('sbaProfile')).toEqual([null, 'blue.png']);
  await page.getByRole('button', { name: 'Banners' }).click();
  await drop(page.getByRole('option').filter({ hasText: 'Blue pots' }), aLogo(402, 'newer.png'));
  expect(await filesOf('sbaProfile')).toEqual([null, 'newer.png']);
  await app.openList('Campaigns');
  const brand = await app.cell('Brand', 'Campaign');
  await step('while files are dragged, the row under them is marked', async () => {
    const over = Object.assign(new Event('dragover', { bubbles: true }), { dataTransfer: { types: ['Files'] } });
    (await brand.element()).dispatchEvent(over);
    await expect(page.getByText('Drop files to add them')).toBeVisible();
    await expect(page.locator('[data-drop-row]')).toContainText('Brand');
  });
  await drop(brand, aLogo(401, 'red.png'));
  await expect(page.locator('[data-drop-row]')).toHaveCount(0);
  expect(await filesOf('sbaProfile')).toEqual(['red.png', 'newer.png']);
  const film = new File([new Uint8Array(aFilm({ durationMs: 12_000 }))], 'clip.mp4');
  await drop(await app.cell('Film', 'Campaign'), film);
  expect(await filesOf('videoProfile')).toEqual(['clip.mp4']);
});

test('the details of a file have no button that leads to them', async () => {
  const app = await openApp();
  await page.keyboard.press('Alt+M');
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  await dialog.locator('input[type=file]').setInputFiles([new File([new Uint8Array(aPng(20, 20))], 'tiny.png')]);
  await expect(dialog.getByRole('listitem')).toContainText('tiny.png');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await app.openList('Media');
  await page.getByRole('button', { name: 'Table' }).click();
  await (await app.cell('tiny.png', 'File')).click();
  await expect(app.details.getByRole('list', { name: 'Issues' }).getByRole('listitem').first()).toBeVisible();
  await expect(app.details.getByRole('button', { name: 'Go to file details' })).toHaveCount(0);
});
