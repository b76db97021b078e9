import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { DELETED, HELD, rowKey } from '../../shared/model/row.ts';
import { remoteId } from '../../shared/model/scalars.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import {
  type Capabilities,
  createBlockKey,
  DOCUMENTED_ONLY,
  type Plan,
  WITH_EXTENSIONS,
} from '../../shared/plan/plan-types.ts';
import { refsOf, renderBatch, unresolved } from '../../shared/plan/wire.ts';
import {
  aCampaign,
  aKeyword,
  aLogo,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aTree,
  aVideo,
  aVideoProfile,
  aVideoTree,
  cents,
  day,
  id,
  planInput,
  profile,
} from './builders.ts';

const calls = (plan: Plan) => plan.batches.map((b) => `${b.method} ${b.path} x${b.elements.length}`);
const bodies = (plan: Plan) => plan.batches.map((batch) => renderBatch(batch, unresolved));
const live = { serviceStatus: 'live', status: 'enabled' } as const;
const onService = {
  campaign: aCampaign(live, { remote: '904100200301' }),
  adGroups: [anAdGroup({}, { remote: '7700001' })],
};

test('a new video campaign is uploaded, created parent by parent and submitted for review', () => {
  const plan = planChanges(planInput([aVideoTree()]));
  expect(calls(plan)).toEqual([
    'POST /api/v1/campaigns x1',
    'POST /api/v1/adGroups x1',
    'POST /api/v1/adItems x3',
    'POST /api/v1/keywords x2',
    'POST /api/v1/keywords x1',
    'POST /api/v1/adGroup/media x1',
    'POST /api/v1/review x1',
  ]);
  expect(plan.uploads).toEqual([
    { mediaId: 9, captionId: 10, file: 'spring.mp4', bytes: 4_000_000, mediaName: 'Spring cut 20s' },
  ]);
  expect(plan.elements).toBe(10);
  expect(bodies(plan)).toEqual([
    '[{"advertiserId":900001,"name":"Spring video A","campaignType":"video","targetingType":"manual","budget":1500.00,"dailyBudget":75.00,"startDate":"2026-05-10","endDate":"2026-05-30","status":"enabled"}]',
    '[{"name":"Video group","campaignId":"@campaign/1","status":"enabled"}]',
    `[${['0012345678', '0012345679', '0012345680'].map((i) => `{"campaignId":"@campaign/1","adGroupId":"@adGroup/2","itemId":"${i}","bid":1.60,"status":"enabled"}`).join(',')}]`,
    '{"campaignId":"@campaign/1","adGroupId":"@adGroup/2","keywords":["paper towel","kitchen roll"],"matchType":"exact","bid":1.65}',
    '{"campaignId":"@campaign/1","adGroupId":"@adGroup/2","keywords":["kitchen roll"],"matchType":"phrase","bid":1.70}',
    '[{"advertiserId":900001,"campaignId":"@campaign/1","adGroupId":"@adGroup/2","mediaId":"@media/9"}]',
    '[{"campaignId":"@campaign/1","adGroupId":"@adGroup/2"}]',
  ]);
});

test('ids of the service are written digit for digit, also above 2^53', () => {
  const tree = aTree({
    ...onService,
    adItems: [anAdItem({ bid: cents(200) }, { remote: '9007199254740993', was: { bid: cents(160) } })],
  });
  expect(bodies(planChanges(planInput([tree], { submit: false })))).toEqual([
    '[{"campaignId":904100200301,"adGroupId":7700001,"itemId":"0012345678","bid":2.00,"status":"enabled"}]',
  ]);
});

test('a change without a documented call is left out with its reason, and goes when the connection offers it', () => {
  const tree = aTree({
    campaign: aCampaign({ ...live, status: 'paused' }, { remote: '1', was: { status: 'enabled' } }),
    adGroups: onService.adGroups,
    keywords: [aKeyword({ bid: cents(250) }, { remote: '2', was: { bid: cents(165) } })],
  });
  const documented = planChanges(planInput([tree], { submit: false }));
  expect(documented.batches).toEqual([]);
  expect(documented.leftOut.map((row) => row.reason)).toEqual(['not-offered', 'not-offered']);
  const extended = planChanges(planInput([tree], { submit: false, capabilities: WITH_EXTENSIONS }));
  expect(bodies(extended)).toEqual(['[{"campaignId":1,"status":"paused"}]', '[{"keywordId":2,"bid":2.50}]']);
});

test('taking up a completed campaign is sent as extend with its new end', () => {
  const campaign = aCampaign(
    { status: 'enabled', endDate: day('2026-08-01') },
    { remote: '1', was: { status: 'completed', endDate: day('2026-05-30') } },
  );
  const plan = planChanges(planInput([aTree({ campaign, adGroups: [] })], { capabilities: WITH_EXTENSIONS }));
  expect(bodies(plan)).toEqual(['[{"campaignId":1,"status":"extend","endDate":"2026-08-01"}]']);
});

