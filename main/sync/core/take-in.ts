import type { CampaignToTakeIn, TakeInOutcome } from '../../../shared/contract/known.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { KnownKind, KnownSource } from '../../../shared/model/known-id.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import type { RemoteRecord } from '../../api/read.ts';
import { readAgain } from './again.ts';
import { learnTrees, ownerOf, UNKNOWN_ROW } from './books.ts';
import { isOver, type RoundContext, stopFor } from './context.ts';
import { lanes, tx, type Work } from './effects.ts';
import { openLanes } from './lane-limit.ts';
import { learnCampaignIds, learnGroupIds, refresh } from './refresh.ts';
import { type FoundGroups, groupsOf } from './take-in-groups.ts';

/** What taking ids in came to, filled while it goes on: what is not in `outcomes` at its end was not asked about. */
export interface TakeInBooks {
  readonly outcomes: TakeInOutcome[];
  /** Rows of the campaigns that are new here or have got a group. */
  readonly added: RowId[];
}

export interface Wanted extends Omit<CampaignToTakeIn, 'id' | 'adGroups'> {
  readonly id: RemoteId;
  readonly adGroups: readonly RemoteId[];
}

type Refusal = Pick<TakeInOutcome, 'outcome' | 'detail'>;
const UNSETTLED: Refusal = { outcome: 'unsettled', detail: '' };
const NOT_FOUND: Refusal = { outcome: 'not-found', detail: '' };

/**
 * Takes campaigns in that were made elsewhere. Each id is asked after first: by the list of campaigns where a deployment
 * offers it, and else by the reads that refuse an id that is not there. What the service has becomes rows, and is then
 * read with all that hangs from it; what it lacks is told and leaves no trace.
 */
export function* takeIn(
  ctx: RoundContext,
  wanted: readonly Wanted[],
  source: KnownSource,
  books: TakeInBooks,
): Work<void> {
  yield* learnCampaignIds(ctx);
  yield* learnGroupIds(ctx);
  const listed = yield* listedCampaigns(ctx);
  if (isOver(ctx)) return;
  yield* lanes(
    wanted.map((campaign) => takeOne(ctx, campaign, source, listed, books)),
    () => openLanes(ctx),
  );
  if (isOver(ctx) || books.added.length === 0) return;
  yield* refresh(ctx, books.added);
}

/** What the service says of each of its campaigns; null where it has no list of them. */
type Listed = ReadonlyMap<RemoteId, RemoteRecord> | null;

function* listedCampaigns(ctx: RoundContext): Work<Listed> {
  if (!ctx.capabilities.campaignRead) return null;
  const list = yield* readAgain(ctx, 'list campaigns', (ports) => ports.api.campaigns());
  if (list.ok) return new Map(list.value.map((record) => [record.remoteId, record]));
  stopFor(ctx, list.error);
  // A list that is refused here is no list: the ids can still be asked after one by one.
  return null;
}

function* takeOne(
  ctx: RoundContext,
  wanted: Wanted,
  source: KnownSource,
  listed: Listed,
  books: TakeInBooks,
): Work<void> {
  if (isOver(ctx)) return;
  const { id } = wanted;
  const tell = (kind: KnownKind, of: RemoteId, outcome: TakeInOutcome['outcome'], detail = ''): void =>
    void books.outcomes.push({ kind, id: of, campaign: id, outcome, detail });
  const here = yield* treeOf(ctx, id);
  const refusal = yield* refusalOf(ctx, id, here, listed);
  if (isOver(ctx)) return;
  if (refusal !== null) return tell('campaign', id, refusal.outcome, refusal.detail);
  const found = yield* groupsOf(ctx, wanted, here, yield* isCreateOpen('adGroup', here?.campaign.id ?? null));
  if (isOver(ctx)) return;
  const adGroups = claim(ctx, found);
  const values = listed?.get(id)?.values ?? wordsOf(wanted, found);
  const { epoch } = ctx;
  const taken = yield* tx('take in', (ports) =>
    ports.outbox.takeIn({ epoch, source, campaign: { id, values }, adGroups }),
  );
  if (taken.campaignId === null) return;
  tell('campaign', id, here === null ? 'added' : 'known');
  for (const group of found.groups) tell('adGroup', group.id, adGroups.includes(group) ? 'added' : 'other-campaign');
  for (const { id: group, outcome, detail } of found.left) tell('adGroup', group, outcome, detail);
  if (here === null || adGroups.length > 0) books.added.push(taken.campaignId);
}

/** Why the campaign cannot be taken in, or null when the service has it. A failure that ends the round is told by that. */
function* refusalOf(ctx: RoundContext, id: RemoteId, here: CampaignTree | null, listed: Listed): Work<Refusal | null> {
  if (here === null && (yield* isCreateOpen('campaign', null))) return UNSETTLED;
  if (listed !== null) return listed.has(id) ? null : NOT_FOUND;
  const exists = yield* readAgain(ctx, 'look for a campaign', (ports) => ports.api.campaignExists(id));
  if (exists.ok) return exists.value ? null : NOT_FOUND;
  stopFor(ctx, exists.error);
  return { outcome: 'refused', detail: wordsOfFailure(exists.error) };
}

/**
 * Takes the groups for this campaign that no other has. Another campaign of the same call may have taken one since they
 * were read; between the look and the claim nobody else has a turn.
 */
function claim(ctx: RoundContext, { groups }: FoundGroups): FoundGroups['groups'] {
  const free = groups.filter((group) => ownerOf(ctx, 'adGroup', group.id) === null);
  for (const group of free) ctx.owners.set(`adGroup:${group.id}`, UNKNOWN_ROW);
  return free;
}

/** The campaign as it is here, when it is. */
function* treeOf(ctx: RoundContext, id: RemoteId): Work<CampaignTree | null> {
  const row = ctx.owners.get(`campaign:${id}`);
  if (row === undefined) return null;
  const trees = yield* tx('read trees', (ports) => ports.workspace.readTrees([row]));
  learnTrees(ctx, trees);
  return trees[0] ?? null;
}

/** While a create is in doubt, an id that nobody here knows may be the very thing that was sent. */
function* isCreateOpen(kind: KnownKind, campaignId: RowId | null): Work<boolean> {
  const live = yield* tx('live', (ports) => ports.outbox.live());
  return live.some(
    (batch) =>
      batch.kind === kind && batch.verb === 'create' && (kind === 'campaign' || batch.campaignId === campaignId),
  );
}

const wordsOfFailure = (failure: ReadFailure): string =>
  failure.kind === 'unreachable' ? failure.cause : failure.message;

/** What a person said, and the type that the answers for its ad group give away. */
function wordsOf({ name, campaignType, targetingType }: Wanted, { type }: FoundGroups): Partial<AnyValues> {
  const proven = type ?? campaignType;
  // Only one way of targeting goes with these types (document, "Campaign and ad group").
  const targeting = proven === 'sba' || proven === 'video' ? 'manual' : targetingType;
  return { name, campaignType: proven, targetingType: targeting };
}
