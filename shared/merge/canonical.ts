import { canonicalClickUrl } from '../model/click-url.ts';
import type { Cell } from '../model/field-types.ts';
import type { Kind } from '../model/kinds.ts';
import { OPEN_END } from '../model/plain-date.ts';

/**
 * A cell in the form in which two sides are compared. Money and multipliers are whole steps already, choices
 * have one spelling each; what is left is text the service trims, addresses it encodes, and an end it writes
 * as a far date where we write nothing.
 */
function canonicalCell(kind: Kind, field: string, cell: Cell): Cell {
  if (cell === null) return kind === 'campaign' && field === 'endDate' ? OPEN_END : null;
  if (typeof cell !== 'string') return cell;
  if (kind === 'sbaProfile' && field === 'clickUrl') return canonicalClickUrl(cell).url;
  const trimmed = cell.toWellFormed().trim().replace(/\s+/gu, ' ');
  return trimmed === '' ? null : trimmed;
}

export const isSameCell = (kind: Kind, field: string, a: Cell, b: Cell): boolean =>
  a === b || canonicalCell(kind, field, a) === canonicalCell(kind, field, b);
