import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { CaptionFacts, CaptionProblem } from '../../../shared/model/media-facts.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

/**
 * SubRip and WebVTT as far as Adslate has to know them: how many cues, where the last one ends, and which lines
 * are wrong. Tolerated: byte order mark, CRLF, a comma or a point in times, missing hours, cue settings, and
 * the NOTE, STYLE and REGION blocks of WebVTT.
 */
export const CAPTION_MAX_BYTES = 1024 * 1024;
const MAX_CUES = 5000;
const MAX_PROBLEMS = 50;

const TIMES = /^\s*(\S+)\s+-->\s+(\S+)/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})$/;
const NO_CUE = /^(NOTE|STYLE|REGION)\b/;

export function captionFacts(bytes: Buffer): Result<CaptionFacts, FileRefusal> {
  const text = decodeText(bytes);
  if (text === null) return err(fileRefusal('caption-not-text', { at: firstBadByte(bytes) }));
  const lines = text.split(/\r\n|\r|\n/);
  const isVtt = /^WEBVTT(\s|$)/.test(lines[0] ?? '');
  const cues = readCues(lines, isVtt);
  if (cues.count === 0) return err(fileRefusal('caption-no-cues'));
  if (cues.count > MAX_CUES) return err(fileRefusal('caption-too-many-cues', { limit: MAX_CUES }));
  return ok({
    is: 'caption',
    format: isVtt ? 'vtt' : 'srt',
    cues: cues.count,
    lastEndMs: cues.lastEndMs,
    problems: cues.problems.slice(0, MAX_PROBLEMS),
  });
}

/** UTF-8, or UTF-16 with a byte order mark; null when the bytes are no text. */
function decodeText(bytes: Buffer): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function firstBadByte(bytes: Buffer): number {
  const zero = bytes.indexOf(0);
  const readable = Buffer.from(bytes.toString('utf8'));
  const differs = readable.findIndex((byte, index) => byte !== bytes[index]);
  return differs === -1 ? Math.max(zero, 0) : differs;
}

interface Cues {
  readonly count: number;
  readonly lastEndMs: number;
  readonly problems: readonly CaptionProblem[];
}

function readCues(lines: readonly string[], isVtt: boolean): Cues {
  const problems: CaptionProblem[] = [];
  let count = 0;
  let lastEndMs = 0;
  let lastStartMs = -1;
  let at = isVtt ? skipBlock(lines, 0) : 0;
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') {
      at += 1;
      continue;
    }
    const blockStart = at;
    const end = skipBlock(lines, at);
    at = end;
    if (isVtt && NO_CUE.test(lines[blockStart] ?? '')) continue;
    const timing = findTiming(lines, blockStart, end);
    if (timing === null) {
      problems.push({ line: blockStart + 1, code: 'no-timing' });
      continue;
    }
    count += 1;
    const { line, startMs, endMs } = timing;
    if (startMs === null || endMs === null) {
      problems.push({ line, code: 'bad-time' });
      continue;
    }
    if (endMs <= startMs) problems.push({ line, code: 'end-before-start' });
    if (startMs < lastStartMs) problems.push({ line, code: 'out-of-order' });
    if (lines.slice(line, end).every((words) => words.trim() === '')) problems.push({ line, code: 'empty' });
    lastStartMs = startMs;
    lastEndMs = Math.max(lastEndMs, endMs);
  }
  return { count, lastEndMs, problems };
}

/** Index of the first blank line after `from`, or the end. */
function skipBlock(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() !== '') at += 1;
  return at;
}

/** The timing stands in the first line of a cue, or in the second below its number or name. */
function findTiming(lines: readonly string[], from: number, end: number) {
  for (let at = from; at < Math.min(from + 2, end); at += 1) {
    const match = TIMES.exec(lines[at] ?? '');
    if (match !== null) return { line: at + 1, startMs: timeMs(match[1] ?? ''), endMs: timeMs(match[2] ?? '') };
  }
  return null;
}

function timeMs(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hours, minutes, seconds] = [Number(match[1] ?? '0'), Number(match[2]), Number(match[3])];
  if (minutes > 59 || seconds > 59) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(match[4]);
}
