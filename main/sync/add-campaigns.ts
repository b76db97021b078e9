import type { AddCampaignOutcome, CampaignToAdd, TakenIn } from '../../shared/api/campaigns.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { KnownKind, RemoteIdSource } from '../../shared/model/kinds.ts';
import { type RemoteId, type RowId, remoteId } from '../../shared/model/scalars.ts';
import type { RemoteRecord } from '../api/fetch-records.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { normalizeMessage } from '../api/service-message.ts';
import type { Workspace } from '../store/workspace.ts';
import { indexTrees, isOver, rowForRemoteId, type SyncContext, stopFor, UNKNOWN_ROW } from './context.ts';
import { inParallel } from './parallel.ts';
import type { NoTurn } from './ports.ts';
import { learnIds, refresh } from './refresh.ts';
import { readWithRetry } from './retry.ts';
import type { RunQueue } from './run-queue.ts';

/** Takes campaigns in and tells, id by id, what became of each; one that a failure left out is `not-asked`. */
export async function addCampaignsById(
  runs: Pick<RunQueue, 'read'>,
  workspace: Pick<Workspace, 'readTrees'>,
  campaigns: readonly CampaignToAdd[],
  source: RemoteIdSource,
): Promise<TakenIn> {
  const wanted = oncePerCampaign(campaigns);
  const state: AddCampaignState = { outcomes: [], added: [] };
  const done = await runs.read((ctx) => addCampaigns(ctx, wanted, source, state));
  const told = new Map(state.outcomes.map((outcome) => [outcome.campaign, outcome]));
  const notAsked = wanted
    .filter(({ id }) => !told.has(id))
    .map(({ id }): AddCampaignOutcome => ({ kind: 'campaign', id, campaign: id, outcome: 'not-asked', detail: '' }));
  const trees = state.added.length === 0 ? [] : await workspace.readTrees(state.added);
  return {
    outcomes: [...state.outcomes, ...notAsked],
    withoutGroup: trees.flatMap(({ campaign, adGroups }) => (adGroups.length === 0 ? (campaign.remoteId ?? []) : [])),
    stoppedBy: done.ok ? null : failureText(done.error),
  };
}

/** Several lines may name one campaign, each with an ad group of it; the first word on it counts. */
function oncePerCampaign(campaigns: readonly CampaignToAdd[]): readonly RequestedCampaign[] {
  const byId = new Map<RemoteId, RequestedCampaign>();
  for (const { id: text, adGroups, name, campaignType, targetingType } of campaigns) {
    const id = remoteId(text);
    if (id === null) continue;
    const before = byId.get(id);
    const groups = adGroups.flatMap((group) => remoteId(group) ?? []);
    byId.set(id, {
      id,
      name: before?.name ?? name,
      campaignType: before?.campaignType ?? campaignType,
      targetingType: before?.targetingType ?? targetingType,
      adGroups: [...new Set([...(before?.adGroups ?? []), ...groups])],
    });
  }
  return [...byId.values()];
}

/** What taking ids in came to, filled while it goes on: what is not in `outcomes` at its end was not asked about. */
interface AddCampaignState {
  readonly outcomes: AddCampaignOutcome[];
  /** Rows of the campaigns that are new here or have got a group. */
  readonly added: RowId[];
}

interface RequestedCampaign extends Omit<CampaignToAdd, 'id' | 'adGroups'> {
  readonly id: RemoteId;
  readonly adGroups: readonly RemoteId[];
}

type Refusal = Pick<AddCampaignOutcome, 'outcome' | 'detail'>;
const UNSETTLED: Refusal = { outcome: 'unsettled', detail: '' };
const NOT_FOUND: Refusal = { outcome: 'not-found', detail: '' };

/**
 * Takes campaigns in that were made elsewhere. Each id is asked after first: by the list of campaigns where a deployment
 * offers it, and else by the reads that refuse an id that is not there. What the service has becomes rows, and is then
 * read with all that hangs from it; what it lacks is told and leaves no trace.
 */
async function addCampaigns(
  ctx: SyncContext,
  wanted: readonly RequestedCampaign[],
  source: RemoteIdSource,
  state: AddCampaignState,
): Promise<void> {
  await learnIds(ctx, 'campaign');
  await learnIds(ctx, 'adGroup');
  const listed = await listedCampaigns(ctx);
  if (isOver(ctx)) return;
  await inParallel(ctx, wanted, (part, campaign) => addCampaign(part, campaign, source, listed, state));
  if (isOver(ctx) || state.added.length === 0) return;
  await refresh(ctx, state.added);
}

/** What the service says of each of its campaigns; null where it has no list of them. */
type Listed = ReadonlyMap<RemoteId, RemoteRecord> | null;

