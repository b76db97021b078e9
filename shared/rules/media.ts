import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import { isActive, isEstimated, isUnderReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { type CaptionFacts, isServiceMedia, readMediaFacts, type VideoFacts } from '../model/media.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { controlCharacterAt, isLongerThan } from '../model/text.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';
import { knownWordsOf } from './unknown-words.ts';

/** Rules for every file of the library, of any type. */
export const mediaRules = rulesOf('media', 'media', 'Video media and video profile', {
  'type-required': {
    bit: 25,
    severity: 'error',
    fields: ['mediaType'],
    needs: 'media facts',
    name: 'File of another type',
    text: 'The file "{label}" is not a video, caption or logo. Remove it from the library.',
  },
  'name-required': {
    bit: 26,
    severity: 'error',
    fields: ['mediaName'],
    name: 'Video without a name',
    text: 'The video "{label}" has no media name, which the service requires for the upload. Enter a name.',
  },
  'name-length': {
    bit: 27,
    severity: 'warning',
    fields: ['mediaName'],
    section: 'practice',
    name: 'Video name too long',
    text: 'The media name "{label}" has more than {max} characters. Shorten it.',
  },
  'name-characters': {
    bit: 28,
    severity: 'error',
    fields: ['mediaName'],
    name: 'Damaged video name',
    text: 'The media name "{label}" contains an invisible character at position {at}. Enter the name again.',
  },
  'name-unseen': {
    bit: 33,
    severity: 'warning',
    fields: ['mediaName'],
    section: 'practice',
    name: 'Invisible characters in a video name',
    text: 'The media name "{shown}" contains invisible characters, so it can look like another name. Enter the name again.',
  },
  'processing-failed': {
    bit: 29,
    severity: 'warning',
    fields: ['mediaState'],
    needs: 'service state',
    name: 'Processing failed',
    text: 'The service could not process the video "{label}": {reason}. Correct the file and add it again. The next sync uploads it again.',
  },
  empty: {
    bit: 30,
    severity: 'error',
    fields: ['bytes'],
    needs: 'media facts',
    name: 'Empty file',
    text: 'The file "{label}" is empty. Add the file again.',
  },
});

export function checkMediaRow(row: Row<'media'>, env: RuleEnv, report: Report): void {
  if (isDeleted(row)) return;
  knownWordsOf(row, report);
  const { mediaType, mediaName, mediaState, stateReason, bytes, sha256 } = row.values;
  // A video that was uploaded elsewhere is nothing that could be corrected here. Whether it can be used is a question of
  // the profile that shows it.
  if (isServiceMedia(row)) return;
  const isLocal = sha256 !== null;
  if (isLocal && bytes === 0) report.add(mediaRules.empty, row);
  else if (isLocal) checkContent(row, env, report);
  if (isMissing(row, 'mediaType')) report.add(mediaRules['type-required'], row);
  if (mediaType === 'video' && isMissing(row, 'mediaName')) report.add(mediaRules['name-required'], row);
  if (mediaName !== null) {
    const at = controlCharacterAt(mediaName);
    const max = env.profile.media.nameMax;
    if (at >= 0) report.add(mediaRules['name-characters'], row, { at: at + 1 });
    reportUnseen(mediaRules['name-unseen'], row, 'mediaName', mediaName, report);
    if (isLongerThan(mediaName, max)) report.add(mediaRules['name-length'], row, { max });
  }
  if (mediaState === 'failed') {
    report.add(mediaRules['processing-failed'], row, { reason: stateReason ?? 'no reason given' });
  }
}

function checkContent(row: Row<'media'>, env: RuleEnv, report: Report): void {
  if (row.values.mediaType === 'logo') checkLogoFile(row, env, report);
  if (row.values.mediaType === 'video') checkVideoFile(row, env, report);
  if (row.values.mediaType === 'caption') checkCaptionFile(row, report);
}

/** Rules for caption files: whether they can be displayed, and whether they fit their video. */
export const captionRules = rulesOf(
  'media',
  'caption',
  { section: 'Video media and video profile', fields: ['facts'], needs: 'media facts' },
  {
    unreadable: {
      bit: 16,
      severity: 'error',
      name: 'Unreadable captions',
      text: `The caption file "{label}" couldn't be read as SRT or VTT. Save it as UTF-8 text in one of these formats.`,
    },
    empty: {
      bit: 17,
      severity: 'error',
      name: 'Empty caption file',
      text: 'The caption file "{label}" has no captions. Choose another file, or remove it.',
    },
    timing: {
      bit: 18,
      severity: 'error',
      name: 'Invalid caption time',
      text: 'The caption file "{label}" has an invalid time in line {line}. Correct the line. Example: 00:00:01,000 --> 00:00:02,500.',
    },
    'end-before-start': {
      bit: 19,
      severity: 'error',
      name: 'Caption ends too early',
      text: 'In the caption file "{label}", the caption in line {line} ends before it starts. Correct its times.',
    },
    order: {
      bit: 20,
      severity: 'warning',
      name: 'Captions out of order',
      text: 'In the caption file "{label}", the caption in line {line} starts before the previous one. Sort the captions by time.',
    },
    'empty-cue': {
      bit: 21,
      severity: 'advice',
      name: 'Caption without text',
      text: 'In the caption file "{label}", the caption in line {line} has no text. Remove it.',
    },
    missing: {
      bit: 22,
      severity: 'advice',
      needs: 'draft',
      fields: ['caption'],
      scope: 'account',
      section: 'Sponsored video and campaign workflow endpoints',
      name: 'Video without captions',
      text: 'The video "{label}" has no caption file. Captions are recommended, because videos start muted. Add an .srt or .vtt file.',
    },
    'not-a-caption': {
      bit: 23,
      severity: 'error',
      needs: 'draft',
      fields: ['caption'],
      scope: 'account',
      name: 'Not a caption file',
      text: 'The file attached to video "{label}" as captions is not a caption file. Choose an .srt or .vtt file.',
    },
    'after-the-end': {
      bit: 24,
      severity: 'warning',
      fields: ['caption'],
      scope: 'account',
      section: 'practice',
      name: 'Captions end too late',
      text: 'The captions of video "{label}" end at {captionEnd} s, but the video ends at {videoEnd} s. Check that they belong together.',
    },
  },
);

function checkCaptionFile(row: Row<'media'>, report: Report): void {
  const facts = readMediaFacts(row.values.facts);
  if (facts === null || facts.is !== 'caption') {
    report.add(captionRules.unreadable, row);
    return;
  }
  if (facts.cues === 0) report.add(captionRules.empty, row);
  checkCues(row, facts, report);
}

const RULE_BY_CODE = {
  'no-timing': captionRules.timing,
  'bad-time': captionRules.timing,
  'end-before-start': captionRules['end-before-start'],
  'out-of-order': captionRules.order,
  empty: captionRules['empty-cue'],
} as const;

/** One issue per rule, at its first line: a file of 100,000 bad lines is one problem, not 100,000. */
function checkCues(row: Row<'media'>, facts: CaptionFacts, report: Report): void {
  const reported = new Set<string>();
  for (const { code, line } of facts.problems) {
    const rule = RULE_BY_CODE[code];
    if (reported.has(rule.id)) continue;
    reported.add(rule.id);
    report.add(rule, row, { line });
  }
}

/** Checks a video with its caption. @param caption undefined when the reference is broken */
export function checkCaptionOf(video: Row<'media'>, caption: Row<'media'> | undefined, report: Report): void {
  if (video.values.caption === null) {
    if (video.remoteId === null) report.add(captionRules.missing, video);
    return;
  }
  if (caption === undefined) return;
  if (caption.values.mediaType !== 'caption') {
    report.add(captionRules['not-a-caption'], video, {}, { field: 'caption', value: null });
    return;
  }
  const facts = readMediaFacts(caption.values.facts);
  const videoFacts = readMediaFacts(video.values.facts);
  if (facts?.is !== 'caption' || videoFacts?.is !== 'video' || videoFacts.durationMs === null) return;
  if (facts.lastEndMs > videoFacts.durationMs + 1000) {
    const params = { captionEnd: facts.lastEndMs / 1000, videoEnd: videoFacts.durationMs / 1000 };
    report.add(captionRules['after-the-end'], video, params);
  }
}

/** Logos of the library (document, "SBA profile content rules": PNG, 100 x 100 px, 200 Kb; upload at most 1024 Kb). */
export const logoRules = rulesOf(
  'media',
  'logo',
  { section: 'SBA profile content rules', fields: ['facts'], needs: 'media facts' },
  {
    unreadable: {
      bit: 0,
      severity: 'error',
      name: 'Unreadable logo',
      text: `The logo "{label}" couldn't be read as a PNG image. Add the file again, or save it as PNG first.`,
    },
    pixels: {
      bit: 1,
      severity: 'error',
      name: 'Wrong logo size',
      text: 'The logo "{label}" has {width} x {height} pixels, but it must have {wantedWidth} x {wantedHeight}. Resize it and add it again.',
    },
    'content-size': {
      bit: 2,
      severity: 'error',
      fields: ['bytes'],
      name: 'Logo too large for review',
      text: 'The logo "{label}" has {kb} KB, more than the {max} KB that reviews accept. Save it as a smaller file, or it will be rejected.',
    },
    'upload-size': {
      bit: 3,
      severity: 'error',
      fields: ['bytes'],
      section: 'Limits',
      name: 'Logo too large to upload',
      text: 'The logo "{label}" has {kb} KB, more than the {max} KB that the service accepts. Save it as a smaller file.',
    },
  },
);

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024);

