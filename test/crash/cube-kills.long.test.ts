import { expect, test } from 'vitest';
import { runs, SEED } from '../share.ts';
import { killCube } from './cube-kills.ts';

const KILLS = runs(3, 2);

test(`killed at random moments, the metrics have every report whole or not at all (seed ${SEED})`, async () => {
  const report = await killCube(KILLS, SEED);
  expect(report).toMatchObject({ kills: KILLS, lost: 0, half: 0, unsound: 0 });
  expect(report.acknowledged).toBeGreaterThan(0);
});
