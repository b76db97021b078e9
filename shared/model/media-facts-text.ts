import { z } from 'zod';
import type { MediaFacts } from './media-facts.ts';

/** The `facts` cell of a media row is JSON text; this is the border where it becomes `MediaFacts` again. */
const Video = z.object({
  is: z.literal('video'),
  container: z.enum(['mp4', 'mov']),
  durationMs: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  videoCodec: z.string().nullable(),
  audioCodec: z.string().nullable(),
});
const CaptionProblem = z.object({
  line: z.number(),
  code: z.enum(['no-timing', 'bad-time', 'end-before-start', 'out-of-order', 'empty']),
});
const Caption = z.object({
  is: z.literal('caption'),
  format: z.enum(['srt', 'vtt']),
  cues: z.number(),
  lastEndMs: z.number(),
  problems: z.array(CaptionProblem),
});
const Logo = z.object({ is: z.literal('logo'), width: z.number(), height: z.number() });
const Facts = z.discriminatedUnion('is', [Video, Caption, Logo]);

/** Null when the row has no facts or they cannot be read. */
export function readMediaFacts(text: string | null): MediaFacts | null {
  if (text === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Facts are written by us; text that is no JSON means the file has to be probed again, as if it had none.
    return null;
  }
  const parsed = Facts.safeParse(json);
  return parsed.success ? parsed.data : null;
}
