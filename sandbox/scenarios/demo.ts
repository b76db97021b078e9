import { findCampaign } from '../lookups.ts';
import { writeMultiplier } from '../resources/multipliers.ts';
import { startReview } from '../resources/reviews.ts';
import type { Service } from '../service.ts';
import type { CampaignStatus } from '../states.ts';
import {
  type BuiltCampaign,
  buildCampaign,
  buildItems,
  buildKeywords,
  buildMedia,
  buildSbaProfile,
  buildVideoProfile,
  type Outcome,
} from './build.ts';

/**
 * A small shop to look around in: about 40 campaigns in every state, reviews under way, a rejected profile. Some
 * belong to the second advertiser. Reports need nothing here; they are computed from the seed.
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

export function buildDemo(service: Service): void {
  lines.forEach((line, index) => {
    buildVideoCampaign(service, 900001, line, index);
    buildBrandCampaign(service, 900001, line, index);
    if (line.status !== 'proposal' && line.status !== 'rescheduled')
      buildProductCampaigns(service, 900001, line, index);
  });
  for (const [index, line] of lines.slice(0, 4).entries()) {
    buildBrandCampaign(service, 900002, line, index);
    buildProductCampaigns(service, 900002, line, index);
  }
}

/** A round daily budget that differs from campaign to campaign, in cents. */
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
  const brand = advertiserId === 900001 ? 'Northwind' : 'Alder & Finch';
  buildSbaProfile(service, built, `${brand} ${line.season}`, 'enabled', line.outcome);
  if (line.outcome === 'approved') buildSbaProfile(service, built, brand, 'disabled', 'approved');
  buildTargets(service, built, line, index, 120);
}

function buildTargets(service: Service, built: BuiltCampaign, line: Line, index: number, bidCents: number): void {
  // A rejected profile does not make the rest bad: items and keywords of such a campaign were approved.
  const outcome = line.outcome === 'rejected' ? 'approved' : line.outcome;
  buildItems(service, built, index * 6, 3 + (index % 4), outcome);
  const first = index % words.length;
  buildKeywords(service, built, [...words.slice(first), ...words.slice(0, first)].slice(0, 5), bidCents, outcome);
  const campaign = line.inReview === true ? findCampaign(service, built.campaignId) : undefined;
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
  writeMultiplier(service, undefined, 'placement', manual.campaignId, 'Search Ingrid', 2500 + index * 500);
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
  writeMultiplier(service, undefined, 'placement', auto.campaignId, 'Buy-Box', 1250);
  writeMultiplier(service, undefined, 'platform', auto.campaignId, 'App', 4000);
}
