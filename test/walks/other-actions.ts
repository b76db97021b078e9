import type { Chance } from './chance.ts';
import type { Ground } from './ground.ts';
import type { Action } from './partner-actions.ts';
import type { WireAnswer } from './wire-client.ts';

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
