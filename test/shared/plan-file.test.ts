import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PlanHeader, printPlanFile, readPlanFile } from '../../shared/api/plan-file.ts';
import { asWorkspaceId, remoteId } from '../../shared/model/scalars.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { planDifference } from '../../shared/plan/plan-difference.ts';
import { planText, printPlan, writtenBody, writtenPlan, writtenRefs } from '../../shared/plan/plan-text.ts';
import { type Plan, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { refsOf, renderBatch } from '../../shared/plan/wire.ts';
import {
  aCampaign,
  aKeyword,
  aLogo,
  anAdItem,
  anSbaProfile,
  aTree,
  aVideo,
  aVideoTree,
  cents,
  id,
  planInput,
  env as ruleEnv,
} from './builders.ts';
import { draft, treeOf } from './laws/drafts.ts';
import { testFiles } from './laws/world.ts';

const HEADER: PlanHeader = {
  account: 'Shop',
  workspaceId: asWorkspaceId('shop-1'),
  advertiserId: '900001',
  draftsOf: '2026-05-04T10:00:00.000Z',
  submit: true,
  cancelReviews: false,
  campaignIds: null,
  chosen: null,
};
const lines = (plan: Plan) => planText(plan).trimEnd().split('\n');
const fileOf = (plan: Plan, header = HEADER) => printPlanFile(header, writtenPlan(plan));
const planned = (trees: Parameters<typeof planInput>[0]) =>
  planChanges(planInput(trees, { capabilities: WITH_EXTENSIONS }));

/** Names as nobody should give them: quotes, brackets, controls, marks of direction, halves of characters. */
const wild = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => `${text}"@campaign/1\\ \u0085\u009b\u2028`);

const KEYWORDS: NonNullable<PlanHeader['chosen']>['rows'] = [{ kind: 'keyword', ids: [id(7), id(9)] }];

const header = fc.record({
  account: wild,
  workspaceId: fc.constant(HEADER.workspaceId),
  advertiserId: fc.stringMatching(/^\d{1,19}$/),
  draftsOf: fc.option(fc.constant('2026-05-04T10:00:00.000Z')),
  submit: fc.boolean(),
  cancelReviews: fc.boolean(),
  campaignIds: fc.option(fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(id), { maxLength: 4 })),
  chosen: fc.option(fc.record({ below: fc.boolean(), rows: fc.constant(KEYWORDS) })),
});

test('a plan that is written and read is the same, whatever the rows are called, and nothing of it steers a terminal', () => {
  const env = { today: ruleEnv.today, items: ['1000000001', '1000000002', '1000000003'], files: testFiles() };
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(draft, { minLength: 1, maxLength: 3 }), wild, header, (drafts, name, head) => {
      const trees = drafts.map((one, nth) => {
        const tree = treeOf(one, nth, env);
        return { ...tree, campaign: aCampaign({ ...tree.campaign.values, name }, { id: tree.campaign.id }) };
      });
      const plan = planned(trees);
      for (const batch of plan.batches) seen.add(`${batch.verb} ${batch.kind}`);
      if (plan.uploads.length > 0) seen.add('upload');
      if (plan.leftOut.length > 0) seen.add('left out');
      const text = fileOf(plan, head);
      expect(text).not.toMatch(/[^\n\P{Cc}]|[\u2028\u2029]/u);
      expect(readPlanFile(text)).toEqual({ ok: true, value: { header: head, plan: writtenPlan(plan) } });
      expect(planDifference(lines(plan), lines(plan))).toEqual([]);
      for (const [at, request] of writtenPlan(plan).requests.entries()) {
        const batch = plan.batches[at];
        if (batch === undefined) throw new Error('a request less');
        const idOf = (kind: string, row: number) => remoteId(`${9 + kind.length}00000000000000${row}`);
        // The plan escapes more than JSON has to; digits stay as they are.
        const same = (body: string): unknown => JSON.parse(body.replace(/:(-?\d[\d.]*)(?=[,}])/gu, ':"$1"'));
        expect(same(writtenBody(request, idOf))).toEqual(same(renderBatch(batch, idOf)));
        expect(writtenRefs(request)).toEqual(refsOf(batch).map(({ kind, id: row }) => `${kind}/${row}`));
      }
    }),
    { numRuns: 200 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['create campaign', 'create keyword', 'logo sbaProfile', 'upload', 'submit review']),
  );
});

test('the first line says whose plan it is and what was wished', () => {
  const [first, second] = fileOf(planned([aTree()])).split('\n');
  expect(first).toBe(
    'adslate-plan 1 {"account":"Shop","workspaceId":"shop-1","advertiserId":"900001","draftsOf":"2026-05-04T10:00:00.000Z","submit":true,"cancelReviews":false,"campaignIds":null,"chosen":null}',
  );
  expect(second).toMatch(/^plan: \d+ requests, \d+ elements, 0 uploads$/);
});

test('a text that begins like a row is told from a row', () => {
  const text = fileOf(planned([aTree({ campaign: aCampaign({ name: '@campaign/1' }) })]));
  expect(text).toContain('"name":"\\u0040campaign/1"');
  expect(text).toContain('"campaignId":"@campaign/1"');
});

test('what an editor, Windows or --json made of a plan file is read all the same', () => {
  const plan = planned([aVideoTree()]);
  const text = fileOf(plan);
  const value = { header: HEADER, plan: writtenPlan(plan) };
  for (const same of [
    text,
    `\uFEFF${text.replaceAll('\n', '\r\n')}\n\n`,
    JSON.stringify({ plan: text.trimEnd().split('\n') }),
    JSON.stringify({ lines: text.trimEnd().split('\n') }),
  ]) {
    expect(readPlanFile(same)).toEqual({ ok: true, value });
  }
});

