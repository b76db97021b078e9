import { expect, test } from 'vitest';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { VideoFacts } from '../../../shared/model/media.ts';
import { addDays } from '../../../shared/model/plain-date.ts';
import { checkAccount, checkCampaign, checkMedia } from '../../../shared/rules/check.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import {
  aCampaign,
  aCaption,
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
  env,
  hundredths,
  id,
  unknown,
  videoFacts,
} from '../builders.ts';

/** Every limit from the side the other cases leave out: exactly at it, where one step more or less turns the answer. */
type Table = readonly (readonly [rule: string, at: string, issues: () => readonly Issue[]])[];

const campaign = (values: Parameters<typeof aCampaign>[0], parts: Partial<CampaignTree> = {}) =>
  checkCampaign(aVideoTree({ campaign: aCampaign(values), ...parts }), env);
const known = (values: Parameters<typeof aCampaign>[0], was: NonNullable<Parameters<typeof aCampaign>[0]>) =>
  checkCampaign(aTree({ campaign: aCampaign(values, { remote: '1', was }) }), env);
const keyword = (values: Parameters<typeof aKeyword>[0]) =>
  checkCampaign(aVideoTree({ keywords: [aKeyword(values)] }), env);
const keywords = (count: number, bid = (_at: number) => 165) =>
  checkCampaign(
    aVideoTree({
      keywords: Array.from({ length: count }, (_, at) =>
        aKeyword({ text: `k${at}`, bid: cents(bid(at)) }, { id: 100 + at }),
      ),
    }),
    env,
  );
const item = (values: Parameters<typeof anAdItem>[0], more = env) =>
  checkCampaign(aVideoTree({ adItems: [anAdItem(values)] }), more);
const brand = (values: Parameters<typeof anSbaProfile>[0], media = [aLogo()]) =>
  checkCampaign(
    aTree({ campaign: aCampaign({ campaignType: 'sba' }), media, sbaProfiles: [anSbaProfile(values)] }),
    env,
  );
const multiplied = (value: number, dailyBudget = 7500) =>
  checkCampaign(
    aVideoTree({
      campaign: aCampaign({ campaignType: 'sponsoredProducts', dailyBudget: cents(dailyBudget) }),
      placementMultipliers: [aPlacement({ multiplier: hundredths(value) })],
      platformMultipliers: [aPlatform({ multiplier: hundredths(value) })],
    }),
    env,
  );
const video = (changes: Partial<VideoFacts>) => aVideo({ caption: id(10) }, {}, videoFacts(changes));
const floor = { ...env, profile: { ...env.profile, bid: { ...env.profile.bid, floorItemCents: 30 } } };
const start = day('2026-05-10');

const quiet: Table = [
  ['ad-group.nearly-full', '180 of 200', () => keywords(180)],
  ['ad-group.same-bids', 'ten keywords with two bids', () => keywords(10, (at) => 165 + (at % 2))],
  ['item.too-many', 'ten items', () => campaign({}, { adItems: tenItems() })],
  ['item.bid-floor', 'a bid at the floor', () => item({ bid: cents(30) }, floor)],
  ['item.bid-high', 'a bid of 100', () => item({ bid: cents(10_000) })],
  ['item.bid-over-daily', 'a bid like the budget', () => item({ bid: cents(7_500) })],
  ['item.bid-over-daily', 'no budget to compare with', () => campaign({ dailyBudget: cents(0) })],
  ['campaign.start-far', '366 days ahead', () => campaign({ startDate: addDays(env.today, 366), endDate: null })],
  ['campaign.flight-long', '730 days', () => campaign({ startDate: start, endDate: addDays(start, 730) })],
  ['campaign.end-passed', 'an end today', () => campaign({ startDate: null, endDate: env.today })],
  ['budget.starves-flight', 'a daily budget of 0', () => campaign({ dailyBudget: cents(0) })],
  ['budget.starves-flight', 'a flight that is no flight', () => campaign({ startDate: start, endDate: start })],
  [
    'budget.starves-flight',
    'half the total',
    () => campaign({ dailyBudget: cents(1_000), totalBudget: cents(42_000) }),
  ],
  ['budget.runs-out', 'half the flight', () => campaign({ endDate: day('2026-05-29'), totalBudget: cents(75_000) })],
  ['budget.daily-over-total', 'a total budget of 0', () => campaign({ totalBudget: cents(0) })],
  ['budget.few-clicks', 'five clicks', () => campaign({ dailyBudget: cents(850) })],
  ['ready.start-too-soon', 'three days', () => campaign({ startDate: day('2026-05-04') })],
  ['campaign-state.reenable-needs-review', 'no profile', () => known({ status: 'enabled' }, { status: 'paused' })],
  [
    'caption.after-the-end',
    'one second after',
    () => checkAccount([], [video({ durationMs: 18_000 }), aCaption()], env),
  ],
  [
    'click-url.length',
    '2000 characters',
    () => brand({ clickUrl: `https://www.retailer.example/${'x'.repeat(1971)}` }),
  ],
  ['keyword.bid-high', 'a bid of 100', () => keyword({ bid: cents(10_000) })],
  ['keyword.bid-over-daily', 'a bid like the budget', () => keyword({ bid: cents(7_500) })],
  ['keyword.bid-over-daily', 'no budget to compare with', () => campaign({ dailyBudget: cents(0) })],
  ['keyword.text-characters', 'a blank that does not break', () => keyword({ text: 'paper\u00a0towel' })],
  ['keyword.too-many-match-types', 'all match types', () => matchTypes()],
  ['keyword.many-words', 'ten words', () => keyword({ text: 'a b c d e f g h i j' })],
  ['logo.upload-size', '1024 KB', () => checkMedia(aLogo({ bytes: 1024 * 1024 }), env)],
  ['sba.logo-unusable', '200 KB', () => brand({ logo: id(11) }, [aLogo({ bytes: 200 * 1024 })])],
  ['placement.above-range', '50000 %', () => multiplied(5_000_000)],
  ['placement.duplicate', 'one of each placement', () => multiplied(100)],
  ['platform.duplicate', 'one of each platform', () => multiplied(100)],
  ['placement.high', 'ten times', () => multiplied(100_000)],
  ['platform.high', 'ten times', () => multiplied(100_000)],
  ['placement.bid-over-daily', 'exactly the budget', () => multiplied(10_000, 340)],
  ['sba.headline-capitals', 'three letters', () => brand({ headline: 'ABC' })],
  ['video-profile.video-processing', 'a ready video of the service', () => withServiceVideo('available')],
  ['video.size', '500 MB', () => checkMedia(aVideo({ bytes: 500_000_000 }), env)],
  ['video.too-small', '1280 x 720', () => checkMedia(video({ width: 1280, height: 720 }), env)],
  ['video.too-large', '3840 x 2160', () => checkMedia(video({ width: 3840, height: 2160 }), env)],
];

