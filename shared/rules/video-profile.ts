import { isActive, isEstimated, isUnderReview } from '../lifecycle/service-state.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { isServiceMedia } from '../model/service-media.ts';
import { isMissing, type Report, rulesOf } from './rule.ts';

/** Video profiles: the video they show, and what the state of their campaign allows. */
export const videoProfileRules = rulesOf('videoProfile', 'video-profile', 'Video media and video profile', {
  'video-required': {
    bit: 0,
    severity: 'error',
    fields: ['video'],
    text: 'The video profile of the ad group has no video. Choose one from the library or add a file.',
  },
  'not-a-video': {
    bit: 1,
    severity: 'error',
    fields: ['video'],
    needs: 'media facts',
    text: 'What the video profile refers to ("{file}") is not a video. Choose an .mp4 or .mov file.',
  },
  'wrong-campaign': {
    bit: 2,
    severity: 'error',
    fields: [],
    scope: 'campaign',
    section: 'Errors',
    text: 'The video profile is in a {type} campaign, which takes none. Move it to a video campaign.',
  },
  'too-many': {
    bit: 3,
    severity: 'error',
    fields: [],
    scope: 'campaign',
    section: 'Limits',
    text: 'The video profile is one too many: a campaign has one. Delete a profile, or put the video in a campaign of its own.',
  },
  'video-failed': {
    bit: 4,
    severity: 'warning',
    fields: ['video'],
    needs: 'service state',
    text: 'The video "{file}" of the profile failed on the service: {reason}. It is uploaded again with the next sync; replace the file if the cause lies in it.',
  },
  'video-processing': {
    bit: 5,
    severity: 'advice',
    fields: ['video'],
    needs: 'service state',
    text: 'The video "{file}" is being processed, which takes about {minutes} minutes. The profile is sent once it is available.',
  },
  rejected: {
    bit: 6,
    severity: 'warning',
    fields: ['video', 'reviewStatus'],
    section: 'Review',
    needs: 'service state',
    text: 'The review rejected the video profile: {reason}. Use a corrected video and submit it again.',
  },
  'live-change': {
    bit: 7,
    severity: 'error',
    fields: ['video'],
    scope: 'campaign',
    section: 'Campaign status',
    needs: 'service state',
    text: 'The video of a campaign that is {state} cannot change. Pause the campaign, change the video, and submit it for review.',
  },
  'under-review': {
    bit: 8,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    section: 'Errors',
    needs: 'service state',
    text: 'The video profile cannot be added or changed while the campaign is under review. It waits until the review ends; or cancel the review.',
  },
  disabled: {
    bit: 9,
    severity: 'warning',
    fields: ['status'],
    text: 'The video profile is disabled, so the campaign has nothing to show. Enable it.',
  },
  'delete-impossible': {
    bit: 10,
    severity: 'warning',
    fields: [],
    text: 'The video profile is marked as deleted, but the service has no call that deletes a profile. Revert the deletion.',
  },
  'estimated-change': {
    bit: 12,
    severity: 'warning',
    fields: ['video'],
    scope: 'campaign',
    section: 'Campaign status',
    needs: 'service state',
    text: 'The video of a campaign that is {state}, as far as Adslate can tell, is changed. The service may refuse it. Pause the campaign first, change the video, and submit it for review.',
  },
  'video-unusable': {
    bit: 13,
    severity: 'error',
    fields: ['video'],
    needs: 'service state',
    text: 'The video "{file}" of the profile cannot be used: {reason} It was not uploaded from here. Choose another video.',
  },
});

export function checkVideoProfiles(tree: CampaignTree, minutes: number, report: Report): void {
  if (tree.videoProfiles.length === 0) return;
  const type = tree.campaign.values.campaignType;
  const underReview = tree.adGroups.some(isUnderReview);
  const rules = videoProfileRules;
  let position = 0;
  for (const row of tree.videoProfiles) {
    if (isDeleted(row)) {
      if (!isNew(row)) report.add(rules['delete-impossible'], row);
      continue;
    }
    position++;
    if (position > 1) report.add(rules['too-many'], row);
    if (type !== null && type !== 'video') report.add(rules['wrong-campaign'], row, { type });
    checkVideo(row, tree, minutes, report);
    checkState(row, tree, report);
    if (underReview && row.dirty !== 0) report.add(rules['under-review'], row);
  }
}

function checkVideo(row: Row<'videoProfile'>, { media }: CampaignTree, minutes: number, report: Report): void {
  const rules = videoProfileRules;
  if (isMissing(row, 'video')) report.add(rules['video-required'], row);
  const video = media.find((file) => file.id === row.values.video);
  if (video === undefined) return;
  const { mediaType, mediaState, stateReason, mediaName, fileName } = video.values;
  const file = mediaName ?? fileName ?? '';
  if (mediaType !== 'video') report.add(rules['not-a-video'], row, { file });
  else if (isServiceMedia(video)) {
    // A profile that is on the service with its video needs no word about it.
    const reason = mediaState === 'failed' ? (stateReason ?? 'the service gave no reason.') : null;
    if (row.dirty !== 0 && reason !== null) report.add(rules['video-unusable'], row, { file, reason });
    if (row.dirty !== 0 && mediaState === 'processing') report.add(rules['video-processing'], row, { file, minutes });
  } else if (mediaState === 'failed') {
    report.add(rules['video-failed'], row, { file, reason: stateReason ?? 'no reason given' });
  } else if (mediaState === 'processing' && row.dirty !== 0)
    report.add(rules['video-processing'], row, { file, minutes });
}

function checkState(row: Row<'videoProfile'>, { campaign }: CampaignTree, report: Report): void {
  const { reviewStatus, reviewReason, status, video } = row.values;
  const state = campaign.values.campaignState;
  const rules = videoProfileRules;
  if (reviewStatus === 'rejected') report.add(rules.rejected, row, { reason: reviewReason ?? 'no reason given' });
  if (state !== null && isActive(campaign) && row.base !== null && row.base.video !== video) {
    const rule = isEstimated(campaign) ? rules['estimated-change'] : rules['live-change'];
    report.add(rule, row, { state }, { field: 'video', value: row.base.video });
  }
  if (status === 'disabled') report.add(rules.disabled, row, {}, { field: 'status', value: 'enabled' });
}
