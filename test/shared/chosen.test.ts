import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChosenRows as ChosenShape } from '../../shared/api/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { HELD, type Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import type { ChosenRows } from '../../shared/plan/plan-types.ts';
import { type Plan, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { choiceOf, chosenRows, SYNC_SELECTION_MAX } from '../../shared/plan/sync-selection.ts';
import { renderBody, unresolved } from '../../shared/plan/wire.ts';
import { isFull, runs } from '../share.ts';
import {
  aCampaign,
  aKeyword,
  aLogo,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlatform,
  aTree,
  aVideo,
  aVideoProfile,
  aVideoTree,
  cents,
  id,
  planInput,
} from './builders.ts';

const choose = (...rows: ChosenRows['rows']): ChosenRows => ({ rows, below: false });
test('a request with more rows of a kind than one list takes is chosen in several, all of its rows', () => {
  const rows = Array.from({ length: SYNC_SELECTION_MAX + 1 }, (_, at) => ({
    kind: 'keyword' as const,
    id: id(at + 1),
  }));
  const chosen = ChosenShape.parse(chosenRows([{ kind: 'campaign', id: id(1) }, ...rows]));
  expect(chosen.rows.map(({ kind, ids }) => [kind, ids.length])).toEqual([
    ['campaign', 1],
    ['keyword', SYNC_SELECTION_MAX],
    ['keyword', 1],
  ]);
  const isChosen = choiceOf(chosen);
  expect(isChosen?.(aKeyword({}, { id: SYNC_SELECTION_MAX + 1 }))).toBe(true);
});

const sent = (plan: Plan) => plan.batches.flatMap((b) => b.elements.map((e) => `${b.verb} ${e.kind}/${e.id}`));

test('a chosen row whose new parent is held stays, and the parent says why', () => {
  const tree = aVideoTree({ adGroups: [anAdGroup({}, { marks: HELD })] });
  const plan = planChanges(planInput([tree], { chosen: choose({ kind: 'keyword', ids: [id(41)] }) }));
  expect(sent(plan)).toEqual([]);
  expect(plan.leftOut.filter(({ reason }) => reason !== 'not-chosen')).toEqual([
    { kind: 'adGroup', id: 2, reason: 'held' },
    { kind: 'keyword', id: 41, reason: 'parent-left-out' },
  ]);
});

test('a chosen video, caption or logo goes with the profile that carries it; a chosen profile brings its video', () => {
  const profile = choose({ kind: 'videoProfile', ids: [id(6)] });
  const withFile = planChanges(planInput([aVideoTree()], { chosen: profile }));
  expect(withFile.uploads.map(({ mediaId }) => mediaId)).toEqual([9]);
  expect(withFile.added).toContainEqual({ kind: 'media', id: 9, why: 'file' });
  for (const file of [9, 10]) {
    const plan = planChanges(planInput([aVideoTree()], { chosen: choose({ kind: 'media', ids: [id(file)] }) }));
    expect(sent(plan)).toEqual(['create campaign/1', 'create adGroup/2', 'create videoProfile/6']);
    expect(plan.added).toContainEqual({ kind: 'videoProfile', id: 6, why: 'carries' });
  }
  const brand = aTree({
    campaign: aCampaign({ campaignType: 'sba' }, { remote: '1' }),
    adGroups: [anAdGroup({}, { remote: '2' })],
    sbaProfiles: [anSbaProfile({ logo: id(11) }, { remote: '3', was: { logo: null } }), anSbaProfile({}, { id: 50 })],
    media: [aLogo()],
  });
  const logo = planChanges(planInput([brand], { chosen: choose({ kind: 'media', ids: [id(11)] }) }));
  expect(sent(logo)).toEqual(['logo sbaProfile/5']);
});

test('a video that has to wait keeps its profile here, and no parent goes because of it', () => {
  const tree = aVideoTree({ media: [aVideo({ mediaState: 'processing' }, { remote: '5' })] });
  for (const kind of ['videoProfile', 'media'] as const) {
    const chosen = choose({ kind, ids: [id(kind === 'media' ? 9 : 6)] });
    const plan = planChanges(planInput([tree], { chosen }));
    expect(sent(plan)).toEqual([]);
    expect(plan.added).toEqual([]);
  }
});

test('no review is asked for while changed rows of the campaign stay behind unchosen', () => {
  const rows = [
    { kind: 'adItem' as const, ids: [id(30), id(31), id(32)] },
    { kind: 'videoProfile' as const, ids: [id(6)] },
    { kind: 'keyword' as const, ids: [id(40), id(41)] },
  ];
  const part = planChanges(planInput([aVideoTree()], { chosen: choose(...rows) }));
  expect(part.batches.some(({ kind }) => kind === 'review')).toBe(false);
  const whole = choose(...rows, { kind: 'keyword', ids: [id(42)] });
  expect(planChanges(planInput([aVideoTree()], { chosen: whole })).batches.at(-1)?.kind).toBe('review');
});

const state = fc.constantFrom('new', 'edited', 'same', 'held');
const drafts = fc.record({
  campaigns: fc.array(
    fc.record({
      type: fc.constantFrom('sba', 'video', 'sponsoredProducts'),
      campaign: state,
      groups: fc.array(fc.record({ group: state, rows: fc.array(state, { maxLength: 6 }) }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  chosen: fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }),
  below: fc.boolean(),
  errors: fc.array(fc.nat(40), { maxLength: 3 }),
});
type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

type Shape = typeof drafts extends fc.Arbitrary<infer T> ? T : never;

/** Rows are numbered through, so that one number names one row of whatever kind. */
function treesOf({ campaigns }: Shape): readonly CampaignTree[] {
  let next = 0;
  const marks = (one: State, was: object) => {
    next += 1;
    const remote = one === 'edited' || one === 'same' ? { remote: `${next}` } : {};
    return { id: next, ...remote, ...(one === 'edited' ? { was } : {}), marks: one === 'held' ? HELD : 0 };
  };
  // The service has no row below one that it does not have.
  const below = (parent: Row, one: State): State => (parent.remoteId === null && one !== 'held' ? 'new' : one);
  return campaigns.map((each) => {
    const campaign = aCampaign({ campaignType: each.type }, marks(each.campaign, { dailyBudget: cents(1) }));
    const campaignId = campaign.id;
    const tree = { adGroups: [], adItems: [], keywords: [], sbaProfiles: [], videoProfiles: [], media: [] } as {
      [K in 'adGroups' | 'adItems' | 'keywords' | 'sbaProfiles' | 'videoProfiles' | 'media']: CampaignTree[K][number][];
    };
    for (const { group, rows } of each.groups) {
      const adGroup = anAdGroup({}, { ...marks(below(campaign, group), { name: 'was' }), campaignId });
      tree.adGroups.push(adGroup);
      const at = { campaignId, adGroupId: adGroup.id };
      for (const [nth, wish] of rows.entries()) {
        const one = below(adGroup, wish);
        const bid = { bid: cents(1) };
        if (nth % 3 === 0) tree.adItems.push(anAdItem({}, { ...marks(one, bid), ...at }));
        else if (nth % 3 === 1) tree.keywords.push(aKeyword({}, { ...marks(one, bid), ...at }));
        else if (each.type === 'sba')
          tree.sbaProfiles.push(anSbaProfile({}, { ...marks(one, { brand: 'was' }), ...at }));
        else if (each.type === 'video') {
          const video = aVideo({}, { id: ++next });
          tree.media.push(video);
          tree.videoProfiles.push(aVideoProfile({ video: video.id }, { ...marks(one, { status: 'disabled' }), ...at }));
        }
      }
    }
    const platformMultipliers = [aPlatform({}, { ...marks('new', {}), campaignId })];
    return aTree({ campaign, ...tree, platformMultipliers });
  });
}

const rowsOf = ({ campaign, ...lists }: CampaignTree): readonly Row[] => [campaign, ...Object.values(lists).flat()];
const elements = (plan: Plan) =>
  new Map(
    plan.batches.flatMap((b) =>
      b.elements.map((e) => [`${b.verb} ${b.kind} ${e.kind}/${e.id}`, renderBody(e, unresolved)]),
    ),
  );

test('the plan of a choice is part of the whole plan: what was chosen, the parents it needs, and nothing else', () => {
  const seen = { chosen: 0, parents: 0, files: 0, carried: 0, left: 0 };
  fc.assert(
    fc.property(drafts, (draft) => {
      const trees = treesOf(draft);
      const byId = new Map<RowId, Row>(trees.flatMap(rowsOf).map((row) => [row.id, row]));
      const ids = draft.chosen.flatMap((n) => byId.get(id((n % byId.size) + 1)) ?? []);
      if (ids.length === 0) return;
      const chosen: ChosenRows = { rows: ids.map((row) => ({ kind: row.kind, ids: [row.id] })), below: draft.below };
      const settings = {
        capabilities: WITH_EXTENSIONS,
        hasErrors: (_kind: string, n: RowId) => draft.errors.includes(n),
      };
      const whole = planChanges(planInput(trees, settings));
      const part = planChanges(planInput(trees, { ...settings, chosen }));
      const all = elements(whole);
      const some = elements(part);
      for (const [key, body] of some) expect(all.get(key), key).toBe(body);
      expect(whole.uploads).toEqual(expect.arrayContaining([...part.uploads]));

      const names = new Set(ids.map((row) => row.id));
      const isChosen = (row: Row): boolean =>
        names.has(row.id) ||
        (draft.below &&
          ((row.campaignId !== null && names.has(row.campaignId)) ||
            (row.adGroupId !== null && names.has(row.adGroupId))));
      const going = new Set(part.batches.flatMap((b) => (b.kind === 'review' ? [] : b.elements.map((e) => e.id))));
      const added = new Map(part.added.map((row) => [row.id, row.why]));
      // Everything chosen that the whole plan sends goes.
      for (const batch of whole.batches) {
        if (batch.kind === 'review') continue;
        for (const element of batch.elements) {
          const row = byId.get(element.id);
          if (row === undefined || !isChosen(row)) continue;
          expect(going, `${row.kind} ${row.id}`).toContain(row.id);
          seen.chosen += 1;
        }
      }
      for (const rowId of going) {
        const row = byId.get(rowId);
        if (row === undefined) throw new Error('a row from nowhere');
        // Every parent that is needed is in.
        for (const parent of [row.adGroupId, row.campaignId]) {
          const above = parent === null ? undefined : byId.get(parent);
          if (above !== undefined && above.remoteId === null) expect(going).toContain(above.id);
        }
        // Nothing else is: a row nobody chose is a new parent of a row that goes, or carries a chosen file.
        if (isChosen(row)) {
          expect(added.has(rowId)).toBe(false);
          continue;
        }
        const why = added.get(rowId);
        const isParent = [...going].some(
          (n) => byId.get(n)?.adGroupId === rowId || (n !== rowId && byId.get(n)?.campaignId === rowId),
        );
        expect(why).toBe(row.kind === 'campaign' || row.kind === 'adGroup' ? 'parent' : 'carries');
        if (why === 'parent') expect(isParent && row.remoteId === null).toBe(true);
        if (why === 'parent') seen.parents += 1;
        else seen.carried += 1;
      }
      for (const { kind, id: rowId } of part.leftOut) expect(going.has(rowId), `${kind} ${rowId}`).toBe(false);
      seen.files += part.added.filter(({ why }) => why === 'file').length;
      seen.left += part.leftOut.filter(({ reason }) => reason === 'not-chosen').length;
    }),
    { numRuns: runs(1500, 200) },
  );
  console.log(seen);
  for (const [corner, times] of Object.entries(seen)) expect(times, corner).toBeGreaterThan(isFull ? 5 : 0);
});
