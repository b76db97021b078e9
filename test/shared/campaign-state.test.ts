import { expect, test } from 'vitest';
import {
  afterCampaignWrite,
  afterStatusRead,
  type DerivedState,
  deriveCampaignState,
  NOTHING_REMEMBERED,
  type StatusMemory,
  stateOfStatus,
} from '../../shared/lifecycle/campaign-state.ts';
import {
  CAMPAIGN_TRANSITIONS,
  type CampaignState,
  isActive,
  type ServiceStatus,
} from '../../shared/lifecycle/states.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { FIELDS, type Values } from '../../shared/model/fields.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { checkCampaign } from '../../shared/rules/check.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aTree,
  aVideo,
  aVideoProfile,
  day,
  env,
  planInput,
} from './builders.ts';

/** The flight of the campaigns of the builders is 10 to 30 May. */
const BEFORE = day('2026-05-05');
const DURING = day('2026-05-15');
const AFTER = day('2026-05-31');
const remote = { remote: '1' };
type Review = Values<'adGroup'>['reviewStatus'];
type Part = Values<'adItem'>['reviewStatus'];

interface Told {
  readonly status?: ServiceStatus | null;
  readonly review?: Review;
  readonly reviewId?: string;
  readonly profile?: Part;
  readonly item?: Part;
  readonly keyword?: Part;
  readonly values?: Partial<Values<'campaign'>>;
}

/** A brand campaign of the service with a profile, an item and a keyword, about which this was told. */
function told({
  status = 'enabled',
  review = null,
  reviewId = '7',
  profile,
  item,
  keyword,
  values,
}: Told): CampaignTree {
  return aTree({
    campaign: aCampaign({ campaignType: 'sba', serviceStatus: status, ...values }, remote),
    adGroups: [anAdGroup({ reviewStatus: review, reviewId: review === null ? null : reviewId }, remote)],
    sbaProfiles: [anSbaProfile({ reviewStatus: profile ?? 'pending' }, remote)],
    adItems: [anAdItem({ reviewStatus: item ?? 'pending' }, remote)],
    keywords: [aKeyword({ reviewStatus: keyword ?? 'pending' }, remote)],
  });
}
const approved = { review: 'approved', profile: 'approved', item: 'approved', keyword: 'approved' } as const;
const rejected = { ...approved, review: 'rejected', profile: 'rejected' } as const;
const inReview = { review: 'pending' } as const;

const look = (tree: CampaignTree, today: PlainDate, memory: StatusMemory = NOTHING_REMEMBERED): DerivedState =>
  deriveCampaignState(tree, memory, today, 5000);
/** What is remembered after a read of this status on a day. */
const readAs = (word: ServiceStatus, on: PlainDate, memory: StatusMemory = NOTHING_REMEMBERED): StatusMemory =>
  afterStatusRead(memory, word, { ms: 1000, day: on });
const stateAndSource = ({ state, source }: DerivedState): string => `${state}, ${source}`;

test('a campaign that the service does not have is a local draft, whatever else is known', () => {
  const tree = aTree({ campaign: aCampaign({ serviceStatus: 'live' }) });
  expect(look(tree, DURING, readAs('live', DURING))).toMatchObject({ state: 'draft', source: 'local', asOf: null });
});

test('the table: the first match of status, review and video names the state', () => {
  const video = (mediaState: Values<'media'>['mediaState'], status: 'enabled' | 'disabled' = 'enabled') =>
    aTree({
      campaign: aCampaign({}, remote),
      videoProfiles: [aVideoProfile({ status })],
      media: [aVideo({ mediaState })],
    });
  const table: readonly [ServiceStatus | null, CampaignTree, CampaignState][] = [
    ['completed', told({ ...inReview }), 'ended'],
    ['live', told({ ...inReview }), 'live'],
    ['live', told(rejected), 'live'],
    ['paused', told(rejected), 'rejected'],
    ['proposal', told(rejected), 'rejected'],
    ['proposal', told({ ...rejected, ...inReview }), 'in-review'],
    ['proposal', told({ ...approved, item: 'rejected' }), 'rejected'],
    ['proposal', told({ ...approved, keyword: 'rejected' }), 'rejected'],
    ['proposal', told({ review: 'rejected' }), 'rejected'],
    ['paused', told({ ...inReview }), 'paused'],
    ['scheduled', told({ ...inReview }), 'scheduled'],
    ['rescheduled', told(approved), 'scheduled'],
    ['proposal', told({ review: 'in-progress' }), 'in-review'],
    ['enabled', video('uploading'), 'processing'],
    ['enabled', video('processing'), 'processing'],
    ['enabled', video('available'), 'draft'],
    ['enabled', video('processing', 'disabled'), 'draft'],
    ['enabled', told(approved), 'scheduled'],
    ['enabled', aTree({ campaign: aCampaign({ campaignType: 'sponsoredProducts' }, remote) }), 'scheduled'],
    ['proposal', told({}), 'draft'],
    ['proposal', told({ ...approved, review: 'cancelled' }), 'draft'],
    [null, told({}), 'draft'],
  ];
  for (const [status, tree, state] of table) {
    const { reviewStatus } = tree.adGroups[0]?.values ?? {};
    expect(stateOfStatus(status, tree), `${status} ${reviewStatus}`).toBe(state);
  }
});

