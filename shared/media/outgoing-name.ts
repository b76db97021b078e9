/**
 * The name of a saved file: valid on all three systems, with the extension of its content. The extension never comes
 * from the name, so that no file becomes a program.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'text/csv': 'csv',
  'application/gzip': 'gz',
  'application/json': 'json',
  // A saved page that is never displayed below our own origin, where browsers would display `text/html`.
  'application/x-adslate-page': 'html',
  'text/x-adslate-plan': 'adslate-plan',
  'application/x-adslate-invite': 'adslate-invite',
  'text/tab-separated-values': 'tsv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

/** Extensions of archives, which share one content type. */
const ARCHIVES = /\.(adslate|adslate-changes|zip)$/i;
const ENDING = /\.[a-z0-9-]{1,15}$/i;
/** Characters of a name before its extension, so that the name stays below the 255 bytes of file systems. */
const STEM_MAX = 60;
/** Separators, characters reserved on Windows, controls, direction marks, lone surrogates. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** @param contentType type of the content; parameters such as a character set are ignored */
export function outgoingName(name: string, contentType: string): string {
  const archive = contentType === 'application/zip' ? ARCHIVES.exec(name)?.[1] : undefined;
  const ending = archive?.toLowerCase() ?? ENDINGS[contentType.split(';')[0]?.trim() ?? ''] ?? 'bin';
  const stem = [...name.replace(UNSAFE, '_').replace(ENDING, '')].slice(0, STEM_MAX).join('');
  const trimmed = stem.replace(/^[\s.]+|[\s.]+$/gu, '');
  const usable = trimmed === '' ? 'file' : DEVICES.test(trimmed) ? `_${trimmed}` : trimmed;
  return `${usable}.${ending}`;
}
