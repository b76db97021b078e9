import { isLockedByReview } from '../lifecycle/change-impact.ts';
import { isTerminal, isUnderReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Kind } from '../model/kinds.ts';
import { isServiceMedia } from '../model/media.ts';
import { type AnyRow, changedFields, isChanged, isDeleted, isHeld, isNew, type Row, rowKey } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { changeCommand, isCarried } from './capabilities.ts';
import {
  type Capabilities,
  type ChosenRows,
  createBlockKey,
  type LeftOut,
  type PlanInput,
  type PlanUpload,
  type WireValue,
} from './plan-types.ts';

/**
 * The changed rows of a campaign that can be sent now, and why the others can't.
 *
 *   unchanged ------------------------------> nothing
 *   changed --held--blocked--has errors-----> skipped, in this order of reasons
 *      | not signed off, where a team requires it > skipped
 *      | new      --parent goes or is there-> create
 *      | existing --call offered, no review-> update (or the delete of an ad item, the archiving of a keyword)
 */
export type SendDecision = 'create' | 'update' | LeftOut['reason'] | 'nothing';

export interface RowDecision<K extends Kind> {
  readonly row: Row<K>;
  readonly decision: 'create' | 'update';
  /** Fields that differ; empty for a create, `['status']` or `['state']` for a delete. */
  readonly changed: readonly string[];
}

export type AdmittedTree = ReturnType<typeof decideRows>;

export function decideRows(tree: CampaignTree, input: Omit<PlanInput, 'trees'>, isPicked: IsPicked) {
  const leftOut: LeftOut[] = [];
  const groups = new Map(tree.adGroups.map((group) => [group.id, group]));
  const reviewOpen = tree.adGroups.some(isUnderReview);

  const admit = <K extends Kind>(rows: readonly Row<K>[], isReady: (row: Row<K>) => boolean): RowDecision<K>[] => {
    const admitted: RowDecision<K>[] = [];
    for (const row of rows) {
      if (!isChanged(row)) continue;
      const decision = signedOff(row, judge(row, isReady(row), reviewOpen, input), tree, input);
      const isSent = decision === 'create' || decision === 'update';
      if (isSent && !isPicked(row)) leftOut.push({ kind: row.kind, id: row.id, reason: 'not-chosen' });
      else if (decision === 'create') admitted.push({ row, decision, changed: [] });
      else if (decision === 'update') admitted.push({ row, decision, changed: changesOf(row) });
      else if (decision !== 'nothing') leftOut.push({ kind: row.kind, id: row.id, reason: decision });
    }
    return admitted;
  };
  const campaign = admit([tree.campaign], () => true);
  const campaignReady = tree.campaign.remoteId !== null || campaign.length > 0;
  const adGroup = admit(tree.adGroups, () => campaignReady);
  const readyGroups = new Set<RowId>(adGroup.map((a) => a.row.id));
  for (const group of tree.adGroups) if (group.remoteId !== null) readyGroups.add(group.id);
  const inGroup = (row: { readonly adGroupId: RowId | null }): boolean =>
    row.adGroupId !== null && readyGroups.has(row.adGroupId);
  return {
    tree,
    groups,
    campaign,
    adGroup,
    adItem: admit(tree.adItems, inGroup),
    keyword: admit(tree.keywords, inGroup),
    sbaProfile: admit(tree.sbaProfiles, inGroup),
    videoProfile: admit(tree.videoProfiles, inGroup),
    placementMultiplier: admit(tree.placementMultipliers, () => campaignReady),
    platformMultiplier: admit(tree.platformMultipliers, () => campaignReady),
    leftOut,
  };
}

type IsPicked = (row: { readonly kind: Kind; readonly id: RowId; readonly campaignId: RowId | null }) => boolean;

/** Whether the check box of a row is set: the narrowest of those that were touched counts. */
export function pickedIn(chosen: ChosenRows | null): IsPicked {
  const picks = chosen?.picks ?? [];
  if (picks.length === 0) return () => true;
  const at = new Map(
    picks.map(({ campaignId, kind, id, on }) => [
      `${kind ?? ''} ${id ?? campaignId ?? ''}${id === null ? '' : '!'}`,
      on,
    ]),
  );
  return ({ kind, id, campaignId }) =>
    at.get(`${kind} ${id}!`) ?? at.get(`${kind} ${campaignId}`) ?? at.get(` ${campaignId}`) ?? at.get(' ') ?? true;
}

