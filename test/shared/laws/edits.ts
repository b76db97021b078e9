import type { Kind } from '../../../shared/model/kinds.ts';
import type { Answer } from '../../conformance/client.ts';
import type { Cell, World } from './world.ts';

/** What the rows of a cell are brought to before an edit is tried. */
export interface RowState {
  readonly on: boolean;
  readonly review: 'pending' | 'approved' | 'rejected';
}

export interface Edit {
  readonly kind: Kind;
  readonly field: string;
}

/** Every field the user edits and the service knows, by the type of campaign that has such rows. */
export function editsOf(cell: Cell): readonly Edit[] {
  const fields: readonly (readonly [Kind, readonly string[]])[] = [
    ['campaign', ['name', 'totalBudget', 'dailyBudget', 'endDate', 'status']],
    ['adGroup', ['name', 'status']],
    ['adItem', ['bid', 'status']],
    ['keyword', ['bid', 'state']],
    ['sbaProfile', cell.type === 'sba' ? ['brand', 'headline', 'clickUrl', 'status'] : []],
    ['videoProfile', cell.type === 'video' ? ['video', 'status'] : []],
    ['placementMultiplier', cell.type === 'sponsoredProducts' ? ['multiplier'] : []],
    ['platformMultiplier', cell.type === 'sponsoredProducts' ? ['multiplier'] : []],
  ];
  return fields.flatMap(([kind, names]) => names.map((field) => ({ kind, field })));
}

/** Puts all rows of a cell into a state, as the retailer's people could. */
export async function prepare(world: World, cell: Cell, { on, review }: RowState): Promise<void> {
  const reviewReason = review === 'rejected' ? 'Claim not proven' : null;
  const status = on ? 'enabled' : 'disabled';
  await world.control(`/console/ad-items/${cell.adItemId}`, { status, reviewStatus: review, reviewReason });
  await world.control(`/console/keywords/${cell.keywordId}`, { state: on ? 'enabled' : 'paused', status: review });
  if (cell.type === 'sba') {
    const reviewStatus = review === 'pending' ? 'pending' : 'complete';
    const content = { searchAmpName: 'Softly', headlineText: 'Soft', clickUrl: 'https://shop.example/browse/a' };
    await world.control(`/console/sba-profiles/${cell.profileId}`, { ...content, status, reviewStatus, reviewReason });
  }
  if (cell.type === 'video') {
    await world.control(`/console/ad-group-media/${cell.profileId}`, { status, reviewStatus: review, reviewReason });
  }
}

let times = 0;

/** Sends one edit as the document (or its extension) has it: whole rows for the documented PUTs, with one field changed. */
export async function send(
  world: World,
  cell: Cell,
  { kind, field }: Edit,
  before: { on: boolean; state: string; mediaId: number | null },
): Promise<Answer> {
  const { campaignId, adGroupId } = cell;
  const ids = { campaignId, adGroupId };
  const turned = before.on ? 'disabled' : 'enabled';
  const status = field === 'status' ? turned : before.on ? 'enabled' : 'disabled';
  const n = ++times;
  const { owner } = world;
  switch (kind) {
    case 'campaign':
      return owner.put('/api/v1/campaigns', [{ campaignId, ...campaignChange(field, n, before.state) }]);
    case 'adGroup':
      return owner.put('/api/v1/adGroups', [
        { ...ids, ...(field === 'name' ? { name: `Group ${n}` } : { status: n % 2 === 0 ? 'enabled' : 'disabled' }) },
      ]);
    case 'adItem':
      return owner.put('/api/v1/adItems', [
        {
          ...ids,
          itemId: cell.itemId,
          adItemId: cell.adItemId,
          bid: field === 'bid' ? 1.6 + (n % 50) / 100 : 1.6,
          status,
        },
      ]);
    case 'keyword':
      return owner.put('/api/v1/keywords', [
        {
          ...ids,
          keywordId: cell.keywordId,
          ...(field === 'bid' ? { bid: 1.65 + (n % 50) / 100 } : { state: before.on ? 'paused' : 'enabled' }),
        },
      ]);
    case 'sbaProfile':
      return owner.put('/api/v2/sba_profile', [
        {
          ...ids,
          sbaProfileId: cell.profileId,
          searchAmpName: field === 'brand' ? `Brand ${n}` : 'Softly',
          headlineText: field === 'headline' ? `Headline ${n}` : 'Soft',
          clickUrl: `https://shop.example/browse/${field === 'clickUrl' ? n : 'a'}`,
          status,
        },
      ]);
    case 'videoProfile': {
      const other = world.media.find((one) => one !== before.mediaId) ?? null;
      return owner.put('/api/v1/adGroup/media', [
        { ...ids, advertiserId: world.advertiserId, mediaId: field === 'video' ? other : before.mediaId, status },
      ]);
    }
    case 'placementMultiplier':
      return owner.put('/api/v1/multipliers/placement', [
        { campaignId, placementType: 'Search Ingrid', multiplier: n % 900 },
      ]);
    default:
      return owner.put('/api/v1/multipliers/platform', [{ campaignId, platformType: 'Mobile', multiplier: n % 900 }]);
  }
}

function campaignChange(field: string, n: number, state: string): object {
  switch (field) {
    case 'name':
      return { name: `Edited ${n}` };
    case 'totalBudget':
      return { budget: 1500 + (n % 50) };
    case 'dailyBudget':
      return { dailyBudget: 70 + (n % 5) };
    case 'endDate':
      return { endDate: `2026-12-${10 + (n % 20)}` };
    default:
      if (state === 'paused') return { status: 'enabled' };
      return state === 'completed' ? { status: 'extend', endDate: '2026-12-31' } : { status: 'paused' };
  }
}
