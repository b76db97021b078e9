import type { CampaignTree } from '../model/campaign-tree.ts';
import { isHeld, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { isServiceMedia } from '../model/service-media.ts';
import type { LeftOut, PlanUpload, WireValue } from './plan-types.ts';
import { blockKey, type PlanInput } from './plan-types.ts';

/**
 * What the video of a profile asks for before the profile can be sent.
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

export function videoNeed(profile: Row<'videoProfile'>, tree: CampaignTree, input: PlanInput): VideoNeed {
  const video = tree.media.find((media) => media.id === profile.values.video);
  if (video === undefined) return { is: 'left-out', reason: 'waits-for-media' };
  const block = input.blocked.get(blockKey('media', video.id));
  if (block !== undefined) return { is: 'left-out', reason: block };
  switch (video.values.mediaState) {
    case 'available':
      if (video.remoteId !== null) return { is: 'ready', media: { num: video.remoteId } };
      break;
    case 'processing':
      return { is: 'left-out', reason: 'waits-for-media' };
    default:
      break;
  }
  if (isServiceMedia(video)) return { is: 'left-out', reason: 'waits-for-media' };
  if (isHeld(video) || captionIsHeld(video, tree)) return { is: 'left-out', reason: 'held' };
  if (input.hasErrors('media', video.id)) return { is: 'left-out', reason: 'has-errors' };
  return {
    is: 'upload',
    media: { ref: 'media', id: video.id },
    upload: uploadOf(video, captionOf(video, tree, input)),
  };
}

/** A held caption holds its video: a caption can only travel with it. */
const captionIsHeld = (video: Row<'media'>, tree: CampaignTree): boolean =>
  tree.media.some((media) => media.id === video.values.caption && isHeld(media));

/** A caption with errors stays behind; the video goes without it, since a caption is optional. */
function captionOf(video: Row<'media'>, tree: CampaignTree, input: PlanInput): RowId | null {
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
