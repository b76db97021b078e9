import type { MediaFacts } from '../../../shared/model/media.ts';
import type { Row } from '../../../shared/model/row.ts';

/** What a library file is called on the wire, by what its bytes are (wire shapes, section 4, "media"). */
export function contentTypeOf(row: Row<'media'>): string {
  const facts = factsOf(row);
  switch (facts?.is) {
    case 'video':
      return facts.container === 'mov' ? 'video/quicktime' : 'video/mp4';
    case 'caption':
      return facts.format === 'vtt' ? 'text/vtt' : 'application/x-subrip';
    case 'logo':
      return 'image/png';
    default:
      return row.values.mediaType === 'caption' ? 'application/x-subrip' : 'video/mp4';
  }
}

/** The facts as the probe stored them; the store wrote the JSON, so it is read without a schema. */
function factsOf(row: Row<'media'>): MediaFacts | null {
  return row.values.facts === null ? null : (JSON.parse(row.values.facts) as MediaFacts);
}
