import { type CaptionFacts, readMediaFacts } from '../model/media-facts.ts';
import type { Row } from '../model/row.ts';
import { type Report, rulesOf } from './rule.ts';

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

export function checkCaptionFile(row: Row<'media'>, report: Report): void {
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
