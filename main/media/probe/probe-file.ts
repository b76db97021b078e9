import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { MediaFacts } from '../../../shared/model/media-facts.ts';
import { err, type Result } from '../../../shared/result.ts';
import { type ByteSource, withFile } from './byte-source.ts';
import { CAPTION_MAX_BYTES, captionFacts } from './captions.ts';
import { logoFacts } from './png.ts';
import { SNIFF_BYTES, sniff } from './sniff.ts';
import { videoFacts } from './video-facts.ts';

/** Tells from a file's bytes what it is and what it measures, or why it cannot be used at all. */
export function probeFile(path: string): Result<MediaFacts, FileRefusal> {
  try {
    return withFile(path, probeSource);
  } catch (error) {
    return err(fileRefusal('cannot-read', { code: fileErrorCode(error) }));
  }
}

export function probeSource(source: ByteSource): Result<MediaFacts, FileRefusal> {
  if (source.size === 0) return err(fileRefusal('empty'));
  const sniffed = sniff(source.read(0, SNIFF_BYTES));
  switch (sniffed.is) {
    case 'iso-media':
      return videoFacts(source, sniffed.container);
    case 'png':
      return logoFacts(source);
    case 'text':
      return probeText(source);
    case 'other':
      return err(fileRefusal('not-media', { found: sniffed.found }));
  }
}

function probeText(source: ByteSource): Result<MediaFacts, FileRefusal> {
  if (source.size > CAPTION_MAX_BYTES) {
    return err(fileRefusal('caption-too-large', { bytes: source.size, limit: CAPTION_MAX_BYTES }));
  }
  const facts = captionFacts(source.read(0, source.size));
  // A text without a single timed line was never meant as captions: a report, a script, a renamed file.
  if (!facts.ok && facts.error.reason === 'caption-no-cues') {
    return err(fileRefusal('not-media', { found: 'a text without caption times' }));
  }
  return facts;
}

function fileErrorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}
