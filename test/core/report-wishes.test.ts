import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Requested } from '../../main/reports/report-service.ts';
import { REPORT_TYPES } from '../../shared/api/reports.ts';
import { share } from '../share.ts';
import { deployment, LOOK, snapshotOf } from './a-deployment.ts';

describe('what is asked for', () => {
  test('an attribution window leaves the others out, and is another wish than none', async () => {
    const { request, reports, wish, sent } = await deployment('');
    const columnsOf = async (asked: Requested): Promise<readonly string[]> => {
      const found = await reports().rows(snapshotOf(asked).id);
      return found.ok ? (found.value.rows[0] ?? []) : [];
    };
    expect(await columnsOf(await request())).toContain('attributedSales3days');
    const columns = await columnsOf(await request({ ...wish, attributionWindow: 'days14' }));
    expect(columns).toContain('attributedSales14days');
    expect(columns).not.toContain('attributedSales3days');
    expect(await request({ ...wish, attributionWindow: 'days14' })).toMatchObject({ is: 'report', kept: true });
    expect(await sent()).toBe(2);
  });

  test('the settings of the account say what is sent where nobody does, and null sends nothing', async () => {
    const { request, wish } = await deployment('', { report: { attributionWindow: 'days30', format: 'gzip' } });
    const usual = snapshotOf(await request());
    expect(usual).toMatchObject({
      attributionWindow: 'days30',
      format: 'gzip',
      raw: { mediaType: 'application/gzip' },
    });
    const own = snapshotOf(await request({ ...wish, attributionWindow: 'days3', format: null }));
    expect(own).toMatchObject({ attributionWindow: 'days3', raw: { mediaType: 'application/json' } });
    expect(own.format).toBeUndefined();
  });

  const packings = [
    ['json', 'application/json'],
    ['csv', 'text/csv'],
    ['gzip', 'application/gzip'],
    ['zip', 'application/zip'],
    ['zip-parts', 'application/zip'],
    ['zip-mixed', 'application/zip'],
  ] as const;
  const some = share('packings of a report', packings, 3);
  test.each(some)(
    'a deployment that packs everything as %s gives the same figures as any other',
    async (file, mediaType) => {
      const plain = await deployment('');
      const other = await deployment(`report-answer=address,report-file=${file}`);
      const total = async ({ request, reports, wish }: typeof plain) => {
        const snapshot = snapshotOf(await request({ ...wish, reportType: 'campaign' }));
        const view = await reports().view(snapshot.id, LOOK);
        if (!view.ok) throw new Error(view.error.kind);
        return { snapshot, total: view.value.total };
      };
      const [usual, packed] = [await total(plain), await total(other)];
      expect(packed.total).toEqual(usual.total);
      expect(packed.snapshot.raw?.mediaType).toBe(mediaType);
      expect(packed.snapshot.parts?.map(({ name, used }) => [name, used])).toEqual(PARTS[file]);
    },
  );

  test('a type that only the deployment knows is asked for, kept, and remembered for this account', async () => {
    const { request, reports, restart, wish } = await deployment('report-type=audience_segment', {
      report: { types: ['searchTerm'] },
    });
    expect(await reports().types()).toEqual(['searchTerm']);
    expect(await reports().request({ ...wish, reportType: 'horoscope' }, false)).toMatchObject({ ok: false });
    const snapshot = snapshotOf(await request({ ...wish, reportType: 'audience_segment' }));
    expect(snapshot.rows).toBeGreaterThan(0);
    await request();
    await restart();
    expect(await reports().types()).toEqual(['searchTerm', 'audience_segment']);
    expect(REPORT_TYPES).not.toContain('audience_segment');
    const view = await reports().view(snapshot.id, { ...LOOK, groupBy: 'audience_segment' });
    expect(view).toMatchObject({ ok: true, value: { groupBy: 'audience_segment', groups: 2 } });
  });
});
const PARTS: Readonly<Record<string, unknown>> = {
  'zip-parts': [
    ['report-1.csv', true],
    ['report-2.csv', true],
  ],
  'zip-mixed': [
    ['totals.csv', false],
    ['report-1.csv', true],
    ['report-2.csv', true],
    ['readme.txt', false],
  ],
};

describe('a report is kept', () => {
  test('to the byte, and its rows are read from these bytes', async () => {
    const { request, reports, folder, restart } = await deployment('report-answer=address,report-file=gzip');
    const { id, raw } = snapshotOf(await request());
    await restart();
    const found = await reports().raw(id);
    if (!found.ok) throw new Error(found.error.kind);
    expect(found.value.bytes).toEqual(await readFile(join(folder, 'reports', `${id}.raw`)));
    expect(found.value.bytes).toHaveLength(raw?.bytes ?? -1);
    expect(gunzipSync(found.value.bytes).toString()).toMatch(/^date,campaignId,/);
  });

  test('by the version before is opened, looked at and taken along as ever', async () => {
    const { folder, reports, restart, request, wish } = await deployment('');
    await cp(join(import.meta.dirname, 'kept-reports-before'), join(folder, 'reports'), { recursive: true });
    await restart();
    const { snapshots, damaged } = await reports().list();
    expect(damaged).toBe(0);
    const [kept] = snapshots;
    expect(kept).toMatchObject({ reportType: 'keyword', rows: 2, fetchedOn: '2026-05-03' });
    const id = kept?.id ?? '';
    const view = await reports().view(id, LOOK);
    expect(view).toMatchObject({
      value: {
        groups: 1,
        total: { rows: 2, figures: { impressions: 2000, adSpend: 2075, attributedSales14days: 8810 } },
      },
    });
    const raw = await reports().raw(id);
    expect(raw).toMatchObject({ value: { mediaType: 'text/csv', bytes: expect.any(Buffer) } });
    await request({ ...wish, reportType: 'campaign' });
    expect(await reports().remove(id)).toBe(true);
    expect((await readdir(join(folder, 'reports'))).filter((name) => name.startsWith(id))).toEqual([]);
  });
});