function checkLogoFile(row: Row<'media'>, { profile }: RuleEnv, report: Report): void {
  const facts = readMediaFacts(row.values.facts);
  if (facts === null || facts.is !== 'logo') {
    report.add(logoRules.unreadable, row);
    return;
  }
  const { width, height, contentMaxKb, uploadMaxKb } = profile.logo;
  if (facts.width !== width || facts.height !== height) {
    const params = { width: facts.width, height: facts.height, wantedWidth: width, wantedHeight: height };
    report.add(logoRules.pixels, row, params);
  }
  const kb = kilobytes(row.values.bytes ?? 0);
  if (kb > uploadMaxKb) report.add(logoRules['upload-size'], row, { kb, max: uploadMaxKb });
  else if (kb > contentMaxKb) report.add(logoRules['content-size'], row, { kb, max: contentMaxKb });
}

/** A short reason why a library file can't be a brand profile's logo; null if it can. */
export function logoProblem(row: Row<'media'> | undefined, { logo }: DeploymentSettings): string | null {
  if (row === undefined) return 'the file is not in the library';
  if (row.values.mediaType !== 'logo')
    return `the file is a ${row.values.mediaType ?? 'file of unknown type'}, not a logo`;
  const facts = readMediaFacts(row.values.facts);
  if (facts === null || facts.is !== 'logo') return 'the file is not a readable PNG';
  if (facts.width !== logo.width || facts.height !== logo.height)
    return `it has ${facts.width} x ${facts.height} pixels`;
  const kb = kilobytes(row.values.bytes ?? 0);
  return kb > Math.min(logo.contentMaxKb, logo.uploadMaxKb) ? `it has ${kb} KB` : null;
}

