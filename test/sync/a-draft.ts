import type { CreateRow } from '../../main/store/types.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { CAPTION_FACTS, LOGO_FACTS, mediaRowOf, type TestAccount, VIDEO_FACTS } from './an-account.ts';

/** Items of the practice catalogue for account 900001 with the default seed. */
const ITEM = '0799650557';
const OTHER_ITEM = '0553680321';

const campaign = (name: string, campaignType: string, targetingType: string): CreateRow => ({
  kind: 'campaign',
  parent: null,
  values: {
    name,
    campaignType,
    targetingType,
    totalBudget: 450_000,
    dailyBudget: 3750,
    startDate: '2030-03-04',
    status: 'enabled',
  },
});
const group = (at: number, name: string): CreateRow => ({
  kind: 'adGroup',
  parent: { at },
  values: { name, status: 'enabled' },
});
const item = (at: number, itemId = ITEM): CreateRow => ({
  kind: 'adItem',
  parent: { at },
  values: { itemId, bid: 160, status: 'enabled' },
});
const keyword = (at: number, text: string): CreateRow => ({
  kind: 'keyword',
  parent: { at },
  values: { text, matchType: 'exact', bid: 185, state: 'enabled' },
});

/** A brand campaign: group, profile with logo, item, two keywords. */
export function sbaDraft(logo: RowId | null, name = 'Rolls brand'): readonly CreateRow[] {
  return [
    campaign(name, 'sba', 'manual'),
    group(0, `${name} group`),
    {
      kind: 'sbaProfile',
      parent: { at: 1 },
      values: {
        brand: 'Northwind',
        headline: 'Rolls for every day',
        clickUrl: 'https://shop.example/browse/rolls',
        logo,
        status: 'enabled',
      },
    },
    item(1),
    keyword(1, 'kitchen roll'),
    keyword(1, 'paper towel'),
  ];
}

/** A video campaign: group, video profile, item, keyword. */
export function videoDraft(video: RowId, name = 'Rolls video'): readonly CreateRow[] {
  return [
    campaign(name, 'video', 'manual'),
    group(0, `${name} group`),
    { kind: 'videoProfile', parent: { at: 1 }, values: { video, status: 'enabled' } },
    item(1),
    keyword(1, 'kitchen roll'),
  ];
}

/** An automatic campaign: group, two items, a multiplier of each kind. */
export function autoDraft(name = 'Rolls auto'): readonly CreateRow[] {
  return [
    campaign(name, 'sponsoredProducts', 'auto'),
    group(0, `${name} group`),
    item(1),
    item(1, OTHER_ITEM),
    { kind: 'placementMultiplier', parent: { at: 0 }, values: { placement: 'Buy-Box', multiplier: 1050 } },
    { kind: 'platformMultiplier', parent: { at: 0 }, values: { platform: 'Mobile', multiplier: 12_000 } },
  ];
}

/** The example video with its caption in the library. */
export async function addVideo(account: TestAccount): Promise<RowId> {
  const caption = await mediaRowOf(account, 'kitchen-roll-spot.vtt', 'caption', CAPTION_FACTS);
  const [captionId] = await account.create([caption]);
  const video = await mediaRowOf(account, 'kitchen-roll-spot.mp4', 'video', VIDEO_FACTS);
  const [videoId] = await account.create([{ ...video, values: { ...video.values, caption: captionId ?? null } }]);
  if (videoId === undefined) throw new Error('no video');
  return videoId;
}

export async function addLogo(account: TestAccount): Promise<RowId> {
  const [logo] = await account.create([await mediaRowOf(account, 'northwind-logo.png', 'logo', LOGO_FACTS)]);
  if (logo === undefined) throw new Error('no logo');
  return logo;
}