test('rows with errors, held rows and blocked rows stay behind; children of a campaign that stays behind say so', () => {
  const tree = aVideoTree({
    keywords: [
      aKeyword({}, { id: 40, marks: HELD }),
      aKeyword({ text: 'b' }, { id: 41 }),
      aKeyword({ text: 'c' }, { id: 42 }),
    ],
  });
  const plan = planChanges(
    planInput([tree], {
      hasErrors: (kind, rowId) => kind === 'keyword' && rowId === id(41),
      blocked: new Map([[rowKey('keyword', id(42)), 'conflict']]),
    }),
  );
  expect(plan.leftOut.map((row) => [row.id, row.reason])).toEqual([
    [40, 'held'],
    [41, 'has-errors'],
    [42, 'conflict'],
  ]);
  const orphaned = planChanges(planInput([tree], { hasErrors: (kind) => kind === 'campaign' }));
  expect(orphaned.batches).toEqual([]);
  expect(orphaned.leftOut.filter((row) => row.reason === 'parent-left-out').length).toBe(7);
});

test('a frozen group takes no further creates while its updates go on', () => {
  const tree = aTree({
    ...onService,
    adItems: [
      anAdItem({ itemId: '0000000001' }, { id: 30 }),
      anAdItem({ bid: cents(9) }, { id: 31, remote: '5', was: { bid: cents(8) } }),
    ],
  });
  const plan = planChanges(
    planInput([tree], { submit: false, blocked: new Map([[createBlockKey('adItem', id(2)), 'in-doubt']]) }),
  );
  expect(calls(plan)).toEqual(['PUT /api/v1/adItems x1']);
  expect(plan.leftOut).toEqual([{ kind: 'adItem', id: 30, reason: 'in-doubt' }]);
});

test('new rows with a final status are not sent: the service would refuse the others of their request', () => {
  const adItems = [anAdItem({}, { id: 30 }), anAdItem({ itemId: '0087654321', status: 'deleted' }, { id: 31 })];
  const keywords = [aKeyword({ text: 'mug', state: 'archived' }, { id: 41 })];
  const plan = planChanges(planInput([aTree({ ...onService, adItems, keywords })]));
  expect(calls(plan)).toEqual(['POST /api/v1/adItems x1']);
  expect(plan.leftOut).toEqual([
    { kind: 'adItem', id: 31, reason: 'nothing-to-send' },
    { kind: 'keyword', id: 41, reason: 'nothing-to-send' },
  ]);
});

test('during a review bids go, but nothing is added or re-enabled', () => {
  const tree = aTree({
    campaign: onService.campaign,
    adGroups: [anAdGroup({ reviewStatus: 'in-progress' }, { remote: '7' })],
    adItems: [
      anAdItem({}, { id: 30 }),
      anAdItem({ status: 'enabled' }, { id: 31, remote: '5', was: { status: 'disabled' } }),
      anAdItem({ status: 'disabled' }, { id: 32, remote: '6', was: { status: 'enabled' } }),
      anAdItem({ bid: cents(200) }, { id: 33, remote: '7', was: { bid: cents(160) } }),
    ],
  });
  const plan = planChanges(planInput([tree]));
  expect(plan.batches.flatMap((b) => b.elements.map((e) => e.id))).toEqual([32, 33]);
  expect(plan.leftOut.map((row) => [row.id, row.reason])).toEqual([
    [30, 'review-open'],
    [31, 'review-open'],
  ]);
});

test('a deleted ad item is an update to deleted; what cannot be deleted says so', () => {
  const tree = aTree({
    ...onService,
    adItems: [anAdItem({}, { remote: '5', marks: DELETED })],
    keywords: [aKeyword({}, { remote: '6', marks: DELETED }), aKeyword({}, { id: 41, marks: DELETED })],
  });
  const plan = planChanges(planInput([tree], { submit: false }));
  expect(bodies(plan)).toEqual([
    '[{"campaignId":904100200301,"adGroupId":7700001,"itemId":"0012345678","bid":1.60,"status":"deleted"}]',
  ]);
  expect(plan.leftOut).toEqual([{ kind: 'keyword', id: 4, reason: 'not-offered' }]);
});

