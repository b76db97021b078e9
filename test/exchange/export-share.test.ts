import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NO_OBSERVER } from '../../main/app/long-task.ts';
import { anExchange } from './an-exchange.ts';

const folder = mkdtempSync(join(tmpdir(), 'adslate-share-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEYWORDS = 12_000;
const SHEET = [
  'Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Keyword,Match type,Bid',
  'campaign,Spring,,sponsoredProducts,manual,50.00,,,',
  'ad group,Spring,Main,,,,,,',
  ...Array.from({ length: KEYWORDS }, (_, at) => `keyword,Spring,Main,,,,pot ${at},exact,1.00`),
].join('\n');

test('an export tells how much of it is written, whether of the account or of what is filtered', async () => {
  const desk = await anExchange(join(folder, 'data'));
  try {
    const path = join(folder, 'many.csv');
    writeFileSync(path, SHEET);
    const preview = await desk.preview(await desk.grant(path));
    await desk.apply(preview.previewId);

    const filtered: number[] = [];
    const view = { kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' } as const;
    const target = join(folder, 'some.csv');
    await desk.export(
      { target, format: 'csv', view: { ...view, sort: [] } },
      {
        ...NO_OBSERVER,
        tellShare: (share) => void filtered.push(share),
      },
    );
    expect(filtered).toEqual([5000 / KEYWORDS, 10_000 / KEYWORDS]);

    const whole: number[] = [];
    await desk.export(
      { target: join(folder, 'all.xlsx'), format: 'xlsx', view: null },
      {
        ...NO_OBSERVER,
        tellShare: (share) => void whole.push(share),
      },
    );
    const all = KEYWORDS + 2;
    expect(whole).toEqual([5000 / all, 10_000 / all]);
  } finally {
    await desk.close();
  }
});
