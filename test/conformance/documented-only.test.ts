import { expect } from 'vitest';
import { conform } from './case.ts';
import { fieldOf } from './client.ts';
import { createWorld } from './world.ts';

/** The service with its extensions off, as it is unless told otherwise. */
const world = createWorld({ extensions: false });
const owner = () => world.as('owner');

conform('Versioning', 'with the extensions off, only the documented calls exist', async () => {
  for (const path of ['/api/v1/campaigns', '/api/v1/adGroups', '/api/v1/keywords']) {
    expect((await owner().get(path)).status).toBe(405);
    expect((await owner().put(path, [])).status).toBe(405);
  }
  expect((await owner().put('/api/v1/adGroup/media', [])).status).toBe(405);
  expect((await owner().get('/api/v1/snapshot')).status).toBe(404);
}).proves('own.methodNotAllowed', 'own.pathNotFound');

conform('Reports', 'with the extensions off, the file is at its address at once, for 24 hours', async () => {
  const report = {
    advertiserId: 900001,
    reportType: 'campaign',
    startDate: '2026-05-01',
    endDate: '2026-05-03',
    format: 'csv',
  };
  const address = String(fieldOf(await owner().post('/api/v1/snapshot/report', report), 'downloadUrl'));
  expect(await (await fetch(address)).text()).toMatch(/^campaignId,campaignName,/);
  await world.advance('PT23H59M59S');
  expect((await fetch(address)).status).toBe(200);
  await world.advance('PT1S');
  expect((await fetch(address)).status).toBe(403);
}).proves('move.reportFile.create (new)>done', 'move.reportFile.expire done>expired', 'limit.snapshotHours');
