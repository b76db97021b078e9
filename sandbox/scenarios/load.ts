import { forgetBuilding, writeMarkets } from '../demand/history.ts';
import { startReview } from '../resources/reviews.ts';
import type { ScenarioName, Service } from '../service.ts';
import type { CampaignStatus } from '../states.ts';
import type { Store } from '../store.ts';
import { firstIds, stateTables } from '../tables.ts';
import {
  type BuiltCampaign,
  buildCampaign,
  buildItems,
  buildKeywords,
  buildMedia,
  buildMultiplier,
  buildSbaProfile,
  buildVideoProfile,
  type CampaignPlan,
  type Outcome,
} from './build.ts';
import { insertAdvertiser, restoreCatalogue, scheduleCutover } from './catalogue.ts';
import { buildSample, sampleItems } from './sample.ts';

/** Factor of searches: a shop with few keywords needs more searches for each. */
const BUSY = 4;

const USUAL_ADVERTISER = 900_001;
/** The distance between the first IDs of two advertisers: none has as many rows. */
const IDS_OF_AN_ADVERTISER = 1_000_000;

/** Fills a sandbox: two advertisers with their catalogs, then the campaigns of the scenario. */
export function loadScenario(service: Service, scenario: ScenarioName): void {
  const { store, settings } = service;
  const [seller, second] = [settings.advertiser, settings.advertiser + 1];
  const firstOf = (first: number): number => first + (seller - USUAL_ADVERTISER) * IDS_OF_AN_ADVERTISER;
  store.inTransaction(() => {
    const kept = ['clock', 'catalogue'].map((key) => [key, store.readSetting(key)] as const);
    for (const table of stateTables) store.run(`DELETE FROM ${table}`);
    store.run('DELETE FROM principal WHERE standard = 0');
    store.run("DELETE FROM sqlite_sequence WHERE name <> 'item'");
    for (const [table, first] of firstIds) {
      store.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, firstOf(first) - 1);
    }
    for (const [key, value] of kept) if (value !== null) store.writeSetting(key, value);
    store.writeSetting('scenario', scenario);
    store.writeSetting('advertiser', String(seller));
    const advertisers = [
      { advertiserId: seller, name: 'Northwind Home', migrated: true, items: 1400, drawnAs: USUAL_ADVERTISER },
      { advertiserId: second, name: 'Alder & Finch', migrated: false, items: 800, drawnAs: USUAL_ADVERTISER + 1 },
    ];
    restoreCatalogue(service, advertisers, scenario === 'sample' ? sampleItems : []);
    for (const { advertiserId, name, migrated } of advertisers) insertAdvertiser(service, advertiserId, name, migrated);
    scheduleCutover(service);
    if (scenario === 'conformance') buildConformance(service);
    if (scenario === 'demo') buildDemo(service);
    if (scenario === 'sample') buildSample(service);
    else writeMarkets(store, { busy: BUSY, rows: {} });
    forgetBuilding(store, service.clock);
  });
}

/** True if no scenario was loaded into the store yet. */
export const isNew = (store: Store): boolean => store.readSetting('scenario') === null;

/** The first advertiser of a store, which stays the same; that of a new one is `wanted`. */
export const firstAdvertiser = (store: Store, wanted = USUAL_ADVERTISER): number =>
  isNew(store) ? wanted : Number(store.readSetting('advertiser') ?? USUAL_ADVERTISER);

/** One campaign for each situation in the document's rules. */
function buildConformance(service: Service): void {
  const seller = service.settings.advertiser;
  const campaign = (plan: Omit<CampaignPlan, 'advertiserId' | 'dailyCents'>) =>
    buildCampaign(service, { advertiserId: seller, dailyCents: 7_500, ...plan });
  const words = ['paper towel', 'kitchen roll', 'storage box'];

  campaign({ name: 'C-sba', type: 'sba', status: 'proposal' });

  const live = campaign({ name: 'C-sba-live', type: 'sba', status: 'live' });
  buildSbaProfile(service, live, 'Northwind', 'enabled', 'approved');
  buildSbaProfile(service, live, 'Northwind Home', 'disabled', 'approved');
  buildItems(service, live, 0, 3, 'approved');
  buildKeywords(service, live, words, 165, 'approved');

  const paused = campaign({ name: 'C-sba-paused', type: 'sba', status: 'paused' });
  buildSbaProfile(service, paused, 'Northwind', 'enabled', 'approved');
  buildItems(service, paused, 3, 3, 'approved');
  buildKeywords(service, paused, words, 165, 'approved');

  const reviewed = campaign({ name: 'C-sba-review', type: 'sba', status: 'proposal' });
  buildSbaProfile(service, reviewed, 'Northwind', 'enabled', 'pending');
  buildItems(service, reviewed, 6, 3, 'pending');
  buildKeywords(service, reviewed, words, 165, 'pending');
  const reviewedRow = service.store.find('campaign', reviewed.campaignId);
  if (reviewedRow !== undefined) startReview(service, reviewedRow, reviewed.adGroupId);

  campaign({ name: 'C-auto', type: 'sponsoredProducts', targeting: 'auto', status: 'live' });
  campaign({ name: 'C-man', type: 'sponsoredProducts', targeting: 'manual', status: 'live' });
  campaign({ name: 'C-vid', type: 'video', status: 'proposal' });

  const videoLive = campaign({ name: 'C-vid-live', type: 'video', status: 'live' });
  buildVideoProfile(service, videoLive, buildMedia(service, seller, 'Kitchen in use'), 'approved');
  buildItems(service, videoLive, 9, 3, 'approved');
  buildKeywords(service, videoLive, words, 165, 'approved');

  buildMedia(service, seller, 'Ready to attach');
  buildCampaign(service, {
    advertiserId: seller + 1,
    name: 'L-man',
    type: 'sponsoredProducts',
    status: 'live',
    dailyCents: 7_500,
  });
}

