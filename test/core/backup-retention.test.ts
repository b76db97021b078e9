import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKUP_REASONS, backupsToDelete, type StoredBackup } from '../../main/accounts/backup-folder.ts';
import { SEED } from '../share.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2030, 5, 15, 12);

const backups: fc.Arbitrary<readonly StoredBackup[]> = fc
  .array(
    fc.record({
      reason: fc.constantFrom(...BACKUP_REASONS),
      ageMs: fc.integer({ min: 0, max: 500 * DAY }),
      bytes: fc.integer({ min: 1, max: 100 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map(({ reason, ageMs, bytes }, i) => ({ id: `${reason}-${i}`, reason, at: NOW - ageMs, bytes })));

const aBackup = (id: string, ageMs: number, reason: StoredBackup['reason'] = 'timed'): StoredBackup => ({
  id,
  reason,
  at: NOW - ageMs,
  bytes: 10,
});
const gone = (list: readonly StoredBackup[], quota?: number): readonly string[] =>
  backupsToDelete(list, NOW, quota)
    .map(({ id }) => id)
    .toSorted();

test('all of a week stays, then one a day for a year', () => {
  const week = [1, 2, 3].map((hours) => aBackup(`h${hours}`, hours * 3_600_000));
  const older = [aBackup('late', 20 * DAY), aBackup('early', 20 * DAY + 3_600_000), aBackup('ancient', 400 * DAY)];
  expect(gone([...week, ...older])).toEqual(['ancient', 'early']);
});
test('five of each other reason stay, and those made by hand for ever', () => {
  const before = Array.from({ length: 7 }, (_, i) => aBackup(`i${i}`, i * DAY, 'before-import'));
  const byHand = [aBackup('mine', 900 * DAY, 'by-hand')];
  expect(gone([...before, ...byHand])).toEqual(['i5', 'i6']);
});
test('beyond the quota the oldest go first', () => {
  const list = [aBackup('a', 1000), aBackup('b', 2000), aBackup('c', 3000)];
  expect(gone(list, 25)).toEqual(['c']);
});
test(`the newest never goes, nor one made by hand, and what is gone once stays gone (seed ${SEED})`, () => {
  fc.assert(
    fc.property(backups, fc.integer({ min: 0, max: 3000 }), (list, quota) => {
      const going = backupsToDelete(list, NOW, quota);
      const newest = Math.max(...list.map(({ at }) => at));
      expect(going.filter(({ at, reason }) => reason === 'by-hand' || (at === newest && list.length === 1))).toEqual(
        [],
      );
      const left = list.filter((backup) => !going.includes(backup));
      if (list.length > 0) expect(left.some(({ at }) => at === newest)).toBe(true);
      expect(backupsToDelete(left, NOW, quota)).toEqual([]);
    }),
    { seed: SEED },
  );
});
