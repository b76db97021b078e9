import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

const HEAD = 'Type;Campaign;Ad group;Campaign type;Keyword;Match type;Bid;Daily budget';

test('a sheet is asked how it writes amounts; its bad lines are saved; the account goes out as XLSX and comes back', {
  tag: ['@sheets', '@long'],
}, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  const commas = join(dataDir, 'commas.csv');
  const lines = [
    'campaign;Pans;;sponsoredProducts;;;;12,50',
    'ad group;Pans;Group;;;;;',
    'keyword;Pans;Group;;iron pan;exact;1,75;',
    'keyword;Pans;Group;;copper pan;sideways;1,80;',
  ];
  await writeFile(commas, [HEAD, ...lines].join('\r\n'));
  const sheet = page.getByRole('dialog', { name: /Import|commas.csv/ });

  await test.step('amounts with commas are asked about once', async () => {
    await desk.drop([commas]);
    await expect(sheet).toContainText('Decimal separator in this file');
    await sheet.getByRole('button', { name: 'Comma (1,50)' }).click();
    await expect(sheet).toContainText("1line can't be imported");
  });

  await test.step('lines with problems are saved as a sheet to correct', async () => {
    const saving = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Export these rows…' }).click();
    expect(await readFile(await (await saving).path(), 'utf8')).toContain('copper pan');
    await sheet.getByRole('button', { name: 'Import 3 rows' }).click();
    await desk.openList('Keywords');
    await expect(await desk.cell('iron pan', 'Bid')).toHaveText('$1.75');
  });

  await test.step('what goes out as XLSX changes nothing when it is dropped again', async () => {
    const saving = page.waitForEvent('download');
    await hands.command('export for excel');
    const saved = await saving;
    const path = join(dataDir, saved.suggestedFilename());
    await saved.saveAs(path);
    expect(path).toMatch(/\.xlsx$/);
    await desk.drop([path]);
    await expect(page.getByText('Nothing to import: the file matches this account.')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('exactly the rows shown go out, also as a page to print', async () => {
    await desk.filter('iron');
    await expect(desk.grid.getByRole('row').filter({ hasText: 'iron pan' })).toBeVisible();
    const saving = page.waitForEvent('download');
    await hands.command('current view as printable page');
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/\.html$/);
    const html = await readFile(await saved.path(), 'utf8');
    expect(html).toContain('<caption>keyword (1)</caption>');
    expect(html).toContain('iron pan');
  });

  await test.step('everything goes out as an archive', async () => {
    const saving = page.waitForEvent('download');
    await hands.command('archive');
    expect((await saving).suggestedFilename()).toMatch(/\.adslate$/);
  });

  await test.step('a file of changes says who signed it, and one that was altered opens for those who insist', async () => {
    const saving = page.waitForEvent('download');
    await hands.command('share file');
    const saved = await saving;
    const path = join(dataDir, saved.suggestedFilename());
    await saved.saveAs(path);
    await desk.drop([path]);
    const dialog = page.getByRole('dialog', { name: /adslate-changes$/ });
    await expect(dialog).toContainText('Signed by');
    await expect(dialog).toContainText('Signed on this computer.');
    await page.keyboard.press('Escape');
    const altered = join(dataDir, 'altered.adslate-changes');
    await alteredCopy(path, altered);
    await desk.drop([altered]);
    await expect(
      page.getByText('This file was modified after it was signed. Ask the sender for a new copy.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Open anyway' }).click();
    await expect(page.getByRole('dialog', { name: 'altered.adslate-changes' })).toContainText(
      'Modified after it was signed',
    );
  });

  await test.step('an archive of another account becomes drafts once its rows are new ones, and one undo takes them back', async () => {
    await page.keyboard.press('Escape');
    await desk.filter('');
    await desk.newManual('Autumn', '', '75');
    const path = join(dataDir, 'finch.adslate');
    await anotherAccount(path);
    await desk.drop([path]);
    const dialog = page.getByRole('dialog', { name: 'finch.adslate' });
    await expect(dialog).toContainText(
      'This file is from the account "Alder & Finch". 3 rows have IDs that are not in this account.',
    );
    await expect(dialog.getByRole('button', { name: 'Add campaigns by ID…' })).toBeHidden();
    await dialog.getByRole('button', { name: 'Import as new rows' }).click();
    await expect(dialog).toContainText('Rows with IDs that are not in this account are imported as new rows.');
    await expect(dialog).toContainText(
      'The name "Autumn" is already used. This campaign is imported as "Autumn copy".',
    );
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click();
    await desk.openList('Keywords');
    await expect(await desk.cell('leaf rake', 'Bid')).toHaveText('$1.75');
    await page.keyboard.press('Control+z');
    await expect(desk.grid.getByText('leaf rake')).toBeHidden();
  });
});

/** An archive of three rows that are on the service of somebody else. */
async function anotherAccount(path: string): Promise<void> {
  const none = { name: null, remoteId: null };
  const campaign = { name: null, remoteId: '99100001' };
  const adGroup = { name: null, remoteId: '99200001' };
  const settings = { campaignType: 'sponsoredProducts', targetingType: 'manual', status: 'enabled', dailyBudget: 5000 };
  const keyword = { text: 'leaf rake', matchType: 'exact', bid: 175, state: 'enabled' };
  const rows = [
    { kind: 'campaign', campaign, adGroup: none, rowId: null, cells: { name: 'Autumn', ...settings } },
    { kind: 'adGroup', campaign, adGroup, rowId: null, cells: { name: 'Leaves', status: 'enabled' } },
    { kind: 'keyword', campaign, adGroup, rowId: '99300001', cells: keyword },
  ];
  const description = {
    ...{ format: 'adslate-archive', version: 2, writtenAt: '2030-01-01T00:00:00.000Z' },
    ...{ account: { name: 'Alder & Finch', advertiserId: '5' }, rows: rows.length, media: 0 },
  };
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
  await writeParts(
    path,
    new Map([
      ['adslate.json', Buffer.from(JSON.stringify(description))],
      ['rows.jsonl', Buffer.from(lines.join(''))],
    ]),
  );
}

/** The same file with another bid in it, and checksums that fit, as somebody would make it who knows the format. */
async function alteredCopy(from: string, to: string): Promise<void> {
  const archive = await openPromise(from, { lazyEntries: true });
  const parts = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    parts.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  archive.close();
  parts.set('rows.jsonl', Buffer.from(String(parts.get('rows.jsonl')).replaceAll('175', '975')));
  parts.delete('checksums.json');
  await writeParts(to, parts);
}

/** Writes an archive of these parts with checksums that fit. */
async function writeParts(to: string, parts: Map<string, Buffer>): Promise<void> {
  const sums = [...parts].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]);
  parts.set('checksums.json', Buffer.from(JSON.stringify(Object.fromEntries(sums))));
  const zip = new ZipFile();
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name);
  zip.end();
  await writeFile(to, await buffer(zip.outputStream));
}