/**
 * A small shop to look around in: about 40 campaigns in every state, open reviews, a rejected profile. Some belong to
 * the second advertiser. Metrics need no rows: they are derived from the seed.
 */
interface Line {
  readonly season: string;
  readonly status: CampaignStatus;
  readonly outcome: Outcome;
  readonly startsIn?: number;
  readonly endsIn?: number;
  readonly inReview?: boolean;
}

const lines: readonly Line[] = [
  { season: 'Spring', status: 'live', outcome: 'approved', startsIn: -90 },
  { season: 'Summer', status: 'live', outcome: 'approved', startsIn: -40, endsIn: 20 },
  { season: 'Autumn', status: 'scheduled', outcome: 'approved', startsIn: 10 },
  { season: 'Winter', status: 'paused', outcome: 'approved', startsIn: -60 },
  { season: 'Moving day', status: 'completed', outcome: 'approved', startsIn: -90, endsIn: -30 },
  { season: 'Back to school', status: 'proposal', outcome: 'pending', inReview: true },
  { season: 'New in', status: 'proposal', outcome: 'pending' },
  { season: 'Clearance', status: 'proposal', outcome: 'rejected' },
  { season: 'Holiday', status: 'rescheduled', outcome: 'approved', startsIn: 14 },
  { season: 'Draft', status: 'enabled', outcome: 'pending', startsIn: 5 },
];

const words: readonly [string, ...string[]] = [
  'paper towel',
  'kitchen roll',
  'storage box',
  'desk lamp',
  'cotton sheets',
  'coffee maker',
  'water bottle',
  'garden hose',
];

function buildDemo(service: Service): void {
  const [seller, second] = [service.settings.advertiser, service.settings.advertiser + 1];
  lines.forEach((line, index) => {
    buildVideoCampaign(service, seller, line, index);
    buildBrandCampaign(service, seller, line, index);
    if (line.status !== 'proposal' && line.status !== 'rescheduled')
      buildProductCampaigns(service, seller, line, index);
  });
  for (const [index, line] of lines.slice(0, 4).entries()) {
    buildBrandCampaign(service, second, line, index);
    buildProductCampaigns(service, second, line, index);
  }
}

/** A round daily budget in cents, different for each campaign. */
function dailyFor(index: number, dollars: number): number {
  return (dollars + ((index * 35) % 90)) * 100;
}

function buildVideoCampaign(service: Service, advertiserId: number, line: Line, index: number): void {
  const built = buildCampaign(service, {
    ...line,
    advertiserId,
    name: `${line.season} video`,
    type: 'video',
    dailyCents: dailyFor(index, 60),
  });
  const mediaId = buildMedia(service, advertiserId, `${line.season} cut 20s`);
  buildVideoProfile(service, built, mediaId, line.outcome);
  buildTargets(service, built, line, index, 165);
}

function buildBrandCampaign(service: Service, advertiserId: number, line: Line, index: number): void {
  const built = buildCampaign(service, {
    ...line,
    advertiserId,
    name: `${line.season} brand`,
    type: 'sba',
    dailyCents: dailyFor(index, 40),
  });
  const brand = advertiserId === service.settings.advertiser ? 'Northwind' : 'Alder & Finch';
  buildSbaProfile(service, built, `${brand} ${line.season}`, 'enabled', line.outcome);
  if (line.outcome === 'approved') buildSbaProfile(service, built, brand, 'disabled', 'approved');
  buildTargets(service, built, line, index, 120);
}

function buildTargets(service: Service, built: BuiltCampaign, line: Line, index: number, bidCents: number): void {
  // With a rejected profile, the campaign's items and keywords are still approved.
  const outcome = line.outcome === 'rejected' ? 'approved' : line.outcome;
  buildItems(service, built, index * 6, 3 + (index % 4), outcome);
  const first = index % words.length;
  buildKeywords(service, built, [...words.slice(first), ...words.slice(0, first)].slice(0, 5), bidCents, outcome);
  const campaign = line.inReview === true ? service.store.find('campaign', built.campaignId) : undefined;
  if (campaign !== undefined) startReview(service, campaign, built.adGroupId);
}

function buildProductCampaigns(service: Service, advertiserId: number, line: Line, index: number): void {
  const manual = buildCampaign(service, {
    ...line,
    advertiserId,
    name: `${line.season} products`,
    type: 'sponsoredProducts',
    dailyCents: dailyFor(index, 25),
  });
  buildItems(service, manual, 100 + index * 5, 5, 'approved');
  buildKeywords(service, manual, words.slice(0, 4), 85, 'approved');
  buildMultiplier(service, manual, 'placement', 'Search Ingrid', 2500 + index * 500);
  if (index % 2 === 1) return;
  const auto = buildCampaign(service, {
    ...line,
    advertiserId,
    name: `${line.season} automatic`,
    type: 'sponsoredProducts',
    targeting: 'auto',
    dailyCents: dailyFor(index, 15),
  });
  buildItems(service, auto, 200 + index * 5, 8, 'approved');
  buildMultiplier(service, auto, 'placement', 'Buy-Box', 1250);
  buildMultiplier(service, auto, 'platform', 'App', 4000);
}