/** Rules for video profiles: their video, and what the state of their campaign allows. */
export const videoProfileRules = rulesOf('videoProfile', 'video-profile', 'Video media and video profile', {
  'video-required': {
    bit: 0,
    severity: 'error',
    fields: ['video'],
    name: 'No video',
    text: 'The video profile has no video. Choose one from the library or add a file.',
  },
  'not-a-video': {
    bit: 1,
    severity: 'error',
    fields: ['video'],
    needs: 'media facts',
    name: 'File is not a video',
    text: 'The file of the video profile ("{file}") is not a video. Choose an .mp4 or .mov file.',
  },
  'wrong-campaign': {
    bit: 2,
    severity: 'error',
    scope: 'campaign',
    section: 'Errors',
    name: 'Video in another campaign type',
    text: "The video profile is in a campaign of type {type}, which can't contain videos. Move it to a video campaign.",
  },
  'too-many': {
    bit: 3,
    severity: 'error',
    scope: 'campaign',
    section: 'Limits',
    name: 'Too many video profiles',
    text: 'The campaign has more than 1 video profile. Delete one, or create another campaign for the video.',
  },
  'video-failed': {
    bit: 4,
    severity: 'warning',
    fields: ['video'],
    needs: 'service state',
    name: 'Video processing failed',
    text: 'The service could not process the video "{file}": {reason}. The next sync uploads it again. If the file is the cause, replace it.',
  },
  'video-processing': {
    bit: 5,
    severity: 'advice',
    fields: ['video'],
    needs: 'service state',
    name: 'Video is processing',
    text: 'The video "{file}" is processing, which takes about {minutes} minutes. The profile is sent after that.',
  },
  rejected: {
    bit: 6,
    severity: 'warning',
    fields: ['video', 'reviewStatus'],
    section: 'Review',
    needs: 'service state',
    name: 'Video rejected',
    text: 'The review rejected the video profile: {reason}. Use a corrected video and resubmit.',
  },
  'live-change': {
    bit: 7,
    severity: 'error',
    fields: ['video'],
    scope: 'campaign',
    section: 'Campaign status',
    needs: 'service state',
    name: 'Live video changed',
    text: "The video can't be changed while the campaign is {state}. Pause the campaign, change the video, and submit it for review.",
  },
  'under-review': {
    bit: 8,
    severity: 'warning',
    scope: 'campaign',
    section: 'Errors',
    needs: 'service state',
    name: 'Video held by a review',
    text: "The video profile can't be added or changed while its campaign is in review. Adslate sends it after the review. To send it sooner, cancel the review.",
  },
  disabled: {
    bit: 9,
    severity: 'warning',
    fields: ['status'],
    name: 'Video profile disabled',
    text: 'The video profile is disabled, so the campaign shows no ads. Enable the profile.',
  },
  'delete-impossible': {
    bit: 10,
    severity: 'warning',
    name: "Video profile can't be deleted",
    text: "The video profile is marked for deletion, but the service can't delete profiles. Revert the deletion.",
  },
  'estimated-change': {
    bit: 12,
    severity: 'warning',
    fields: ['video'],
    scope: 'campaign',
    section: 'Campaign status',
    needs: 'service state',
    name: 'Video change might fail',
    text: 'The video is changed while the campaign is probably {state}. The service might not accept this. Pause the campaign first, change the video, and submit it for review.',
  },
  'video-unusable': {
    bit: 13,
    severity: 'error',
    fields: ['video'],
    needs: 'service state',
    name: 'Unusable video',
    text: `The video "{file}" of the profile can't be used: {reason} It was not uploaded with Adslate. Choose another video.`,
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

/** Rules for video files of the library, by the facts from their bytes (wire shapes, section 5, "Media"). */
export const videoFileRules = rulesOf(
  'media',
  'video',
  { section: 'practice', fields: ['facts'], needs: 'media facts' },
  {
    unreadable: {
      bit: 4,
      severity: 'error',
      section: 'Video media and video profile',
      name: 'Unreadable video',
      text: `The video "{label}" couldn't be read as MP4 or MOV. Add the file again, or export it again first.`,
    },
    'too-short': {
      bit: 5,
      severity: 'error',
      section: 'Limits',
      name: 'Video too short',
      text: 'The video "{label}" is {seconds} s long, but must be at least {min} s. Use a longer cut.',
    },
    'too-long': {
      bit: 6,
      severity: 'error',
      section: 'Limits',
      name: 'Video too long',
      text: 'The video "{label}" is {seconds} s long, but must be at most {max} s. Trim it in Adslate, or use a shorter cut.',
    },
    'length-unknown': {
      bit: 7,
      severity: 'warning',
      section: 'Limits',
      name: 'Video length unknown',
      text: 'The length of video "{label}" is unknown. {min}–{max} s are allowed. Check its length in a player.',
    },
    size: {
      bit: 8,
      severity: 'warning',
      fields: ['bytes'],
      name: 'Video file too large',
      text: 'The video "{label}" has {mb} MB, and the service might not accept more than {max} MB. Export a smaller file.',
    },
    ratio: {
      bit: 9,
      severity: 'warning',
      name: 'Video is not 16:9',
      text: 'The video "{label}" has {width} x {height} pixels, which is not 16:9. Export it in 16:9.',
    },
    'too-small': {
      bit: 10,
      severity: 'warning',
      name: 'Small video',
      text: 'The video "{label}" has {width} x {height} pixels, fewer than the recommended 1280 x 720. Export it larger.',
    },
    'too-large': {
      bit: 11,
      severity: 'warning',
      name: 'Large video',
      text: 'The video "{label}" has {width} x {height} pixels, more than the recommended 3840 x 2160. Export it smaller.',
    },
    codec: {
      bit: 12,
      severity: 'warning',
      name: 'Video codec',
      text: 'The video "{label}" uses the codec {codec}. Export it with H.264 or H.265.',
    },
    'sound-codec': {
      bit: 13,
      severity: 'warning',
      name: 'Sound codec',
      text: 'The sound of video "{label}" uses the codec {codec}. Export it with AAC, MP3 or PCM.',
    },
    'no-sound': {
      bit: 14,
      severity: 'advice',
      name: 'Video without sound',
      text: 'The video "{label}" has no sound. Videos start muted, but a shopper who unmutes hears nothing. Add sound if you have it.',
    },
    'wrong-ending': {
      bit: 15,
      severity: 'warning',
      fields: ['fileName'],
      name: 'Wrong file extension',
      text: 'The file "{fileName}" is a {container} video, but its name has a different extension. Rename it.',
    },
    upright: {
      bit: 35,
      severity: 'warning',
      name: 'Upright video',
      text: 'The video "{label}" is upright, with {width} x {height} pixels. Export it in 16:9, from 1280 x 720 to 3840 x 2160.',
    },
  },
);

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

function checkVideoFile(row: Row<'media'>, env: RuleEnv, report: Report): void {
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
  if (height > width) {
    // The wide export that it needs also has another size.
    report.add(videoFileRules.upright, row, size);
    return;
  }
  if (width < 1280 || height < 720) report.add(videoFileRules['too-small'], row, size);
  else if (width > 3840 || height > 2160) report.add(videoFileRules['too-large'], row, size);
  if (Math.abs(width / height / RATIO - 1) > 0.01) report.add(videoFileRules.ratio, row, size);
}

/** Rounded to a hundredth, so that 45.04 s is not displayed as 45 s and reported as too long. */
const seconds = (ms: number): string => (ms / 1000).toFixed(2).replace(/\.?0+$/, '');