test('a brand profile goes whole with its canonical address, and its logo after it', () => {
  const tree = aTree({
    campaign: aCampaign({ campaignType: 'sba', serviceStatus: 'proposal' }, { remote: '1' }),
    adGroups: [anAdGroup({}, { remote: '2' })],
    sbaProfiles: [
      anSbaProfile({ status: 'disabled', headline: 'Second' }, { id: 50 }),
      anSbaProfile({ clickUrl: 'https://www.retailer.example/s?a=x:y+z', logo: id(11) }, { id: 51 }),
    ],
    media: [aLogo()],
  });
  const plan = planChanges(planInput([tree]));
  expect(bodies(plan)).toEqual([
    '[{"campaignId":1,"adGroupId":2,"searchAmpName":"Softly","headlineText":"Kitchen rolls that last","clickUrl":"https://www.retailer.example/s?a=x%3Ay%20z"},' +
      '{"campaignId":1,"adGroupId":2,"searchAmpName":"Softly","headlineText":"Second","clickUrl":"https://www.retailer.example/browse/softly"}]',
    '{"campaignId":1,"adGroupId":2,"sbaProfileId":"@sbaProfile/51"}',
  ]);
  expect(plan.batches[0]?.elements.map((e) => [e.id, e.sent['status']])).toEqual([
    [51, 'enabled'],
    [50, 'disabled'],
  ]);
});

test('content and enabling of a profile never travel together on a live campaign', () => {
  const tree = aTree({
    ...onService,
    sbaProfiles: [anSbaProfile({ headline: 'New' }, { remote: '9', was: { headline: 'Old', status: 'disabled' } })],
  });
  const [element] = planChanges(planInput([tree], { submit: false })).batches.flatMap((b) => b.elements);
  expect(element?.changed).toEqual(['headline']);
  expect(element?.body['status']).toBe('disabled');
});

test('a profile whose video is being processed waits; one whose video is available names it', () => {
  const processing = aTree({
    ...onService,
    videoProfiles: [aVideoProfile()],
    media: [aVideo({ mediaState: 'processing' }, { remote: '66' })],
  });
  expect(planChanges(planInput([processing])).leftOut).toEqual([
    { kind: 'videoProfile', id: 6, reason: 'waits-for-media' },
  ]);
  const available = aTree({
    ...onService,
    videoProfiles: [aVideoProfile()],
    media: [aVideo({ mediaState: 'available' }, { remote: '66' })],
  });
  const plan = planChanges(planInput([available]));
  expect(plan.uploads).toEqual([]);
  expect(bodies(plan)).toEqual([
    '[{"advertiserId":900001,"campaignId":904100200301,"adGroupId":7700001,"mediaId":66}]',
  ]);
});

test('multipliers are created when new and updated when there, also without an id of their own', () => {
  const known = { ...aPlatform({ multiplier: null }), dirty: 2, remoteId: null };
  const tree = aTree({
    ...onService,
    placementMultipliers: [aPlacement()],
    platformMultipliers: [known],
  });
  expect(calls(planChanges(planInput([tree])))).toEqual([
    'POST /api/v1/multipliers/placement x1',
    'PUT /api/v1/multipliers/platform x1',
  ]);
});

test('keywords go in batches of the profile and in the words of its dialect', () => {
  const keywords = Array.from({ length: 7 }, (_, at) => aKeyword({ text: `k${at}` }, { id: 100 + at }));
  const seed = DeploymentSettings.parse({ batch: { keywords: 3 } });
  const family = DeploymentSettings.parse({ batch: { keywords: 3 }, wire: { dialect: 'family' } });
  const tree = aTree({ ...onService, keywords });
  expect(calls(planChanges(planInput([tree], { profile: seed })))).toEqual([
    'POST /api/v1/keywords x3',
    'POST /api/v1/keywords x3',
    'POST /api/v1/keywords x1',
  ]);
  expect(bodies(planChanges(planInput([tree], { profile: family })))[2]).toBe(
    '[{"campaignId":904100200301,"adGroupId":7700001,"keywordText":"k6","matchType":"exact","bid":1.65,"state":"enabled"}]',
  );
});

test('of keywords that no read shows again, no more travel at once than a user would look for one by one', () => {
  const keywords = Array.from({ length: 60 }, (_, at) => aKeyword({ text: `k${at}` }, { id: 100 + at }));
  const tree = aTree({ ...onService, keywords });
  const sizes = (capabilities: Capabilities): readonly number[] =>
    planChanges(planInput([tree], { capabilities })).batches.map(({ elements }) => elements.length);
  expect(sizes(DOCUMENTED_ONLY)).toEqual([25, 25, 10]);
  expect(sizes(WITH_EXTENSIONS)).toEqual([50, 10]);
});

test('a review is asked for only when a campaign has one of each and something is not approved', () => {
  const without = aVideoTree({ keywords: [] });
  expect(calls(planChanges(planInput([without])))).not.toContain('POST /api/v1/review x1');
  const touched = aVideoTree({ campaign: aCampaign({ campaignType: 'sponsoredProducts' }) });
  expect(calls(planChanges(planInput([touched])))).not.toContain('POST /api/v1/review x1');
  expect(calls(planChanges(planInput([aVideoTree()], { submit: false })))).not.toContain('POST /api/v1/review x1');
});

