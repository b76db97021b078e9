import { expect, test } from 'vitest';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { rollbackSent, type SentChange } from '../../shared/plan/rollback-plan.ts';
import { aCampaign, anAdItem, cents } from './builders.ts';

const item = (bid: number, id = 30) => anAdItem({ bid: cents(bid) }, { id, remote: String(id) });
const updated = (row: SentChange['row'], before: number, sent: number): SentChange => ({
  kind: 'adItem',
  id: row?.id ?? item(1).id,
  verb: 'update',
  sent: { bid: sent },
  base: { bid: before },
  row,
});

test('what was sent and still stands gets the value before it, the last change first', () => {
  const sent = [updated(item(200, 30), 160, 200), updated(item(300, 31), 170, 300)];
  expect(rollbackSent(sent, DOCUMENTED_ONLY)).toEqual({
    changes: [
      { kind: 'adItem', id: 31, field: 'bid', value: 170, now: 300 },
      { kind: 'adItem', id: 30, field: 'bid', value: 160, now: 200 },
    ],
    irreversible: [],
    changedSince: [],
  });
});

test('what was changed again since is left alone and said', () => {
  expect(rollbackSent([updated(item(210), 160, 200)], DOCUMENTED_ONLY)).toMatchObject({
    changes: [],
    changedSince: [{ id: 30, field: 'bid', sent: 200, now: 210 }],
  });
});

test('a field that one sync sent twice goes back to before the first time', () => {
  const sent = [updated(item(220), 160, 200), updated(item(220), 200, 220)];
  expect(rollbackSent(sent, DOCUMENTED_ONLY).changes).toMatchObject([{ value: 160, now: 220 }]);
});

test('a value that was put back by hand needs nothing, and a row that has left is passed over', () => {
  expect(rollbackSent([updated(item(160), 160, 160), updated(null, 1, 2)], DOCUMENTED_ONLY)).toEqual({
    changes: [],
    irreversible: [],
    changedSince: [],
  });
});

test('what was created is switched off where a call does that, and named where none does', () => {
  const created = (row: NonNullable<SentChange['row']>): SentChange => ({
    ...{ kind: row.kind, id: row.id, verb: 'create', sent: { status: 'enabled' }, base: null, row },
  });
  const campaign = aCampaign({}, { remote: '1' });
  const sent = [created(campaign), created(item(160)), updated(item(160), 160, 160)];
  const { changes, irreversible } = rollbackSent(sent, DOCUMENTED_ONLY);
  expect(changes).toMatchObject([{ kind: 'adItem', field: 'status', value: 'disabled' }]);
  expect(irreversible).toMatchObject([{ kind: 'campaign', why: 'created-for-good' }]);
  expect(rollbackSent(sent, WITH_EXTENSIONS).irreversible).toMatchObject([{ kind: 'campaign' }]);
});

test('what the service does for good is never promised back', () => {
  const row = item(160);
  const of = (verb: SentChange['verb'], sent: SentChange['sent']): SentChange => ({
    ...{ kind: 'adItem', id: row.id, verb, sent, base: { status: 'enabled' }, row },
  });
  const sent = [of('update', { status: 'deleted' }), of('submit', {}), of('logo', {}), of('upload', {})];
  const { changes, irreversible } = rollbackSent(sent, WITH_EXTENSIONS);
  expect(changes).toEqual([]);
  expect(irreversible.map(({ why }) => why)).toEqual([
    'switched-off-for-good',
    'review-asked',
    'logo-replaced',
    'video-uploaded',
  ]);
});
