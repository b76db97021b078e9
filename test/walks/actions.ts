import type { DatabaseSync } from 'node:sqlite';
import { aVideo } from '../conformance/files.ts';
import type { Chance, Ground, RowOfWalk, WireAnswer } from './ground.ts';

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

/** What everybody but the partner does: ad operations, people in the retailer's console, and time. */
async function decide(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const open = "SELECT review_id FROM review WHERE status IN ('pending', 'in-progress')";
  const reviewId = ground.anyRow(chance, open)['review_id'] ?? 1;
  const status = chance.oneOf(['approved', 'approved', 'rejected']);
  if (chance.next() < 0.6) return ground.control(`/reviews/${String(reviewId)}/decide`, { all: status });
  const part = ground.anyRow(chance, 'SELECT * FROM review_component WHERE review_id = ?', Number(reviewId));
  const components = [{ type: part['type'], id: part['component_id'], status, reason: 'By chance' }];
  return ground.control(`/reviews/${String(reviewId)}/decide`, { components });
}

async function actOnCampaign(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const campaignId = ground.anyRow(chance, 'SELECT campaign_id FROM campaign')['campaign_id'] ?? 1;
  const action = chance.oneOf(['pause', 'enable', 'end', 'extend']);
  return ground.control(`/console/campaigns/${String(campaignId)}`, {
    action,
    ...(action === 'extend' ? { endDate: '2027-12-31' } : {}),
  });
}

/** Words that fit and words that do not, in every state a console may write. */
type RowEdit = readonly [path: string, table: string, fields: Readonly<Record<string, readonly string[]>>];
const rowEdits: readonly [RowEdit, ...RowEdit[]] = [
  ['ad-groups', 'ad_group', { status: ['enabled', 'disabled', 'odd'] }],
  ['ad-items', 'ad_item', { status: ['enabled', 'disabled', 'gone'], reviewStatus: ['approved', 'rejected', ''] }],
  ['keywords', 'keyword', { state: ['enabled', 'paused', 'on'], status: ['approved', 'rejected', 'pending'] }],
  ['sba-profiles', 'sba_profile', { status: ['enabled', 'disabled', 'live'], reviewStatus: ['pending', 'approved'] }],
  ['ad-group-media', 'ad_group_media', { status: ['enabled', 'disabled'], reviewStatus: ['approved', 'lost'] }],
  ['media', 'media', { name: ['Film A', 'Film B', ''], status: ['available', 'failed', 'pending', 'odd'] }],
];

async function editRow(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const [path, table, fields] = chance.oneOf(rowEdits);
  const id = ground.anyRow(chance, `SELECT ${table}_id AS id FROM ${table} LIMIT 100`)['id'] ?? 1;
  const entries = Object.entries(fields);
  const [field, values] = entries[chance.whole(0, entries.length - 1)] ?? ['status', []];
  const value = values[chance.whole(0, values.length - 1)] ?? null;
  return ground.control(`/console/${path}/${String(id)}`, { [field]: value });
}

async function editMultiplier(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const id = ground.anyRow(chance, 'SELECT multiplier_id AS id FROM multiplier')['id'] ?? 1;
  return ground.control(`/console/multipliers/${String(id)}`, { multiplier: chance.oneOf([0, 12.5, 50_000, 60_000]) });
}

async function editBid(ground: Ground, chance: Chance): Promise<WireAnswer> {
  const [path, table] = chance.oneOf([
    ['keywords', 'keyword'],
    ['ad-items', 'ad_item'],
  ] as const);
  const id = ground.anyRow(chance, `SELECT ${table}_id AS id FROM ${table} LIMIT 100`)['id'] ?? 1;
  return ground.control(`/console/${path}/${String(id)}`, { bid: chance.whole(1, 900) / 100 });
}

const moveClock = async (ground: Ground, chance: Chance): Promise<WireAnswer> => {
  const advance = chance.oneOf(['PT1M', 'PT1M', 'PT35M', 'PT8H', 'P1D', 'P2D']);
  return ground.control('/clock', { advance });
};

