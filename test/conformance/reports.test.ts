import { gunzipSync, inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';
import { conform } from './case.ts';
import { expectRefusal, fieldOf } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Reports';
const owner = () => world.as('owner');
const request = { advertiserId: 900001, startDate: '2026-05-01', endDate: '2026-05-03' };
const report = (fields: object) => owner().post('/api/v1/snapshot/report', { ...request, ...fields });

for (const reportType of ['campaign', 'adItem', 'adGroup', 'platform', 'pageType', 'keyword', 'brand', 'category']) {
  conform(section, `a ${reportType} report has rows`, async () => {
    const answer = await report({ reportType });
    expect(answer.status).toBe(200);
    expect(answer.body).toContainEqual(
      expect.objectContaining({ impressions: expect.any(Number), adSpend: expect.any(Number) }),
    );
  });
}

conform(section, 'one attribution window can be asked for', async () => {
  const rows = (await report({ reportType: 'campaign', attributionWindow: 'days14' })).body as Record<
    string,
    unknown
  >[];
  expect(rows[0]).toHaveProperty('attributedSales14days');
  expect(rows[0]).not.toHaveProperty('attributedSales3days');
});

conform(section, 'figures are there from the next day on', async () => {
  const today = () => report({ reportType: 'campaign', startDate: '2026-05-05', endDate: '2026-05-05' });
  expect((await today()).body).toEqual([]);
  await world.advance('P1D');
  expect((await today()).body).not.toEqual([]);
});

conform(section, 'a file is a job to poll; it is kept for 24 hours', async () => {
  const answer = await report({ reportType: 'keyword', extraFields: ['date'], format: 'gzip' });
  expect(answer.body).toMatchObject({ code: 'success', jobStatus: 'pending', details: '' });
  const poll = () =>
    owner().get(`/api/v1/snapshot?advertiserId=900001&snapshotId=${String(fieldOf(answer, 'snapshotId'))}`);
  await world.advance('PT1S');
  expect(fieldOf(await poll(), 'jobStatus')).toBe('processing');
  await world.advance('PT1M58S');
  expect(fieldOf(await poll(), 'jobStatus')).toBe('processing');
  await world.advance('PT1S');
  const done = await poll();
  expect(fieldOf(done, 'jobStatus')).toBe('done');
  const file = await fetch(String(fieldOf(done, 'details')));
  const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString();
  expect(text.split('\r\n')[0]).toMatch(
    /^date,campaignId,campaignName,adGroupId,keywordId,keywordText,matchType,bid,impressions,/,
  );
  expect((await fetch(String(fieldOf(done, 'details')).replace(/sig=.*/, 'sig=x'))).status).toBe(403);
  await world.advance('PT23H59M59S');
  expect((await fetch(String(fieldOf(done, 'details')))).status).toBe(200);
  await world.advance('PT1S');
  expect(fieldOf(await poll(), 'jobStatus')).toBe('expired');
  expect((await fetch(String(fieldOf(done, 'details')))).status).toBe(403);
}).proves(
  'limit.snapshotHours',
  'limit.snapshotMinutes',
  'move.reportFile.create (new)>pending',
  'move.reportFile.process pending>processing',
  'move.reportFile.finish processing>done',
  'move.reportFile.expire done>expired',
);

conform(section, 'a file may be plain or a zip archive', async () => {
  const fetchFile = async (format: string) => {
    const answer = await report({ reportType: 'campaign', format });
    await world.advance('PT5M');
    const done = await owner().get(
      `/api/v1/snapshot?advertiserId=900001&snapshotId=${String(fieldOf(answer, 'snapshotId'))}`,
    );
    return Buffer.from(await (await fetch(String(fieldOf(done, 'details')))).arrayBuffer());
  };
  const plain = await fetchFile('csv');
  const zip = await fetchFile('zip');
  const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  expect(inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(18))).toString()).toBe(plain.toString());
});

conform(section, 'what is wrong with a request', async () => {
  expect((await report({ reportType: 'weather' })).body).toMatchObject({ code: 'failure' });
  expectRefusal(await report({}), 400, 'Field [reportType] not found in request');
  expectRefusal(await report({ reportType: 'campaign', endDate: '2026-04-01' }), 400, 'Invalid request parameter(s)');
  expectRefusal(await report({ reportType: 'campaign', startDate: '2025-05-01' }), 400, 'Invalid request parameter(s)');
  expect((await report({ reportType: 'campaign', startDate: '2025-05-02' })).status).toBe(200);
  expect((await owner().get('/api/v1/snapshot?snapshotId=x')).status).toBe(404);
}).proves('own.reportTypeUnknown', 'own.snapshotNotFound', 'message.fieldMissing', 'limit.reportDaysMax');
