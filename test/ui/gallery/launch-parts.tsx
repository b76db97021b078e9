import { LaunchLine } from '../../../renderer/screens/launch/LaunchLine.tsx';
import { LaunchScreen } from '../../../renderer/screens/launch/LaunchScreen.tsx';
import { LaunchStep } from '../../../renderer/screens/launch/LaunchStep.tsx';
import { RejectedSoFar } from '../../../renderer/screens/launch/RejectedSoFar.tsx';
import { ReviewsTab } from '../../../renderer/screens/launch/ReviewsTab.tsx';
import { TimelineTab } from '../../../renderer/screens/launch/TimelineTab.tsx';
import { WhatChanged } from '../../../renderer/screens/launch/WhatChanged.tsx';
import type { Launch } from '../../../shared/contract/launch.ts';
import type { Review } from '../../../shared/contract/sync.ts';
import type { Rejection } from '../../../shared/contract/verdicts.ts';
import { addDays, plainDate } from '../../../shared/model/plain-date.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const today = plainDate('2030-06-01');
if (today === null) throw new Error('The first of June is a day.');

const LAUNCH: Launch = {
  campaignId: asRowId(2),
  name: 'Kettles for every kitchen',
  campaignType: 'sba',
  state: 'draft',
  stateSource: 'estimated',
  asOf: '2030-05-01T08:00:00.000Z',
  reviewStatus: null,
  startDate: '2030-06-20',
  endDate: '2030-08-31',
  missing: [
    { step: 'submit', minutes: 7200, least: 1440, fix: { way: 'submit' } },
    { step: 'review', minutes: 7200, least: 1440, fix: { way: 'look', at: 'reviews' } },
  ],
  isReady: false,
  needsReview: true,
  submitBy: '2030-06-13',
  isLate: false,
  waitsForVideo: false,
};
const line = (part: Partial<Launch> | null) =>
  staged(
    {},
    <LaunchLine
      launch={part === null ? undefined : { ...LAUNCH, ...part }}
      span={{ first: addDays(today, -7), days: 56 }}
      today={today}
      reviewDays={5}
      mediaMinutes={30}
    />,
  );

const launches = (list: readonly Launch[]) =>
  os.launch.list.handler(() => ({
    total: list.length,
    today: '2030-06-01',
    reviewDays: { min: 3, max: 5 },
    mediaMinutes: 30,
    launches: [...list],
  }));
const READY = {
  ...LAUNCH,
  campaignId: asRowId(5),
  name: 'Kitchen roll',
  missing: [],
  isReady: true,
  needsReview: false,
  submitBy: null,
  state: 'live' as const,
  stateSource: 'service' as const,
};
const review = (status: string, verdict: string, reason: string | null): Review => ({
  campaignId: asRowId(2),
  adGroupId: asRowId(3),
  campaign: 'Kettles for every kitchen',
  reviewId: status,
  status,
  components: [{ type: 'headline', id: '9', label: 'Soft on hands', status: verdict, reason }],
});
const REVIEWS = [
  review('rejected', 'rejected', 'The headline promises a price.'),
  review('pending', 'pending', null),
  review('approved', 'approved', null),
  review('cancelled', 'cancelled', null),
];
const REJECTION: Rejection = {
  number: 1,
  kind: 'sbaProfile',
  id: asRowId(9),
  remoteId: '51009',
  isThere: true,
  campaignId: asRowId(2),
  campaign: 'Kettles for every kitchen',
  day: '2030-05-28',
  reason: 'The headline promises a price.',
  creative: {
    kind: 'sbaProfile',
    brand: 'Northwind',
    headline: 'Kettles from $19',
    clickUrl: 'https://www.retailer.example/browse/kettles',
    sha256: null,
    fileName: null,
  },
  changes: [{ part: 'headline', before: 'Kettles for every kitchen', after: 'Kettles from $19' }],
};
const kept = (total: number) =>
  os.verdicts.rejections.handler(() => ({ total, rejections: total === 0 ? [] : [REJECTION] }));
const list = os.review.list.handler(() => REVIEWS);
const some = { launch: { list: launches([LAUNCH, READY]) }, review: { list }, verdicts: { rejections: kept(1) } };
const none = { launch: { list: launches([]) } };
const timeline = <TimelineTab workspaceId={WORKSPACE} />;
const reviews = <ReviewsTab workspaceId={WORKSPACE} />;

/** The way of campaigns to being live. */
export const LAUNCH_PARTS: readonly Part[] = [
  {
    name: 'LaunchScreen',
    isWide: true,
    states: {
      timeline: staged({ answers: some }, <LaunchScreen workspaceId={WORKSPACE} />),
      reviews: staged({ answers: some, press: ['Reviews'] }, <LaunchScreen workspaceId={WORKSPACE} />),
    },
  },
  {
    name: 'TimelineTab',
    isWide: true,
    states: {
      some: staged({ answers: some }, timeline),
      none: staged({ answers: none }, timeline),
      reading: staged({ answers: { launch: { list: os.launch.list.handler(never) } } }, timeline),
    },
  },
  {
    name: 'ReviewsTab',
    isWide: true,
    states: {
      'one of each': staged({ answers: some }, reviews),
      none: staged({}, reviews),
      reading: staged({ answers: { review: { list: os.review.list.handler(never) } } }, reviews),
    },
  },
  {
    name: 'LaunchStep',
    states: {
      'to be submitted': staged({}, <LaunchStep launch={LAUNCH} />),
      'all steps': staged(
        { press: ['+1: all missing steps of Kettles for every kitchen'] },
        <LaunchStep launch={LAUNCH} />,
      ),
      ready: staged({}, <LaunchStep launch={READY} />),
    },
  },
  {
    name: 'RejectedSoFar',
    isWide: true,
    states: {
      one: staged({ answers: some }, <RejectedSoFar workspaceId={WORKSPACE} words="" />),
      'more than are shown': staged(
        { answers: { verdicts: { rejections: kept(140) } } },
        <RejectedSoFar workspaceId={WORKSPACE} words="" />,
      ),
    },
  },
  {
    name: 'WhatChanged',
    states: {
      words: staged({}, <WhatChanged changes={REJECTION.changes} />),
      'a file': staged({}, <WhatChanged changes={[{ part: 'file', before: null, after: 'logo.png' }]} />),
      nothing: staged({}, <WhatChanged changes={[]} />),
    },
  },
  {
    name: 'LaunchLine',
    isWide: true,
    states: {
      'to be submitted': line({}),
      late: line({ isLate: true, submitBy: '2030-05-28' }),
      'in review': line({ reviewStatus: 'pending', missing: LAUNCH.missing.slice(1), submitBy: null }),
      'waits for a video': line({ waitsForVideo: true, campaignType: 'video' }),
      ready: line({
        missing: [],
        isReady: true,
        needsReview: false,
        submitBy: null,
        state: 'live',
        stateSource: 'service',
      }),
      'without days': line({ startDate: null, endDate: null, submitBy: null }),
      reading: line(null),
    },
  },
];
