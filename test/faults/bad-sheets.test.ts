import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { unknownHeadings } from '../../shared/spreadsheet/column-mapping.ts';
import { anExchange, makeSpring, type TestExchange } from '../files/an-exchange.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { BAD_SHEETS } from './bad-sheets.ts';

const folder = testFolder('faults');
let desk: TestExchange;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
  await makeSpring(desk, ['tea']);
  return () => desk.close();
});

const sheets = share('bad spreadsheets', BAD_SHEETS).map((sheet) => [sheet.id, sheet.what, sheet] as const);
test.each(sheets)('fault %s: %s', async (id, _what, { content, expect: wanted }) => {
  const path = join(folder, `${id}.csv`);
  writeFileSync(path, typeof content === 'function' ? content() : content);
  const before = (await desk.account.workspace.summary()).revision;
  const preview = await desk.tryPreview(await desk.grant(path));
  if ('refused' in wanted) {
    expect(preview).toMatchObject({ ok: false, error: { reason: wanted.refused } });
  } else {
    if (!preview.ok) throw new Error(`refused: ${JSON.stringify(preview.error)}`);
    const { errors, errorCount, added, changed, headings, formulaCount } = preview.value;
    if ('error' in wanted) {
      expect(errors[0]?.line).toBe(wanted.error[0]);
      expect(errors[0]?.message).toMatch(wanted.error[1]);
      expect(added + changed).toBe(wanted.others ?? 0);
    } else expect(errorCount).toBe(0);
    if ('unknown' in wanted) expect(unknownHeadings(headings)).toEqual(wanted.unknown);
    if ('formulas' in wanted) expect({ formulas: formulaCount, added }).toEqual(wanted);
    if ('fine' in wanted) expect(preview.value).toMatchObject(wanted.fine);
    await desk.dismiss(preview.value.previewId);
  }
  // Whatever a sheet holds, looking at it changes nothing.
  expect((await desk.account.workspace.summary()).revision).toBe(before);
  expect(Object.keys({})).toEqual([]);
});

test('fault 73: a sheet of two gigabytes is refused by its size before it is read', async () => {
  const path = join(folder, 'huge.csv');
  writeFileSync(path, 'Type\n');
  truncateSync(path, 2 * 1024 ** 3);
  expect(await desk.tryPreview(await desk.grant(path))).toMatchObject({ error: { reason: 'too-large' } });
});