test('with automatic targeting no keyword counts; switched off parts never do', () => {
  const refused = anAdItem({ reviewStatus: 'rejected', status: 'disabled' }, remote);
  const keyword = aKeyword({ reviewStatus: 'rejected' }, remote);
  const tree = told({ ...approved, values: { targetingType: 'auto' } });
  expect(stateOfStatus('proposal', { ...tree, keywords: [keyword] })).toBe('scheduled');
  expect(stateOfStatus('proposal', { ...tree, adItems: [refused, ...tree.adItems] })).toBe('scheduled');
});

test('five words of a read are a report; the others, and the reply to a write, are none', () => {
  for (const word of ['scheduled', 'rescheduled', 'live', 'paused', 'completed'] as const) {
    const seen = look(told({ status: word }), DURING, readAs(word, DURING));
    expect([seen.source, seen.asOf], word).toEqual(['service', 1000]);
  }
  for (const word of ['enabled', 'proposal'] as const) {
    expect(look(told({ status: word }), DURING, readAs(word, DURING)).source, word).toBe('estimated');
  }
  // The reply to a write may name any status: without a read nothing of it is a report.
  expect(look(told({ status: 'live' }), BEFORE).source).toBe('estimated');
});

test('a report ends with an accepted write to the campaign, and with the next read begins another', () => {
  const tree = told({ status: 'live' });
  const written = afterCampaignWrite(readAs('live', DURING), undefined, 2000);
  expect(look(tree, DURING, written)).toMatchObject({ state: 'live', source: 'estimated', asOf: 2000 });
  expect(stateAndSource(look(tree, DURING, readAs('live', DURING, written)))).toBe('live, service');
});

test('a report ends when a review moves', () => {
  const first = look(told({ status: 'live', ...approved }), DURING, readAs('live', DURING));
  expect(first.source).toBe('service');
  const again = look(told({ status: 'live', ...approved, ...inReview, reviewId: '8' }), DURING, first.memory);
  expect(again).toMatchObject({ state: 'live', source: 'estimated', asOf: 5000 });
});

test('a report ends on the first and after the last day of the campaign; a date never overrides one', () => {
  const scheduled = told({ status: 'scheduled', ...approved });
  const early = readAs('scheduled', BEFORE);
  expect(stateAndSource(look(scheduled, addDays(BEFORE, 1), early))).toBe('scheduled, service');
  expect(stateAndSource(look(scheduled, day('2026-05-10'), early))).toBe('live, estimated');
  // Read on or after the day, it stands.
  expect(stateAndSource(look(scheduled, DURING, readAs('scheduled', DURING)))).toBe('scheduled, service');
  const live = told({ status: 'live', ...approved });
  expect(stateAndSource(look(live, AFTER, readAs('live', DURING)))).toBe('ended, estimated');
  expect(stateAndSource(look(live, AFTER, readAs('live', AFTER)))).toBe('live, service');
});