test('a plan of an earlier form, of a newer one, and a text that is none are told apart', () => {
  const plan = planned([aTree()]);
  const desk = '{"elements": 3, "reviews": 0, "uploads": [], "leftOut": [], "requests": []}';
  for (const old of [printPlan(writtenPlan(plan)), desk]) {
    expect(readPlanFile(old)).toEqual({ ok: false, error: { kind: 'older-plan' } });
  }
  const newer = fileOf(plan).replace('adslate-plan 1', 'adslate-plan 2');
  expect(readPlanFile(newer)).toEqual({ ok: false, error: { kind: 'newer-plan' } });
  for (const none of ['', 'Meeting notes\n', '{"plan":', '{"plan": 7}', '{"plan": ["notes"]}']) {
    expect(readPlanFile(none), none).toEqual({ ok: false, error: { kind: 'no-plan' } });
  }
});

test('a plan that was cut off or spoiled says in which line', () => {
  const text = fileOf(planned([aVideoTree()]));
  const all = text.trimEnd().split('\n');
  const problemOf = (changed: readonly string[]) => {
    const read = readPlanFile(changed.join('\n'));
    return read.ok ? 'none' : read.error;
  };
  expect(problemOf(all)).toBe('none');
  const request = all.findIndex((line) => / adGroup create /.test(line));
  const at = (line: number) => ({ kind: 'damaged-plan', line });
  expect(problemOf(all.slice(0, request))).toEqual(at(request + 1));
  expect(problemOf(all.with(request, 'something else'))).toEqual(at(request + 1));
  expect(problemOf(all.with(request + 1, all[request + 1]?.slice(0, -4) ?? ''))).toEqual(at(request + 2));
  expect(problemOf(all.toSpliced(request, 2))).toEqual(at(request + 1));
  expect(problemOf(all.with(0, 'adslate-plan 1 {"account":"Shop"}'))).toEqual(at(1));
  expect(problemOf(all.with(1, 'plan: many'))).toEqual(at(2));
});

const item = (row: number, bid: number) => anAdItem({ itemId: `100000000${row}`, bid: cents(bid) }, { id: row });
const keyword = (row: number) => aKeyword({ text: `word ${row}`, bid: cents(150) }, { id: row });

test('one changed value is one line before and one after; requests that only moved are none', () => {
  const before = planned([aTree({ adItems: [item(3, 160)], keywords: [keyword(5)] })]);
  const bid = planned([aTree({ adItems: [item(3, 333)], keywords: [keyword(5)] })]);
  const row = { kind: 'adItem', id: 3 };
  expect(planDifference(lines(before), lines(bid))).toEqual([
    { sign: '-', line: expect.stringMatching(/^adItem\/3 .*"bid":1\.60/), row },
    { sign: '+', line: expect.stringMatching(/^adItem\/3 .*"bid":3\.33/), row },
  ]);
  const without = planned([aTree({ adItems: [], keywords: [keyword(5)] })]);
  const gone = planDifference(lines(before), lines(without));
  expect(gone.map(({ sign, line }) => `${sign} ${line.split(' ', 2).join(' ')}`)).toEqual([
    '- 2 POST',
    expect.stringMatching(/^- adItem\/3 /),
  ]);
  expect(planDifference(lines(without), lines(before))).toEqual(gone.map((change) => ({ ...change, sign: '+' })));
});

test('a row that is left out by now stands beside what would have been sent of it', () => {
  const tree = aTree({ adItems: [item(3, 160), item(4, 160)], keywords: [keyword(5)] });
  const held = planChanges(
    planInput([tree], { capabilities: WITH_EXTENSIONS, hasErrors: (kind, row) => kind === 'adItem' && row === 3 }),
  );
  expect(planDifference(lines(planned([tree])), lines(held)).map(({ sign, line }) => `${sign} ${line}`)).toEqual([
    expect.stringMatching(/^- adItem\/3 /),
    '+ left out adItem/3: has-errors',
  ]);
});

test('when only the order differs, the lines that changed places are listed', () => {
  const plan = lines(planned([aTree({ adItems: [item(3, 160), item(4, 160)] })]));
  const [third, fourth] = [3, 4].map((row) => plan.findIndex((line) => line.startsWith(`  adItem/${row} `)));
  const swapped = plan.with(third ?? 0, plan[fourth ?? 0] ?? '').with(fourth ?? 0, plan[third ?? 0] ?? '');
  expect(planDifference(plan, swapped).map(({ sign, row }) => `${sign}${row?.id}`)).toEqual(['-3', '+4', '-4', '+3']);
});

test('another picture for a logo is another plan', () => {
  const withLogo = (logo: number) =>
    planned([
      aTree({
        campaign: aCampaign({ campaignType: 'sba' }),
        sbaProfiles: [anSbaProfile({ logo: id(logo) }, { id: 30 })],
        media: [aLogo({}, { id: logo })],
      }),
    ]);
  const changed = planDifference(lines(withLogo(90)), lines(withLogo(91)));
  expect(changed.map(({ sign, line }) => `${sign} ${line.split(' {')[0]}`)).toEqual([
    '- sbaProfile/30 (logo) @media/90',
    '+ sbaProfile/30 (logo) @media/91',
  ]);
});

test('an upload is told by its file, with its caption', () => {
  const [first, second] = [40_000, 50_000].map((bytes) => planned([aVideoTree({ media: [aVideo({ bytes })] })]));
  if (first === undefined || second === undefined) throw new Error('two plans');
  const changed = planDifference(lines(first), lines(second));
  expect(changed.map(({ sign, row }) => `${sign} ${row?.kind}`)).toEqual(['- media', '+ media']);
});