async function listedCampaigns(ctx: SyncContext): Promise<Listed> {
  if (!ctx.options.capabilities.campaignRead) return null;
  const list = await readWithRetry(ctx, (api) => api.campaigns());
  if (list.ok) return new Map(list.value.map((record) => [record.remoteId, record]));
  stopFor(ctx, list.error);
  // A list that is refused here is no list: the ids can still be asked after one by one.
  return null;
}

async function addCampaign(
  ctx: SyncContext,
  wanted: RequestedCampaign,
  source: RemoteIdSource,
  listed: Listed,
  state: AddCampaignState,
): Promise<void> {
  if (isOver(ctx)) return;
  const { id } = wanted;
  const tell = (kind: KnownKind, of: RemoteId, outcome: AddCampaignOutcome['outcome'], detail = ''): void =>
    void state.outcomes.push({ kind, id: of, campaign: id, outcome, detail });
  const here = await treeOf(ctx, id);
  const refusal = await refusalOf(ctx, id, here, listed);
  if (isOver(ctx)) return;
  if (refusal !== null) return tell('campaign', id, refusal.outcome, refusal.detail);
  const found = await adGroupsToAdd(ctx, wanted, here, await isCreateOpen(ctx, 'adGroup', here?.campaign.id ?? null));
  if (isOver(ctx)) return;
  const adGroups = claim(ctx, found);
  const values = listed?.get(id)?.values ?? wordsOf(wanted, found);
  const taken = await ctx.ports.outbox.insertCampaign({ source, campaign: { id, values }, adGroups });
  if (taken.campaignId === null) return;
  tell('campaign', id, here === null ? 'added' : 'known');
  for (const group of found.groups) tell('adGroup', group.id, adGroups.includes(group) ? 'added' : 'other-campaign');
  for (const { id: group, outcome, detail } of found.left) tell('adGroup', group, outcome, detail);
  if (here === null || adGroups.length > 0) state.added.push(taken.campaignId);
}

/** Why the campaign cannot be taken in, or null when the service has it. A failure that ends the run is told by that. */
async function refusalOf(
  ctx: SyncContext,
  id: RemoteId,
  here: CampaignTree | null,
  listed: Listed,
): Promise<Refusal | null> {
  if (here === null && (await isCreateOpen(ctx, 'campaign', null))) return UNSETTLED;
  if (listed !== null) return listed.has(id) ? null : NOT_FOUND;
  const exists = await readWithRetry(ctx, (api) => api.campaignExists(id));
  if (exists.ok) return exists.value ? null : NOT_FOUND;
  stopFor(ctx, exists.error);
  return { outcome: 'refused', detail: failureText(exists.error) };
}

/**
 * Takes the groups for this campaign that no other has. Another campaign of the same call may have taken one since they
 * were read; between the look and the claim nobody else has a turn.
 */
function claim(ctx: SyncContext, { groups }: AddedAdGroups): AddedAdGroups['groups'] {
  const free = groups.filter((group) => rowForRemoteId(ctx, 'adGroup', group.id) === null);
  for (const group of free) ctx.index.owners.set(`adGroup:${group.id}`, UNKNOWN_ROW);
  return free;
}

/** The campaign as it is here, when it is. */
async function treeOf(ctx: SyncContext, id: RemoteId): Promise<CampaignTree | null> {
  const row = ctx.index.owners.get(`campaign:${id}`);
  if (row === undefined) return null;
  const trees = await ctx.ports.workspace.readTrees([row]);
  indexTrees(ctx, trees);
  return trees[0] ?? null;
}

/** While a create is in doubt, an id that nobody here knows may be the very thing that was sent. */
async function isCreateOpen(ctx: SyncContext, kind: KnownKind, campaignId: RowId | null): Promise<boolean> {
  const live = await ctx.ports.outbox.live();
  return live.some(
    (batch) =>
      batch.kind === kind && batch.verb === 'create' && (kind === 'campaign' || batch.campaignId === campaignId),
  );
}

function failureText(failure: ReadFailure | NoTurn): string {
  if (failure.kind === 'colleague-syncs') return `${failure.member} is syncing this account`;
  if (failure.kind === 'team-away') return failure.detail;
  return failure.kind === 'unreachable' ? failure.cause : failure.message;
}

/** What a person said, and the type that the answers for its ad group give away. */
function wordsOf(
  { name, campaignType, targetingType }: RequestedCampaign,
  { type }: AddedAdGroups,
): Partial<AnyValues> {
  const proven = type ?? campaignType;
  // Only one way of targeting goes with these types (document, "Campaign and ad group").
  const targeting = proven === 'sba' || proven === 'video' ? 'manual' : targetingType;
  return { name, campaignType: proven, targetingType: targeting };
}

