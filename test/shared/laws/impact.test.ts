import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { changeImpact } from '../../../shared/lifecycle/change-impact.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Values } from '../../../shared/model/fields.ts';
import type { Answer } from '../../conformance/client.ts';
import { isFull, SEED } from '../../share.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aTree,
  aVideoProfile,
} from '../builders.ts';
import { type Edit, editsOf, prepare, type RowState, send } from './edits.ts';
import { buildCells, type Cell, openWorld, type World } from './world.ts';

/**
 * The law: what `changeImpact` says of an edit is what the service then answers.
 *
 *   immediate     accepted, and the row's review stays as it was
 *   needs-review  accepted, and the row is not approved afterwards; a paused campaign is not taken up before
 *   needs-pause   refused with the document's message
 *   refused       refused, with the document's message where the impact has one of its own
 */
const ROUNDS = isFull ? 25 : 1;
const EDITS = 100;

let world: World;
beforeAll(async () => {
  world = await openWorld();
  return () => world.close();
});

const edits = fc.array(
  fc.record({
    cell: fc.nat(1000),
    edit: fc.nat(1000),
    state: fc.record({ on: fc.boolean(), review: fc.constantFrom('pending', 'approved', 'rejected') }),
  }),
  { minLength: EDITS, maxLength: EDITS },
);

test('what an edit is said to cost is what the service answers', async () => {
  const seen = new Map<string, number>();
  const parameters = { numRuns: ROUNDS, endOnFailure: true, seed: SEED };
  await fc.assert(
    fc.asyncProperty(edits, async (choices) => {
      const cells = await buildCells(world);
      for (const choice of choices) {
        const likely = [...cells, ...cells.filter(isTelling), ...cells.filter(isTelling)];
        const cell = likely[choice.cell % likely.length];
        const all = cell === undefined ? [] : editsOf(cell);
        const offered = [...all, ...all.filter((one) => REVIEWED.has(one.kind))];
        const edit = offered[choice.edit % Math.max(1, offered.length)];
        if (cell === undefined || edit === undefined) continue;
        const said = await tryEdit(cell, edit, choice.state);
        seen.set(said, (seen.get(said) ?? 0) + 1);
      }
    }),
    parameters,
  );
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
  console.log(`seed ${parameters.seed}: ${total} edits`, Object.fromEntries(seen));
  expect(total).toBe(ROUNDS * EDITS);
  const corners = isFull
    ? ['immediate', 'needs-review', 'needs-pause', 'refused', 'immediate (completed)', 'needs-review (completed)']
    : ['immediate', 'refused'];
  for (const cost of corners) expect(seen.get(cost) ?? 0, cost).toBeGreaterThan(isFull ? 15 : 0);
}, 900_000);

test('an edit of what was deleted or archived is refused as foreseen', async () => {
  const [cell] = await buildCells(world);
  if (cell === undefined) throw new Error('no campaign was built');
  const { campaignId, adGroupId, itemId, keywordId } = cell;
  const item = { campaignId, adGroupId, itemId, bid: 1.6 };
  const keyword = { campaignId, adGroupId, keywordId };
  const remote = { remote: '1' };
  const tree = aTree({
    adItems: [anAdItem({ status: 'deleted' }, remote)],
    keywords: [aKeyword({ state: 'archived' }, remote)],
  });
  expect(refusalOf(await world.owner.put('/api/v1/adItems', [{ ...item, status: 'deleted' }]))).toBeNull();
  expect(refusalOf(await world.owner.put('/api/v1/adItems', [{ ...item, status: 'enabled' }]))).toBe(
    changeImpact('adItem', 'status', tree).message,
  );
  expect(refusalOf(await world.owner.put('/api/v1/keywords', [{ ...keyword, state: 'archived' }]))).toBeNull();
  expect(refusalOf(await world.owner.put('/api/v1/keywords', [{ ...keyword, bid: 2 }]))).not.toBeNull();
  expect(changeImpact('keyword', 'bid', tree).cost).toBe('refused');
});

/** Campaigns in which the answer is not simply yes come up more often. */
const isTelling = (cell: Cell): boolean => cell.type !== 'sponsoredProducts';
const REVIEWED: ReadonlySet<string> = new Set(['adItem', 'keyword', 'sbaProfile', 'videoProfile']);

