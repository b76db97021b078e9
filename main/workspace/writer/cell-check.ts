import type { Failure } from '../../../shared/api/operation.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import { type Cell, type FieldSpec, isUnknownWord } from '../../../shared/model/field-types.ts';
import { LISTED_FIELDS } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err } from '../../../shared/result.ts';
import type { Db } from '../db/db.ts';
import { isInUse } from '../rows/words-in-use.ts';
import { tableOf } from '../schema/tables.ts';
import type { EditBatch } from '../types.ts';

type BadValue = Failure<'BAD_VALUE'>;

/** The service's fields that the user may write after all: where an item id came from, and what it was called there. */
const NOTES: Readonly<Partial<Record<Kind, readonly string[]>>> = { adItem: ['itemName', 'itemIdSource'] };

/** Why the cell cannot stand in this field, or null. Whether a row is past its creation is asked elsewhere. */
export function problemOfCell(
  db: Db,
  kind: Kind,
  field: string,
  spec: FieldSpec | undefined,
  cell: Cell,
  source: EditBatch['source'],
): BadValue | null {
  if (spec === undefined) return problem(kind, field, 'unknown-field');
  const byUser = source === 'user' || source === 'import';
  if (byUser && spec.owner === 'service' && NOTES[kind]?.includes(field) !== true) return problem(kind, field, 'owner');
  if (!isCellOf(spec, cell)) {
    return problem(kind, field, spec.type.is === 'choice' && typeof cell === 'string' ? 'choice' : 'type');
  }
  // The lists of placements and platforms are the deployment's; other words are the service's to make.
  if (source === 'user' && isUnknownWord(spec, cell) && !LISTED_FIELDS.has(field) && !isInUse(db, kind, field, cell)) {
    return problem(kind, field, 'choice');
  }
  if (spec.type.is === 'ref' && cell !== null) {
    const found = db.get(`SELECT 1 FROM ${tableOf(spec.type.kind).name} WHERE id = ?`, cell);
    if (found === undefined) return problem(kind, field, 'type');
  }
  return null;
}

export const badValue = (kind: Kind, field: string, reason: BadValue['data']['reason']) =>
  err(problem(kind, field, reason));

const problem = (kind: Kind, field: string, reason: BadValue['data']['reason']): BadValue => ({
  code: 'BAD_VALUE',
  data: { kind, field, reason },
});
