import type { Conflict, ConflictChoice } from '../../../../shared/contract/sync.ts';
import { usageStop } from '../stop.ts';

/** Which side counts for a conflict; null leaves it open. */
export type Policy = (conflict: Conflict) => ConflictChoice['take'] | null;

/** Stands for a row that is gone on the service, and for every field that is not named. */
const GONE = 'gone';
const OTHER = 'other';

/**
 * Reads `bid=mine,dailyBudget=theirs,gone=theirs,other=ask`: a side for each field, for rows that are gone, and for the rest. What is
 * not named stays open. Fields may be written as anywhere else: `daily budget` is `dailyBudget`.
 */
export function readPolicy(text: string): Policy {
  const sides = new Map<string, ConflictChoice['take'] | null>();
  for (const part of text.split(',')) {
    const [name = '', side = '', more] = part.split('=').map((word) => word.trim().toLowerCase());
    if (name === '' || more !== undefined || (side !== 'mine' && side !== 'theirs' && side !== 'ask')) {
      throw usageStop(`"${part.trim()}" is no rule. Write --policy bid=mine,dailyBudget=theirs,gone=ask,other=mine.`);
    }
    sides.set(plain(name), side === 'ask' ? null : side);
  }
  return ({ field }) => {
    const name = plain(field ?? GONE);
    const side = sides.has(name) ? sides.get(name) : sides.get(OTHER);
    return side ?? null;
  };
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
