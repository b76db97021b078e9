import { openService, type Service } from './service.ts';

/** The service with campaigns of every type in every state they can be in, built through the API alone. */
export interface World extends Service {
  /** Two videos that can be attached. */
  readonly media: readonly number[];
}

export type CampaignType = 'sponsoredProducts' | 'sba' | 'video';
type State = 'enabled' | 'proposal' | 'scheduled' | 'live' | 'paused' | 'completed' | 'rescheduled';

/** One campaign with one row of every kind that its type takes, by the service's ids. */
export interface Cell {
  readonly type: CampaignType;
  readonly wanted: State;
  readonly underReview: boolean;
  readonly campaignId: number;
  readonly adGroupId: number;
  readonly adItemId: number;
  readonly itemId: string;
  readonly keywordId: number;
  readonly profileId: number | null;
}

export async function openWorld(): Promise<World> {
  const service = await openService();
  const { owner, advertiserId } = service;
  const media = (await owner.get(`/api/v1/media?advertiserId=${advertiserId}`)).body as { mediaId: number }[];
  return { ...service, media: media.map((one) => one.mediaId).slice(-2) };
}

const STATES: Readonly<Record<CampaignType, readonly State[]>> = {
  sponsoredProducts: ['enabled', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'],
  sba: ['enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'],
  video: ['enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'],
};
const REVIEWABLE: ReadonlySet<State> = new Set(['proposal', 'scheduled', 'live', 'paused', 'rescheduled']);
const BEEN_LIVE: ReadonlySet<State> = new Set(['live', 'paused', 'completed', 'rescheduled']);

/** Builds one campaign per type, state and review. What needs the clock comes first, so that the rest stays put. */
export async function buildCells(world: World): Promise<readonly Cell[]> {
  const { owner, advance } = world;
  const wishes = (['sponsoredProducts', 'sba', 'video'] as const).flatMap((type) =>
    STATES[type].flatMap((wanted) =>
      (type !== 'sponsoredProducts' && REVIEWABLE.has(wanted) ? [false, true] : [false]).map((underReview) => ({
        type,
        wanted,
        underReview,
      })),
    ),
  );
  const cells: Cell[] = [];
  for (const wish of wishes.filter((one) => one.wanted !== 'enabled')) cells.push(await buildCell(world, wish));
  await advance('PT2M');
  for (const cell of cells) {
    if (cell.type !== 'sponsoredProducts' && cell.wanted !== 'proposal') await approve(world, cell);
  }
  await advance('PT2M');
  const change = async ({ campaignId }: Cell, fields: object) =>
    done((await owner.put('/api/v1/campaigns', [{ campaignId, ...fields }])).body, 'campaignId');
  for (const cell of cells) {
    if (cell.wanted === 'paused') await change(cell, { status: 'paused' });
    if (cell.wanted === 'completed' || cell.wanted === 'rescheduled') await change(cell, { status: 'completed' });
    if (cell.wanted === 'rescheduled') await change(cell, { status: 'extend', endDate: '2026-12-31' });
  }
  for (const wish of wishes.filter((one) => one.wanted === 'enabled')) cells.push(await buildCell(world, wish));
  for (const cell of cells) if (cell.underReview) await submit(world, cell);
  return cells;
}

let names = 0;

async function buildCell(world: World, wish: Pick<Cell, 'type' | 'wanted' | 'underReview'>): Promise<Cell> {
  const { owner, advertiserId, items, media } = world;
  const campaign = {
    advertiserId,
    name: `State ${++names}`,
    campaignType: wish.type,
    targetingType: 'manual',
    budget: 1500,
    dailyBudget: 75,
    startDate: BEEN_LIVE.has(wish.wanted) ? '2026-05-05' : '2026-08-01',
    endDate: '2026-12-31',
    status: 'enabled',
  };
  const campaignId = done((await owner.post('/api/v1/campaigns', [campaign])).body, 'campaignId');
  const group = { campaignId, name: 'Group', status: 'enabled' };
  const adGroupId = done((await owner.post('/api/v1/adGroups', [group])).body, 'adGroupId');
  const ids = { campaignId, adGroupId };
  const itemId = items[0] ?? '';
  const item = { ...ids, itemId, bid: 1.6, status: 'enabled' };
  const adItemId = done((await owner.post('/api/v1/adItems', [item])).body, 'adItemId');
  const keyword = { ...ids, keywordText: 'paper towel', matchType: 'exact', bid: 1.65, state: 'enabled' };
  const keywordId = done((await owner.post('/api/v1/keywords', [keyword])).body, 'keywordId');
  const [mediaId] = media;
  const sba = { ...ids, searchAmpName: 'Softly', headlineText: 'Soft', clickUrl: 'https://shop.example/browse/a' };
  const profileId =
    wish.type === 'sba'
      ? done((await owner.post('/api/v2/sba_profile', [sba])).body, 'sbaProfileId')
      : wish.type === 'video'
        ? done((await owner.post('/api/v1/adGroup/media', [{ ...ids, advertiserId, mediaId }])).body, 'adGroupMediaId')
        : null;
  if (wish.type === 'sponsoredProducts') {
    const multipliers = [{ campaignId, placementType: 'Search Ingrid', multiplier: 10 }];
    await owner.post('/api/v1/multipliers/placement', multipliers);
    await owner.post('/api/v1/multipliers/platform', [{ campaignId, platformType: 'Mobile', multiplier: 10 }]);
  }
  return { ...wish, ...ids, adItemId, itemId, keywordId, profileId };
}

const submit = async ({ owner }: World, { campaignId, adGroupId }: Cell): Promise<number> =>
  done((await owner.post('/api/v1/review', [{ campaignId, adGroupId }])).body, 'reviewId');

async function approve(world: World, cell: Cell): Promise<void> {
  await world.control(`/reviews/${await submit(world, cell)}/decide`, { all: 'approved' });
}

function done(body: unknown, id: string): number {
  const [first] = Array.isArray(body) ? (body as Readonly<Record<string, unknown>>[]) : [];
  const value = first?.[id];
  if (first?.['code'] !== 'success' || typeof value !== 'number') throw new Error(`refused: ${JSON.stringify(body)}`);
  return value;
}
