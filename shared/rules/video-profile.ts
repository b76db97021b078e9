import { isActive, isEstimated, isUnderReview } from '../lifecycle/campaign-states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { readMediaFacts, type VideoFacts } from '../model/media-facts.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { isServiceMedia } from '../model/service-media.ts';
import { isMissing, type Report, type RuleEnv, rulesOf } from './rule.ts';

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

/** Video files of the library, judged by what the probe found in their bytes (wire shapes, section 5, "Media"). */
export const videoFileRules = rulesOf('media', 'video', 'Video media and video profile', {
  unreadable: {
    bit: 4,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The video "{label}" could not be read as MP4 or MOV. Add the file again, or export it anew.',
  },
  'too-short': {
    bit: 5,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    section: 'Limits',
    text: 'The video "{label}" lasts {seconds} s; at least {min} s are required. Use a longer cut.',
  },
  'too-long': {
    bit: 6,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    section: 'Limits',
    text: 'The video "{label}" lasts {seconds} s; at most {max} s are allowed. Use a shorter cut.',
  },
  'length-unknown': {
    bit: 7,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    section: 'Limits',
    text: 'The video "{label}" does not say how long it is; {min} to {max} s are allowed. Check its length in a player.',
  },
  size: {
    bit: 8,
    severity: 'warning',
    fields: ['bytes'],
    needs: 'media facts',
    section: 'practice',
    text: 'The video "{label}" has {mb} MB; files above {max} MB may be refused. Export it smaller.',
  },
  ratio: {
    bit: 9,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    section: 'practice',
    text: 'The video "{label}" has {width} x {height} pixels, which is not 16:9. Export it in 16:9.',
  },
  'too-small': {
    bit: 10,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    section: 'practice',
    text: 'The video "{label}" has {width} x {height} pixels; at least 1280 x 720 are expected. Export it larger.',
  },
  'too-large': {
    bit: 11,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    section: 'practice',
    text: 'The video "{label}" has {width} x {height} pixels; at most 3840 x 2160 are expected. Export it smaller.',
  },
  codec: {
    bit: 12,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    section: 'practice',
    text: 'The picture of video "{label}" is coded as {codec}; H.264 or H.265 is expected. Export it anew.',
  },
  'sound-codec': {
    bit: 13,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    section: 'practice',
    text: 'The sound of video "{label}" is coded as {codec}; AAC, MP3 or PCM is expected. Export it anew.',
  },
  'no-sound': {
    bit: 14,
    severity: 'advice',
    fields: ['facts'],
    needs: 'media facts',
    section: 'practice',
    text: 'The video "{label}" has no sound. Videos start muted, but a shopper who unmutes hears nothing. Add sound if you have it.',
  },
  'wrong-ending': {
    bit: 15,
    severity: 'warning',
    fields: ['fileName'],
    needs: 'media facts',
    section: 'practice',
    text: 'The file "{fileName}" is a {container} video by its content, but its name says otherwise. Rename it.',
  },
});

const PICTURE: ReadonlySet<string> = new Set(['avc1', 'avc3', 'hvc1', 'hev1']);
const SOUND: ReadonlySet<string> = new Set([
  'mp4a',
  '.mp3',
  'mp3 ',
  'lpcm',
  'sowt',
  'twos',
  'in24',
  'in32',
  'fl32',
  'ipcm',
]);
const RATIO = 16 / 9;

export function checkVideoFile(row: Row<'media'>, env: RuleEnv, report: Report): void {
  const facts = readMediaFacts(row.values.facts);
  if (facts === null || facts.is !== 'video') {
    report.add(videoFileRules.unreadable, row);
    return;
  }
  checkLength(row, facts, env, report);
  checkPicture(row, facts, report);
  const { maxMb } = env.profile.media;
  const mb = Math.round((row.values.bytes ?? 0) / 1_000_000);
  if (mb > maxMb) report.add(videoFileRules.size, row, { mb, max: maxMb });
  const { videoCodec, audioCodec, container } = facts;
  if (videoCodec !== null && !PICTURE.has(videoCodec)) report.add(videoFileRules.codec, row, { codec: videoCodec });
  if (audioCodec === null) report.add(videoFileRules['no-sound'], row);
  else if (!SOUND.has(audioCodec)) report.add(videoFileRules['sound-codec'], row, { codec: audioCodec });
  const fileName = row.values.fileName ?? '';
  const ending = /\.(mp4|mov)$/i.exec(fileName)?.[1]?.toLowerCase();
  if (ending !== undefined && ending !== container) {
    report.add(videoFileRules['wrong-ending'], row, { fileName, container: container.toUpperCase() });
  }
}

function checkLength(row: Row<'media'>, { durationMs }: VideoFacts, { profile }: RuleEnv, report: Report): void {
  const { min, max } = profile.media.seconds;
  if (durationMs === null) report.add(videoFileRules['length-unknown'], row, { min, max });
  else if (durationMs < min * 1000) report.add(videoFileRules['too-short'], row, { seconds: seconds(durationMs), min });
  else if (durationMs > max * 1000) report.add(videoFileRules['too-long'], row, { seconds: seconds(durationMs), max });
}

function checkPicture(row: Row<'media'>, { width, height }: VideoFacts, report: Report): void {
  if (width === null || height === null || height === 0) return;
  const size = { width, height };
  if (width < 1280 || height < 720) report.add(videoFileRules['too-small'], row, size);
  else if (width > 3840 || height > 2160) report.add(videoFileRules['too-large'], row, size);
  if (Math.abs(width / height / RATIO - 1) > 0.01) report.add(videoFileRules.ratio, row, size);
}

/** Shown to a hundredth, so that 45.04 s is not shown as 45 s and called too long. */
const seconds = (ms: number): string => (ms / 1000).toFixed(2).replace(/\.?0+$/, '');
