import { formatCell } from '../model/cell-text.ts';
import type { Kind } from '../model/kinds.ts';
import { unreachable } from '../result.ts';
import type { Query } from './query.ts';

/** Writes a search as the text that `parseSearch` reads back as the same search. */
export function printSearch(query: Query, kind: Kind): string {
  switch (query.is) {
    case 'all':
      return '';
    case 'and':
      return query.parts.map((part) => grouped(part, kind)).join(' ');
    case 'or':
      return query.parts
        .map((part) => (part.is === 'or' ? `(${printSearch(part, kind)})` : printSearch(part, kind)))
        .join(' OR ');
    case 'not':
      if (query.part.is === 'note' && query.part.text === '') return `${query.part.what}:none`;
      return `-${grouped(query.part, kind)}`;
    case 'text':
      return quoted(query.text, isSafeText);
    case 'contains':
      return `${query.field}:${quoted(query.text, isSafeValue)}`;
    case 'compare':
      return `${query.field}${query.op}${quoted(formatCell(kind, query.field, query.value), isSafeValue)}`;
    case 'one-of':
      return `${query.field}:${query.values.map((value) => quoted(formatCell(kind, query.field, value), isSafeValue)).join(',')}`;
    case 'empty':
      return `${query.field}:none`;
    case 'campaign':
      return `campaign:${quoted(query.text, isSafeValue)}`;
    case 'id':
      return `id:${quoted(query.id, isSafeValue)}`;
    case 'note':
      // Every note holds the empty text, so that is how "any" is written.
      return query.text === '' ? `-${query.what}:none` : `${query.what}:${quoted(query.text, isSafeValue)}`;
    case 'mark':
      return `is:${query.mark}`;
    default:
      return unreachable(query);
  }
}

const grouped = (part: Query, kind: Kind): string =>
  part.is === 'and' || part.is === 'or' ? `(${printSearch(part, kind)})` : printSearch(part, kind);

const isSafeValue = (text: string): boolean => /^[^\s()",\\]+$/.test(text) && !/^none$/i.test(text);
const isSafeText = (text: string): boolean => isSafeValue(text) && text !== 'OR' && !/^-|[:=<>!]/.test(text);

const quoted = (text: string, isSafe: (text: string) => boolean): string =>
  isSafe(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
