import { jsonOrNull } from '../json-or-null.ts';
import { isDeleted, type Row } from './row.ts';
import { type RemoteId, remoteId } from './scalars.ts';

/**
 * Facts that the probe read from the bytes of a file, never from its name. Stored as JSON in the media row and checked
 * by the rules.
 */
export type MediaFacts = VideoFacts | CaptionFacts | LogoFacts | PosterFacts;

export interface VideoFacts {
  readonly is: 'video';
  readonly container: 'mp4' | 'mov';
  /** Null if the file lacks it (fragmented files). */
  readonly durationMs: number | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Four-character code of the picture track: `avc1`, `hvc1`, ... */
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
}

export interface CaptionFacts {
  readonly is: 'caption';
  readonly format: 'srt' | 'vtt';
  readonly cues: number;
  readonly lastEndMs: number;
  readonly problems: readonly CaptionProblem[];
}

export interface CaptionProblem {
  readonly line: number;
  readonly code: 'no-timing' | 'bad-time' | 'end-before-start' | 'out-of-order' | 'empty';
}

export interface LogoFacts {
  readonly is: 'logo';
  readonly width: number;
  readonly height: number;
}

/** A frame of a video that represents it on cards and in storyboards. */
export interface PosterFacts {
  readonly is: 'poster';
  /** Hash of the file of the video. */
  readonly of: string;
  readonly width: number;
  readonly height: number;
}

/** File types with cards in the media library: captions and posters belong to their video. */
export const LIBRARY_TYPES = ['video', 'logo'] as const;

/**
 * Parses the JSON of the `facts` cell into `MediaFacts`. Checked by hand, because otherwise every thread that checks
 * rows would load the schema library for these few types.
 */
type Members = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const isNumber: Test = (value) => typeof value === 'number';
const isNumberOrNull: Test = (value) => value === null || isNumber(value);
const isTextOrNull: Test = (value) => value === null || typeof value === 'string';
const isOneOf =
  (...names: readonly string[]): Test =>
  (value) =>
    names.some((name) => name === value);
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const hasMembers = (value: unknown, tests: Readonly<Record<string, Test>>): value is Members =>
  isMembers(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const CAPTION_PROBLEM: Readonly<Record<keyof CaptionProblem, Test>> = {
  line: isNumber,
  code: isOneOf('no-timing', 'bad-time', 'end-before-start', 'out-of-order', 'empty'),
};

type TestsOf<Facts> = Readonly<Record<Exclude<keyof Facts, 'is'>, Test>>;
const FACTS: { readonly [Is in MediaFacts['is']]: TestsOf<Extract<MediaFacts, { is: Is }>> } = {
  video: {
    container: isOneOf('mp4', 'mov'),
    durationMs: isNumberOrNull,
    width: isNumberOrNull,
    height: isNumberOrNull,
    videoCodec: isTextOrNull,
    audioCodec: isTextOrNull,
  },
  caption: {
    format: isOneOf('srt', 'vtt'),
    cues: isNumber,
    lastEndMs: isNumber,
    problems: (value) => Array.isArray(value) && value.every((problem) => hasMembers(problem, CAPTION_PROBLEM)),
  },
  logo: { width: isNumber, height: isNumber },
  poster: { of: (value) => typeof value === 'string', width: isNumber, height: isNumber },
};

/** Null when the row has no facts or they can't be parsed. */
export function readMediaFacts(text: string | null): MediaFacts | null {
  const facts = text === null ? null : jsonOrNull(text);
  return isMediaFacts(facts) ? facts : null;
}

function isMediaFacts(json: unknown): json is MediaFacts {
  if (!isMembers(json)) return false;
  const { is } = json;
  if (is !== 'video' && is !== 'caption' && is !== 'logo' && is !== 'poster') return false;
  return hasMembers(json, FACTS[is]);
}

/**
 * The poster that was chosen last of a video.
 *
 * @param sha256 hash of the file of the video
 */
export function posterOf(library: Iterable<Row<'media'>>, sha256: string): Row<'media'> | null {
  let found: Row<'media'> | null = null;
  for (const row of library) {
    if (row.values.mediaType !== 'poster' || isDeleted(row) || row.id < (found?.id ?? 0)) continue;
    const facts = readMediaFacts(row.values.facts);
    if (facts?.is === 'poster' && facts.of === sha256) found = row;
  }
  return found;
}

/**
 * Whether a video was uploaded elsewhere: the service has it, the library only its ID, name and state. A profile can
 * use it; it is neither uploaded nor checked.
 */
export const isServiceMedia = (row: Pick<Row<'media'>, 'values' | 'remoteId'>): boolean =>
  row.values.sha256 === null && row.remoteId !== null;

const PREFIX = 'service:';

/** Name of such a video in a spreadsheet or an archive, instead of a file name. */
export const serviceMediaText = (id: RemoteId): string => `${PREFIX}${id}`;

/** The media ID that such a text names, or null when it names a file. */
export const serviceMediaId = (text: string): RemoteId | null =>
  text.toLowerCase().startsWith(PREFIX) ? remoteId(text.slice(PREFIX.length).trim()) : null;
