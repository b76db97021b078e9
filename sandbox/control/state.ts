import { listAccounts } from '../principals.ts';
import { itemIdFor } from '../resources/item-format.ts';
import type { AdGroupRow, AdvertiserRow, CampaignRow, ItemRow, ReviewRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { type ControlCall, type ControlRoute, idOf } from './route.ts';

/** `GET /sandbox/state`: the clock, who can call, how much there is, and the campaigns with their ad groups. */
export const stateRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: '/sandbox/state', handle: showState },
  { method: 'GET', path: '/sandbox/campaigns/:id/moves', handle: showMoves },
  {
    method: 'GET',
    path: '/sandbox/requests',
    handle: (service, { query }) => {
      const since = Number(query.get('since') ?? '0');
      return { requests: service.requests.since(Number.isFinite(since) ? since : 0), last: service.requests.last() };
    },
  },
];

const counted = [
  'campaign',
  'ad_group',
  'ad_item',
  'keyword',
  'sba_profile',
  'ad_group_media',
  'media',
  'multiplier',
  'review',
  'item',
] as const;

function showState(service: Service): Readonly<Record<string, unknown>> {
  const { store, clock, settings } = service;
  const counts = counted.map((table) => [
    table.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    store.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0,
  ]);
  return {
    now: new Date(clock.now()).toISOString(),
    clock: clock.mode,
    scenario: store.readSetting('scenario') ?? settings.scenario,
    extensions: settings.extensions,
    seed: settings.seed,
    operationsPerHour: service.rate.limit(),
    retailHost: settings.retailHost,
    headerPrefix: settings.quirks.headerPrefix,
    accounts: listAccounts(service),
    lastRequest: service.requests.last(),
    counts: Object.fromEntries(counts),
    catalogue: showCatalogue(service),
    campaigns: listCampaigns(service),
    reviews: store
      .all<ReviewRow>("SELECT * FROM review WHERE status IN ('pending', 'in-progress') ORDER BY review_id")
      .map((row) => ({
        reviewId: row.review_id,
        campaignId: row.campaign_id,
        adGroupId: row.ad_group_id,
        status: row.status,
      })),
  };
}

type MoveRow = { at_ms: number; from_status: string; to_status: string; moved_by: string };

/** Every state a campaign has been in since it was created, oldest first. */
function showMoves(service: Service, call: ControlCall): unknown {
  const rows = service.store.all<MoveRow>(
    'SELECT * FROM campaign_move WHERE campaign_id = ? ORDER BY move_id',
    idOf(call, 'id'),
  );
  return {
    moves: rows.map((row) => ({
      at: new Date(row.at_ms).toISOString(),
      from: row.from_status,
      to: row.to_status,
      movedBy: row.moved_by,
    })),
  };
}

function listCampaigns(service: Service): readonly unknown[] {
  const groups = service.store.all<AdGroupRow>('SELECT * FROM ad_group ORDER BY ad_group_id');
  const groupsByCampaign = Map.groupBy(groups, (group) => group.campaign_id);
  return service.store.all<CampaignRow>('SELECT * FROM campaign ORDER BY campaign_id').map((row) => ({
    campaignId: row.campaign_id,
    name: row.name,
    campaignType: row.campaign_type,
    targetingType: row.targeting_type,
    status: row.status,
    advertiserId: row.advertiser_id,
    startDate: row.start_date,
    endDate: row.end_date,
    adGroups: (groupsByCampaign.get(row.campaign_id) ?? []).map((group) => ({
      adGroupId: group.ad_group_id,
      name: group.name,
      status: group.status,
    })),
  }));
}

/** The catalogue of one advertiser, in its account's format. */
interface Lists {
  readonly available: readonly string[];
  readonly unpublished: readonly string[];
  readonly notOwned: readonly string[];
  readonly unreadable: readonly string[];
}

const LISTED = 50;

/** Top level: the first advertiser's lists; every advertiser's stand under `byAdvertiser`. */
function showCatalogue(service: Service): Readonly<Record<string, unknown>> {
  const advertisers = service.store.all<AdvertiserRow>('SELECT * FROM advertiser ORDER BY advertiser_id');
  const lists = advertisers.map((row) => [String(row.advertiser_id), listsOf(service, row)] as const);
  const first = lists[0]?.[1] ?? { available: [], unpublished: [], notOwned: [], unreadable: [] };
  return { ...first, byAdvertiser: Object.fromEntries(lists) };
}

function listsOf(service: Service, advertiser: AdvertiserRow): Lists {
  const idsWhere = (condition: string) =>
    service.store
      .all<ItemRow>(`SELECT * FROM item WHERE ${condition} ORDER BY item_key LIMIT ?`, advertiser.advertiser_id, LISTED)
      .map((item) => itemIdFor(advertiser.migrated === 1, item));
  return {
    available: idsWhere('advertiser_id = ? AND published = 1 AND readable = 1 AND base_item_key IS NULL'),
    unpublished: idsWhere('advertiser_id = ? AND published = 0 AND readable = 1'),
    notOwned: idsWhere('advertiser_id <> ? AND published = 1 AND readable = 1'),
    unreadable: idsWhere('advertiser_id = ? AND readable = 0'),
  };
}
