import { aVideo } from '../conformance/video-file.ts';
import type { Chance } from './chance.ts';
import type { Ground, RowOfWalk } from './ground.ts';
import type { WireAnswer } from './wire-client.ts';

/** One thing somebody may do. `weight` is how often, beside the others. */
export interface Action {
  readonly name: string;
  readonly weight: number;
  readonly take: (ground: Ground, chance: Chance) => Promise<WireAnswer>;
}

const bids = [0.05, 0.2, 1.49, 1.5, 1.65, 3, 12.999] as const;
const groups = 'SELECT ad_group.*, campaign_type, advertiser_id FROM ad_group JOIN campaign USING (campaign_id)';
const byKind = `${groups} WHERE campaign_type = ?`;

const idsOf = (row: RowOfWalk) => ({ campaignId: row['campaign_id'] ?? 1, adGroupId: row['ad_group_id'] ?? 1 });
const today = (ground: Ground): number => {
  const setting = ground.database.prepare("SELECT value FROM setting WHERE key = 'clock'").get()?.['value'];
  return Number(String(setting).split(':')[1] ?? 0);
};
const dateIn = (ground: Ground, days: number): string =>
  new Date(today(ground) + days * 86_400_000).toISOString().slice(0, 10);
const some = <T>(chance: Chance, max: number, make: () => T): readonly T[] =>
  Array.from({ length: chance.whole(1, max) }, make);

async function createCampaign(ground: Ground, chance: Chance): Promise<WireAnswer> {
  return ground.api('POST', '/api/v1/campaigns', [
    {
      advertiserId: 900_001,
      name: `Walk ${chance.whole(1, 400)}`,
      campaignType: chance.oneOf(['sba', 'sba', 'video', 'video', 'sponsoredProducts']),
      targetingType: chance.oneOf(['manual', 'manual', 'auto']),
      budget: chance.oneOf([1500, 100, 50.019]),
      dailyBudget: chance.oneOf([75, 100, 20]),
      startDate: dateIn(ground, chance.whole(-1, 5)),
      endDate: chance.oneOf(['9999-12-30', dateIn(ground, chance.whole(0, 30))]),
      status: 'enabled',
    },
  ]);
}

async function createGroup(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const campaign = ground.anyRow(chance, 'SELECT campaign_id FROM campaign ORDER BY campaign_id DESC LIMIT 5');
  const body = [{ name: 'Group', campaignId: campaign['campaign_id'] ?? 1, status: 'enabled' }];
  return ground.api('POST', '/api/v1/adGroups', body);
}

async function changeCampaign(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const { campaign_id } = ground.anyRow(chance, 'SELECT campaign_id FROM campaign');
  const change = chance.oneOf([
    { status: chance.oneOf(['enabled', 'paused', 'completed', 'extend', 'live', 'proposal']) },
    { status: chance.oneOf(['enabled', 'paused']) },
    { endDate: dateIn(ground, chance.whole(-1, 40)) },
    { status: 'extend', endDate: dateIn(ground, chance.whole(1, 40)) },
    { startDate: dateIn(ground, chance.whole(0, 10)) },
    { dailyBudget: chance.whole(1, 90) },
  ]);
  return ground.api('PUT', '/api/v1/campaigns', [{ campaignId: campaign_id ?? 1, ...change }]);
}

async function addItems(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const place = idsOf(ground.anyRow(chance, groups));
  const elements = some(chance, 5, () => ({
    ...place,
    itemId: ground.anyRow(chance, 'SELECT us_id FROM item WHERE item_key % 97 < 12 LIMIT 60')['us_id'],
    bid: chance.oneOf(bids),
    status: 'enabled',
  }));
  return ground.api('POST', '/api/v1/adItems', elements);
}

async function changeItems(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const elements = some(chance, 3, () => {
    const row = ground.anyRow(chance, 'SELECT ad_item.*, us_id FROM ad_item JOIN item USING (item_key)');
    const status = chance.oneOf(['enabled', 'disabled', 'enabled', 'deleted']);
    return { ...idsOf(row), itemId: row['us_id'] ?? '0', bid: chance.oneOf(bids), status };
  });
  return ground.api('PUT', '/api/v1/adItems', elements);
}

