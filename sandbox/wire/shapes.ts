import type { Quirks } from '../quirks.ts';
import { raiseIds } from './large-ids.ts';

type Shapes = Pick<Quirks, 'ids' | 'keys' | 'capitals' | 'bare'>;

/** Members whose values are words of a fixed list; texts that people read keep their letters. */
const ENUMERATED =
  /("(?:code|status|state|type|reviewStatus|campaignType|targetingType|matchType|mediaType|jobStatus)":\s*")([^"\\]*)"/g;
const ID_MEMBER = /("\w*Ids?":\s*|"id":\s*)(\[[\d,\s]*\]|\d+)/g;
const MEMBER_NAME = /"([A-Za-z]\w*)":/g;

/** A list of one, where the deployment answers with the one. */
export const unlisted = (body: unknown, { bare }: Shapes): unknown =>
  bare && Array.isArray(body) && body.length === 1 ? body[0] : body;

/**
 * The last change to the JSON text of an answer that was carried out: the same content in another of the documented
 * ways to write it. Ids come first, because they are found by the names of their members.
 *
 * @param largeIds whether ids lie beyond 2^53, which tests may switch while the service runs
 */
export function shaped(json: string, { ids, keys, capitals }: Shapes, largeIds: boolean): string {
  let text = largeIds ? raiseIds(json) : json;
  if (ids === 'text' || ids === 'large-text') {
    text = text.replaceAll(ID_MEMBER, (_whole, head: string, value: string) => head + value.replaceAll(/\d+/g, '"$&"'));
  }
  if (capitals)
    text = text.replaceAll(ENUMERATED, (_whole, head: string, word: string) => `${head}${word.toUpperCase()}"`);
  if (keys !== 'document') text = text.replaceAll(MEMBER_NAME, (_whole, name: string) => `"${spelled(name, keys)}":`);
  return text;
}

function spelled(name: string, keys: Exclude<Quirks['keys'], 'document'>): string {
  if (keys === 'lower') return name.toLowerCase();
  return keys === 'upper' ? name.toUpperCase() : name.charAt(0).toUpperCase() + name.slice(1);
}