interface Group {
  readonly id: RemoteId;
  readonly values: Partial<AnyValues>;
}

interface LeftGroup {
  readonly id: RemoteId;
  readonly outcome: AddCampaignOutcome['outcome'];
  readonly detail: string;
}

/** The ad groups of a campaign that is taken in, and those that were named and are not. */
interface AddedAdGroups {
  readonly groups: readonly Group[];
  readonly left: readonly LeftGroup[];
  /** The campaign's type, where the answers give it away. */
  readonly type: 'sba' | 'video' | null;
}

/**
 * Finds the ad groups of a campaign: in the list of groups where a deployment offers it; by the items, which say where
 * they hang; and those that a person names, each asked after.
 *
 * @param isOpen a create of a group of this campaign is not settled, and may be any that is unknown here
 */
async function adGroupsToAdd(
  ctx: SyncContext,
  wanted: RequestedCampaign,
  here: CampaignTree | null,
  isOpen: boolean,
): Promise<AddedAdGroups> {
  const shown = await shownGroups(ctx, wanted.id);
  const groups: Group[] = [];
  const left: LeftGroup[] = [];
  let type: AddedAdGroups['type'] = null;
  const own = new Set((here?.adGroups ?? []).map(({ remoteId }) => remoteId));
  const max = ctx.options.profile.campaign.adGroupsMax;
  for (const id of new Set([...shown.keys(), ...wanted.adGroups])) {
    const leave = (outcome: LeftGroup['outcome'], detail = ''): void => void left.push({ id, outcome, detail });
    if (ctx.state.stop !== null) break;
    if (own.has(id)) {
      if (wanted.adGroups.includes(id)) leave('known');
      continue;
    }
    if (rowForRemoteId(ctx, 'adGroup', id) !== null) leave('other-campaign');
    else if (isOpen) leave('unsettled');
    else if ((here?.adGroups.length ?? 0) + groups.length >= max)
      leave(shown.size > 0 ? 'other-campaign' : 'second-group');
    else {
      const proof = await askAfter(ctx, wanted.id, id);
      if (ctx.state.stop !== null) break;
      if (proof.outcome !== null && !shown.has(id)) leave(proof.outcome, proof.detail);
      else {
        type ??= proof.type;
        groups.push({ id, values: shown.get(id) ?? {} });
      }
    }
  }
  return { groups, left, type };
}

/** The groups that the service itself names below a campaign. */
async function shownGroups(ctx: SyncContext, campaign: RemoteId): Promise<ReadonlyMap<RemoteId, Partial<AnyValues>>> {
  const shown = new Map<RemoteId, Partial<AnyValues>>();
  if (ctx.options.capabilities.adGroupRead) {
    const list = await readWithRetry(ctx, (api) => api.adGroups(campaign));
    if (!list.ok) stopFor(ctx, list.error);
    else for (const { remoteId, values } of list.value) shown.set(remoteId, values);
    return shown;
  }
  const items = await readWithRetry(ctx, (api) => api.adItems(campaign));
  if (!items.ok) stopFor(ctx, items.error);
  else for (const { adGroupId } of items.value) if (adGroupId !== null) shown.set(adGroupId, {});
  return shown;
}

interface GroupProof {
  /** Null when the group is there and nothing speaks against its campaign. */
  readonly outcome: 'not-found' | 'other-campaign' | 'refused' | null;
  readonly detail: string;
  readonly type: AddedAdGroups['type'];
}

/** Asks after a group through the one read that refuses an unknown one (document, "SBA list"). */
async function askAfter(ctx: SyncContext, campaign: RemoteId, group: RemoteId): Promise<GroupProof> {
  const is = (outcome: GroupProof['outcome'], type: GroupProof['type'] = null, detail = ''): GroupProof => ({
    outcome,
    detail,
    type,
  });
  const profiles = await readWithRetry(ctx, (api) => api.sbaProfiles(group, campaign));
  if (profiles.ok) {
    const isElsewhere = profiles.value.some(({ campaignId }) => campaignId !== null && campaignId !== campaign);
    return isElsewhere ? is('other-campaign') : is(null, profiles.value.length > 0 ? 'sba' : null);
  }
  stopFor(ctx, profiles.error);
  if (profiles.error.kind !== 'refused') return is('refused');
  const { status, message } = profiles.error;
  // The group of a video campaign refuses this read by name, which proves that it is there.
  if (status === 422) return is(null, normalizeMessage(message).includes('adgroupmedia') ? 'video' : null);
  return status === 404 ? is('not-found') : is('refused', null, message);
}
