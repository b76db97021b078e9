import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import { controlCharacterAt, isLongerThan } from '../model/code-points.ts';
import { type CaptionFacts, readMediaFacts } from '../model/media-facts.ts';
import { isDeleted, type Row } from '../model/row.ts';
import { isServiceMedia } from '../model/service-media.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';
import { knownWordsOf } from './unknown-words.ts';
import { checkVideoFile } from './video-profile.ts';

/** What holds for every file of the library, whatever it is. */
export const mediaRules = rulesOf('media', 'media', 'Video media and video profile', {
  'type-required': {
    bit: 25,
    severity: 'error',
    fields: ['mediaType'],
    needs: 'media facts',
    text: 'The file "{label}" is neither a video, a caption nor a logo. Remove it from the library.',
  },
  'name-required': {
    bit: 26,
    severity: 'error',
    fields: ['mediaName'],
    text: 'The video "{label}" has no media name, which the service asks for when the upload is completed. Type a name.',
  },
  'name-length': {
    bit: 27,
    severity: 'warning',
    fields: ['mediaName'],
    section: 'practice',
    text: 'The media name "{label}" has more than {max} characters. Shorten it.',
  },
  'name-characters': {
    bit: 28,
    severity: 'error',
    fields: ['mediaName'],
    text: 'The media name "{label}" has a control character at position {at}. Type the name anew.',
  },
  'name-unseen': {
    bit: 33,
    severity: 'warning',
    fields: ['mediaName'],
    section: 'practice',
    text: 'The media name "{shown}" holds characters that cannot be seen, so that it may look like another one. Type the name anew.',
  },
  'processing-failed': {
    bit: 29,
    severity: 'warning',
    fields: ['mediaState'],
    needs: 'service state',
    text: 'The service could not process the video "{label}": {reason}. Correct the file and add it again; the next sync uploads it anew.',
  },
  empty: {
    bit: 30,
    severity: 'error',
    fields: ['bytes'],
    needs: 'media facts',
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

/** Caption files: whether they can be shown, and whether they fit the video they belong to. */
export const captionRules = rulesOf('media', 'caption', 'Video media and video profile', {
  unreadable: {
    bit: 16,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The caption file "{label}" could not be read as SRT or VTT. Save it as UTF-8 text in one of these forms.',
  },
  empty: {
    bit: 17,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The caption file "{label}" has no captions. Choose another file, or leave the caption out.',
  },
  timing: {
    bit: 18,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The caption file "{label}" has a time that cannot be read in line {line}. Correct the line, such as 00:00:01,000 --> 00:00:02,500.',
  },
  'end-before-start': {
    bit: 19,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'In the caption file "{label}" the caption in line {line} ends before it starts. Correct its times.',
  },
  order: {
    bit: 20,
    severity: 'warning',
    fields: ['facts'],
    needs: 'media facts',
    text: 'In the caption file "{label}" the caption in line {line} starts before the one above it. Sort the captions by time.',
  },
  'empty-cue': {
    bit: 21,
    severity: 'advice',
    fields: ['facts'],
    needs: 'media facts',
    text: 'In the caption file "{label}" the caption in line {line} has no text. Remove it.',
  },
  missing: {
    bit: 22,
    severity: 'advice',
    fields: ['caption'],
    scope: 'account',
    section: 'Sponsored video and campaign workflow endpoints',
    text: 'The video "{label}" has no caption file. Captions are recommended, since videos start muted. Add an .srt or .vtt file.',
  },
  'not-a-caption': {
    bit: 23,
    severity: 'error',
    fields: ['caption'],
    scope: 'account',
    text: 'What is attached to the video "{label}" as caption is not a caption file. Choose an .srt or .vtt file.',
  },
  'after-the-end': {
    bit: 24,
    severity: 'warning',
    fields: ['caption'],
    scope: 'account',
    needs: 'media facts',
    section: 'practice',
    text: 'The captions of video "{label}" last until {captionEnd} s, but the video ends at {videoEnd} s. Check that they belong together.',
  },
});

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

/** One finding per rule, at the first line it was found: a file of 100,000 bad lines is one problem, not 100,000. */
function checkCues(row: Row<'media'>, facts: CaptionFacts, report: Report): void {
  const reported = new Set<string>();
  for (const { code, line } of facts.problems) {
    const rule = RULE_BY_CODE[code];
    if (reported.has(rule.id)) continue;
    reported.add(rule.id);
    report.add(rule, row, { line });
  }
}

/** How a video and the caption attached to it fit. @param caption undefined when the reference leads nowhere */
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
export const logoRules = rulesOf('media', 'logo', 'SBA profile content rules', {
  unreadable: {
    bit: 0,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The logo "{label}" could not be read as a PNG picture. Add the file again, or save it as PNG first.',
  },
  pixels: {
    bit: 1,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The logo "{label}" has {width} x {height} pixels; it must have {wantedWidth} x {wantedHeight}. Scale it and add it again.',
  },
  'content-size': {
    bit: 2,
    severity: 'error',
    fields: ['bytes'],
    needs: 'media facts',
    text: 'The logo "{label}" has {kb} KB; at most {max} KB are allowed. It would upload, but be rejected days later. Save it smaller.',
  },
  'upload-size': {
    bit: 3,
    severity: 'error',
    fields: ['bytes'],
    needs: 'media facts',
    section: 'Limits',
    text: 'The logo "{label}" has {kb} KB; the upload refuses files above {max} KB. Save it smaller.',
  },
});

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

/** In a few words why a library file cannot be a brand profile's logo; null when it can. */
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
