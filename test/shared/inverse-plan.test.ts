import { expect, test } from 'vitest';
import { planChanges } from '../../shared/plan/plan.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { rollbackPlan } from '../../shared/plan/rollback-plan.ts';
import { aCampaign, anAdGroup, anAdItem, aTree, aVideoTree, cents, planInput } from './builders.ts';

test('old values come back and created items are switched off, the last change first', () => {
  const tree = aTree({
    campaign: aCampaign({}, { remote: '1' }),
    adGroups: [anAdGroup({}, { remote: '2' })],
    adItems: [
      anAdItem({ bid: cents(200) }, { id: 30, remote: '3', was: { bid: cents(160) } }),
      anAdItem({ itemId: '0000000001' }, { id: 31 }),
    ],
  });
  const plan = planChanges(planInput([tree]));
  expect(rollbackPlan(plan, [tree], DOCUMENTED_ONLY)).toEqual({
    changes: [
      { kind: 'adItem', id: 31, field: 'status', value: 'disabled' },
      { kind: 'adItem', id: 30, field: 'bid', value: 160 },
    ],
    irreversible: [],
  });
});

test('what no call takes back is listed before the sync, not found out after it', () => {
  const plan = planChanges(planInput([aVideoTree()]));
  const why = (can: typeof DOCUMENTED_ONLY) =>
    rollbackPlan(plan, [aVideoTree()], can).irreversible.map((row) => `${row.kind} ${row.why}`);
  expect(why(DOCUMENTED_ONLY)).toEqual([
    'media video-uploaded',
    'adGroup review-asked',
    'videoProfile created-for-good',
    'keyword created-for-good',
    'keyword created-for-good',
    'keyword created-for-good',
    'adGroup created-for-good',
    'campaign created-for-good',
  ]);
  expect(why(WITH_EXTENSIONS)).toEqual(['media video-uploaded', 'adGroup review-asked', 'campaign created-for-good']);
});
