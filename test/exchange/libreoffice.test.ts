import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anExchange, type TestExchange } from './an-exchange.ts';

/**
 * Exports that LibreOffice 7.4 opened and saved, read back into the account of `source.csv`: `saved.xlsx` as XLSX,
 * `from-ods.csv` by way of ODS, `semicolons.csv` by a German LibreOffice (decimal commas), `utf-16.tsv` with tabs,
 * `from-csv.xlsx` from the CSV export opened as it comes, which drops leading zeros of IDs.
 */
const saved = (name: string): string => join(import.meta.dirname, 'from-libreoffice', name);
const folder = mkdtempSync(join(tmpdir(), 'adslate-office-'));
let desk: TestExchange;
let rows: number;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
  const preview = await desk.preview(await desk.grant(saved('source.csv')));
  if (preview.errorCount > 0) throw new Error(JSON.stringify(preview.errors));
  rows = preview.added;
  await desk.apply(preview.previewId);
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['saved.xlsx', undefined],
  ['from-ods.csv', undefined],
  ['utf-16.tsv', undefined],
  ['semicolons.csv', 'comma'],
] as const)('%s comes back without damage', async (name, decimals) => {
  const preview = await desk.preview(await desk.grant(saved(name)), decimals);
  await desk.dismiss(preview.previewId);
  expect(preview).toMatchObject({ added: 0, changed: 0, conflicts: 0, errors: [], unchanged: rows });
  expect(rows).toBe(15);
});

test('decimal commas are asked about, not guessed', async () => {
  expect(await desk.tryPreview(await desk.grant(saved('semicolons.csv')))).toMatchObject({
    error: { reason: 'needs-decimals' },
  });
});

test('an id that lost its zeros on the way is refused by its line; nothing else is harmed', async () => {
  const preview = await desk.preview(await desk.grant(saved('from-csv.xlsx')));
  await desk.dismiss(preview.previewId);
  expect(preview.errors).toMatchObject([{ column: 'Item id', message: expect.stringContaining('leading zeros') }]);
  expect(preview.unchanged + preview.errorCount).toBeGreaterThan(rows - 4);
});
