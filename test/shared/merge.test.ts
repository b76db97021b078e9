import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameCell, mergeField, readPolicy } from '../../shared/merge/merge.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { rollbackPlan, rollbackSent, type SentChange } from '../../shared/plan/rollback-plan.ts';
import { rowMatcher } from '../../shared/spreadsheet/row-match.ts';
import { createDuplicateRowCheck } from '../../shared/spreadsheet/sheet-linker.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aTree,
  aVideoTree,
  cents,
  lookupOf,
  planInput,
} from './builders.ts';

const bid = (base: Cell, mine: Cell, theirs: Cell) => mergeField('keyword', 'bid', base, mine, theirs);

test('each cell of the outcome table is what the protocol says', () => {
  expect(bid(1, 1, 1)).toBe('same');
  expect(bid(1, 2, 1)).toBe('keep-mine');
  expect(bid(1, 1, 2)).toBe('take-theirs');
  expect(bid(1, 2, 2)).toBe('converged');
  expect(bid(1, 2, 3)).toBe('conflict');
});

test('spelling that the service changes by itself is no difference', () => {
  expect(isSameCell('campaign', 'name', 'Spring  video ', 'Spring video')).toBe(true);
  expect(isSameCell('campaign', 'endDate', null, '9999-12-30')).toBe(true);
  expect(isSameCell('sbaProfile', 'clickUrl', 'https://a.example/x:y', 'https://a.example/x%3Ay')).toBe(true);
  expect(isSameCell('adItem', 'itemId', '0012345678', '12345678')).toBe(false);
});

test('what the service owns never conflicts', () => {
  expect(mergeField('keyword', 'reviewStatus', 'pending', 'rejected', 'approved')).toBe('take-theirs');
});

const sideOf = (text: string, field: string | null) => {
  const policy = readPolicy(text);
  if (!policy.ok) throw new Error(policy.error.part);
  return policy.value(field);
};

test('a named field has its side, and every other the side of "other"', () => {
  const text = 'bid=mine, Daily budget=theirs, gone=ask, other=mine';
  expect(sideOf(text, 'bid')).toEqual({ take: 'mine', rule: 'bid=mine' });
  expect(sideOf(text, 'dailyBudget')).toEqual({ take: 'theirs', rule: 'Daily budget=theirs' });
  expect(sideOf(text, 'headline')).toEqual({ take: 'mine', rule: 'other=mine' });
  expect(sideOf(text, null)).toBeNull();
  // A colleague is no field: only a part of its own decides.
  expect(sideOf(text, 'colleague')).toBeNull();
  expect(sideOf(`${text},colleague=theirs`, 'colleague')).toEqual({ take: 'theirs', rule: 'colleague=theirs' });
});

test('what no part decides is asked, and an empty policy asks always', () => {
  expect(sideOf('bid=mine', 'headline')).toBeNull();
  expect(sideOf('bid=ask,other=theirs', 'bid')).toBeNull();
  fc.assert(
    fc.property(fc.option(fc.string()), (field) => {
      expect(sideOf('', field)).toBeNull();
    }),
  );
});

test('what is no rule is named', () => {
  for (const part of ['bid', 'bid=both', '=mine', 'bid=mine=theirs', '...=mine'])
    expect(readPolicy(`other=ask,${part}`)).toEqual({ ok: false, error: { part } });
});

test('rows of many large parents are found however they are asked for, and few parents are kept at a time', () => {
  const parents = Array.from({ length: 80 }, (_, at) => asRowId(at + 1));
  const children = Array.from({ length: 1000 }, (_, at) =>
    aKeyword({ text: `kettle ${at}`, matchType: 'exact' }, { id: at }),
  );
  let asked = 0;
  const matcher = rowMatcher({
    ...lookupOf([]),
    children: () => {
      asked++;
      return children;
    },
    row: (_, id) => children[id] ?? null,
  });
  const find = (parent: number) => matcher.find('keyword', asRowId(parent), { text: 'KETTLE 7', matchType: 'exact' });

  for (const parent of parents) expect(find(parent)).toBe(children[7]);
  expect(asked).toBe(80);
  for (const parent of [79, 80, 31 + 1]) expect(find(parent)).toBe(children[7]);
  expect(asked).toBe(80);
  // The first ones had to make room, so that an account of any size needs the memory of some parents.
  expect(find(1)).toBe(children[7]);
  expect(asked).toBe(81);
  // A parent that comes again may come often, as in a sheet sorted by keyword: it is not read once for each of its rows.
  for (const parent of [2, 1, 2, 1]) expect(find(parent)).toBe(children[7]);
  expect(asked).toBe(82);
});

test('of any rows in any order, each names the line of the first with its key', () => {
  // Few and short, so that keys come again, also with their letters parted otherwise between scope and key.
  const part = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', ' ', '\u00e4') });
  fc.assert(
    fc.property(fc.array(fc.tuple(part, part), { maxLength: 60 }), (rows) => {
      const seen = createDuplicateRowCheck();
      const firstLines = new Map<string, number>();
      rows.forEach(([scope, key], at) => {
        const line = at + 1;
        const before = firstLines.get(scope + key);
        expect(seen.lineOf(scope, key, line)).toBe(before ?? null);
        if (before === undefined) firstLines.set(scope + key, line);
      });
    }),
  );
});

test('however many rows there are, all of them are found again and no other', () => {
  const seen = createDuplicateRowCheck();
  const lines = Array.from({ length: 20_000 }, (_, at) => at + 1);
  const lineOf = (line: number): number | null => seen.lineOf(`keyword @${line % 30} `, `exact towel ${line}`, line);
  expect(lines.map(lineOf).every((before) => before === null)).toBe(true);
  expect(lines.map(lineOf)).toEqual(lines);
});

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
  expect(rollbackPlan(plan, [tree], DOCUMENTED_ONLY)).toMatchObject({
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
    'campaign created-for-good',
    'adGroup created-for-good',
    'keyword created-for-good',
    'keyword created-for-good',
    'keyword created-for-good',
    'videoProfile created-for-good',
  ]);
  expect(why(WITH_EXTENSIONS)).toEqual(['media video-uploaded', 'adGroup review-asked', 'campaign created-for-good']);
});

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

test('a profile that the sync created has no earlier logo to lose', () => {
  const row = anSbaProfile({}, { remote: '4' });
  const of = (verb: SentChange['verb'], sent: SentChange['sent'], base: SentChange['base']): SentChange => ({
    ...{ kind: row.kind, id: row.id, verb, sent, base, row },
  });
  const sent = [of('create', { status: 'enabled' }, null), of('logo', { logo: 5 }, null)];
  expect(rollbackSent(sent, DOCUMENTED_ONLY)).toMatchObject({
    changes: [{ kind: 'sbaProfile', field: 'status', value: 'disabled' }],
    irreversible: [],
  });
});