async function addKeywords(ground: Ground, chance: Chance): Promise<WireAnswer> {
  // Now and then very many in one group, so that the limit of 200 is met.
  const isMany = chance.next() < 0.4;
  const place = idsOf(
    ground.anyRow(chance, isMany ? `${groups} WHERE targeting_type = 'manual' ORDER BY 1 LIMIT 2` : groups),
  );
  const first = chance.oneOf([1, 51, 101, 151, 201]);
  const texts = isMany
    ? Array.from({ length: 50 }, (_, at) => `word ${first + at}`)
    : some(chance, 3, () => chance.oneOf(['towel', ' Towel ', `word ${chance.whole(1, 260)}`]));
  const elements = texts.map((keywordText) => ({
    ...place,
    keywordText,
    matchType: chance.oneOf(['exact', 'phrase', 'broad']),
    bid: isMany ? 2 : chance.oneOf(bids),
    state: isMany ? 'enabled' : chance.oneOf(['enabled', 'enabled', 'paused']),
  }));
  return ground.api('POST', '/api/v1/keywords', elements);
}

async function changeKeywords(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const elements = some(chance, 10, () => ({
    keywordId: ground.anyRow(chance, 'SELECT keyword_id FROM keyword LIMIT 300')['keyword_id'] ?? 1,
    ...chance.oneOf<object>([
      { bid: chance.oneOf(bids) },
      { state: chance.oneOf(['enabled', 'paused', 'enabled', 'paused', 'archived']) },
    ]),
  }));
  return ground.api('PUT', '/api/v1/keywords', elements);
}

const texts = (chance: Chance) => ({
  searchAmpName: chance.oneOf(['Northwind', 'Northwind Home', 'x'.repeat(36)]),
  headlineText: chance.oneOf(['Ready for spring', 'Towels']),
  clickUrl: 'https://shop.example/browse/towels',
});

async function createProfiles(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const place = idsOf(ground.anyRow(chance, byKind, chance.oneOf(['sba', 'sba', 'sba', 'video'])));
  if (chance.next() < 0.2) {
    const { searchAmpName: brandName, headlineText: headline, clickUrl } = texts(chance);
    return ground.api('POST', '/api/v1/sba_profile', [{ ...place, brandName, headline, clickUrl, logoUrl: '' }]);
  }
  return ground.api(
    'POST',
    '/api/v2/sba_profile',
    some(chance, 2, () => ({ ...place, ...texts(chance) })),
  );
}

async function changeProfile(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const row = ground.anyRow(chance, 'SELECT * FROM sba_profile');
  const kept = {
    searchAmpName: row['search_amp_name'],
    headlineText: row['headline_text'],
    clickUrl: row['click_url'],
  };
  const content = chance.next() < 0.5 ? kept : texts(chance);
  const status = chance.oneOf(['enabled', 'disabled']);
  const body = [{ ...idsOf(row), sbaProfileId: row['sba_profile_id'] ?? 1, ...content, status }];
  return ground.api('PUT', '/api/v2/sba_profile', body);
}

async function uploadMedia(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const answer = await ground.api('POST', '/api/v1/media/upload', { advertiserId: 900_001, mediaType: 'video' });
  const upload: { readonly uploadUrl?: string; readonly mediaUploadRequestId?: number } = JSON.parse(answer.body);
  if (upload.uploadUrl !== undefined && chance.next() < 0.9) {
    await ground.upload(upload.uploadUrl, aVideo(chance.oneOf([20, 20, 4, 46])));
  }
  const mediaUploadRequestId = upload.mediaUploadRequestId ?? 1;
  const body = { advertiserId: 900_001, mediaUploadRequestId, mediaName: 'Film' };
  return ground.api('PUT', '/api/v1/media/complete', body);
}

