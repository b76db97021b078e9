import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { err, ok, type Result } from '../result.ts';

/**
 * Three-way merge of one field of a row: the service's earlier value (base), the user's value (mine), the service's
 * value now (theirs). Fields missing in a response stay unchanged on both sides.
 *
 *   mine    theirs             outcome
 *   same    same               same
 *   changed same               keep-mine: sent by the next sync
 *   same    changed            take-theirs
 *   changed changed, equal     converged: nothing left to send
 *   changed changed, different conflict: the row waits for the user's decision
 */
export type FieldOutcome = 'same' | 'keep-mine' | 'take-theirs' | 'converged' | 'conflict';

export function mergeField(kind: Kind, field: string, base: Cell, mine: Cell, theirs: Cell): FieldOutcome {
  const isMineSame = isSameCell(kind, field, base, mine);
  const isTheirsSame = isSameCell(kind, field, base, theirs);
  if (isMineSame) return isTheirsSame ? 'same' : 'take-theirs';
  // The service owns these fields: its value always replaces that of the draft.
  if (fieldSpec(kind, field)?.owner === 'service') return 'take-theirs';
  if (isTheirsSame) return 'keep-mine';
  return isSameCell(kind, field, mine, theirs) ? 'converged' : 'conflict';
}

/**
 * Whether two cells are equal. Money and multipliers are integers, choices have one spelling each; the rest is text
 * that the service trims, and fields with a canonical form.
 */
export const isSameCell = (kind: Kind, field: string, a: Cell, b: Cell): boolean =>
  a === b || canonicalCell(kind, field, a) === canonicalCell(kind, field, b);

/** The form in which the sides of a field are compared. */
export function canonicalCell(kind: Kind, field: string, cell: Cell): Cell {
  if (typeof cell === 'number') return cell;
  const canonical = fieldSpec(kind, field)?.canonical;
  if (canonical !== undefined) return canonical(cell);
  const trimmed = cell?.toWellFormed().trim().replace(/\s+/gu, ' ') ?? '';
  return trimmed === '' ? null : trimmed;
}

/**
 * Policy for fields that were changed both here and on the service, as text that the user writes and an account stores:
 *
 *   bid=mine,dailyBudget=theirs,gone=ask,other=mine
 *
 * `gone` is a row that is missing on the service, `other` any field that is not named, missing rows included. `colleague`
 * applies where a member of the team changed the same field, and `other` does not. For anything else the user is asked.
 * Names are read as anywhere else: `daily budget` is `dailyBudget`.
 */
export type Side = 'mine' | 'theirs';

/** The side and the part of the policy that selects it; null where the user decides. */
export type ConflictPolicy = (field: string | null) => { readonly take: Side; readonly rule: string } | null;

export const ASK_ALWAYS = '';

const GONE = 'gone';
/** Passed to a policy instead of a field. */
export const COLLEAGUE = 'colleague';
const OTHER = 'other';

/** The error has the invalid part. */
export function readPolicy(text: string): Result<ConflictPolicy, { readonly part: string }> {
  const parts = text.trim() === '' ? [] : text.split(',');
  const sides = new Map<string, { readonly take: Side; readonly rule: string } | null>();
  for (const part of parts) {
    const [name = '', side = '', more] = part.split('=').map((word) => word.trim().toLowerCase());
    if (plain(name) === '' || more !== undefined || (side !== 'mine' && side !== 'theirs' && side !== 'ask')) {
      return err({ part: part.trim() });
    }
    sides.set(plain(name), side === 'ask' ? null : { take: side, rule: part.trim() });
  }
  return ok((field) => {
    const name = plain(field ?? GONE);
    return (sides.has(name) || name === COLLEAGUE ? sides.get(name) : sides.get(OTHER)) ?? null;
  });
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