type ItemValues = NonNullable<Parameters<typeof anAdItem>[0]>;

test.each<[string, ItemValues, ItemValues, boolean]>([
  ['another bid', { bid: cents(200) }, { bid: cents(160) }, false],
  ['an item that is switched off', { status: 'disabled' }, { status: 'enabled' }, false],
  ['an item that is switched on again', { status: 'enabled' }, { status: 'disabled' }, true],
])('of what is approved, %s asks for a review only where one is needed', (_what, values, was, isAsked) => {
  const other = anAdItem({ itemId: '77', reviewStatus: 'approved' }, { id: 31, remote: '9' });
  const tree = aTree({
    ...onService,
    adItems: [anAdItem({ ...values, reviewStatus: 'approved' }, { remote: '1', was }), other],
    keywords: [aKeyword({ reviewStatus: 'approved' }, { remote: '2' })],
    videoProfiles: [aVideoProfile({ reviewStatus: 'approved' }, { remote: '3' })],
  });
  const asked = calls(planChanges(planInput([tree]))).filter((call) => call.startsWith('POST /api/v1/review'));
  expect(asked).toHaveLength(isAsked ? 1 : 0);
});

test('a review is asked for on the last day of a campaign still, and not after it', () => {
  const endingOn = (endDate: string) =>
    calls(planChanges(planInput([aVideoTree({ campaign: aCampaign({ endDate: day(endDate) }) })])));
  expect(endingOn('2026-05-01')).toContain('POST /api/v1/review x1');
  expect(endingOn('2026-04-30')).not.toContain('POST /api/v1/review x1');
});

test('only the chosen campaigns are planned', () => {
  const other = aVideoTree({
    campaign: aCampaign({}, { id: 70 }),
    adGroups: [],
    adItems: [],
    keywords: [],
    videoProfiles: [],
  });
  const plan = planChanges(planInput([aVideoTree(), other], { only: new Set([id(70)]) }));
  expect(calls(plan)).toEqual(['POST /api/v1/campaigns x1']);
});

test('a reference is written as the remote id once the row has one', () => {
  const plan = planChanges(planInput([aVideoTree()]));
  const group = plan.batches[1];
  if (group === undefined) throw new Error('no ad group batch');
  expect(renderBatch(group, () => remoteId('904100200301'))).toBe(
    '[{"name":"Video group","campaignId":904100200301,"status":"enabled"}]',
  );
});

test('any draft gives batches within the limits that refer to earlier batches or uploads only, whatever the order of the trees', () => {
  const campaignIds = [1, 2, 3];
  const treeOf = (campaignId: number) =>
    fc
      .record({ items: fc.nat(12), keywords: fc.nat(60), bids: fc.constantFrom(150, 165), isNew: fc.boolean() })
      .map((n) => {
        const campaign = n.isNew
          ? aCampaign({}, { id: campaignId })
          : aCampaign(live, { id: campaignId, remote: `${campaignId}00` });
        const at = { campaignId, adGroupId: campaignId + 10 };
        return aTree({
          campaign,
          adGroups: [anAdGroup({}, { id: campaignId + 10, campaignId })],
          adItems: Array.from({ length: n.items }, (_, i) =>
            anAdItem({ itemId: `${i}` }, { id: 1000 * campaignId + i, ...at }),
          ),
          keywords: Array.from({ length: n.keywords }, (_, i) =>
            aKeyword({ text: `k${i}`, bid: cents(i % 2 === 0 ? n.bids : 200) }, { id: 2000 * campaignId + i, ...at }),
          ),
          videoProfiles: [aVideoProfile({}, { id: 3000 * campaignId, ...at })],
          media: [aVideo()],
        });
      });
  const trees = fc.tuple(...campaignIds.map(treeOf));
  fc.assert(
    fc.property(trees, (some) => {
      const plan = planChanges(planInput(some));
      const created = new Set(plan.uploads.map((upload) => `media/${upload.mediaId}`));
      for (const batch of plan.batches) {
        expect(batch.elements.length).toBeLessThanOrEqual(profile.batch.max);
        expect(new Set(batch.elements.map((e) => e.kind)).size).toBe(1);
        for (const ref of refsOf(batch)) expect(created).toContain(`${ref.kind}/${ref.id}`);
        if (batch.verb === 'create') for (const element of batch.elements) created.add(`${element.kind}/${element.id}`);
      }
      expect(planText(planChanges(planInput(some.toReversed())))).toBe(planText(plan));
    }),
    { numRuns: 60 },
  );
});
