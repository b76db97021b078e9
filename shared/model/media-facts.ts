/**
 * What the probe learned from the bytes of a file, never from its name. Stored as JSON in the media row and
 * judged by the rules.
 */
export type MediaFacts = VideoFacts | CaptionFacts | LogoFacts;

export interface VideoFacts {
  readonly is: 'video';
  readonly container: 'mp4' | 'mov';
  /** Null when the file does not say (fragmented files). */
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
