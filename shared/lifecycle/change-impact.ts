import { type CampaignTree, rowsIn } from '../model/campaign-tree.ts';
import { fieldSpec } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, isDeleted, isNew, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { isActive, isEstimated, isTerminal, isUnderReview, needsReview, offeredMoves, stateWords } from './states.ts';

/**
 * Cost of a change of a field in the present state of its campaign, before anything is sent.
 *
 *   with-create  the row is not on the service yet: the value is sent when it is created
 *   immediate    applies within minutes, no review
 *   needs-review applies after a review of one to three days
 *   needs-pause  the campaign must be paused first, then reviewed
 *   refused      the service would refuse it now; `message` is its own text
 *   local        never sent
 */
export interface Impact {
  readonly cost: 'immediate' | 'needs-review' | 'needs-pause' | 'refused' | 'local' | 'with-create';
  readonly message: string | null;
}

const MESSAGES = {
  enabledLive: 'You cannot update the enabled one for campaigns which are scheduled or currently live',
  disabledLive: 'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live',
  underReview: 'Campaign is Under review, modifying is not allowed', // lint-text: ok, words of the service
  underReviewAdd: 'Campaign is Under review, adding is not allowed', // lint-text: ok, words of the service
  itemGone: 'AdGroupItem not found.',
  gone: "Archived rows can't be changed. Add a new row instead.",
} as const;

const say = (cost: Impact['cost'], message: string | null = null): Impact => ({ cost, message });

/**
 * A completed campaign accepts edits like any that is not running: the document refuses none, and changes appear once
 * the campaign is extended.
 *
 * @param rowId the row; without it the first row of the kind in the tree
 */
export function changeImpact(kind: Kind, field: string, tree: CampaignTree, rowId?: RowId): Impact {
  if (kind === 'media') return say('local');
  const row = findRow(kind, tree, rowId);
  return row === null ? say('with-create') : rowImpact(field, row, () => tree);
}

/**
 * Cost of a change of a field of this row.
 *
 * @param treeOf loads its campaign, only if more than the row is needed; for a campaign with all its rows, else with
 *   its ad groups
 */
export function rowImpact(field: string, row: AnyRow, treeOf: () => CampaignTree): Impact {
  if (row.kind === 'media') return say('local');
  // Not by remote id: the lists of multipliers have none (document, "Multipliers: list").
  if (isNew(row)) return say('with-create');
  const spec = fieldSpec(row.kind, field);
  if (spec === undefined || spec.owner === 'service') return say('refused', 'Set by the service.');
  if (spec.owner === 'user-until-sent')
    return say('refused', "Can't be changed after the row is created on the service.");
  if (isTerminal(row)) return say('refused', row.kind === 'adItem' ? MESSAGES.itemGone : MESSAGES.gone);
  switch (row.kind) {
    case 'campaign':
      return ofCampaign(field, row, treeOf);
    case 'adItem':
      return field === 'status' ? ofSwitch(row.base?.status ?? row.values.status, treeOf) : say('immediate');
    case 'keyword':
      return field === 'state' ? ofSwitch(row.base?.state ?? row.values.state, treeOf) : say('immediate');
    case 'sbaProfile':
      return ofSbaProfile(field, row, treeOf());
    case 'videoProfile':
      return ofVideoProfile(field, treeOf());
    default:
      return say('immediate');
  }
}

function ofCampaign(field: string, campaign: Row<'campaign'>, treeOf: () => CampaignTree): Impact {
  const { values, base } = campaign;
  if (field !== 'status') return say('immediate');
  const state = values.campaignState;
  const isOver = (base ?? values).status === 'completed' || state === 'ended';
  const wasPaused = (base ?? values).status === 'paused' || state === 'paused';
  if (wasPaused && !isOver) return ofResume(treeOf());
  // An estimated state refuses nothing; `proposal` comes from a read, and a sync reads again before it decides.
  const isUnsure = isEstimated(campaign) && values.serviceStatus !== 'proposal';
  if (isOver || state === null || isUnsure || offeredMoves(state).length > 0) return say('immediate');
  return say('refused', `A campaign that is ${stateWords(state)} can't be paused or ended. Wait until it is live.`);
}