const migrate = async (ground: Ground, chance: Chance): Promise<WireAnswer> =>
  ground.control(`/accounts/${chance.oneOf([900_001, 900_002])}/migrate`, {});

export const otherActions: readonly Action[] = [
  { name: 'decide a review', weight: 8, take: decide },
  { name: 'act in the console', weight: 4, take: actOnCampaign },
  { name: 'edit a row in the console', weight: 4, take: editRow },
  { name: 'edit a bid in the console', weight: 2, take: editBid },
  { name: 'edit a multiplier in the console', weight: 1, take: editMultiplier },
  { name: 'move the clock', weight: 9, take: moveClock },
  { name: 'migrate an account', weight: 1, take: migrate },
];

/**
 * Laws about two states, one before and one after an action: what has ended stays ended, ids are not given twice, and
 * switching an SBA profile on switches the other off.
 */
const ends: readonly (readonly [what: string, sql: string])[] = [
  ['an archived keyword', "SELECT keyword_id AS id FROM keyword WHERE state = 'archived'"],
  ['a deleted item', "SELECT ad_item_id AS id FROM ad_item WHERE status = 'deleted'"],
  [
    'a decided or cancelled review',
    "SELECT review_id || ' ' || status AS id FROM review WHERE status NOT IN ('pending', 'in-progress')",
  ],
  ['a processed film', "SELECT media_id AS id FROM media WHERE status IN ('available', 'failed')"],
  ['a used upload', 'SELECT upload_id AS id FROM media_upload WHERE completed = 1'],
  ['an account with the new item ids', 'SELECT advertiser_id AS id FROM advertiser WHERE migrated = 1'],
  ['a campaign that was live', 'SELECT campaign_id AS id FROM campaign WHERE was_live = 1'],
  ['a move of the history', "SELECT move_id || ' ' || from_status || ' ' || to_status AS id FROM campaign_move"],
];

/** Tables whose ids must only ever grow. */
const tables = ['campaign', 'ad_group', 'ad_item', 'keyword', 'media', 'sba_profile', 'review', 'multiplier'] as const;

const twiceEnabled = `SELECT ad_group_id AS id FROM sba_profile WHERE status = 'enabled' GROUP BY 1 HAVING count(*) > 1`;

interface Passages {
  /** @param action its name; only creating a profile may leave two enabled ones, as the document has it */
  readonly check: (action: string) => readonly string[];
  /** After a reset everything begins anew. */
  readonly forget: () => void;
}

export function createPassages(database: DatabaseSync): Passages {
  const queries = ends.map(([what, sql]) => ({ what, query: database.prepare(sql) }));
  const idQueries = tables.map((table) => ({
    table,
    query: database.prepare(`SELECT ${table}_id AS id FROM ${table} ORDER BY 1`),
  }));
  const twice = database.prepare(twiceEnabled);
  const idsOf = (query: typeof twice) => query.all().map((row) => String(row['id']));
  let ended = new Map<string, readonly string[]>();
  let known = new Map<string, readonly string[]>();
  let enabledTwice = new Set<string>();

  return {
    check: (action) => {
      const broken: string[] = [];
      for (const { what, query } of queries) {
        const now = idsOf(query);
        const present = new Set(now);
        const gone = (ended.get(what) ?? []).find((id) => !present.has(id));
        if (gone !== undefined) broken.push(`${what} stays so: ${gone}`);
        ended.set(what, now);
      }
      for (const { table, query } of idQueries) {
        const now = idsOf(query);
        const before = known.get(table) ?? [];
        // Nothing is ever removed, so the ids of before are the first of now.
        if (before.some((id, at) => now[at] !== id)) broken.push(`ids of ${table} are given once and in order`);
        known.set(table, now);
      }
      const now = new Set(idsOf(twice));
      const added = [...now].find((id) => !enabledTwice.has(id));
      if (added !== undefined && !action.startsWith('create profile')) broken.push(`one enabled SBA profile: ${added}`);
      enabledTwice = now;
      return broken;
    },
    forget: () => {
      ended = new Map();
      known = new Map();
      enabledTwice = new Set();
    },
  };
}
