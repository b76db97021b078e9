/**
 * The name under which a file of ours leaves the window: one that all three systems take, with the ending of what it
 * is. The ending follows the content and never the name, so that nothing leaves as a program.
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
  // A page that is saved and never shown below our own origin, which browsers would do with `text/html`.
  'application/x-adslate-page': 'html',
  'text/x-adslate-plan': 'adslate-plan',
  'text/tab-separated-values': 'tsv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

/** Endings of archives, which all have one content type and say more than it. */
const ARCHIVES = /\.(adslate|adslate-changes|zip)$/i;
const ENDING = /\.[a-z0-9-]{1,15}$/i;
/** Characters of a name before its ending; with it a name stays below the 255 bytes that file systems take. */
const STEM_MAX = 60;
/** Separators, what Windows keeps for itself, controls, marks of direction, halves of characters. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** @param contentType what the file is; parameters such as a character set do not count */
export function outgoingName(name: string, contentType: string): string {
  const archive = contentType === 'application/zip' ? ARCHIVES.exec(name)?.[1] : undefined;
  const ending = archive?.toLowerCase() ?? ENDINGS[contentType.split(';')[0]?.trim() ?? ''] ?? 'bin';
  const stem = [...name.replace(UNSAFE, '_').replace(ENDING, '')].slice(0, STEM_MAX).join('');
  const trimmed = stem.replace(/^[\s.]+|[\s.]+$/gu, '');
  const usable = trimmed === '' ? 'file' : DEVICES.test(trimmed) ? `_${trimmed}` : trimmed;
  return `${usable}.${ending}`;
}
