import { formatCell } from '../model/cell-text.ts';
import type { Kind } from '../model/kinds.ts';
import { unreachable } from '../result.ts';
import { type Query, WHOLE_ROW } from './query.ts';

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
      if (query.part.is === 'note' && query.part.text === '' && query.part.what !== 'resolved')
        return `${noteName(query.part)}:none`;
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
      if (query.text === '')
        return query.what === 'label' ? '-label:none' : `comment${about(query)}:${STATES[query.what]}`;
      return `${noteName(query)}:${quoted(query.text, query.what === 'comment' ? isSafeComment : isSafeValue)}`;
    case 'mark':
      return `is:${query.mark}`;
    default:
      return unreachable(query);
  }
}

/** Every comment holds the empty text, which stands for any of them in its state. */
const STATES = { comment: 'open', resolved: 'resolved' } as const;

type Note = Extract<Query, { readonly is: 'note' }>;
const about = ({ field }: Note): string => (field === undefined ? '' : `.${field ?? WHOLE_ROW}`);
const noteName = (note: Note): string => note.what + about(note);

const grouped = (part: Query, kind: Kind): string =>
  part.is === 'and' || part.is === 'or' ? `(${printSearch(part, kind)})` : printSearch(part, kind);

const isSafeValue = (text: string): boolean => /^[^\s()",\\]+$/.test(text) && !/^none$/i.test(text);
const isSafeComment = (text: string): boolean => isSafeValue(text) && !/^(open|resolved)$/i.test(text);
const isSafeText = (text: string): boolean => isSafeValue(text) && text !== 'OR' && !/^-|[:=<>!]/.test(text);

const quoted = (text: string, isSafe: (text: string) => boolean): string =>
  isSafe(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
