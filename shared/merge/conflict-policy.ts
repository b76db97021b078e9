import { err, ok, type Result } from '../result.ts';

/**
 * Which side counts where a field was changed here and on the service, as one writes it and as an account keeps it:
 *
 *   bid=mine,dailyBudget=theirs,gone=ask,other=mine
 *
 * `gone` stands for a row that the service has no more, `other` for every field that is not named, a gone row among them.
 * What no part decides is asked. Names are read as anywhere else: `daily budget` is `dailyBudget`.
 */
export type Side = 'mine' | 'theirs';

/** The side and the part of the policy that says so; null where the user decides. */
export type ConflictPolicy = (field: string | null) => { readonly take: Side; readonly rule: string } | null;

export const ASK_ALWAYS = '';

const GONE = 'gone';
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
    return (sides.has(name) ? sides.get(name) : sides.get(OTHER)) ?? null;
  });
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