function matchTypes(): readonly Issue[] {
  const rows = (['exact', 'phrase', 'broad'] as const).map((matchType, at) => aKeyword({ matchType }, { id: 40 + at }));
  return checkCampaign(aVideoTree({ keywords: rows }), env);
}

function withServiceVideo(mediaState: 'available' | 'processing'): readonly Issue[] {
  const file = aVideo({ sha256: null, fileName: null, mediaState }, { remote: '7' });
  return checkCampaign(aVideoTree({ media: [file], videoProfiles: [aVideoProfile()] }), env);
}

function tenItems() {
  return Array.from({ length: 10 }, (_, at) => anAdItem({ itemId: `00123456${at + 10}` }, { id: 30 + at }));
}

const found: Table = [
  [
    'ad-group.name-characters',
    'the first character',
    () => campaign({}, { adGroups: [anAdGroup({ name: '\u0000a' })] }),
  ],
  ['campaign.name-characters', 'the first character', () => campaign({ name: '\u0007ab' })],
  ['media.name-characters', 'the first character', () => checkMedia(aVideo({ mediaName: '\nab' }), env)],
  ['sba.text-characters', 'the first character of the brand', () => brand({ brand: '\tab' })],
  ['sba.text-characters', 'the first character of the headline', () => brand({ headline: '\tab' })],
  ['keyword.text-characters', 'delete', () => keyword({ text: 'a\u007f' })],
  ['keyword.text-characters', 'the last control character', () => keyword({ text: 'a\u009f' })],
  ['ad-group.nearly-full', '200 of 200', () => keywords(200)],
  [
    'item.id-legacy-after-migration',
    'the day of the cutover',
    () => item({ itemId: 'prod4455' }, { ...env, migrated: null, today: day('2026-07-31') }),
  ],
  ['budget.few-clicks', 'one click', () => campaign({ dailyBudget: cents(170) })],
  ['budget.starves-flight', 'a start today', () => campaign({ dailyBudget: cents(1_000), startDate: env.today })],
  ['ready.start-too-soon', 'a start today', () => campaign({ startDate: env.today })],
  [
    'campaign-state.extend-needs-end',
    'an end today',
    () => known({ status: 'enabled', startDate: day('2026-04-01'), endDate: env.today }, { status: 'completed' }),
  ],
  ['placement.bid-over-daily', 'a bid like the budget', () => multiplied(10_000, 170)],
  ['video-profile.video-processing', 'a video that the service prepares', () => withServiceVideo('processing')],
  [
    'keyword.unknown-word',
    'a row of which no word is known',
    () => keyword({ matchType: unknown('near'), state: unknown('asleep'), reviewStatus: unknown('escalated') }),
  ],
];

for (const [rule, at, run] of quiet) {
  test(`${rule} is quiet at ${at}`, () => {
    expect(run().map((issue) => issue.rule)).not.toContain(rule);
  });
}
for (const [rule, at, run] of found) {
  test(`${rule} is found at ${at}`, () => {
    expect(run().map((issue) => issue.rule)).toContain(rule);
  });
}

test('every sign that shoppers do not type is found in a keyword, and no other', () => {
  const ascii = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at));
  const odd = ascii.filter((sign) => keyword({ text: `a${sign}b` }).some((one) => one.rule === 'keyword.text-signs'));
  expect(odd.join('')).toBe('!"*;<=>?@[\\]^_`{|}~');
});
