import { readMediaFacts, type VideoFacts } from '../model/media-facts.ts';
import type { Row } from '../model/row.ts';
import { type Report, type RuleEnv, rulesOf } from './rule.ts';

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
