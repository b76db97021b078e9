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

/** Adds campaigns by ID and reports the outcome of each ID; `not-asked` if a failure ended the read before it. */
export async function addCampaignsById(
  runs: Pick<RunQueue, 'read'>,
  workspace: Pick<Workspace, 'readTrees'>,
  campaigns: readonly CampaignToAdd[],
  source: RemoteIdSource,
): Promise<TakenIn> {
  const wanted = oncePerCampaign(campaigns);
  const state: AddCampaignState = { outcomes: [], added: [] };
  const done = await runs.read((ctx) => addCampaigns(ctx, wanted, source, state));
  const reported = new Map(state.outcomes.map((outcome) => [outcome.campaign, outcome]));
  const notAsked = wanted
    .filter(({ id }) => !reported.has(id))
    .map(({ id }): AddCampaignOutcome => ({ kind: 'campaign', id, campaign: id, outcome: 'not-asked', detail: '' }));
  const trees = state.added.length === 0 ? [] : await workspace.readTrees(state.added);
  return {
    outcomes: [...state.outcomes, ...notAsked],
    withoutGroup: trees.flatMap(({ campaign, adGroups }) => (adGroups.length === 0 ? (campaign.remoteId ?? []) : [])),
    stoppedBy: done.ok ? null : failureText(done.error),
  };
}

/** Merges requests of the same campaign: their ad groups are united, other fields come from the first request. */
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

/** Outcomes so far. An ID without an outcome at the end was not requested from the service. */
interface AddCampaignState {
  readonly outcomes: AddCampaignOutcome[];
  /** Campaigns that are new here or got an ad group. */
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
 * Adds campaigns that were created elsewhere. Each ID is first checked on the service: in the list of campaigns if the
 * deployment supports it, else by a read that is refused for an unknown ID. Campaigns found become rows and are then
 * refreshed with everything below them; an ID that is not found is reported and nothing is stored.
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

/** The campaigns the service lists, by ID; null if it has no list. */
type Listed = ReadonlyMap<RemoteId, RemoteRecord> | null;

async function listedCampaigns(ctx: SyncContext): Promise<Listed> {
  if (!ctx.options.capabilities.campaignRead) return null;
  const list = await readWithRetry(ctx, (api) => api.campaigns());
  if (list.ok) return new Map(list.value.map((record) => [record.remoteId, record]));
  stopFor(ctx, list.error);
  // If this list is refused, the IDs are checked one by one.
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
  const report = (kind: KnownKind, of: RemoteId, outcome: AddCampaignOutcome['outcome'], detail = ''): void =>
    void state.outcomes.push({ kind, id: of, campaign: id, outcome, detail });
  const here = await treeOf(ctx, id);
  const refusal = await refusalOf(ctx, id, here, listed);
  if (isOver(ctx)) return;
  if (refusal !== null) return report('campaign', id, refusal.outcome, refusal.detail);
  const found = await adGroupsToAdd(ctx, wanted, here, await isCreateOpen(ctx, 'adGroup', here?.campaign.id ?? null));
  if (isOver(ctx)) return;
  const adGroups = claim(ctx, found);
  const values = listed?.get(id)?.values ?? campaignValues(wanted, found);
  const taken = await ctx.ports.outbox.insertCampaign({ source, campaign: { id, values }, adGroups });
  if (taken.campaignId === null) return;
  report('campaign', id, here === null ? 'added' : 'known');
  for (const group of found.groups) report('adGroup', group.id, adGroups.includes(group) ? 'added' : 'other-campaign');
  for (const { id: group, outcome, detail } of found.left) report('adGroup', group, outcome, detail);
  if (here === null || adGroups.length > 0) state.added.push(taken.campaignId);
}

/** Why the campaign can't be added, or null if the service has it. A failure that ends the run is in `state.stop`. */
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
 * Reserves the groups that no campaign has. Another campaign of the same call may have reserved one since they were
 * read. There is no await between check and reservation, so both are atomic.
 */
function claim(ctx: SyncContext, { groups }: AddedAdGroups): AddedAdGroups['groups'] {
  const free = groups.filter((group) => rowForRemoteId(ctx, 'adGroup', group.id) === null);
  for (const group of free) ctx.index.owners.set(`adGroup:${group.id}`, UNKNOWN_ROW);
  return free;
}

/** The local rows of the campaign, or null. */
async function treeOf(ctx: SyncContext, id: RemoteId): Promise<CampaignTree | null> {
  const row = ctx.index.owners.get(`campaign:${id}`);
  if (row === undefined) return null;
  const trees = await ctx.ports.workspace.readTrees([row]);
  indexTrees(ctx, trees);
  return trees[0] ?? null;
}

/** Whether a create of this kind is unconfirmed: an unknown ID may then be the row that it created. */
async function isCreateOpen(ctx: SyncContext, kind: KnownKind, campaignId: RowId | null): Promise<boolean> {
  const live = await ctx.ports.outbox.live();
  return live.some(
    (batch) =>
      batch.kind === kind && batch.verb === 'create' && (kind === 'campaign' || batch.campaignId === campaignId),
  );
}

function failureText(failure: ReadFailure | NoTurn): string {
  if ('kind' in failure) return failure.kind === 'unreachable' ? failure.cause : failure.message;
  return failure.code === 'TEAM_OFFLINE' ? failure.data.detail : `${failure.data.member} is syncing this account`;
}

/** The values the user entered; the type comes from the responses for the ad group if these show it. */
function campaignValues(
  { name, campaignType, targetingType }: RequestedCampaign,
  { type }: AddedAdGroups,
): Partial<AnyValues> {
  const proven = type ?? campaignType;
  // These types have only this targeting type (document, "Campaign and ad group").
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

/** The ad groups to add, and the outcomes of requested ones that are not added. */
interface AddedAdGroups {
  readonly groups: readonly Group[];
  readonly left: readonly LeftGroup[];
  /** The campaign's type if the responses show it. */
  readonly type: 'sba' | 'video' | null;
}

/**
 * Finds the ad groups of a campaign: in the list of ad groups if the deployment supports it, else in the ad items,
 * which name their ad group. Ad groups that the user entered are checked one by one.
 *
 * @param isOpen whether a create of an ad group of this campaign is unconfirmed; any unknown ad group may be its result
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
      const proof = await checkAdGroup(ctx, wanted.id, id);
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

/** The ad groups that the service lists for a campaign. */
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
  /** Null if the ad group exists and no response names another campaign for it. */
  readonly outcome: 'not-found' | 'other-campaign' | 'refused' | null;
  readonly detail: string;
  readonly type: AddedAdGroups['type'];
}

/** Checks an ad group with the one read that is refused for an unknown ad group (document, "SBA list"). */
async function checkAdGroup(ctx: SyncContext, campaign: RemoteId, group: RemoteId): Promise<GroupProof> {
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
  // For an ad group of a video campaign, this read is refused with a message that names the type: the ad group exists.
  if (status === 422) return is(null, normalizeMessage(message).includes('adgroupmedia') ? 'video' : null);
  return status === 404 ? is('not-found') : is('refused', null, message);
}