function judge<K extends Kind>(
  row: Row<K>,
  parentReady: boolean,
  reviewOpen: boolean,
  input: Omit<PlanInput, 'trees'>,
): SendDecision {
  const neverSent = isNew(row) && row.remoteId === null;
  const isLocked = reviewOpen && isLockedByReview(row as AnyRow);
  if (neverSent && isDeleted(row)) return 'nothing';
  if (isHeld(row)) return 'held';
  const block = input.blocked.get(rowKey(row.kind, row.id));
  if (block !== undefined) return block;
  if (!isDeleted(row) && input.hasErrors(row.kind, row.id)) return 'has-errors';
  if (!parentReady) return 'parent-left-out';
  // The service creates no row with a final status: it refuses the whole request, or creates a keyword as enabled.
  if (neverSent && isTerminal(row as AnyRow)) return 'nothing-to-send';
  if (neverSent) {
    const parent = row.adGroupId ?? row.campaignId;
    const frozen = parent === null ? undefined : input.blocked.get(createBlockKey(row.kind, parent));
    if (frozen !== undefined) return frozen;
    return isLocked ? 'review-open' : 'create';
  }
  if (!isOffered(row, input.capabilities)) return 'not-offered';
  // Multipliers are identified by campaign and type; all other rows need the service's ID.
  if (row.remoteId === null && !KEYED_BY_PAIR.has(row.kind)) return 'in-doubt';
  if (changesOf(row).length === 0) return 'nothing-to-send';
  return isLocked ? 'review-open' : 'update';
}

/** Rows that can otherwise be sent wait for a sign-off by a colleague, if the team requires it. */
function signedOff(
  row: Row,
  decision: SendDecision,
  { media }: CampaignTree,
  { signOffOf }: Omit<PlanInput, 'trees'>,
): SendDecision {
  if (signOffOf == null || (decision !== 'create' && decision !== 'update')) return decision;
  const signOff = signOffOf(row as AnyRow, media);
  return signOff === 'signed-off' ? decision : signOff;
}

const KEYED_BY_PAIR: ReadonlySet<Kind> = new Set<Kind>(['placementMultiplier', 'platformMultiplier']);

/** Fields whose change is sent. A delete is a change of the status field. */
function changesOf(row: Row): readonly string[] {
  if (isDeleted(row)) return [row.kind === 'keyword' ? 'state' : 'status'];
  return changedFields(row.kind, row.dirty);
}

/** Whether a documented or probed call can send the change (wire shapes, section 3). Only two kinds have a delete. */
function isOffered(row: Row, can: Capabilities): boolean {
  if (row.kind === 'media') return false;
  if (isDeleted(row) && row.kind !== 'adItem' && row.kind !== 'keyword') return false;
  return isCarried(changeCommand(row.kind), can);
}

/**
 * What the video of a profile needs before the profile can be sent.
 *
 *   local, failed, uploading (cut off) -> upload in this plan; the profile refers to the row
 *   processing                         -> wait; the profile is left out
 *   uploaded elsewhere, not available  -> wait; there is no file here that could be uploaded
 *   available                          -> the profile names the service's mediaId
 */
export type VideoNeed =
  | { readonly is: 'ready'; readonly media: WireValue }
  | { readonly is: 'upload'; readonly media: WireValue; readonly upload: PlanUpload }
  | { readonly is: 'left-out'; readonly reason: LeftOut['reason'] };

export function videoNeed(
  profile: Row<'videoProfile'>,
  tree: CampaignTree,
  input: Omit<PlanInput, 'trees'>,
): VideoNeed {
  const video = tree.media.find((media) => media.id === profile.values.video);
  if (video === undefined) return { is: 'left-out', reason: 'waits-for-media' };
  const block = input.blocked.get(rowKey('media', video.id));
  if (block !== undefined) return { is: 'left-out', reason: block };
  if (isPending(video)) return { is: 'left-out', reason: 'waits-for-media' };
  const { mediaState } = video.values;
  if (mediaState === 'available' && video.remoteId !== null) return { is: 'ready', media: { num: video.remoteId } };
  if (isHeld(video) || captionIsHeld(video, tree)) return { is: 'left-out', reason: 'held' };
  if (input.hasErrors('media', video.id)) return { is: 'left-out', reason: 'has-errors' };
  return {
    is: 'upload',
    media: { ref: 'media', id: video.id },
    upload: uploadOf(video, captionOf(video, tree, input)),
  };
}

/** Whether a profile with this video waits for the service, which can only be asked again. */
export const isPending = (video: Row<'media'>): boolean =>
  video.values.mediaState === 'processing' || (video.values.mediaState !== 'available' && isServiceMedia(video));

/** A held caption holds its video: it can only be uploaded with it. */
const captionIsHeld = (video: Row<'media'>, tree: CampaignTree): boolean =>
  tree.media.some((media) => media.id === video.values.caption && isHeld(media));

/** A caption with errors is not sent; the video is uploaded without it, since a caption is optional. */
function captionOf(video: Row<'media'>, tree: CampaignTree, input: Omit<PlanInput, 'trees'>): RowId | null {
  const caption = tree.media.find((media) => media.id === video.values.caption);
  return caption === undefined || input.hasErrors('media', caption.id) ? null : caption.id;
}

function uploadOf(video: Row<'media'>, captionId: RowId | null): PlanUpload {
  const { fileName, mediaName, bytes } = video.values;
  const file = fileName ?? `media-${video.id}`;
  return {
    mediaId: video.id,
    captionId,
    file,
    bytes: bytes ?? 0,
    mediaName: mediaName ?? file.replace(/\.[^.]+$/, ''),
  };
}