async function attachMedia(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const place = idsOf(ground.anyRow(chance, byKind, chance.oneOf(['video', 'video', 'video', 'sba'])));
  const mediaId = ground.anyRow(chance, 'SELECT media_id FROM media')['media_id'] ?? 1;
  const status = chance.oneOf(['enabled', 'enabled', 'disabled']);
  return ground.api(chance.oneOf(['POST', 'PUT']), '/api/v1/adGroup/media', [{ ...place, mediaId, status }]);
}

async function setMultiplier(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const type = chance.oneOf(['sponsoredProducts', 'sponsoredProducts', 'sponsoredProducts', 'sba']);
  const { campaign_id } = ground.anyRow(chance, 'SELECT campaign_id FROM campaign WHERE campaign_type = ?', type);
  const element = { campaignId: campaign_id ?? 1, multiplier: chance.oneOf([0, 20, 50_000, 50_000.01, -1, 33.339]) };
  const method = chance.oneOf(['POST', 'PUT']);
  return chance.next() < 0.5
    ? ground.api(method, '/api/v1/multipliers/platform', [
        { ...element, platformType: chance.oneOf(['App', 'Mobile']) },
      ])
    : ground.api(method, '/api/v1/multipliers/placement', [{ ...element, placementType: 'Search Ingrid' }]);
}

const submit = async (ground: Ground, chance: Chance): Promise<WireAnswer> =>
  ground.api('POST', '/api/v1/review', [idsOf(ground.anyRow(chance, groups))]);

async function cancelReview(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const open = ground.anyRow(chance, "SELECT * FROM review WHERE status IN ('pending', 'in-progress')");
  const any = ground.anyRow(chance, 'SELECT * FROM review');
  const element = chance.next() < 0.4 ? { ...idsOf(any), reviewId: any['review_id'] ?? 1 } : idsOf(open);
  return ground.api('PUT', '/api/v1/review', [element]);
}

async function orderReport(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const reportType = chance.oneOf(['campaign', 'adItem', 'keyword', 'platform']);
  const format = chance.oneOf(['csv', 'gzip', 'zip', 'json']);
  return ground.api('POST', '/api/v1/snapshot/report', { advertiserId: 900_001, reportType, format });
}

/** Somebody who must not: whatever is answered, nothing may change; the laws see to that. */
async function tryAsAnother(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const place = idsOf(ground.anyRow(chance, groups));
  return ground.api('POST', '/api/v1/review', [place], chance.oneOf(['reader', 'stranger']));
}

async function read(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const { campaignId, adGroupId } = idsOf(ground.anyRow(chance, groups));
  const path = chance.oneOf([
    `/api/v1/adItems?campaignId=${campaignId}`,
    `/api/v1/keywords?adGroupId=${adGroupId}`,
    `/api/v2/sba_profile?adGroupId=${adGroupId}`,
    `/api/v1/review?adGroupId=${adGroupId}`,
    '/api/v1/media?advertiserId=900001',
  ]);
  return ground.api('GET', path);
}

export const partnerActions: readonly Action[] = [
  { name: 'create campaign', weight: 5, take: createCampaign },
  { name: 'create ad group', weight: 6, take: createGroup },
  { name: 'change campaign', weight: 10, take: changeCampaign },
  { name: 'add items', weight: 8, take: addItems },
  { name: 'change items', weight: 7, take: changeItems },
  { name: 'add keywords', weight: 8, take: addKeywords },
  { name: 'change keywords', weight: 7, take: changeKeywords },
  { name: 'create profile', weight: 4, take: createProfiles },
  { name: 'change profile', weight: 8, take: changeProfile },
  { name: 'upload film', weight: 2, take: uploadMedia },
  { name: 'attach film', weight: 4, take: attachMedia },
  { name: 'set multiplier', weight: 3, take: setMultiplier },
  { name: 'submit for review', weight: 9, take: submit },
  { name: 'cancel review', weight: 2, take: cancelReview },
  { name: 'order a report', weight: 1, take: orderReport },
  { name: 'try as another', weight: 1, take: tryAsAnother },
  { name: 'read', weight: 4, take: read },
];
