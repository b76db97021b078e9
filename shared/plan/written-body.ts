import type { Kind } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';
import type { WrittenRequest } from './plan-text.ts';

/** `"@kind/id"` where a value stands: no text of a plan begins with `@`. */
const REF = /"@([a-zA-Z]+)\/(\d+)"/gu;
const KEYWORDS = /("keywords":\[)("(?:[^"\\]|\\.)*")\]/u;

/** The rows without an id of the service that a written request refers to. */
export const writtenRefs = ({ elements }: WrittenRequest): readonly string[] => [
  ...new Set(elements.flatMap(({ body }) => [...body.matchAll(REF)].map(([, kind, id]) => `${kind}/${id}`))),
];

/**
 * The body of a written request as it goes on the wire: what `renderBatch` makes of the plan itself.
 *
 * @param resolve the id of a row that the plan refers to; null leaves the reference
 */
export function writtenBody(
  { verb, elements }: WrittenRequest,
  resolve: (kind: Kind, id: RowId) => string | null,
): string {
  const bodies = elements.map(({ body }) =>
    body.replace(REF, (ref, kind: Kind, id: string) => resolve(kind, Number(id) as RowId) ?? ref),
  );
  const [first = '{}'] = bodies;
  if (verb === 'logo') return first;
  if (verb !== 'create' || !KEYWORDS.test(first)) return `[${bodies.join(',')}]`;
  // Keywords in seed words travel as one object with all texts.
  const texts = bodies.map((body) => KEYWORDS.exec(body)?.[2] ?? '""');
  return first.replace(KEYWORDS, (_, before: string) => `${before}${texts.join(',')}]`);
}
