import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { expect as check, test } from 'vitest';
import { printViews } from '../../../shared/api/views-file.ts';
import { fileError, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { after } from '../answering.ts';
import { openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

// --- import-choice
const HEAD = 'Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid';
const sheetOf = (bids: readonly (readonly [string, string])[]): string =>
  [
    HEAD,
    'campaign,Pans,,sponsoredProducts,,,',
    'ad group,Pans,Group,,,,',
    ...bids.map(([text, bid]) => `keyword,Pans,Group,,${text},exact,${bid}`),
  ].join('\r\n');

test('rows, whole kinds of change and columns are ticked off before a sheet is applied', async () => {
  const app = await openApp();
  const first = join(app.dataDir, 'first.csv');
  const second = join(app.dataDir, 'second.csv');
  await writeFile(
    first,
    sheetOf([
      ['iron pan', '1.75'],
      ['copper pan', '1.80'],
    ]),
  );
  await writeFile(
    second,
    sheetOf([
      ['iron pan', '2.75'],
      ['copper pan', '2.80'],
      ['clay pan', '2.90'],
    ]),
  );

  await step('one row is ticked off, by keys alone', async () => {
    await app.drop([first]);
    const sheet = page.getByRole('dialog', { name: 'first.csv' });
    await expect(sheet.getByRole('button', { name: 'Import 4 rows' })).toBeEnabled();
    const copper = sheet.getByRole('listitem').filter({ hasText: 'copper pan' });
    await expect(copper).toContainText('Bid: $1.80');
    await copper.getByRole('checkbox', { name: 'Import line 5' }).focus();
    await page.keyboard.press('Space');
    await expect(sheet).toContainText('3 of 4 to add');
    await sheet.getByRole('button', { name: 'Import 3 rows' }).click();
    await expect(sheet).toBeHidden();
    await app.openList('Keywords');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
  });

  await step('all changes are ticked off, and only what is new comes in', async () => {
    await app.drop([second]);
    const sheet = page.getByRole('dialog', { name: 'second.csv' });
    await expect(sheet.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
    await sheet.getByRole('button', { name: '1 to change' }).click();
    await expect(sheet.getByRole('listitem').filter({ hasText: 'Bid: $1.75 → $2.75' })).toBeVisible();
    await sheet.getByRole('checkbox', { name: 'All 1 to change' }).click();
    await expect(sheet).toContainText('0 of 1 to change');
    await sheet.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '5');
    await expect(sheet).toBeHidden();
    await expect(await app.cell('iron pan', 'Bid')).toHaveText('$1.75');
    await expect(await app.cell('clay pan', 'Bid')).toHaveText('$2.90');
  });

  await step('a column is left out, its rows count as such at once, and what new rows need stays', async () => {
    const third = join(app.dataDir, 'third.csv');
    const rows = [
      'Type,Campaign,Ad group,Keyword,Match type,Bid,Status',
      'keyword,Pans,Group,iron pan,exact,3.10,',
      'keyword,Pans,Group,clay pan,exact,3.20,paused',
      'keyword,Pans,Group,glass pan,exact,3.30,',
    ];
    await writeFile(third, rows.join('\r\n'));
    await app.drop([third]);
    const sheet = page.getByRole('dialog', { name: 'third.csv' });
    const columns = sheet.getByRole('region', { name: 'Columns with changes' });
    await expect(sheet.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
    // All columns are recognized; those that only say which row it is change nothing.
    await expect(sheet.getByText('Recognized columns', { exact: true }).locator('..')).toHaveText(
      'Recognized columns 7',
    );
    await expect(columns.locator('summary')).toHaveText('Columns with changes 4');
    await columns.locator('summary').focus();
    await page.keyboard.press('Enter');
    await expect(columns.getByRole('checkbox', { name: /^Import column / })).toHaveCount(4);
    await expect(columns.getByRole('checkbox', { name: 'Import column Type' })).toHaveCount(0);
    await expect(columns.getByRole('listitem').filter({ hasText: 'Bid' })).toContainText('3 changes');
    const keyword = columns.getByRole('listitem').filter({ hasText: 'Keyword' });
    await expect(keyword).toContainText('required for new rows');
    await expect(keyword.getByRole('checkbox')).toBeDisabled();
    await columns.getByRole('checkbox', { name: 'Import column Bid' }).focus();
    await page.keyboard.press('Space');
    await expect(sheet).toContainText('1skipped');
    await sheet.getByRole('button', { name: '1 to change' }).click();
    await expect(sheet.getByRole('listitem').filter({ hasText: 'Status: Enabled → Paused' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(app.grid).toHaveAttribute('aria-rowcount', '6');
    await expect(await app.cell('iron pan', 'Bid')).toHaveText('$1.75');
    await expect(await app.cell('clay pan', 'Bid')).toHaveText('$2.90');
    await expect(await app.cell('glass pan', 'Bid')).toHaveText('');
    await expect(sheet).toBeHidden();
    await app.command('undo');
    await expect(app.grid).toHaveAttribute('aria-rowcount', '5');
  });

  await step(
    'a column that nobody knows is mapped by hand, two as one are refused, and the next file is mapped',
    async () => {
      const theirs = join(app.dataDir, 'theirs.csv');
      const head = 'Campaign,Ad group,Search phrase,Match type,CPC limit';
      await writeFile(theirs, `${head}\r\nPans,Group,iron pan,exact,4.10`);
      await app.drop([theirs]);
      const sheet = page.getByRole('dialog', { name: 'theirs.csv' });
      const mapping = sheet.getByRole('region', { name: 'Column mapping' });
      await expect(mapping).toContainText('2 columns were not recognized and are skipped.');
      await mapping.getByRole('combobox', { name: 'The file has no Type column.' }).selectOption('Keywords');
      const choice = (heading: string) => mapping.getByRole('combobox', { name: `Import column ${heading} as` });
      await choice('Search phrase').selectOption('Keyword');
      await expect(mapping).toContainText('1 column was not recognized');
      await choice('CPC limit').selectOption('Keyword');
      await expect(sheet).toContainText('"Search phrase" and "CPC limit" are both imported as Keyword.');
      await choice('CPC limit').selectOption('Bid');
      await expect(sheet.getByRole('button', { name: 'Import 1 row' })).toBeEnabled();
      await sheet.getByRole('button', { name: 'Import 1 row' }).click();
      await expect(sheet).toBeHidden();
      await expect(await app.cell('iron pan', 'Bid')).toHaveText('$4.10');

      await app.drop([theirs]);
      await expect(mapping.getByRole('row').filter({ hasText: 'CPC limit' })).toContainText('Remembered');
      await mapping.getByRole('button', { name: 'Forget CPC limit' }).click();
      await expect(mapping).toContainText('1 column was not recognized');
      await sheet.getByRole('button', { name: 'Cancel' }).click();
    },
  );
});

test('dates as a spreadsheet program writes them are read by a proof, and else asked about once', async () => {
  const app = await openApp();
  const head = 'Type,Campaign,Campaign type,Start,End,Owner';
  const fileOf = (name: string, start: string, end: string) =>
    new File([`${head}\r\ncampaign,${name},sponsoredProducts,${start},${end},Ada`], `${name}.csv`);
  await page.keyboard.press('Control+o');
  const picker = page.getByRole('dialog').locator('input[type=file]');
  const dialog = page.getByRole('dialog', { name: /^Import$|\.csv$/ });

  const iso = join(app.dataDir, 'iso.csv');
  await writeFile(iso, `${head}\r\ncampaign,Asked,sponsoredProducts,2030-05-04,2030-07-06,Ada`);

  await step('the order that a date proves is used without a question, and said', async () => {
    await picker.setInputFiles([fileOf('Proven', '4/5/2030', '12/15/2030')]);
    await expect(dialog).toContainText('Dates are read as month/day/year.');
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Proven' })).toContainText(/Start: .*Apr.* 2030/);
  });

  await step('dates in both orders are asked about with both of them, and the others become errors', async () => {
    await picker.setInputFiles([fileOf('Mixed', '12/15/2030', '31/12/2030')]);
    await expect(dialog).toContainText('Line 2, End: "31/12/2030" is in another order than "12/15/2030".');
    await dialog.getByRole('button', { name: 'Month/day/year (12/31/2026)' }).click();
    await expect(dialog).toContainText(`"31/12/2030" can't be read as month/day/year`);
  });

  await step('dates that can all mean two days are asked about once, also when the file is read again', async () => {
    await picker.setInputFiles([fileOf('Asked', '4/5/2030', '6/7/2030')]);
    const question = dialog.getByRole('group', { name: 'Order of dates in this file' });
    await expect(dialog).toContainText('Line 2, Start: "4/5/2030" can mean two dates. Choose the order of dates.');
    await expect(question.getByRole('button', { name: 'Month/day/year (12/31/2026)' })).toBeFocused();
    await question.getByRole('button', { name: 'Day/month/year (31/12/2026)' }).click();
    await expect(dialog).toContainText('Dates are read as day/month/year.');
    await dialog.getByRole('combobox', { name: 'Import column Owner as' }).selectOption('Brand');
    await expect(dialog).toContainText('Rows of type campaign have no Brand.');
    await expect(question).toHaveCount(0);
    await dialog.getByRole('combobox', { name: 'Import column Owner as' }).selectOption('(skip)');
    await dialog.getByRole('button', { name: 'Import 1 row' }).click();
    await expect(dialog).toBeHidden();
    await app.drop([iso]);
    await expect(dialog).toContainText('Nothing to import: the file matches this account.');
  });
});

test('while another file is read, nothing of the one before is shown, and its choices are not kept', async () => {
  let held = Promise.resolve();
  await openApp({
    main: ({ exchange }) => ({
      'exchange.preview': after(() => held, exchange.preview),
    }),
  });
  const fileOf = (name: string, head: string, row: string) => new File([`${head}\r\n${row}`], name);
  const theirs = fileOf('theirs.csv', 'Campaign,Ad group,Search phrase,Match type', 'Pans,Group,iron pan,exact');
  const next = new File([sheetOf([['clay pan', '1.80']])], 'next.csv');
  await page.keyboard.press('Control+o');
  const picker = page.getByRole('dialog').locator('input[type=file]');
  await picker.setInputFiles([theirs]);
  const before = page.getByRole('dialog', { name: 'theirs.csv' });
  await before.getByRole('combobox', { name: 'The file has no Type column.' }).selectOption('Keywords');
  await expect(before.getByRole('combobox', { name: 'The file has no Type column.' })).toHaveValue('keyword');

  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await picker.setInputFiles([next]);
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await expect(dialog.getByText('Reading the file…')).toBeVisible();
  await expect(before).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);

  // A third one comes before the second was read.
  await picker.setInputFiles([new File([sheetOf([['glass pan', '1.90']])], 'last.csv')]);
  resolve();
  const last = page.getByRole('dialog', { name: 'last.csv' });
  await expect(last.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
  await expect(last).toContainText('glass pan');
});

test('a preview says that issues are checked after the import, and can be imported before its list is read', async () => {
  const held = Promise.withResolvers<void>();
  const app = await openApp({
    main: ({ exchange }) => ({
      'exchange.rows': after(() => held.promise, exchange.rows),
    }),
  });
  const file = join(app.dataDir, 'cheap.csv');
  await writeFile(file, sheetOf([['clay pan', '0.01']]));
  await app.drop([file]);
  const sheet = page.getByRole('dialog', { name: 'cheap.csv' });
  await expect(sheet).toContainText("0lines can't be imported");
  await expect(sheet).toContainText('Adslate checks the rows for issues after the import');
  await expect(sheet).toContainText('Loading…');
  await sheet.getByRole('button', { name: 'Import 3 rows' }).click();
  await expect(sheet).toBeHidden();
  held.resolve();
  await app.openList('Keywords');
  await expect(await app.cell('clay pan', 'Bid')).toHaveText('$0.01');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an import waits while a remembered column is forgotten', async () => {
  const held = Promise.withResolvers<void>();
  const app = await openApp({
    main: ({ exchange }) => ({
      'exchange.forgetColumn': after(() => held.promise, exchange.forgetColumn),
    }),
  });
  const file = join(app.dataDir, 'theirs.csv');
  await writeFile(file, `Campaign,Campaign type,Targeting,Money\r\nPots,sponsoredProducts,auto,90`);
  await app.drop([file]);
  const sheet = page.getByRole('dialog', { name: 'theirs.csv' });
  await sheet.getByRole('combobox', { name: 'The file has no Type column.' }).selectOption('Campaigns');
  await sheet.getByRole('combobox', { name: 'Import column Money as' }).selectOption('Daily budget');
  await sheet.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(sheet).toBeHidden();
  await writeFile(file, `Campaign,Campaign type,Targeting,Money\r\nPots,sponsoredProducts,auto,95`);
  await app.drop([file]);
  await sheet.getByRole('combobox', { name: 'The file has no Type column.' }).selectOption('Campaigns');
  await expect(sheet.getByRole('button', { name: 'Import 1 row' })).toBeEnabled();
  await sheet.getByRole('button', { name: 'Forget Money' }).click();
  await expect(sheet.getByRole('button', { name: 'Import 1 row' })).toBeDisabled();
  held.resolve();
  await expect(sheet).toContainText('1 column was not recognized');
});

test('the dialog says why a file cannot be read until another one is chosen', async () => {
  await openApp();
  await page.keyboard.press('Control+o');
  const dialog = page.getByRole('dialog');
  const picker = dialog.locator('input[type=file]');
  await picker.setInputFiles([new File(['PK\u0003\u0004 cut off'], 'bids.xlsx')]);
  await expect(dialog.getByRole('alert')).toContainText('bids.xlsx');
  await expect(dialog.getByText('Drop a spreadsheet')).toHaveCount(0);
  await picker.setInputFiles([new File([sheetOf([['clay pan', '1.80']])], 'next.csv')]);
  await expect(dialog.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('lines of a file are numbered as numbers are written', async () => {
  await openApp();
  const rows = Array.from({ length: 1200 }, (_, at) => [`pan ${at}`, at === 1199 ? 'much' : '1.80'] as const);
  await page.keyboard.press('Control+o');
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles([new File([sheetOf(rows)], 'long.csv')]);
  const sheet = page.getByRole('dialog', { name: 'long.csv' });
  await expect(sheet.getByRole('row').filter({ hasText: '"much" is not a number' })).toContainText('1,203');
});

test('a long table of errors says how many it shows and how to get the rows of all', async () => {
  await openApp();
  const rows = Array.from({ length: 1201 }, (_, at) => [`pan ${at}`, 'much'] as const);
  await page.keyboard.press('Control+o');
  const picker = page.getByRole('dialog').locator('input[type=file]');
  await picker.setInputFiles([new File([sheetOf(rows)], 'many.csv')]);
  const sheet = page.getByRole('dialog', { name: 'many.csv' });
  const note = 'First 200 of 1,201 errors. Select "Export these rows…" to get every row with its errors.';
  await expect(sheet.getByText(note)).toBeVisible();
  await expect(sheet.getByRole('row').filter({ hasText: '"much" is not a number' })).toHaveCount(200);
});

test('every added file says what became of it, also where the library fails or its dialog is closed', async () => {
  let held = Promise.resolve();
  await openApp({
    connection: (usual) => {
      const grant: typeof usual.files.grant = async (file, purpose) =>
        file.size === 0 ? fileError(file.name, fileRefusal('empty')).error : usual.files.grant(file, purpose);
      return { ...usual, files: { ...usual.files, grant } };
    },
    main: () => ({
      'media.add': async () => {
        await held;
        throw new ORPCError('NOT_WRITABLE', { defined: true, data: { reason: 'read-only' } });
      },
    }),
  });
  const files = ['one.vtt', 'two.vtt', 'three.vtt'].map((name, at) => new File(at === 1 ? [] : ['WEBVTT'], name));
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  const refusal = 'two.vtt is empty (0 bytes). Save or copy it again, then add it.';

  await page.keyboard.press('Alt+M');
  await dialog.locator('input[type=file]').setInputFiles(files);
  const cards = dialog.getByRole('listitem');
  await expect(cards.nth(0)).toHaveText('one.vtt Not added');
  await expect(cards.nth(1)).toContainText(refusal);
  await expect(cards.nth(2)).toHaveText('three.vtt Not added');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(refusal)).toHaveCount(0);

  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await page.keyboard.press('Alt+M');
  await dialog.locator('input[type=file]').setInputFiles(files);
  await expect(cards.nth(0)).toContainText('Checking');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  resolve();
  await expect(page.getByText(refusal)).toBeVisible();
});

test('a report file that is not handed over is refused with its name, the reason and the next step', async () => {
  const app = await openApp({
    connection: (usual) => {
      const grant: typeof usual.files.grant = async ({ name }) => fileError(name, fileRefusal('not-allowed')).error;
      return { ...usual, files: { ...usual.files, grant } };
    },
  });
  await app.command('reports');
  await page.getByLabel('Add report from file…').setInputFiles([new File(['date'], 'may.csv')]);
  const refusal = /may not read the folder of may\.csv.+ choose the file again, then allow the folder\.$/;
  await expect(page.getByRole('alert')).toContainText(refusal);
  await expect(page.getByText(refusal)).toHaveCount(1);
});

test('the progress of an import is next to its buttons, where it moves nothing', async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<string>();
  const app = await openApp({
    main: ({ exchange }) => {
      async function* events() {
        const taskId = await asked.promise;
        const task = { type: 'task.progress', task: 'import', taskId, canCancel: true, rows: null } as const;
        yield { ...task, workspaceId: app.workspaceId, share: 0.4, isOver: false };
        await held.promise;
      }
      return {
        'app.events': (async () => events()) as never,
        'exchange.apply': after((input) => {
          asked.resolve(input.taskId ?? '');
          return held.promise;
        }, exchange.apply),
      };
    },
  });
  await page.keyboard.press('Control+o');
  const rows = ['campaign,Pots,sponsoredProducts,manual'];
  const file = new File([['Type,Campaign,Campaign type,Targeting', ...rows].join('\r\n')], 'pots.csv');
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles([file]);
  const sheet = page.getByRole('dialog', { name: 'pots.csv' });
  await sheet.getByRole('button', { name: 'Import 1 row' }).click();
  const bar = sheet.getByRole('progressbar', { name: 'Import progress' });
  await expect(bar).toBeVisible();
  const progress = await bar.element();
  expect(progress.closest('p')?.parentElement?.textContent).toContain('Cancel');
  held.resolve();
  await expect(sheet).toBeHidden();
});

test('files that are still handed over are added in their account, also when another is open by then', async () => {
  const held = Promise.withResolvers<void>();
  const added = Promise.withResolvers<string>();
  const app = await openApp({
    connection: (usual) => ({
      ...usual,
      files: { ...usual.files, grant: after(() => held.promise, usual.files.grant) },
    }),
    main: ({ media }) => ({ 'media.add': after(({ workspaceId }) => added.resolve(workspaceId), media.add) }),
  });
  await page.keyboard.press('Alt+M');
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  await dialog.locator('input[type=file]').setInputFiles([new File(['WEBVTT'], 'one.vtt')]);
  await expect(dialog.getByRole('listitem')).toContainText('Checking');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await app.openSecondAccount();
  held.resolve();
  expect(await added.promise).toBe(app.workspaceId);
});

test('views that are still imported are saved in their account, also when another is open by then', async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const saved: string[] = [];
  const app = await openApp({
    main: ({ views }) => ({
      'views.save': after((input) => {
        saved.push(input.workspaceId);
        asked.resolve();
        return held.promise;
      }, views.save),
    }),
  });
  const { workspaceId } = app;
  const view = { kind: 'campaign' as const, campaignId: null, filter: 'pot', only: 'all' as const, sort: [] };
  const file = new File([printViews([1, 2].map((id) => ({ id, name: `Pots ${id}`, view, layout: {} })))], 'views.json');
  await page.getByRole('button', { name: 'More views' }).click();
  await page.getByRole('menuitem', { name: 'Import views…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import views' });
  await dialog.getByLabel('Choose a file…').setInputFiles([file]);
  const take = await dialog.getByRole('button', { name: 'Import 2 views' }).element();
  take.click();
  await asked.promise;
  take.click();
  check(saved, 'a double click imports once').toHaveLength(1);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await app.openSecondAccount();
  held.resolve();
  await expect.poll(() => saved).toEqual([workspaceId, workspaceId]);
});

test('of several report files dropped at once the first is read, which is said', async () => {
  const app = await openApp();
  await app.command('reports');
  await page.locator('[data-own-drop]').drop(['may.csv', 'june.csv'].map((name) => new File(['date'], name)));
  await expect(page.getByRole('region', { name: 'Add a report from a file' })).toContainText('may.csv');
  await expect(page.getByText('Reports are added one at a time. Only may.csv was read.')).toBeVisible();
});
