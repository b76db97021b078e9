import { expect, test } from 'vitest';
import { killStore } from './store-kills.ts';

const SEED = Number(process.env['ADSLATE_SEED'] ?? Date.now() % 1_000_000);

test(`killed at random moments, the store has what it acknowledged and nothing half (seed ${SEED})`, async () => {
  const report = await killStore(6, SEED);
  expect(report).toMatchObject({ kills: 6, lost: 0, half: 0, unsound: 0, badBackups: 0 });
  expect(report.acknowledged).toBeGreaterThan(4);
}, 240_000);
