import type { CaptionProblem } from '../model/media.ts';

/** One caption of a file. */
export interface Caption {
  readonly startMs: number;
  readonly endMs: number;
  /** Lines as they are shown, with tags such as `<i>`; none of them is blank. */
  readonly text: string;
  /** Position settings of WebVTT, as in the file. */
  readonly settings?: string | undefined;
  /** Name of the caption in WebVTT, by which styles and scripts find it. */
  readonly name?: string | undefined;
}

export type CaptionFormat = 'srt' | 'vtt';

export interface ParsedCaptions {
  readonly format: CaptionFormat;
  /** In the order of the file, without those with unreadable times. */
  readonly captions: readonly Caption[];
  /** The STYLE, REGION and NOTE blocks of WebVTT, in the order of the file; empty without any. */
  readonly head: string;
  /** Captions of the file, with those that are not in the list. */
  readonly count: number;
  readonly problems: readonly CaptionProblem[];
}

const TIMES = /^\s*(\S+)\s+-->\s+(\S+)(?:[ \t]+(\S.*))?/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})$/;
const NO_CUE = /^(NOTE|STYLE|REGION)\b/;

/**
 * Reads SubRip and WebVTT. Tolerated: byte order mark, CRLF, a comma or a point in times, and missing hours.
 */
export function parseCaptions(text: string): ParsedCaptions {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const isVtt = /^WEBVTT(\s|$)/.test(lines[0] ?? '');
  const captions: Caption[] = [];
  const blocks: string[] = [];
  const problems: CaptionProblem[] = [];
  let count = 0;
  let at = isVtt ? endOfBlock(lines, 0) : 0;
  while (at < lines.length) {
    const from = at;
    at = endOfBlock(lines, from) + 1;
    if ((lines[from] ?? '').trim() === '') continue;
    if (isVtt && NO_CUE.test(lines[from] ?? '')) {
      blocks.push(lines.slice(from, at - 1).join('\n'));
      continue;
    }
    const timing = findTiming(lines, from, at - 1);
    if (timing === null) {
      problems.push({ line: from + 1, code: 'no-timing' });
      continue;
    }
    count += 1;
    const { line, startMs, endMs, settings } = timing;
    if (startMs === null || endMs === null) {
      problems.push({ line, code: 'bad-time' });
      continue;
    }
    const raw = normalizedLines(lines.slice(line, at - 1).join('\n'));
    const shown = isVtt ? raw.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '') : raw;
    if (endMs <= startMs) problems.push({ line, code: 'end-before-start' });
    if (startMs < (captions.at(-1)?.startMs ?? 0)) problems.push({ line, code: 'out-of-order' });
    if (shown === '') problems.push({ line, code: 'empty' });
    const name = line === from + 2 ? lines[from] : undefined;
    const ofVtt = { ...(settings !== undefined && { settings }), ...(name !== undefined && { name }) };
    captions.push({ startMs, endMs, text: shown, ...(isVtt && ofVtt) });
  }
  return { format: isVtt ? 'vtt' : 'srt', captions, head: blocks.join('\n\n'), count, problems };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Index of the first blank line from `from` on, or the end. */
function endOfBlock(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() !== '') at += 1;
  return at;
}

/** The times are in the first line of a caption, or in the second below its number or name. */
function findTiming(lines: readonly string[], from: number, end: number) {
  for (let at = from; at < Math.min(from + 2, end); at += 1) {
    const match = TIMES.exec(lines[at] ?? '');
    if (match === null) continue;
    const [, start = '', stop = '', settings] = match;
    return { line: at + 1, startMs: parseTime(start), endMs: parseTime(stop), settings: settings?.trim() };
  }
  return null;
}

/** Milliseconds of `1:02.500`, `01:02,500` or `00:01:02,500`; null for any other text. */
export function parseTime(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hours, minutes, seconds] = [Number(match[1] ?? '0'), Number(match[2]), Number(match[3])];
  if (minutes > 59 || seconds > 59) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(match[4]);
}

/** Blank lines would end a caption in a file. */
export const normalizedLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

/** `00:01:02,500`, with a point for WebVTT. */
export function printTime(ms: number, decimal: ',' | '.' = ','): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const time = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(two).join(':');
  return `${time}${decimal}${String(ms % 1000).padStart(3, '0')}`;
}

/**
 * A file with these captions, in the order of their times.
 *
 * @param head as of `parseCaptions`: it comes first, where WebVTT allows styles and regions; SubRip has none
 */
export function printCaptions(captions: readonly Caption[], format: CaptionFormat, head = ''): string {
  const sorted = captions.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const blocks = sorted.map(({ startMs, endMs, text, settings, name }, at) => {
    const decimal = format === 'vtt' ? '.' : ',';
    const times = `${printTime(startMs, decimal)} --> ${printTime(endMs, decimal)}`;
    const lines = normalizedLines(text);
    return format === 'vtt'
      ? `${name === undefined ? '' : `${name}\n`}${times}${settings === undefined ? '' : ` ${settings}`}\n${escaped(lines)}\n`
      : `${at + 1}\n${times}\n${lines}\n`;
  });
  const first = format === 'vtt' ? ['WEBVTT', head].filter((block) => block !== '') : [];
  return [...first.map((block) => `${block}\n`), ...blocks].join('\n');
}

