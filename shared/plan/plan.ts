import type { Kind } from '../model/kinds.ts';
import type { Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { type RowDecision, type AdmittedTree, decideRows } from './admission.ts';
import { type Draft, numbered, split } from './batches.ts';
import { type Choice, choiceOf, containsSelected, type NarrowedTree, filterTree } from './chosen.ts';
import { keywordBatches } from './keyword-batches.ts';
import type { PlanInput } from './plan-input.ts';
import type { Added, LeftOut, Plan, PlanUpload, Verb } from './plan-types.ts';
import { planSbaProfiles, planVideoProfiles } from './profile-batches.ts';
import { groupsToReview } from './reviews.ts';
import {
  adGroupCreate,
  adGroupUpdate,
  adItemBody,
  type Built,
  campaignCreate,
  campaignUpdate,
  elementOf,
  placementBody,
  platformBody,
  reviewSubmit,
} from './wire.ts';

/**
 * What a sync would send, in order: kind by kind over all campaigns, so that a parent's batch stands before
 * every batch that refers to it, and reviews come last. Pure: equal input gives an equal plan, byte for byte.
 *
 *   campaigns > ad groups > ad items > keywords > brand profiles > logos > video profiles > multipliers > reviews
 *
 * Within a kind updates stand before creates: switching off makes room below the limits of the service.
 */
export function planChanges(input: PlanInput): Plan {
  const parts = planInParts(input);
  let part = parts.next();
  while (part.done !== true) part = parts.next();
  return part.value;
}

/** The same for a thread that others wait for: it can be left off after each campaign. */
export function* planInParts(input: PlanInput): Generator<void, Plan> {
  const isChosen = input.chosen === null ? null : choiceOf(input.chosen);
  const wanted = input.trees
    .filter((tree) => input.only === null || input.only.has(tree.campaign.id))
    .filter((tree) => isChosen === null || containsSelected(tree, isChosen))
    .toSorted((a, b) => a.campaign.id - b.campaign.id);
  const narrowed = yield* eachOf(wanted, (tree) => {
    const admitted = decideRows(tree, input);
    return [isChosen === null ? wholeTree(admitted) : filterTree(admitted, isChosen, input)];
  });
  const trees = narrowed.map(({ admitted }) => admitted);
  const leftOut: LeftOut[] = trees.flatMap((tree) => tree.leftOut);
  const uploads = new Map<RowId, PlanUpload>();
  const drafts = [
    ...(yield* eachOf(trees, (tree) => campaignBatches(tree, input))),
    ...(yield* eachOf(trees, (tree) => adGroupBatches(tree))),
    ...(yield* eachOf(trees, (tree) => adItemBatches(tree, input))),
    ...(yield* eachOf(trees, (tree) => keywordBatches(tree, input))),
    ...planSbaProfiles(trees, input, leftOut),
    ...(yield* eachOf(trees, (tree) => planVideoProfiles(tree, input, uploads, leftOut))),
    ...(yield* eachOf(trees, (tree) => multiplierBatches(tree, input))),
  ];
  // While a review is open nothing can be added, so what was not chosen would be shut out for days.
  const complete = narrowed.flatMap(({ admitted, isPartial }) => (isPartial ? [] : [admitted]));
  const reviews = input.submit ? reviewBatches(complete, drafts, input) : [];
  const batches = numbered([...drafts, ...reviews]);
  const elements = batches.reduce((sum, batch) => sum + batch.elements.length, 0);
  const files = isChosen === null ? [] : filesAlong(trees, uploads, isChosen);
  const added = [...narrowed.flatMap((each) => each.added), ...files];
  return { batches, uploads: [...uploads.values()], leftOut, added, elements };
}

function* eachOf<T, Made>(list: readonly T[], make: (item: T) => readonly Made[]): Generator<void, readonly Made[]> {
  const made: Made[] = [];
  for (const item of list) {
    made.push(...make(item));
    yield;
  }
  return made;
}

const wholeTree = (admitted: AdmittedTree): NarrowedTree => ({ admitted, added: [], isPartial: false });

/** Videos that nobody chose and that a chosen profile asks for. */
function filesAlong(
  trees: readonly AdmittedTree[],
  uploads: ReadonlyMap<RowId, PlanUpload>,
  isChosen: Choice,
): readonly Added[] {
  const chosen = new Set(trees.flatMap(({ tree }) => tree.media.filter(isChosen).map(({ id }) => id)));
  return [...uploads.keys()].filter((id) => !chosen.has(id)).map((id) => ({ kind: 'media', id, why: 'file' }));
}

function campaignBatches({ tree, campaign }: AdmittedTree, input: PlanInput): Draft[] {
  const { dialect } = input.profile.wire;
  return campaign.map(({ row, verdict, changed }) => {
    const built =
      verdict === 'create' ? campaignCreate(row, input.advertiserId, dialect) : campaignUpdate(row, changed, dialect);
    return draft('campaign', verdict, '/api/v1/campaigns', tree.campaign.id, null, [elementOf(row, built, changed)]);
  });
}

function adGroupBatches({ tree, adGroup }: AdmittedTree): Draft[] {
  return adGroup.map(({ row, verdict, changed }) => {
    const built = verdict === 'create' ? adGroupCreate(row, tree.campaign) : adGroupUpdate(row, tree.campaign, changed);
    return draft('adGroup', verdict, '/api/v1/adGroups', tree.campaign.id, row.id, [elementOf(row, built, changed)]);
  });
}

function adItemBatches({ tree, groups, adItem }: AdmittedTree, input: PlanInput): Draft[] {
  const build = (row: Row<'adItem'>): Built | null => {
    const group = row.adGroupId === null ? undefined : groups.get(row.adGroupId);
    return group === undefined ? null : adItemBody(row, tree.campaign, group);
  };
  return plain('adItem', '/api/v1/adItems', adItem, build, tree.campaign.id, input);
}

function multiplierBatches(admitted: AdmittedTree, input: PlanInput): Draft[] {
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
  input: PlanInput,
): Draft[] {
  return (['update', 'create'] as const).flatMap((verb) => {
    const elements = admitted.flatMap(({ row, verdict, changed }) => {
      const built = verdict === verb ? build(row, verb) : null;
      return built === null ? [] : [elementOf(row, built, changed)];
    });
    return split(elements, input.profile.batch.max).map((part) => draft(kind, verb, path, campaignId, null, part));
  });
}

function reviewBatches(trees: readonly AdmittedTree[], drafts: readonly Draft[], input: PlanInput): Draft[] {
  const sent = new Map<string, Set<number>>();
  for (const { kind, elements } of drafts) {
    const ids = sent.get(kind) ?? new Set<number>();
    for (const element of elements) ids.add(element.id);
    sent.set(kind, ids);
  }
  const ids = (kind: Kind): Set<number> => sent.get(kind) ?? new Set<number>();
  const profiles = new Set([...ids('sbaProfile'), ...ids('videoProfile')]);
  const all = { adItems: ids('adItem'), keywords: ids('keyword'), profiles, groups: ids('adGroup') };
  return trees.flatMap((admitted) =>
    groupsToReview(admitted, all, input).map((group) => {
      const element = elementOf(group, reviewSubmit(group, admitted.tree.campaign), []);
      const path = '/api/v1/review';
      return draft('review', 'submit', path, admitted.tree.campaign.id, group.id, [{ ...element, remoteId: null }]);
    }),
  );
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
