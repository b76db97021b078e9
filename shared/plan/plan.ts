import { takesReview } from '../lifecycle/campaign-state.ts';
import { isActive, isEstimated, isOn, isUndecided, isUnderReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, changedFields, isDeleted, isHeld, isNew, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { Added, LeftOut, Plan, PlanBatch, PlanElement, PlanInput, PlanUpload, Verb } from './plan-types.ts';
import { type AdmittedTree, decideRows, pickedIn, type RowDecision, videoNeed } from './send-decisions.ts';
import {
  type Choice,
  choiceOf,
  containsSelected,
  filterTree,
  isPostponed,
  type NarrowedTree,
} from './sync-selection.ts';
import {
  adGroupCreate,
  adGroupUpdate,
  adItemBody,
  type Built,
  campaignCreate,
  campaignUpdate,
  elementOf,
  keywordCreate,
  keywordUpdate,
  logoUpload,
  placementBody,
  platformBody,
  reviewSubmit,
  sbaCreate,
  sbaUpdate,
  videoCreate,
  videoUpdate,
} from './wire.ts';

/**
 * The requests of a sync, in order: kind by kind over all campaigns, so that a parent's batch comes before every batch
 * that refers to it, and reviews come last. Pure: equal input gives an equal plan, byte for byte.
 *
 *   campaigns > ad groups > ad items > keywords > brand profiles > logos > video profiles > multipliers > reviews
 *
 * Within a kind updates come before creates: disabling rows makes room below the limits of the service.
 */
export function planChanges(input: PlanInput): Plan {
  const parts = planInParts(input);
  let part = parts.next();
  while (part.done !== true) part = parts.next();
  return part.value;
}

/** `planChanges` for a thread with other calls to answer: yields after each campaign. */
export function* planInParts(input: PlanInput): Generator<void, Plan> {
  const planOf = partPlanner(input);
  const parts: PlanPart[] = [];
  for (const tree of input.trees) {
    const part = planOf(tree);
    if (part !== null) parts.push(part);
    yield;
  }
  return joinParts(parts);
}

/** All but the campaigns. */
type Input = Omit<PlanInput, 'trees'>;

/**
 * The part of each campaign in a plan; null for one outside the sync.
 *
 * @param isChosen given where each campaign has its own planner: a selection may have 200,000 rows
 */
export function partPlanner(input: Input, isChosen = choiceOf(input.chosen)): (tree: CampaignTree) => PlanPart | null {
  const isPicked = pickedIn(input.chosen);
  return (tree) => {
    if (input.only !== null && !input.only.has(tree.campaign.id)) return null;
    if (isChosen !== null && !containsSelected(tree, isChosen)) return null;
    const whole = decideRows(tree, input, isPicked);
    return planPart(isChosen === null ? wholeTree(whole) : filterTree(whole, isChosen, input), isChosen, input);
  };
}

/** The part of a plan for one campaign: no request, and no reason to skip a row, depends on another campaign. */
export type PlanPart = ReturnType<typeof planPart>;

function planPart({ admitted, added, isPartial }: NarrowedTree, isChosen: Choice | null, input: Input) {
  const { tree } = admitted;
  const uploads = new Map<RowId, PlanUpload>();
  const [forLogo, forVideo]: [LeftOut[], LeftOut[]] = [[], []];
  const profiles = sbaBatches(admitted, input);
  const planned = new Set(profiles.flatMap((draft) => draft.elements.map((element) => element.id)));
  const drafts = [
    campaignBatches(admitted, input),
    adGroupBatches(admitted),
    adItemBatches(admitted, input),
    keywordBatches(admitted, input),
    profiles,
    logoBatches(admitted, input, planned, forLogo),
    planVideoProfiles(admitted, input, uploads, forVideo),
    multiplierBatches(admitted, input),
  ];
  // Nothing can be added during a review, so rows that were not selected would be blocked for days.
  const reviews = input.submit && !isPartial ? reviewBatches(admitted, drafts.flat(), input) : [];
  return {
    campaignId: tree.campaign.id,
    /** Lists of requests; each list is sent for all campaigns before the next. Logos come after all profiles. */
    drafts: [...drafts, reviews],
    uploads,
    /** Rows skipped for themselves, for their logo, and for their video. */
    leftOut: [admitted.leftOut, forLogo, forVideo],
    added,
    /** Videos that were not selected but are needed by a selected profile. */
    files: isChosen === null ? [] : filesAlong(tree, uploads, isChosen),
  };
}

/** The plan of these campaigns, in the order of their IDs. */
export function joinParts(parts: readonly PlanPart[]): Plan {
  const ordered = parts.toSorted((a, b) => a.campaignId - b.campaignId);
  const inTurn = <T>(listsOf: (part: PlanPart) => readonly (readonly T[])[]): readonly T[] => {
    const lists = ordered.map(listsOf);
    return (lists[0] ?? []).flatMap((_, turn) => lists.flatMap((list) => list[turn] ?? []));
  };
  const batches = numbered(inTurn(({ drafts }) => drafts));
  const files = new Map(ordered.flatMap((part) => part.files.map((file) => [file.id, file])));
  return {
    batches,
    uploads: [...new Map(ordered.flatMap(({ uploads }) => [...uploads])).values()],
    leftOut: inTurn(({ leftOut }) => leftOut),
    added: [...ordered.flatMap(({ added }) => added), ...files.values()],
    elements: batches.reduce((sum, batch) => sum + batch.elements.length, 0),
  };
}

const wholeTree = (admitted: AdmittedTree): NarrowedTree => ({
  admitted,
  added: [],
  isPartial: admitted.leftOut.some(isPostponed),
});

function filesAlong(tree: CampaignTree, uploads: ReadonlyMap<RowId, PlanUpload>, isChosen: Choice): readonly Added[] {
  const chosen = new Set(tree.media.filter(isChosen).map(({ id }) => id));
  return [...uploads.keys()].filter((id) => !chosen.has(id)).map((id) => ({ kind: 'media', id, why: 'file' }));
}

function campaignBatches({ tree, campaign }: AdmittedTree, input: Input): Draft[] {
  const { dialect } = input.profile.wire;
  return campaign.map(({ row, decision, changed }) => {
    const built =
      decision === 'create' ? campaignCreate(row, input.advertiserId, dialect) : campaignUpdate(row, changed, dialect);
    return draft('campaign', decision, '/api/v1/campaigns', tree.campaign.id, null, [elementOf(row, built, changed)]);
  });
}

function adGroupBatches({ tree, adGroup }: AdmittedTree): Draft[] {
  return adGroup.map(({ row, decision, changed }) => {
    const built =
      decision === 'create' ? adGroupCreate(row, tree.campaign) : adGroupUpdate(row, tree.campaign, changed);
    return draft('adGroup', decision, '/api/v1/adGroups', tree.campaign.id, row.id, [elementOf(row, built, changed)]);
  });
}

function adItemBatches({ tree, groups, adItem }: AdmittedTree, input: Input): Draft[] {
  const build = (row: Row<'adItem'>): Built | null => {
    const group = row.adGroupId === null ? undefined : groups.get(row.adGroupId);
    return group === undefined ? null : adItemBody(row, tree.campaign, group);
  };
  return plain('adItem', '/api/v1/adItems', adItem, build, tree.campaign.id, input);
}

function multiplierBatches(admitted: AdmittedTree, input: Input): Draft[] {
  const { campaign } = admitted.tree;
  const placement = (row: Row<'placementMultiplier'>) => placementBody(row, campaign);
  const { platformMember } = input.profile.multiplier;
  const platform = (row: Row<'platformMultiplier'>, verb: 'update' | 'create') =>
    platformBody(row, campaign, verb === 'update' ? platformMember : 'platformType');
  const { placementMultiplier, platformMultiplier } = admitted;
  const path = '/api/v1/multipliers';
  return [
    ...plain('placementMultiplier', `${path}/placement`, placementMultiplier, placement, campaign.id, input),
    ...plain('platformMultiplier', `${path}/platform`, platformMultiplier, platform, campaign.id, input),
  ];
}

/** Updates, then creates, of one kind and campaign, in batches of at most `batch.max`. */
function plain<K extends Kind>(
  kind: K,
  path: string,
  admitted: readonly RowDecision<K>[],
  build: (row: Row<K>, verb: 'update' | 'create') => Built | null,
  campaignId: RowId,
  input: Input,
): Draft[] {
  return (['update', 'create'] as const).flatMap((verb) => {
    const elements = admitted.flatMap(({ row, decision, changed }) => {
      const built = decision === verb ? build(row, verb) : null;
      return built === null ? [] : [elementOf(row, built, changed)];
    });
    return split(elements, input.profile.batch.max).map((part) => draft(kind, verb, path, campaignId, null, part));
  });
}

function reviewBatches(admitted: AdmittedTree, drafts: readonly Draft[], input: Input): Draft[] {
  const ids = (...kinds: readonly Draft['kind'][]): Set<number> =>
    new Set(drafts.flatMap(({ kind, elements }) => (kinds.includes(kind) ? elements.map(({ id }) => id) : [])));
  const all = {
    adItems: ids('adItem'),
    keywords: ids('keyword'),
    profiles: ids('sbaProfile', 'videoProfile'),
    groups: ids('adGroup'),
  };
  const { campaign } = admitted.tree;
  return groupsToReview(admitted, all, input).map((group) => {
    const element = elementOf(group, reviewSubmit(group, campaign), []);
    return draft('review', 'submit', '/api/v1/review', campaign.id, group.id, [{ ...element, remoteId: null }]);
  });
}

function draft(
  kind: Kind | 'review',
  verb: Verb,
  path: string,
  campaignId: RowId,
  adGroupId: RowId | null,
  elements: Draft['elements'],
): Draft {
  return { kind, verb, method: verb === 'update' ? 'PUT' : 'POST', path, campaignId, adGroupId, elements };
}

const KEYWORD_PATH = '/api/v1/keywords';

/**
 * Keyword requests, group by group. Where keywords can't be read back the batches are small (`batch.keywords`): after
 * a lost response the user is asked about every keyword of the batch. In seed words one request has keywords of one
 * match type and one bid.
 */
function keywordBatches({ tree, groups, keyword }: AdmittedTree, input: Input): Draft[] {
  const { dialect } = input.profile.wire;
  const { campaign } = tree;
  const { batch } = input.profile;
  const max = input.capabilities.keywordRead ? batch.max : Math.min(batch.keywords, batch.max);
  const updates = keyword.filter((admitted) => admitted.decision === 'update');
  const creates = keyword.filter((admitted) => admitted.decision === 'create');
  const drafts: Draft[] = [];
  for (const part of split(updates, batch.max)) {
    const elements = part.map(({ row, changed }) => elementOf(row, keywordUpdate(row, changed), changed));
    drafts.push(draft('keyword', 'update', KEYWORD_PATH, campaign.id, null, elements));
  }
  for (const [groupId, inGroup] of Map.groupBy(creates, ({ row }) => row.adGroupId)) {
    const group = groupId === null ? undefined : groups.get(groupId);
    if (group === undefined) continue;
    const lists = Map.groupBy(inGroup, ({ row: { values } }) =>
      dialect === 'seed' ? `${values.matchType} ${values.bid}` : '',
    );
    for (const part of [...lists.values()].flatMap((list) => split(list, max))) {
      const elements = part.map(({ row }) => elementOf(row, keywordCreate(row, campaign, group, dialect), []));
      drafts.push(draft('keyword', 'create', KEYWORD_PATH, campaign.id, group.id, elements));
    }
  }
  return drafts;
}

const SBA_PATH = '/api/v2/sba_profile';
const LOGO_PATH = '/api/v2/sba_profile_image_upload';
const VIDEO_PATH = '/api/v1/adGroup/media';

/** Brand profiles: one ad group a batch. Their logos follow, one a request. */
function sbaBatches({ tree, groups, sbaProfile }: AdmittedTree, input: Input): Draft[] {
  const { campaign } = tree;
  const active = isActive(campaign);
  const encoding = input.profile.sba.clickUrlEncoding;
  const drafts: Draft[] = [];
  for (const [groupId, inGroup] of Map.groupBy(sbaProfile, ({ row }) => row.adGroupId)) {
    const group = groupId === null ? undefined : groups.get(groupId);
    if (group === undefined) continue;
    const add = (verb: 'create' | 'update', elements: readonly PlanElement[]): void => {
      for (const part of split(elements, input.profile.batch.max)) {
        drafts.push(draft('sbaProfile', verb, SBA_PATH, campaign.id, group.id, part));
      }
    };
    const updates = inGroup.filter(({ decision, changed }) => decision === 'update' && changed.some(isContent));
    const disablingFirst = updates.toSorted((a, b) => enabling(a.row) - enabling(b.row));
    add(
      'update',
      disablingFirst.map(({ row, changed }) => {
        const keepStatus = active && isEnabledWithContent(row, changed);
        const carried = changed.filter((field) => field !== 'logo' && !(keepStatus && field === 'status'));
        return elementOf(row, sbaUpdate(row, campaign, group, keepStatus, encoding), carried);
      }),
    );
    // The service enables the first profile that a request creates, so the one to be enabled comes first.
    const creates = inGroup.filter(({ decision }) => decision === 'create');
    const wanted = creates.toSorted((a, b) => enabling(b.row) - enabling(a.row));
    add(
      'create',
      wanted.map(({ row }, at) => elementOf(row, sbaCreate(row, campaign, group, at === 0, encoding), [])),
    );
  }
  return drafts;
}

function logoBatches(
  { tree, groups, sbaProfile }: AdmittedTree,
  input: Input,
  planned: ReadonlySet<RowId>,
  leftOut: LeftOut[],
): Draft[] {
  const drafts: Draft[] = [];
  for (const { row, decision, changed } of sbaProfile) {
    const group = row.adGroupId === null ? undefined : groups.get(row.adGroupId);
    const logoChanged = decision === 'create' ? row.values.logo !== null : changed.includes('logo');
    if (group === undefined || !logoChanged) continue;
    const stays = logoStays(row, tree, input);
    if (stays !== null) {
      if (!planned.has(row.id)) leftOut.push({ kind: 'sbaProfile', id: row.id, reason: stays });
      continue;
    }
    const element = elementOf(row, logoUpload(row, tree.campaign, group), ['logo']);
    drafts.push(draft('sbaProfile', 'logo', LOGO_PATH, tree.campaign.id, group.id, [element]));
  }
  return drafts;
}

/** Why a logo is not sent; null if it can be. */
function logoStays(row: Row<'sbaProfile'>, tree: CampaignTree, input: Input): LeftOut['reason'] | null {
  const { logo } = row.values;
  if (logo === null) return 'nothing-to-send';
  if (tree.media.some((media) => media.id === logo && isHeld(media))) return 'held';
  return input.hasErrors('media', logo) ? 'has-errors' : null;
}

/** Plans video profiles one by one, after the uploads that they need. */
function planVideoProfiles(
  { tree, groups, videoProfile }: AdmittedTree,
  input: Input,
  uploads: Map<RowId, PlanUpload>,
  leftOut: LeftOut[],
): Draft[] {
  const { campaign } = tree;
  return videoProfile.flatMap(({ row, decision, changed }): Draft[] => {
    const group = row.adGroupId === null ? undefined : groups.get(row.adGroupId);
    const need = videoNeed(row, tree, input);
    if (group === undefined) return [];
    if (need.is === 'left-out') {
      leftOut.push({ kind: 'videoProfile', id: row.id, reason: need.reason });
      return [];
    }
    if (need.is === 'upload') uploads.set(need.upload.mediaId, need.upload);
    const build = decision === 'create' ? videoCreate : videoUpdate;
    const built: Built = build(row, campaign, group, need.media, input.advertiserId);
    return [draft('videoProfile', decision, VIDEO_PATH, campaign.id, group.id, [elementOf(row, built, changed)])];
  });
}

const isContent = (field: string): boolean => field !== 'logo';
const enabling = (row: Row<'sbaProfile'>): number => (row.values.status === 'enabled' ? 1 : 0);
const isEnabledWithContent = (row: Row<'sbaProfile'>, changed: RowDecision<'sbaProfile'>['changed']): boolean =>
  row.values.status === 'enabled' && changed.includes('status') && changed.some((f) => f !== 'status' && f !== 'logo');

/** The rows of a tree that this plan sends, without those waiting for media. */
interface Sent {
  readonly adItems: ReadonlySet<number>;
  readonly keywords: ReadonlySet<number>;
  readonly profiles: ReadonlySet<number>;
  readonly groups: ReadonlySet<number>;
}

/**
 * Ad groups to submit for review: brand and video campaigns without an open review, with a profile, an item and a keyword
 * (without one of each the campaign can't go live and the review would be wasted), and with an unapproved part in
 * the group. A campaign whose end has passed is skipped.
 *
 * @see document, "States and transitions"; wire shapes, section 5, "Review"
 */
function groupsToReview(admitted: AdmittedTree, sent: Sent, { today, capabilities }: Input): readonly Row<'adGroup'>[] {
  const { tree } = admitted;
  if (!takesReview(tree) || isDeleted(tree.campaign)) return [];
  if (tree.campaign.values.campaignState === 'ended' && !isEstimated(tree.campaign)) return [];
  const { endDate } = tree.campaign.values;
  if (endDate !== null && endDate < today) return [];
  if (tree.campaign.remoteId === null && admitted.campaign.length === 0) return [];
  return tree.adGroups.filter((group) => {
    const onService = group.remoteId !== null || sent.groups.has(group.id);
    return (
      onService &&
      !isDeleted(group) &&
      !isUnderReview(group) &&
      isWorthReview(group, admitted, sent, capabilities.keywordRead)
    );
  });
}

function isWorthReview(group: Row<'adGroup'>, { tree }: AdmittedTree, sent: Sent, keywordsAreRead: boolean): boolean {
  const profiles = [...tree.sbaProfiles, ...tree.videoProfiles].filter((row) => row.adGroupId === group.id);
  const items = tree.adItems.filter((row) => row.adGroupId === group.id && isOn(row.values.status));
  const keywords = tree.keywords.filter((row) => row.adGroupId === group.id && isOn(row.values.state));
  const parts = [
    { rows: profiles, sentIds: sent.profiles },
    { rows: items, sentIds: sent.adItems },
    { rows: keywords, sentIds: sent.keywords },
  ];
  let isOpen = false;
  for (const { rows, sentIds } of parts) {
    const there = rows.filter((row) => !isDeleted(row) && (row.remoteId !== null || sentIds.has(row.id)));
    // Where keywords can't be read, a group that was on the service before may have unknown ones.
    const isUnknown = rows === keywords && rows.length === 0 && group.remoteId !== null && !keywordsAreRead;
    if (there.length === 0 && !isUnknown) return false;
    // An unchanged rejected part would be rejected again: it is no reason for a review.
    // The outcome of a review with an unknown word is unknown; changes sent now are certainly not part of it.
    const isOfUnknown = isUndecided(group);
    isOpen ||= there.some(
      (row) => (!isOfUnknown && isUnapproved(row)) || (sentIds.has(row.id) && takesReviewAgain(row)),
    );
  }
  return isOpen;
}

type Part = Extract<AnyRow, { readonly kind: 'adItem' | 'keyword' | 'sbaProfile' | 'videoProfile' }>;

/** Parts that wait for a review from an earlier sync, or were never reviewed. */
const isUnapproved = ({ values }: Part): boolean => values.reviewStatus === null || values.reviewStatus === 'pending';

/**
 * New and re-enabled parts and changed content need a review. Changes of a bid and disabling do not: both apply at
 * once (document, "PUT /api/v1/adItems").
 */
function takesReviewAgain(row: Part): boolean {
  if (isNew(row)) return true;
  const changed = changedFields(row.kind, row.dirty);
  switch (row.kind) {
    case 'adItem':
      return changed.includes('status') && isOn(row.values.status);
    case 'keyword':
      return changed.includes('state') && isOn(row.values.state);
    case 'sbaProfile':
    case 'videoProfile':
      return (
        changed.some((field) => field !== 'status') ||
        (changed.includes('status') && isOn(row.values.status) && row.values.reviewStatus !== 'approved')
      );
  }
}

/** A batch without its index in the plan. */
export type Draft = Omit<PlanBatch, 'index'>;

/** Cuts a list into runs of at most `max`, in order. */
export function split<T>(list: readonly T[], max: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += max) parts.push(list.slice(at, at + max));
  return parts;
}

export const numbered = (drafts: readonly Draft[]): readonly PlanBatch[] =>
  drafts.map((draft, index) => ({ index, ...draft }));