/**
 * A paused campaign can be resumed only when its review is complete and it is eligible (document, "Campaign status").
 * Parts with an unknown outcome count as approved.
 */
function ofResume({ campaign, adGroups, sbaProfiles, videoProfiles, adItems, keywords }: CampaignTree): Impact {
  if (!needsReview(campaign)) return say('immediate');
  if (adGroups.some(isUnderReview)) return say('refused', 'The review has not ended. Wait until it ends.');
  const profiles = [...sbaProfiles, ...videoProfiles].map(({ values }) => part(values.status, values.reviewStatus));
  const items = adItems.map(({ values }) => part(values.status, values.reviewStatus));
  const words = keywords.map(({ values }) => part(values.state, values.reviewStatus));
  const isApproved = [profiles, items, words].every((parts) => parts.length === 0 || parts.includes(true));
  return say(isApproved ? 'immediate' : 'needs-review');
}

const part = (status: string | null, reviewStatus: string | null): boolean =>
  (status === null || status === 'enabled') && (reviewStatus === null || reviewStatus === 'approved');

/** Disabling is immediate; enabling again needs a review where there are reviews, and is not possible during one. */
function ofSwitch(before: string | null, treeOf: () => CampaignTree): Impact {
  if (before === null || before === 'enabled') return say('immediate');
  const { campaign, adGroups } = treeOf();
  if (adGroups.some(isUnderReview)) return say('refused', MESSAGES.underReviewAdd);
  return say(needsReview(campaign) ? 'needs-review' : 'immediate');
}

function ofSbaProfile(field: string, row: Row<'sbaProfile'>, { campaign, adGroups }: CampaignTree): Impact {
  if (adGroups.some(isUnderReview)) return say('refused', MESSAGES.underReview);
  const before = row.base?.status ?? row.values.status;
  if (isActive(campaign)) {
    if (before !== 'disabled') return say('needs-pause', MESSAGES.enabledLive);
    if (field === 'status') {
      return row.values.reviewStatus === 'approved' ? say('immediate') : say('refused', MESSAGES.disabledLive);
    }
  }
  const isFree = field === 'status' && (before !== 'disabled' || row.values.reviewStatus === 'approved');
  return say(isFree ? 'immediate' : 'needs-review');
}

function ofVideoProfile(field: string, { campaign, adGroups }: CampaignTree): Impact {
  if (adGroups.some(isUnderReview)) return say('refused', MESSAGES.underReview);
  if (isActive(campaign)) return say('needs-pause', MESSAGES.enabledLive);
  return say(field === 'video' ? 'needs-review' : 'immediate');
}

function findRow(kind: Kind, tree: CampaignTree, rowId: RowId | undefined): AnyRow | null {
  const list = rowsIn(tree, kind);
  return (rowId === undefined ? list[0] : list.find((row) => row.id === rowId)) ?? null;
}

/**
 * Whether a change of the row must wait for the end of an open review of its campaign (document, "Review status"):
 * nothing can be added below the ad group, profiles can't change, and disabled parts can't be enabled. Bids, budgets and
 * disabling are allowed. Only the change is checked; the caller knows whether a review is open.
 */
export function isLockedByReview(row: AnyRow): boolean {
  if (isNew(row) && row.remoteId === null) return !isDeleted(row) && CLOSED_IN_REVIEW.has(row.kind);
  if (row.kind === 'sbaProfile' || row.kind === 'videoProfile') return true;
  if (isDeleted(row)) return false;
  if (row.kind === 'adItem') return row.values.status === 'enabled' && wasOff(row.base?.status);
  if (row.kind === 'keyword') return row.values.state === 'enabled' && wasOff(row.base?.state);
  return false;
}

const CLOSED_IN_REVIEW: ReadonlySet<Kind> = new Set<Kind>(['adItem', 'keyword', 'sbaProfile', 'videoProfile']);

const wasOff = (before: string | null | undefined): boolean => typeof before === 'string' && before !== 'enabled';
