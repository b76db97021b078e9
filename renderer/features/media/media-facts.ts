import '../../no-eval.ts';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { readAmount } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import { bytesText, countText } from '../../app/locale/numbers.ts';

const texts = {
  facts: {
    container: 'File format',
    duration: 'Duration',
    size: 'Size in pixels',
    videoCodec: 'Video codec',
    audioCodec: 'Audio codec',
    format: 'Format',
    cues: 'Captions',
    lastCue: 'Last caption ends at',
  },
} as const;

/** File data that the probe stores as JSON; only shown values are parsed. Text that can't be parsed shows nothing. */
const Facts = z.object({
  container: z.string().optional(),
  durationMs: z.number().nullish(),
  width: z.number().nullish(),
  height: z.number().nullish(),
  videoCodec: z.string().nullish(),
  audioCodec: z.string().nullish(),
  format: z.string().optional(),
  cues: z.number().optional(),
  lastEndMs: z.number().optional(),
});

/** The measured value for each check of a file, in the order of `FileChecks`. */
export function checkedValues(json: string, mediaType: string, bytes: number | null): readonly (string | undefined)[] {
  const facts = Facts.safeParse(jsonOrNull(json)).data ?? {};
  const pixels = facts.width != null && facts.height != null ? `${facts.width} × ${facts.height}` : undefined;
  const size = bytes === null ? undefined : bytesText(bytes);
  if (mediaType === 'logo') return [facts.format?.toUpperCase(), pixels, size, size];
  if (mediaType === 'caption')
    return [facts.format?.toUpperCase(), facts.cues === undefined ? undefined : String(facts.cues)];
  const length = facts.durationMs == null ? undefined : seconds(facts.durationMs);
  const codecs = [facts.videoCodec, facts.audioCodec].filter((codec) => codec != null).join(', ');
  return [facts.container?.toUpperCase(), length, size, undefined, pixels, codecs === '' ? undefined : codecs];
}

export const seconds = (ms: number): string => `${locale().tenths(ms / 1000)} s`;

/** A position in a video: 1:05.3. */
export function clockText(ms: number): string {
  const tenths = Math.round(ms / 100);
  const second = (tenths % 600) / 10;
  return `${countText(Math.floor(tenths / 600))}:${second < 10 ? countText(0) : ''}${locale().tenths(second)}`;
}

/** Milliseconds of typed seconds; NaN for any other text. */
export function typedMs(text: string): number {
  const plain = readAmount(text);
  return plain.ok && text.trim() !== '' ? Math.round(Number(plain.value) * 1000) : Number.NaN;
}

export function factTexts(json: string): readonly (readonly [string, string])[] {
  const facts = Facts.safeParse(jsonOrNull(json)).data;
  if (facts === undefined) return [];
  const names = texts.facts;
  const pairs: (readonly [string, string])[] = [];
  if (facts.container !== undefined) pairs.push([names.container, facts.container.toUpperCase()]);
  if (facts.durationMs != null) pairs.push([names.duration, seconds(facts.durationMs)]);
  if (facts.width != null && facts.height != null) pairs.push([names.size, `${facts.width} × ${facts.height}`]);
  if (facts.videoCodec != null) pairs.push([names.videoCodec, facts.videoCodec]);
  if (facts.audioCodec != null) pairs.push([names.audioCodec, facts.audioCodec]);
  if (facts.format !== undefined) pairs.push([names.format, facts.format.toUpperCase()]);
  if (facts.cues !== undefined) pairs.push([names.cues, String(facts.cues)]);
  if (facts.lastEndMs !== undefined) pairs.push([names.lastCue, seconds(facts.lastEndMs)]);
  return pairs;
}