async function tryEdit(cell: Cell, edit: Edit, rows: RowState): Promise<string> {
  await prepare(world, cell, rows);
  const before = await readCell(cell);
  const tree = treeOf(cell, before, rows);
  const { cost, message } = changeImpact(edit.kind, edit.field, tree);
  const facts = { on: rows.on, state: before.state, mediaId: before.mediaId };
  const answer = await send(world, cell, edit, facts);
  const refusal = refusalOf(answer);
  const about = `${cell.type} ${before.state}${cell.underReview ? ' under review' : ''}, ${edit.kind}.${edit.field}, ${JSON.stringify(rows)}: said ${cost}, answered ${refusal ?? 'success'}`;
  const isResume = edit.kind === 'campaign' && edit.field === 'status' && before.state === 'paused';
  const isAccepted = cost === 'immediate' || (cost === 'needs-review' && !isResume);
  expect(refusal === null, about).toBe(isAccepted);
  if (refusal !== null && message !== null && DOCUMENTED.test(message)) expect(refusal, about).toBe(message);
  const after = await readCell(cell);
  const review = reviewIn(after, edit);
  if (cost === 'immediate' && cell.type !== 'sponsoredProducts') expect(review, about).toBe(reviewIn(before, edit));
  if (cost === 'needs-review' && !isResume) {
    expect(review, about).not.toBe('approved');
    const isSwitchedOff = /^(status|state)$/.test(edit.field) && rows.on;
    expect(isSwitchedOff, about).toBe(false);
  }
  return before.state === 'completed' ? `${cost} (completed)` : cost;
}

/** The wordings that the document gives; sentences of ours are not compared. */
const DOCUMENTED = /^(Campaign is Under review|You cannot update the enabled|Disabled one cannot be)/;

function refusalOf({ status, body }: Answer): string | null {
  const [first] = Array.isArray(body) ? (body as Readonly<Record<string, unknown>>[]) : [];
  if (status === 200 && first?.['code'] === 'success') return null;
  const words = first?.['details'] ?? (body as { readonly error?: unknown } | null)?.error;
  return typeof words === 'string' ? words : JSON.stringify(body);
}

type Review = 'pending' | 'approved' | 'rejected' | null;
type ServiceStatus = NonNullable<Values<'campaign'>['serviceStatus']>;

interface Read {
  readonly state: ServiceStatus;
  readonly item: Review;
  readonly keyword: Review;
  readonly profile: Review;
  readonly mediaId: number | null;
}

async function readCell(cell: Cell): Promise<Read> {
  const { campaignId, adGroupId } = cell;
  const first = async (path: string) => {
    const { body } = await world.owner.get(path);
    return (Array.isArray(body) ? (body[0] as Readonly<Record<string, unknown>> | undefined) : undefined) ?? {};
  };
  const campaign = await first(`/api/v1/campaigns?campaignId=${campaignId}`);
  const item = await first(`/api/v1/adItems?campaignId=${campaignId}`);
  const keyword = await first(`/api/v1/keywords?campaignId=${campaignId}&adGroupId=${adGroupId}`);
  const path = cell.type === 'sba' ? '/api/v2/sba_profile' : '/api/v1/adGroup/media';
  const profile =
    cell.type === 'sponsoredProducts' ? {} : await first(`${path}?campaignId=${campaignId}&adGroupId=${adGroupId}`);
  return {
    state: campaign['status'] as ServiceStatus,
    item: reviewOf(item['reviewStatus'], null),
    keyword: reviewOf(keyword['status'], null),
    profile: reviewOf(profile['reviewStatus'], profile['reviewReason']),
    mediaId: typeof profile['mediaId'] === 'number' ? profile['mediaId'] : null,
  };
}

function reviewOf(word: unknown, reason: unknown): Review {
  if (word === 'complete') return reason === null ? 'approved' : 'rejected';
  return word === 'pending' || word === 'approved' || word === 'rejected' ? word : null;
}

function reviewIn(read: Read, { kind }: Edit): Review {
  if (kind === 'adItem') return read.item;
  if (kind === 'keyword') return read.keyword;
  return kind === 'sbaProfile' || kind === 'videoProfile' ? read.profile : null;
}

function treeOf(cell: Cell, read: Read, { on }: RowState): CampaignTree {
  const status = on ? 'enabled' : 'disabled';
  const wanted = read.state === 'paused' || read.state === 'completed' ? read.state : 'enabled';
  const remote = { remote: '1' };
  // It was read a moment ago, so nothing of it is a guess.
  const campaign = {
    campaignType: cell.type,
    status: wanted,
    serviceStatus: read.state,
    stateSource: 'service',
  } as const;
  return aTree({
    campaign: aCampaign(campaign, remote),
    adGroups: [anAdGroup({ reviewStatus: cell.underReview ? 'pending' : null }, remote)],
    adItems: [anAdItem({ status, reviewStatus: read.item }, remote)],
    keywords: [aKeyword({ state: on ? 'enabled' : 'paused', reviewStatus: read.keyword }, remote)],
    sbaProfiles: cell.type === 'sba' ? [anSbaProfile({ status, reviewStatus: read.profile }, remote)] : [],
    videoProfiles: cell.type === 'video' ? [aVideoProfile({ status, reviewStatus: read.profile }, remote)] : [],
    placementMultipliers: cell.type === 'sponsoredProducts' ? [aPlacement({}, remote)] : [],
    platformMultipliers: cell.type === 'sponsoredProducts' ? [aPlatform({}, remote)] : [],
  });
}
