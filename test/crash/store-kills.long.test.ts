import { expect, test } from 'vitest';
import { runs, SEED } from '../share.ts';
import { killStore } from './store-kills.ts';

const KILLS = runs(6, 2);

test(`killed at random moments, the store has what it acknowledged and nothing half (seed ${SEED})`, async () => {
  const report = await killStore(KILLS, SEED);
  expect(report).toMatchObject({ kills: KILLS, lost: 0, half: 0, unsound: 0, badBackups: 0 });
  expect(report.acknowledged).toBeGreaterThan(1);
});
