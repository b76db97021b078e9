import fc from 'fast-check';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { addDays } from '../../../shared/model/plain-date.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aRow,
  aVideoProfile,
  cents,
  hundredths,
  id,
} from '../builders.ts';
import type { TestFile } from './world.ts';

/** Random drafts of whole campaigns: mostly values that are in order, so that whole drafts get through. */
const mostly = <const T>(good: readonly T[], bad: readonly T[]) =>
  fc.oneof({ weight: 24, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
const amount = (units: number | null) => (units === null ? null : cents(units));
const site = 'https://shop.example';
const TYPES = ['sponsoredProducts', 'sba', 'video'] as const;

export const draft = fc.record({
  campaign: fc.record({
    campaignType: fc.constantFrom(...TYPES),
    targetingType: mostly(['manual'], ['auto', null] as const),
    totalBudget: mostly([150_000, 7_500], [null, 0, 5_000]),
    dailyBudget: mostly([7_500, 5_000], [null, 0]),
    /** Days from today. */
    start: mostly([0, 1, 27], [null, -1]),
    end: mostly([null, 36], [0, 27]),
  }),
  name: mostly(['fresh'], ['', 'x'.repeat(256), 'a\u0007']),
  items: fc.array(fc.record({ at: fc.nat(40), bid: mostly([160], [null, 0]) }), { maxLength: 12 }),
  keywords: fc.array(
    fc.record({
      text: mostly(['towel', 'Towel ', 'paper  towel', 'paper towel', 'roll'], [null]),
      matchType: mostly(['exact', 'phrase', 'broad'], [null] as const),
      bid: mostly([150, 200], [149, null, 0]),
    }),
    { maxLength: 5 },
  ),
  profiles: fc.array(
    fc.record({
      brand: mostly(['Softly', 'x'.repeat(35), '🧻'.repeat(35)], ['x'.repeat(36), null]),
      headline: mostly(['Soft', 'Softer', 'x'.repeat(45)], ['x'.repeat(46), null]),
      clickUrl: mostly(
        [`${site}/browse/a`, `${site}/s?q=a:b+c¦d`, `${site}/s?q=%C3%A9é`],
        ['http://shop.example/a', `${site}:8443/a`, 'https://evil.example/', `${site}/s?typeahead=x`, null],
      ),
      logo: mostly([null, 'logo.png', 'heavy.png'], ['too-wide.png', 'over-200-kb.png', 'over-1024-kb.png']),
    }),
    { maxLength: 3 },
  ),
  videos: fc.array(
    fc.record({
      file: mostly(
        ['five-seconds.mp4', 'twenty-seconds.mp4', 'forty-five-seconds.mov'],
        ['too-short.mp4', 'too-long.mp4', null],
      ),
      mediaName: mostly(['Spring cut', '🎬'.repeat(45)], [null, 'a\u0007']),
      caption: fc.constantFrom(null, 'words.vtt', 'words.srt'),
    }),
    { maxLength: 2 },
  ),
  placements: fc.array(
    fc.record({
      placement: mostly(['Search Ingrid'], ['Buy-Box', null] as const),
      factor: mostly([0, 1234, 5_000_000], [5_000_001, null]),
    }),
    { maxLength: 2 },
  ),
  platforms: fc.array(
    fc.record({
      platform: mostly(['Desktop', 'Mobile', 'App'], [null] as const),
      factor: mostly([0, 1234, 5_000_000], [5_000_001, null]),
    }),
    { maxLength: 3 },
  ),
  /** Puts rows now and then where their campaign type takes none. */
  odd: fc.integer({ min: 0, max: 30 }),
});

export type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

interface DraftEnv {
  readonly today: PlainDate;
  /** Ids of the catalogue that can be advertised. */
  readonly items: readonly string[];
  readonly files: ReadonlyMap<string, TestFile>;
}

let names = 0;
/** Names are unique in an account for as long as the service runs. */
const freshName = (): string => `Law ${++names}`;

/** Row ids of one draft; those of the next begin after them. */
const IDS_A_DRAFT = 100;

/** The draft as a tree of new rows. @param nth place among the drafts that are sent together */
export function treeOf(one: Draft, nth: number, env: DraftEnv): CampaignTree {
  const first = nth * IDS_A_DRAFT + 1;
  const [campaignId, adGroupId] = [first, first + 1];
  const at = (offset: number) => ({ id: first + offset, campaignId, adGroupId });
  const { start, end, totalBudget, dailyBudget, ...types } = one.campaign;
  const campaign = {
    ...types,
    name: nameOf(one.name),
    totalBudget: amount(totalBudget),
    dailyBudget: amount(dailyBudget),
    startDate: dateAt(env.today, start),
    endDate: dateAt(env.today, end),
  };
  const takes = (type: (typeof TYPES)[number], odd: number) => types.campaignType === type || one.odd === odd;
  const media: Row<'media'>[] = [];
  const fileRow = (
    name: string | null,
    more: { readonly mediaName?: string | null; readonly caption?: number } = {},
  ) => {
    const file = name === null ? undefined : env.files.get(name);
    if (file === undefined) return null;
    const row = mediaRow(file, first + 60 + media.length, more);
    media.push(row);
    return row.id;
  };
  const profiles = takes('sba', 1) ? one.profiles : [];
  const videos = takes('video', 2) ? one.videos.slice(0, one.odd === 3 ? 2 : 1) : [];
  const isProducts = takes('sponsoredProducts', 4);
  return {
    campaign: aCampaign(campaign, { id: campaignId }),
    adGroups: [anAdGroup({}, { id: adGroupId, campaignId })],
    adItems: one.items.map((item, n) => {
      const itemId = env.items[item.at % env.items.length] ?? '';
      return anAdItem({ itemId, bid: amount(item.bid) }, at(10 + n));
    }),
    keywords: one.keywords.map(({ bid, ...values }, n) => aKeyword({ ...values, bid: amount(bid) }, at(25 + n))),
    sbaProfiles: profiles.map(({ logo, ...values }, n) => anSbaProfile({ ...values, logo: fileRow(logo) }, at(35 + n))),
    videoProfiles: videos.map(({ file, mediaName, caption }, n) => {
      const words = fileRow(caption);
      const video = fileRow(file, { mediaName, ...(words === null ? {} : { caption: words }) });
      return aVideoProfile({ video }, at(40 + n));
    }),
    placementMultipliers: (isProducts ? one.placements : []).map(({ placement, factor }, n) =>
      aPlacement({ placement, multiplier: multiplier(factor) }, at(45 + n)),
    ),
    platformMultipliers: (isProducts ? one.platforms : []).map(({ platform, factor }, n) =>
      aPlatform({ platform, multiplier: multiplier(factor) }, at(50 + n)),
    ),
    media,
  };
}

const dateAt = (today: PlainDate, days: number | null) => (days === null ? null : addDays(today, days));
const multiplier = (factor: number | null) => (factor === null ? null : hundredths(factor));
const nameOf = (name: string) => (name === 'fresh' ? freshName() : name === '' ? null : name);

function mediaRow(
  file: TestFile,
  rowId: number,
  more: { readonly mediaName?: string | null; readonly caption?: number },
): Row<'media'> {
  const { caption, mediaName = null } = more;
  return aRow(
    'media',
    {
      mediaType: file.type,
      fileName: file.name,
      sha256: file.name,
      bytes: file.bytes.length,
      facts: JSON.stringify(file.facts),
      mediaState: 'local',
      mediaName,
      caption: caption === undefined ? null : id(caption),
    },
    { id: rowId },
  );
}