test('an estimate: ended by its date, else as it was sent, else as reviews and the calendar have it', () => {
  const paused = afterCampaignWrite(NOTHING_REMEMBERED, 'paused', 1);
  const resumed = afterCampaignWrite(paused, 'enabled', 2);
  const ended = afterCampaignWrite(NOTHING_REMEMBERED, 'completed', 1);
  const table: readonly [string, CampaignTree, PlainDate, StatusMemory, CampaignState][] = [
    ['its end has passed', told(inReview), AFTER, NOTHING_REMEMBERED, 'ended'],
    ['its last day is today', told(approved), day('2026-05-30'), NOTHING_REMEMBERED, 'live'],
    ['paused from here', told(approved), DURING, paused, 'paused'],
    ['paused, changes in review', told(inReview), DURING, paused, 'paused'],
    ['taken up again', told(approved), DURING, resumed, 'live'],
    ['taken up before its start', told(approved), BEFORE, resumed, 'scheduled'],
    ['ended from here', told(approved), DURING, ended, 'ended'],
    ['extended', told(approved), DURING, afterCampaignWrite(ended, 'enabled', 2), 'live'],
    ['rejected', told(rejected), DURING, NOTHING_REMEMBERED, 'rejected'],
    ['in review', told(inReview), DURING, NOTHING_REMEMBERED, 'in-review'],
    ['approved, not begun', told(approved), BEFORE, NOTHING_REMEMBERED, 'scheduled'],
    ['approved, begun today', told(approved), day('2026-05-10'), NOTHING_REMEMBERED, 'live'],
    ['no first day', told({ ...approved, values: { startDate: null } }), BEFORE, NOTHING_REMEMBERED, 'live'],
    [
      'some rejected, one of each approved',
      told({ ...approved, review: 'rejected' }),
      DURING,
      NOTHING_REMEMBERED,
      'live',
    ],
    ['approved but for the items', told({ ...approved, item: 'pending' }), DURING, NOTHING_REMEMBERED, 'draft'],
    ['its review was canceled', told({ ...approved, review: 'cancelled' }), DURING, NOTHING_REMEMBERED, 'draft'],
    ['approved by a review nobody here knows', told({ ...approved, review: null }), DURING, NOTHING_REMEMBERED, 'live'],
    ['the same, not begun', told({ ...approved, review: null }), BEFORE, NOTHING_REMEMBERED, 'scheduled'],
    ['never submitted', told({}), DURING, NOTHING_REMEMBERED, 'draft'],
  ];
  for (const [what, tree, today, memory, state] of table) {
    expect(stateAndSource(look(tree, today, memory)), what).toBe(`${state}, estimated`);
  }
});

test('a type without a review needs one item that is on', () => {
  const of = (status: 'enabled' | 'disabled') =>
    aTree({
      campaign: aCampaign({ campaignType: 'sponsoredProducts' }, remote),
      adItems: [anAdItem({ status }, remote)],
    });
  expect(look(of('enabled'), BEFORE).state).toBe('scheduled');
  expect(look(of('enabled'), DURING).state).toBe('live');
  expect(look(of('disabled'), DURING).state).toBe('draft');
});

test('a live campaign stays live while later changes are in review, and on the schedule one stays there', () => {
  const live = look(told(approved), DURING);
  const changes = told({ ...approved, ...inReview, reviewId: '8', item: 'pending' });
  expect(look(changes, DURING, live.memory).state).toBe('live');
  const canceled = told({ ...approved, review: 'cancelled', reviewId: '8' });
  expect(look(canceled, DURING, live.memory).state).toBe('live');
  const scheduled = look(told(approved), BEFORE);
  expect(look(told({ ...approved, ...inReview, reviewId: '8' }), BEFORE, scheduled.memory).state).toBe('scheduled');
});

test('a live campaign whose profile a review rejects is paused, until it is resubmitted and enabled', () => {
  const live = look(told(approved), DURING);
  const refused = look(told({ ...rejected, reviewId: '8' }), DURING, live.memory);
  // As the table has it for the status paused: what was rejected is told first.
  expect(stateAndSource(refused)).toBe('rejected, estimated');
  expect(refused.memory.believed).toBe('paused');
  const again = look(told({ ...approved, ...inReview, reviewId: '9', profile: 'pending' }), DURING, refused.memory);
  expect(again.state).toBe('paused');
  const passed = look(told({ ...approved, reviewId: '9' }), DURING, again.memory);
  expect(passed.state).toBe('paused');
  const enabled = afterCampaignWrite(passed.memory, 'enabled', 6000);
  expect(look(told({ ...approved, reviewId: '9' }), DURING, enabled).state).toBe('live');
});

test('what a review says of a profile while it goes on pauses nothing; its outcome does', () => {
  const live = look(told(approved), DURING);
  const going = look(told({ ...rejected, review: 'in-progress', reviewId: '8' }), DURING, live.memory);
  expect(going.state).toBe('live');
  const decided = look(told({ ...rejected, reviewId: '8' }), DURING, going.memory);
  expect(decided.memory.believed).toBe('paused');
});

