import { controlCharacterAt, isLongerThan } from '../model/code-points.ts';
import { isDeleted, type Row } from '../model/row.ts';
import { isServiceMedia } from '../model/service-media.ts';
import { checkCaptionFile } from './caption.ts';
import { checkLogoFile } from './logo.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';
import { knownWordsOf } from './unknown-words.ts';
import { checkVideoFile } from './video-file.ts';

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