/** WebVTT tags stay; anything else that would be parsed as a tag, an entity or times is escaped. */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replace(/<(?!\/?(?:b|i|u|c|v|lang|ruby|rt)(?:[\s.][^<>]*)?>)/g, '&lt;')
    .replaceAll('-->', '--&gt;');

/** Most characters per second that viewers can follow, by the guidelines for subtitles. */
export const READING_SPEEDS = { relaxed: 15, standard: 17, fast: 20 } as const;
export type ReadingSpeed = keyof typeof READING_SPEEDS;

/** Characters per second, without tags and line breaks; zero for a caption without length. */
export function readingSpeed({ startMs, endMs, text }: Caption): number {
  const shown = text.replace(/<[^<>]*>/g, '').replaceAll('\n', '');
  return endMs <= startMs ? 0 : [...shown].length / ((endMs - startMs) / 1000);
}

/** A problem of one caption; one with `end-before-start`, `empty` or `after-end` is not displayed. */
export interface CaptionFault {
  /** Its index in the list. */
  readonly at: number;
  readonly code: 'end-before-start' | 'empty' | 'overlap' | 'speed' | 'after-end';
  /** `overlap`: milliseconds. `speed`: characters per second. Others: zero. */
  readonly value: number;
}

/**
 * @param limit characters per second
 * @param lengthMs length of the video; null if unknown
 * @returns in the order of the list
 */
export function captionFaults(
  captions: readonly Caption[],
  limit: number,
  lengthMs: number | null,
): readonly CaptionFault[] {
  let shownUntil = 0;
  return captions.flatMap((caption, at): readonly CaptionFault[] => {
    const { startMs, endMs, text } = caption;
    const speed = readingSpeed(caption);
    const overlap = shownUntil - startMs;
    shownUntil = Math.max(shownUntil, endMs);
    const found = [
      ...(endMs <= startMs ? [['end-before-start', 0] as const] : []),
      ...(normalizedLines(text) === '' ? [['empty', 0] as const] : []),
      ...(overlap > 0 ? [['overlap', overlap] as const] : []),
      ...(speed > limit ? [['speed', speed] as const] : []),
      ...(lengthMs !== null && endMs > lengthMs + LATE_MS ? [['after-end', 0] as const] : []),
    ];
    return found.map(([code, value]) => ({ at, code, value }));
  });
}

/** Allowed time after the end of the video, as in the check of files. */
const LATE_MS = 1000;
/** Minimum length of the parts of a split caption. */
const PART_MS = 100;

/** Splits a caption at a time inside it, and its text at the nearest word; the same list when it is too short. */
export function splitCaption(captions: readonly Caption[], at: number, atMs: number): readonly Caption[] {
  const caption = captions[at];
  if (caption === undefined || caption.endMs - caption.startMs < 2 * PART_MS) return captions;
  const { startMs, endMs, text } = caption;
  const cutMs = Math.min(endMs - PART_MS, Math.max(startMs + PART_MS, atMs));
  const wanted = (text.length * (cutMs - startMs)) / (endMs - startMs);
  const gaps = [...text.matchAll(/\s+/g)].map(({ index }) => index);
  const gap = gaps.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? text.length;
  const first = { ...caption, endMs: cutMs, text: text.slice(0, gap).trim() };
  return captions.toSpliced(at, 1, first, {
    ...caption,
    startMs: cutMs,
    text: text.slice(gap).trim(),
    name: undefined,
  });
}

/** Joins a caption with the next one in the list; the same list when there is none. */
export function joinCaptions(captions: readonly Caption[], at: number): readonly Caption[] {
  const [first, second] = [captions[at], captions[at + 1]];
  if (first === undefined || second === undefined) return captions;
  const text = normalizedLines(`${first.text}\n${second.text}`);
  const startMs = Math.min(first.startMs, second.startMs);
  return captions.toSpliced(at, 2, { ...first, startMs, endMs: Math.max(first.endMs, second.endMs), text });
}

/** Moves the captions from `from` on; earlier at most until the first of them begins at zero. */
export function shiftCaptions(captions: readonly Caption[], byMs: number, from = 0): readonly Caption[] {
  const earliest = captions
    .slice(from)
    .reduce((least, { startMs }) => Math.min(least, startMs), Number.MAX_SAFE_INTEGER);
  const by = Math.max(byMs, -earliest);
  return captions.map((caption, at) =>
    at < from ? caption : { ...caption, startMs: caption.startMs + by, endMs: caption.endMs + by },
  );
}

/** The captions of a part of a video, with the times of the part. */
export const clipCaptions = (captions: readonly Caption[], fromMs: number, lengthMs: number): readonly Caption[] =>
  captions.flatMap((caption) => {
    const startMs = Math.max(0, caption.startMs - fromMs);
    const endMs = Math.min(lengthMs, caption.endMs - fromMs);
    return endMs > startMs ? [{ ...caption, startMs, endMs }] : [];
  });