test('one on the schedule whose profile is rejected leaves it, and comes back when it is approved', () => {
  const scheduled = look(told(approved), BEFORE);
  const refused = look(told({ ...rejected, reviewId: '8' }), BEFORE, scheduled.memory);
  expect(refused.state).toBe('rejected');
  expect(look(told({ ...approved, reviewId: '9' }), BEFORE, refused.memory).state).toBe('scheduled');
});

test('a read replaces what was believed', () => {
  const live = look(told(approved), DURING).memory;
  expect(stateAndSource(look(told({ ...approved, status: 'paused' }), DURING, readAs('paused', DURING, live)))).toBe(
    'paused, service',
  );
  // And what follows the report starts from it.
  const written = afterCampaignWrite(readAs('paused', DURING, live), undefined, 9000);
  expect(stateAndSource(look(told({ ...approved, status: 'paused' }), DURING, written))).toBe('paused, estimated');
});

test('an edit that was not sent never changes the state', () => {
  const before = look(told({ ...approved, status: 'live' }), DURING, readAs('live', DURING));
  const edits: readonly Partial<CampaignTree>[] = [
    {
      campaign: aCampaign(
        { campaignType: 'sba', serviceStatus: 'live', status: 'paused' },
        { ...remote, was: { status: 'enabled' } },
      ),
    },
    {
      campaign: aCampaign(
        { campaignType: 'sba', serviceStatus: 'live', endDate: day('2026-05-14') },
        { ...remote, was: { endDate: null } },
      ),
    },
    {
      adItems: [anAdItem({ reviewStatus: 'approved', status: 'disabled' }, { ...remote, was: { status: 'enabled' } })],
    },
    { keywords: [aKeyword({ reviewStatus: 'approved' }, remote), aKeyword({}, { id: 41 })] },
  ];
  for (const memory of [readAs('live', DURING), look(told(approved), DURING).memory]) {
    for (const edit of edits) {
      expect(look({ ...told({ ...approved, status: 'live' }), ...edit }, DURING, memory).state).toBe(before.state);
    }
  }
});

test('whatever is believed, the words are the eight and a second look at the same says the same', () => {
  const words = FIELDS.campaign.campaignState.type.choices as readonly string[];
  const statuses = FIELDS.campaign.serviceStatus.type.choices;
  const outcomes = [approved, rejected, inReview, {}, { ...approved, review: 'cancelled' }] as const;
  for (const status of statuses) {
    for (const outcome of outcomes) {
      for (const today of [BEFORE, DURING, AFTER]) {
        const tree = told({ status, ...outcome });
        const first = look(tree, today, readAs(status, BEFORE));
        expect(words).toContain(first.state);
        expect(look(tree, today, first.memory)).toEqual(first);
      }
    }
  }
});

test('every move of the lifecycle that a read shows is shown', () => {
  for (const { to } of CAMPAIGN_TRANSITIONS) {
    const tree = told({ status: to, ...approved });
    const seen = look(tree, BEFORE, readAs(to, BEFORE));
    if (seen.source === 'service') expect(seen.state).toBe(stateOfStatus(to, tree));
  }
});

test('an estimated live state warns where a reported one would keep a row from being sent', () => {
  const edited = anSbaProfile({ headline: 'New' }, { remote: '5', was: { headline: 'Old' } });
  const on = (source: 'service' | 'estimated') => {
    const { campaign } = told({ status: 'live', values: { campaignState: 'live', stateSource: source } });
    return { ...told(approved), campaign, sbaProfiles: [edited] };
  };
  const severities = (tree: CampaignTree) =>
    checkCampaign(tree, env)
      .filter(({ rule }) => /enabled-change/.test(rule))
      .map(({ severity }) => severity);
  expect(severities(on('service'))).toEqual(['error']);
  expect(severities(on('estimated'))).toEqual(['warning']);
  const plan = planChanges(planInput([on('estimated')], { submit: false }));
  expect(plan.batches.map(({ kind, verb }) => `${verb} ${kind}`)).toEqual(['update sbaProfile']);
});

test('the words of the document name scheduled and live; rescheduled takes changes of a profile', () => {
  const of = (status: ServiceStatus) => aCampaign({ serviceStatus: status }, remote);
  expect(isActive(of('scheduled'))).toBe(true);
  expect(isActive(of('live'))).toBe(true);
  expect(isActive(of('rescheduled'))).toBe(false);
  expect(isActive(of('paused'))).toBe(false);
});
