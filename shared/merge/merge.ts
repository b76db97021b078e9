import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { err, ok, type Result } from '../result.ts';

/**
 * Three-way merge of one field of a row: what the service said before (base), what the user wants (mine), what the
 * service says now (theirs). Fields that an answer did not have stay as they are on both sides.
 *
 *   mine    theirs             outcome
 *   same    same               same
 *   changed same               keep-mine: pushed by the next sync
 *   same    changed            take-theirs
 *   changed changed, equal     converged: nothing left to push
 *   changed changed, different conflict: the row waits until the user picks
 */
export type FieldOutcome = 'same' | 'keep-mine' | 'take-theirs' | 'converged' | 'conflict';

export function mergeField(kind: Kind, field: string, base: Cell, mine: Cell, theirs: Cell): FieldOutcome {
  const isMineSame = isSameCell(kind, field, base, mine);
  const isTheirsSame = isSameCell(kind, field, base, theirs);
  if (isMineSame) return isTheirsSame ? 'same' : 'take-theirs';
  // The service owns these: what it says is so, whatever stood in the draft.
  if (fieldSpec(kind, field)?.owner === 'service') return 'take-theirs';
  if (isTheirsSame) return 'keep-mine';
  return isSameCell(kind, field, mine, theirs) ? 'converged' : 'conflict';
}

/**
 * Whether two sides say the same. Money and multipliers are whole steps already, choices have one spelling each; what is
 * left is text the service trims, and fields with a canonical form of their own.
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
 * Which side counts where a field was changed here and on the service, as one writes it and as an account keeps it:
 *
 *   bid=mine,dailyBudget=theirs,gone=ask,other=mine
 *
 * `gone` stands for a row that the service has no more, `other` for every field that is not named, a gone row among them.
 * `colleague` decides where a member of the team changed the same, and `other` does not. What no part decides is asked. Names are read as anywhere else: `daily budget` is `dailyBudget`.
 */
export type Side = 'mine' | 'theirs';

/** The side and the part of the policy that says so; null where the user decides. */
export type ConflictPolicy = (field: string | null) => { readonly take: Side; readonly rule: string } | null;

export const ASK_ALWAYS = '';

const GONE = 'gone';
/** Asked of a policy in the place of a field. */
export const COLLEAGUE = 'colleague';
const OTHER = 'other';

/** The error names the part that is no rule. */
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
